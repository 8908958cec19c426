"""Tables about items, as ItemData: which there are, what they are called, how popular they are."""

from collections.abc import Callable, Mapping
from typing import Any

from gainful.errors import SourceError
from gainful.sources._roles import ALIASES, all_of
from gainful.sources._table_files import from_bytes, looks_like_a_table
from gainful.sources._table_objects import is_missing
from gainful.sources.items import ItemData
from gainful.sources.metadata import Table, key_of, read_table, table_of

SHOWN = ("title", "url")  # what people read
ROLES = (*SHOWN, "popularity", "features")


def items_in_bytes(
    data: bytes, name: str, columns: Mapping[str, Any], roles: tuple[str, ...]
) -> ItemData | None:
    """The data of items in a file with a header; None where the file is no such table."""
    if not looks_like_a_table(data, name, _is_header):
        return None
    return _as_items(table_of(from_bytes(data, name), name, "item", columns), columns, roles)


def items_in(source: Any, columns: Mapping[str, Any], roles: tuple[str, ...]) -> ItemData:
    """The data of items in a data frame, a dict or a list of rows."""
    return _as_items(read_table(source, "item", columns), columns, roles)


def _is_header(names: list[str]) -> bool:
    return key_of(names, "item") is not None and not any(map(_is_number, names))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _as_items(table: Table, columns: Mapping[str, Any], roles: tuple[str, ...]) -> ItemData:
    unknown = next((role for role in columns if role not in ("item", *ROLES)), None)
    if unknown is not None:
        message = (
            f"{table.name}: columns must be named for item, {', '.join(ROLES)}, got {unknown!r}."
        )
        raise SourceError(message, code="missing-column")
    found: dict[str, Any] = {
        part: read(table, columns) for role, (part, read) in _PARTS.items() if role in roles
    }
    return ItemData(catalogue=table.ids, name=table.name, **found)


def _texts(role: str) -> Callable[[Table, Mapping[str, Any]], dict[str, str] | None]:
    def texts(table: Table, columns: Mapping[str, Any]) -> dict[str, str] | None:
        """The first text that each item has, of the columns that people call so."""
        names = list(table.columns)
        chosen = [names[i] for i in all_of(names, ALIASES[role])]
        found: dict[str, str] = {}
        for name in [str(columns[role])] if role in columns else chosen:
            values = zip(table.ids, table.column(name), strict=True)
            found = {item: str(v) for item, v in values if not is_missing(v)} | found
        return found or None

    return texts


def _popularity(table: Table, columns: Mapping[str, Any]) -> dict[str, Any] | None:
    counts = table.role("popularity", columns)
    if counts is None:
        return None
    known = zip(table.ids, map(_number, counts), strict=True)
    return {item: number for item, number in known if number is not None} or None


def _features(table: Table, columns: Mapping[str, Any]) -> dict[str, Any] | None:
    given = columns.get("features")
    if given is None:
        return None
    if isinstance(given, str):
        return {
            item: vector
            for item, vector in zip(table.ids, table.column(given), strict=True)
            if not is_missing(vector)
        } or None
    each = [map(_number, table.column(name)) for name in given]
    return dict(zip(table.ids, map(list, zip(*each, strict=True)), strict=True))


_PARTS: dict[str, tuple[str, Callable[[Table, Mapping[str, Any]], Any]]] = {
    "title": ("titles", _texts("title")),
    "url": ("urls", _texts("url")),
    "popularity": ("popularity", _popularity),
    "features": ("features", _features),
}


def _number(value: Any) -> Any:
    """What a text spells, if it is a number; else the value, for others to refuse."""
    if is_missing(value):
        return None
    return float(value) if isinstance(value, str) and _is_number(value) else value
