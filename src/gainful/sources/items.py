"""Item data: the catalog, popularity, features, titles and urls."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from gainful.base import FloatArray, format_count, format_repr, open_file, read_whole
from gainful.errors import SourceError
from gainful.sources.columns import KNOWN_NAMES, find_all, find_id_column, is_number, to_id
from gainful.sources.detect import is_path
from gainful.sources.formats import declare_format
from gainful.sources.tables import AttributeTable, is_missing, is_table, read_table
from gainful.sources.trec import parse_labels, split_lines

DISPLAY_ROLES = ("title", "url")  # what people read
ROLES = (*DISPLAY_ROLES, "popularity", "features")


_MAX_POPULARITY = 1e15  # users or interactions; sums of more would not be exact


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemData:
    """Data about the items that a run may return.

    All of it is optional; a measure that lacks what it needs says so.

    Attributes:
        catalog: The ids of all items that could be recommended.
        popularity: How many users have had each item; or how often it was had, without n_users.
        n_users: How many users there are.
        features: What each item is like: a vector of numbers, as long for all.
        titles: What people call each item, to be shown.
        urls: Where each item is found, to be shown.
        name: What errors call it: the path, or "items".
        n_comments: How many lines of the file are comments.

    >>> ItemData(catalog=["a", "b"], popularity={"a": 3}, n_users=10)
    <ItemData 'items': 2 in the catalog, 1 with popularity, 0 with features>
    """

    catalog: Collection[Any] | None = None
    popularity: Mapping[Any, float] | None = None
    n_users: int | None = None
    features: Mapping[Any, Sequence[float] | FloatArray] | None = None
    titles: Mapping[Any, str] | None = None
    urls: Mapping[Any, str] | None = None
    name: str = "items"
    n_comments: int = 0

    def __post_init__(self) -> None:
        fields = {
            "catalog": _check_catalog(self.catalog, self.name),
            "popularity": _check_popularity(self.popularity, self.name),
            "features": _check_features(self.features, self.name),
            "titles": _check_texts(self.titles, "titles", self.name),
            "urls": _check_texts(self.urls, "urls", self.name),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self._check_users()

    def _check_users(self) -> None:
        n_users = self.n_users
        if n_users is None:
            return
        if not isinstance(n_users, Integral) or isinstance(n_users, bool) or n_users < 1:
            message = f"{self.name}: n_users must be an integer >= 1, got {n_users!r}."
            raise SourceError(message, code="bad-item-data")
        for item, popularity in (self.popularity or {}).items():
            if popularity > n_users:
                message = (
                    f"{self.name}: the popularity of {item!r} must be at most n_users={n_users}, "
                    f"got {popularity:g}."
                )
                raise SourceError(message, code="bad-item-data")

    def __repr__(self) -> str:
        content = (
            f"{len(data or ()):,} {description}"
            for data, description in (
                (self.catalog, "in the catalog"),
                (self.popularity, "with popularity"),
                (self.features, "with features"),
            )
        )
        text = (
            f"{len(texts):,} with {description}"
            for texts, description in ((self.titles, "titles"), (self.urls, "urls"))
            if texts
        )
        return f"<ItemData {self.name!r}: {', '.join([*content, *text])}>"


def _check_catalog(source: object, name: str) -> frozenset[str] | None:
    if source is None:
        return None
    if isinstance(source, str | bytes) or not isinstance(source, Collection) or not len(source):
        message = f"{name}: the catalog must hold the ids of items, got {format_repr(source)}."
        raise SourceError(message, code="bad-item-data")
    return frozenset(to_id(item, name) for item in source)


def _check_popularity(source: object, name: str) -> dict[str, float] | None:
    if source is None:
        return None
    counts = _check_ids(source, "popularity", name)
    for item, number in counts.items():
        is_count = isinstance(number, Real) and math.isfinite(number)
        if not is_count or not (number == 0 or 1 <= number <= _MAX_POPULARITY):
            message = (
                f"{name}: the popularity of {item!r} must be 0, or from 1 to {_MAX_POPULARITY:g}, "
                f"got {number!r}."
            )
            raise SourceError(message, code="bad-item-data")
    return {item: float(number) for item, number in counts.items()}


def _check_features(source: object, name: str) -> dict[str, FloatArray] | None:
    if source is None:
        return None
    vectors = _check_ids(source, "features", name)
    width = None
    for item, vector in vectors.items():
        try:
            vectors[item] = np.array(vector, dtype=np.float64)
        except (TypeError, ValueError):
            vectors[item] = np.full(0, math.nan)
        shape = vectors[item].shape
        width = width or math.prod(shape)
        if shape != (width,) or not width or not np.isfinite(vectors[item]).all():
            expected = (
                format_count(width, "finite number", "finite numbers")
                if width
                else "finite numbers"
            )
            message = (
                f"{name}: the features of {item!r} must be {expected}, got {format_repr(vector)}."
            )
            raise SourceError(message, code="bad-item-data")
    return vectors


def _check_texts(source: object, field: str, name: str) -> dict[str, str] | None:
    if source is None:
        return None
    texts = _check_ids(source, field, name)
    for item, text in texts.items():
        if not isinstance(text, str):
            message = f"{name}: {field} must be text, got {format_repr(text)} for {item!r}."
            raise SourceError(message, code="bad-item-data")
    return texts


def _check_ids(source: object, field: str, name: str) -> dict[str, Any]:
    if not isinstance(source, Mapping) or not source:
        message = f"{name}: {field} must be a dict of items, got {format_repr(source)}."
        raise SourceError(message, code="bad-item-data")
    values = {to_id(item, name): value for item, value in source.items()}
    if len(values) < len(source):
        message = f"{name}: {field} must name every item once, got an id as text and as a number."
        raise SourceError(message, code="listed-twice")
    return values


def read_item_data(
    source: Any, columns: Mapping[str, Any], roles: tuple[str, ...] | None = None
) -> ItemData:
    """Return the data of items in any source, as ``read_items`` takes it.

    Args:
        source: The source.
        columns: What the columns of a table are called, by role.
        roles: What is taken from a table; all there is if not given.
    """
    if isinstance(source, ItemData):
        return source

    roles = ROLES if roles is None else roles
    if not is_path(source):
        return _make_items(read_table(source, "item", columns), columns, roles)
    with open_file(source) as file:
        if is_table(file, _is_header):
            return _make_items(read_table(file, "item", columns), columns, roles)
        return _parse_items(read_whole(file), file.name)


def _parse_items(data: bytes, path: str) -> ItemData:
    text = data.removeprefix(b"\xef\xbb\xbf")
    names = _name_fields(text)
    rows = split_lines(text, path, names, content="items", comments=True)
    items, *numbers = rows.columns
    lines = rows.lines.tolist()
    if not items:
        message = f"{path}: there are no items in it."
        raise SourceError(message, code="nothing-in-it")
    first: dict[str, int] = {}
    for item, line in zip(items, lines, strict=True):
        if first.setdefault(item, line) != line:
            message = (
                f"{path}, line {line}: item {item!r} is listed twice (first on line {first[item]})."
            )
            raise SourceError(message, code="listed-twice")
    counts, *features = [
        parse_labels(column, path, lines, name="a feature" if i else "popularity")
        for i, column in enumerate(numbers)
    ] or [[]]
    return ItemData(
        catalog=items,
        popularity=dict(zip(items, counts, strict=True)) if numbers else None,
        features=dict(zip(items, np.array(features).T, strict=True)) if features else None,
        name=path,
        n_comments=rows.odd.comments,
    )


def _name_fields(text: bytes) -> tuple[str, ...]:
    """Return names for the fields of a line: as many as the first line has."""
    lines = (line.split() for line in text.split(b"\n"))
    first = next((fields for fields in lines if fields and not fields[0].startswith(b"#")), [])
    n_features = max(len(first) - 2, 0)
    return ("item", "popularity", *(f"feature{i + 1}" for i in range(n_features)))[
        : len(first) or 1
    ]


def _read(source: object) -> ItemData:
    return read_item_data(source, {})


declare_format(
    name="text",
    holds="items",
    summary="A text file, one item of the catalog a line; all but its id may be left out.",
    columns=("item", "[popularity]", "[feature...]"),
    is_file=True,
    unit="line",
    read=_read,
)
declare_format(
    name="table",
    holds="items",
    summary="A file with a header: CSV, TSV, JSON, JSON lines, Parquet or Arrow; one row an item.",
    columns=("item", "[title]", "[url]", "[popularity]", "[any...]"),
    is_file=True,
    unit="line",
    read=_read,
)
declare_format(
    name="frame",
    holds="items",
    summary="A table with an item column: of any library that speaks the Arrow PyCapsule "
    "interface, or of pandas; {column: [value, ...]}, {item: {column: value}}, "
    "or a list of dicts.",
    read=_read,
)
declare_format(
    name="data",
    holds="items",
    summary="Item data: ItemData(catalog=..., popularity=..., n_users=..., features=..., "
    "titles=..., urls=...).",
    read=_read,
)


def _is_header(names: Sequence[str]) -> bool:
    return find_id_column(names, "item") is not None and not any(map(is_number, names))


def _make_items(
    table: AttributeTable, columns: Mapping[str, Any], roles: tuple[str, ...]
) -> ItemData:
    unknown = next((role for role in columns if role not in ("item", *ROLES)), None)
    if unknown is not None:
        message = (
            f"{table.name}: columns must be named for item, {', '.join(ROLES)}, got {unknown!r}."
        )
        raise SourceError(message, code="missing-column")
    parts: dict[str, Any] = {
        part: read_part(table, columns)
        for role, (part, read_part) in _PARTS.items()
        if role in roles
    }
    return ItemData(catalog=table.ids, name=table.name, **parts)


def _make_text_reader(
    role: str,
) -> Callable[[AttributeTable, Mapping[str, Any]], dict[str, str] | None]:
    def read_texts(table: AttributeTable, columns: Mapping[str, Any]) -> dict[str, str] | None:
        """Return the first text that each item has, of the columns that people call so."""
        names = list(table.columns)
        aliases = [names[i] for i in find_all(names, KNOWN_NAMES[role])]
        texts_by_item: dict[str, str] = {}
        for name in [str(columns[role])] if role in columns else aliases:
            values = zip(table.ids, table.get_column(name), strict=True)
            texts_by_item = {
                item: str(v) for item, v in values if not is_missing(v)
            } | texts_by_item
        return texts_by_item or None

    return read_texts


def _read_popularity(table: AttributeTable, columns: Mapping[str, Any]) -> dict[str, Any] | None:
    counts = table.find_role_column("popularity", columns)
    if counts is None:
        return None
    numbers = zip(table.ids, map(_to_number, counts), strict=True)
    return {item: number for item, number in numbers if number is not None} or None


def _read_features(table: AttributeTable, columns: Mapping[str, Any]) -> dict[str, Any] | None:
    column = columns.get("features")
    if column is None:
        return None
    if isinstance(column, str):
        return {
            item: vector
            for item, vector in zip(table.ids, table.get_column(column), strict=True)
            if not is_missing(vector)
        } or None
    vectors = [map(_to_number, table.get_column(name)) for name in column]
    return dict(zip(table.ids, map(list, zip(*vectors, strict=True)), strict=True))


_PARTS: dict[str, tuple[str, Callable[[AttributeTable, Mapping[str, Any]], Any]]] = {
    "title": ("titles", _make_text_reader("title")),
    "url": ("urls", _make_text_reader("url")),
    "popularity": ("popularity", _read_popularity),
    "features": ("features", _read_features),
}


def _to_number(value: object) -> Any:
    """Return the number that a text spells; else the value itself."""
    if is_missing(value):
        return None
    return float(value) if isinstance(value, str) and is_number(value) else value
