"""What is known of items beside their labels: which there are, how popular, what they are like."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import FloatArray
from gainful.records import Frozen
from gainful.sources._detect import is_path
from gainful.sources._files import opened
from gainful.sources._format import Format, declare
from gainful.sources._limits import whole
from gainful.sources._rows import id_of, labels_of, rows_of
from gainful.wording import as_written, count

_MOST = 1e15  # users or interactions; sums of more would not be exact


@dataclass(eq=False, repr=False, kw_only=True)
class ItemData(Frozen):
    """What is known of the items that a run may return.

    All of it is optional; a measure that lacks what it needs says so.

    Attributes:
        catalogue: The ids of all items that could be recommended.
        popularity: How many users have had each item; or how often it was had, without n_users.
        n_users: How many users there are.
        features: What each item is like: a vector of numbers, as long for all.
        titles: What people call each item, to be shown.
        urls: Where each item is found, to be shown.
        name: What errors call it: the path, or "items".
        n_comments: How many lines of the file are comments.

    >>> ItemData(catalogue=["a", "b"], popularity={"a": 3}, n_users=10)
    <ItemData 'items': 2 in the catalogue, 1 with popularity, 0 with features>
    """

    catalogue: Collection[Any] | None = None
    popularity: Mapping[Any, float] | None = None
    n_users: int | None = None
    features: Mapping[Any, Sequence[float] | FloatArray] | None = None
    titles: Mapping[Any, str] | None = None
    urls: Mapping[Any, str] | None = None
    name: str = "items"
    n_comments: int = 0

    def __post_init__(self) -> None:
        read = {
            "catalogue": _catalogue(self.catalogue, self.name),
            "popularity": _popularity(self.popularity, self.name),
            "features": _features(self.features, self.name),
            "titles": _texts(self.titles, "titles", self.name),
            "urls": _texts(self.urls, "urls", self.name),
        }
        for name, value in read.items():
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
        held = (
            f"{len(data or ()):,} {what}"
            for data, what in (
                (self.catalogue, "in the catalogue"),
                (self.popularity, "with popularity"),
                (self.features, "with features"),
            )
        )
        shown = (
            f"{len(texts):,} with {what}"
            for texts, what in ((self.titles, "titles"), (self.urls, "urls"))
            if texts
        )
        return f"<ItemData {self.name!r}: {', '.join([*held, *shown])}>"


def _catalogue(given: Any, name: str) -> frozenset[str] | None:
    if given is None:
        return None
    if isinstance(given, str | bytes) or not isinstance(given, Collection) or not len(given):
        message = f"{name}: the catalogue must hold the ids of items, got {as_written(given)}."
        raise SourceError(message, code="bad-item-data")
    return frozenset(id_of(item, name) for item in given)


def _popularity(given: Any, name: str) -> dict[str, float] | None:
    if given is None:
        return None
    counts = _by_id(given, "popularity", name)
    for item, number in counts.items():
        counted = isinstance(number, Real) and math.isfinite(number)
        if not counted or not (number == 0 or 1 <= number <= _MOST):
            message = (
                f"{name}: the popularity of {item!r} must be 0, or from 1 to {_MOST:g}, "
                f"got {number!r}."
            )
            raise SourceError(message, code="bad-item-data")
    return {item: float(number) for item, number in counts.items()}


def _features(given: Any, name: str) -> dict[str, FloatArray] | None:
    if given is None:
        return None
    vectors = _by_id(given, "features", name)
    width = None
    for item, vector in vectors.items():
        try:
            vectors[item] = np.array(vector, dtype=np.float64)
        except (TypeError, ValueError):
            vectors[item] = np.full(0, math.nan)
        shape = vectors[item].shape
        width = width or math.prod(shape)
        if shape != (width,) or not width or not np.isfinite(vectors[item]).all():
            wanted = count(width, "finite number", "finite numbers") if width else "finite numbers"
            message = (
                f"{name}: the features of {item!r} must be {wanted}, got {as_written(vector)}."
            )
            raise SourceError(message, code="bad-item-data")
    return vectors


def _texts(given: Any, what: str, name: str) -> dict[str, str] | None:
    if given is None:
        return None
    texts = _by_id(given, what, name)
    for item, text in texts.items():
        if not isinstance(text, str):
            message = f"{name}: {what} must be text, got {as_written(text)} for {item!r}."
            raise SourceError(message, code="bad-item-data")
    return texts


def _by_id(given: Any, what: str, name: str) -> dict[str, Any]:
    if not isinstance(given, Mapping) or not given:
        message = f"{name}: {what} must be a dict of items, got {as_written(given)}."
        raise SourceError(message, code="bad-item-data")
    found = {id_of(item, name): value for item, value in given.items()}
    if len(found) < len(given):
        message = f"{name}: {what} must name every item once, got an id as text and as a number."
        raise SourceError(message, code="listed-twice")
    return found


def read_data(
    source: Any, columns: Mapping[str, Any], roles: tuple[str, ...] | None = None
) -> ItemData:
    """The data of items in any source, as ``read_items`` takes it.

    Args:
        source: The source.
        columns: What the columns of a table are called, by role.
        roles: What is taken from a table; all there is if not given.
    """
    if isinstance(source, ItemData):
        return source
    from gainful.sources import item_tables  # only who has data of items pays for it

    roles = item_tables.ROLES if roles is None else roles
    if not is_path(source):
        return item_tables.items_in(source, columns, roles)
    with opened(source) as file:
        data = whole(file)
    table = item_tables.items_in_bytes(data, file.name, columns, roles)
    return _from_text(data, file.name) if table is None else table


def _from_text(data: bytes, path: str) -> ItemData:
    rows = rows_of(data, path, TEXT.columns, of="items", open_ended=True)
    items, *numbers = rows.columns if rows.lines else [[]]
    if not items:
        message = f"{path}: there are no items in it."
        raise SourceError(message, code="nothing-in-it")
    first: dict[str, int] = {}
    for item, line in zip(items, rows.lines, strict=True):
        if first.setdefault(item, line) != line:
            message = (
                f"{path}, line {line}: item {item!r} is listed twice (first on line {first[item]})."
            )
            raise SourceError(message, code="listed-twice")
    counts, *features = [
        labels_of(column, path, rows.lines, name="a feature" if i else "popularity")
        for i, column in enumerate(numbers)
    ] or [[]]
    return ItemData(
        catalogue=items,
        popularity=dict(zip(items, counts, strict=True)) if numbers else None,
        features=dict(zip(items, np.array(features).T, strict=True)) if features else None,
        name=path,
        n_comments=rows.n_comments,
    )


def _read(source: Any) -> ItemData:
    return read_data(source, {})


TEXT = declare(
    Format(
        name="text",
        holds="items",
        summary="A text file, one item of the catalogue a line; all but its id may be left out.",
        columns=("item", "[popularity]", "[feature...]"),
        is_file=True,
        unit="line",
        read=_read,
    )
)
TABLE = declare(
    Format(
        name="table",
        holds="items",
        summary="A file with a header: CSV, TSV, JSON, JSON lines, Parquet or Arrow; one row an "
        "item.",
        columns=("item", "[title]", "[url]", "[popularity]", "[any...]"),
        is_file=True,
        unit="line",
        read=_read,
    )
)
FRAME = declare(
    Format(
        name="frame",
        holds="items",
        summary="A table with an item column: of any library that speaks the Arrow PyCapsule "
        "interface, or of pandas; {column: [value, ...]}, {item: {column: value}}, "
        "or a list of dicts.",
        read=_read,
    )
)
DATA = declare(
    Format(
        name="data",
        holds="items",
        summary="Item data: ItemData(catalogue=..., popularity=..., n_users=..., features=..., "
        "titles=..., urls=...).",
        read=_read,
    )
)
