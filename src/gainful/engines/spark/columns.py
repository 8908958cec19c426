"""The columns of a DataFrame that qrels or a run are made of, as workers read them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful import _native
from gainful.align import native_options
from gainful.engines.spark.failures import in_words
from gainful.engines.spark.frames import Given, Texts, Written, numbered, positioned
from gainful.errors import SourceError
from gainful.kinds import KINDS
from gainful.rankings import Rankings
from gainful.rules import Rules
from gainful.sources import FORMATS, Judgments, Reading, Wanted
from gainful.sources._given import hand_over
from gainful.sources._roles import ALIASES, GROUPS, LEVELS, ROLES, chosen, first_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# A number in text, as the native core reads it: Java takes "1d", "0x1p3" and " 1 " for numbers too.
_NUMBER = r"\A(?i)[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity|nan)\z"
_READING = Reading(threads=1)
_SIDES = ("qrels", "run")


class Rows(NamedTuple):
    """Rows on Spark.

    Attributes:
        frame: The rows, in columns of any names and types.
        place: What errors call them.
        columns: What the user calls the columns, by role.
        written: How they were written, if that is another way.
        position: The column of positions, if there is one.
    """

    frame: "DataFrame"
    place: str
    columns: Mapping[str, str]
    written: Written | None = None
    position: str | None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns, without that of positions."""
        return [name for name in self.frame.columns if name != self.position]


def columns_for(side: str, columns: Any) -> dict[str, str]:
    """What the user calls the columns of one side: ``{"query": "qid", "qrels.label": "grade"}``.

    >>> columns_for("run", {"query": "qid", "qrels.label": "grade", "run.score": "s"})
    {'query': 'qid', 'score': 's'}
    """
    roles = ("subtopic", *GROUPS, *ROLES)
    given = Wanted(side, side, columns or {}).columns
    found: dict[str, str] = {}
    for name, column in given.items():
        owner, _, role = name.rpartition(".")
        if role not in roles or owner not in ("", *_SIDES):
            message = f"columns: must name one of {', '.join(ROLES)}, got {name!r}."
            raise SourceError(message, code="bad-columns")
        if owner in ("", side):
            found["group" if role == "subtopic" else role] = column
    return found


def only_for(side: str, columns: Any) -> list[str]:
    """The names of columns that can be meant for one side alone, as the user gave them.

    >>> only_for("run", {"query": "qid", "qrels.item": "d", "run.item": "docno", "score": "s"})
    ['run.item', 'score']
    """
    roles = ("score", "rank") if side == "run" else ("label", "subtopic", *GROUPS)
    return [name for name in columns or {} if name.startswith(f"{side}.") or name in roles]


def given_run(rows: Rows, rules: Rules) -> Given:
    """A run with known columns; an error where its own are not known, or of another type."""
    wanted = Wanted("run", rows.place, _usual(rows.columns), ranks_for=rules.reading_ranks)
    query, item, number, rank = chosen(rows.names, wanted)
    roles = {"query": query, "item": item, "number": number, "rank": rank}
    _check_types(rows, roles, wanted, rules)
    if rules.order != "score":
        roles["number"] = None
    return _given(rows, roles)


def given_qrels(rows: Rows, rules: Rules, kinds: Sequence[type[Rankings]]) -> Given:
    """Qrels with known columns, as above; where they have no label, all items are relevant."""
    from pyspark.sql import functions as F

    wanted = Wanted("qrels", rows.place, _usual(rows.columns))
    groups = _groups(rows, kinds)
    names = rows.names
    if groups and first_of(names, ALIASES["label"]) is None and "label" not in wanted.columns:
        at = first_of(names, LEVELS)
        if at is not None:
            wanted = replace(wanted, columns={**wanted.columns, "label": names[at]})
    query, item, number, _ = chosen(names, wanted)
    roles = {"query": query, "item": item, "number": number}
    _check_types(rows, roles, wanted, rules)
    more = {} if number is not None else {"number": F.lit(1.0)}
    return _given(rows, roles | groups, **more)


def _usual(columns: Mapping[str, str]) -> dict[str, str]:
    return {role: name for role, name in columns.items() if role in ROLES}


def _groups(rows: Rows, kinds: Sequence[type[Rankings]]) -> dict[str, int | None]:
    """The columns of groups that a frame has, where a measure reads any."""
    if all(KINDS[kind].judgments is Judgments for kind in kinds):
        return {}
    found = {role: _group(rows, role) for role in GROUPS}
    return {role: at for role, at in found.items() if at is not None}


def _group(rows: Rows, role: str) -> int | None:
    name = rows.columns.get(role)
    if name is None:
        return first_of(rows.names, ALIASES[role])
    if name not in rows.names:
        shown = ", ".join(map(repr, rows.names))
        message = f"{rows.place}: has no column {name!r}; there are {shown}."
        raise SourceError(message, code="missing-column")
    return rows.names.index(name)


def _check_types(rows: Rows, roles: Mapping[str, int | None], wanted: Wanted, rules: Rules) -> None:
    """An error where a column has a type that is not read here either: the local reader says so."""
    import pyarrow as pa

    schema = _schema(rows, roles)
    nulls = [pa.nulls(1, schema.get(at, pa.null())) for at in range(len(rows.names))]
    table = pa.Table.from_arrays(nulls, names=rows.names)
    index = _native.Index(_READING.native)
    receiver: Any = index
    if wanted.holds == "run":
        index.finish(_native.Duplicates.error)
        receiver = _native.Aligner(index, native_options(rules), _READING.native)
    try:
        hand_over(table, FORMATS[wanted.holds, "frame"], wanted, receiver, _READING, lambda: None)
    except SourceError as error:
        # The row is nothing but nulls, which are no ids; that says nothing of the columns.
        if error.found is None or error.found[0] not in _OF_ROWS:
            raise


_OF_ROWS = ("null", "label", "score", "rank")


def _schema(rows: Rows, roles: Mapping[str, int | None]) -> dict[int, Any]:
    """The Arrow types of the columns that are read."""
    frame, names = numbered(rows.frame.drop(rows.position) if rows.position else rows.frame)
    used = [at for at in roles.values() if at is not None]
    with in_words(rows.place):
        empty = frame.select(*dict.fromkeys(names[at] for at in used)).limit(0).toArrow()
    return {at: empty.schema.field(names[at]).type for at in used}


def _given(rows: Rows, roles: Mapping[str, int | None], **more: "Column") -> Given:
    """The columns, ids as text and numbers as doubles, and the position of each row."""
    from pyspark.sql import functions as F

    frame, names = numbered(rows.frame)
    position = None if rows.position is None else F.col(names[-1])
    types = [field.dataType.typeName() for field in frame.schema.fields]
    found, texts = dict(more), {}
    for role, at in roles.items():
        if at is None:
            continue
        column = F.col(names[at])
        if role not in ("number", "rank"):
            found[role] = column.cast("string")
        elif types[at] in _TEXT:
            texts[role] = column
            found[role] = F.when(column.rlike(_NUMBER), column).try_cast("double")
        else:
            found[role] = column.cast("double")
    written = rows.written
    if written is None and texts:
        written = Texts(positioned(frame, found | texts, position))
    return Given(positioned(frame, found, position), rows.place, written)


_TEXT = ("string", "char", "varchar")
