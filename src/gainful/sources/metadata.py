"""Tables about queries or items: any file with a header, any frame, dicts, as plain columns."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gainful.errors import SourceError
from gainful.records import Frozen
from gainful.sources._detect import is_path
from gainful.sources._roles import ALIASES, first_of, named
from gainful.sources._rows import id_of
from gainful.sources._table_files import from_file
from gainful.sources._table_objects import Raw, from_object, is_missing
from gainful.wording import examples

PLURAL = {"query": "queries", "item": "items"}
# A table about queries may name their users too: what says query comes first. And the id of a
# table about one thing is often called so and no more.
_FIRST = {
    "query": ("query_id", "qid", "q_id", "topic_id", "query", "topic"),
    "item": (),
}
_LAST = ("id",)
_EXPECTED = (
    "a file with a header (CSV, TSV, JSON lines or Parquet), a data frame, "
    "{{{0}: {{column: value}}}}, or {{column: [value, ...]}}"
)
_MOST = 12  # columns that a sentence lists


@dataclass(eq=False, repr=False)
class Table(Frozen):
    """What a table says, by the id that each of its rows is about.

    Attributes:
        name: What errors call it: the path, or "queries", or "items".
        ids: The query or the item of each row; none is there twice.
        columns: The values of all other columns, by name.
    """

    name: str
    ids: list[str]
    columns: dict[str, list[Any]]

    def column(self, name: str) -> list[Any]:
        """The values of a column."""
        if name not in self.columns:
            message = f"{self.name}: has no column {name!r}; there are {_listed(self.columns)}."
            raise SourceError(message, code="missing-column")
        return self.columns[name]

    def role(self, role: str, names: Mapping[str, Any]) -> list[Any] | None:
        """The column that the user names for a role, else one that people call so."""
        if role in names:
            return self.column(str(names[role]))
        found = named(list(self.columns), role)
        return None if found is None else list(self.columns.values())[found]


def read_table(source: Any, about: str, names: Mapping[str, Any]) -> Table:
    """A table about queries or items.

    Args:
        source: A path or an object.
        about: What each row is about: query or item.
        names: What the user calls columns, by role.
    """
    is_file = is_path(source)
    name = os.fspath(source) if is_file else PLURAL[about]
    raw = from_file(source) if is_file else from_object(source, name, _EXPECTED.format(about))
    return table_of(raw, name, about, names)


def table_of(raw: Raw, name: str, about: str, names: Mapping[str, Any]) -> Table:
    """The same for columns that have been read; errors call them ``name``."""
    plural = PLURAL[about]
    if not raw.columns:
        message = f"{name}: there are no {plural} in it."
        raise SourceError(message, code="nothing-in-it")
    columns = dict(raw.columns)
    ids = columns.pop(_key(list(columns), about, name, names))
    if not ids:
        message = f"{name}: there are no {plural} in it."
        raise SourceError(message, code="nothing-in-it")
    return Table(name, _ids(ids, raw, about, name), columns)


def key_of(names: list[str], about: str) -> str | None:
    """The column that holds the ids of what a table is about, by the names that people use.

    >>> key_of(["user_id", "query"], "query"), key_of(["_id", "title"], "item")
    ('query', '_id')
    """
    for aliases in (_FIRST[about], ALIASES[about], _LAST):
        found = first_of(names, aliases)
        if found is not None:
            return names[found]
    return None


def _key(columns: list[str], about: str, name: str, names: Mapping[str, Any]) -> str:
    wanted = names.get(about, "" if columns[0] == "" else key_of(columns, about))
    if wanted not in columns:
        listed = _listed(columns)
        message = f"{name}: has no column {wanted!r}; there are {listed}."
        if wanted is None:
            message = (
                f"{name}: no column is known as the {about}; there are {listed}. Call one of them "
                f"{about}, or pass columns={{{about!r}: NAME}} to read_{PLURAL[about]}()."
            )
        raise SourceError(message, code="missing-column")
    return str(wanted)


def _ids(given: list[Any], raw: Raw, about: str, name: str) -> list[str]:
    at = range(1, len(given) + 1) if raw.at is None else raw.at
    empty = next((i for i, one in enumerate(given) if is_missing(one)), None)
    if empty is not None:
        message = f"{name}, {raw.unit} {at[empty]}: the {about} is empty."
        raise SourceError(message, code="bad-id")
    ids = [id_of(one.tolist() if hasattr(one, "tolist") else one, name) for one in given]
    if len(set(ids)) < len(ids):
        first: dict[str, int] = {}
        for one, row in zip(ids, at, strict=True):
            if first.setdefault(one, row) != row:
                message = (
                    f"{name}, {raw.unit} {row}: {about} {one!r} is listed twice "
                    f"(first on {raw.unit} {first[one]})."
                )
                raise SourceError(message, code="listed-twice")
    return ids


def _listed(names: Any) -> str:
    return examples(list(names), _MOST) or "none"
