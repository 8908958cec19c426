"""Dicts and lists within each other, as JSON files and programs have them, as entries."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, repeat
from typing import Any, NamedTuple

from gainful.errors import SourceError
from gainful.sources import rows
from gainful.sources._entries import Entries, feeding, naming, ranks_of, tabled
from gainful.sources._format import Format, declare
from gainful.sources._roles import ALIASES, NUMBER, chosen, named
from gainful.sources._rows import id_of
from gainful.sources._shapes import (
    BESIDE,
    HOLDERS,
    ID,
    Repeated,
    holder,
    is_column,
    is_columnar,
    is_container,
    is_of_one_query,
    is_row,
)
from gainful.sources._wanted import Wanted
from gainful.wording import as_written

_DIGITS = 5000  # more than Python writes of a whole number


class _Listing(NamedTuple):
    """The items of one query, and a number or a rank for each, or neither."""

    items: Sequence[Any]
    numbers: Sequence[Any] | None = None
    ranks: Sequence[Any] | None = None


def entries_of(value: Any, wanted: Wanted) -> Entries:
    """The entries that dicts and lists within each other hold, whatever way they are nested."""
    if is_columnar(value, wanted):
        return _of_columns(value, wanted)
    if is_row(value, wanted):  # a file of one line, for one
        return rows.entries_of([value], wanted)
    if isinstance(value, Mapping | Repeated):
        alone = is_of_one_query(value, wanted.holds)
        found = _of_objects([value], wanted) if alone else _by_query(value, wanted)
        return _of_queries(found, wanted)
    if not isinstance(value, list | tuple):
        message = f"{wanted.place}: must hold an object or a list, got {as_written(value)}."
        raise SourceError(message, code="wrong-structure")
    return _of_list(value, wanted)


def _of_list(values: Sequence[Any], wanted: Wanted) -> Entries:
    first = values[0] if values else None
    if isinstance(first, Mapping | Repeated):
        for number, value in enumerate(values, 1):
            if not isinstance(value, Mapping | Repeated):
                message = (
                    f"{wanted.place}, element {number}: must be an object, got {as_written(value)}."
                )
                raise SourceError(message, code="wrong-structure")
        if holder(first, wanted.holds, wanted) is not None:
            return _of_queries(_of_objects(values, wanted), wanted)
        if any(map(is_container, dict(first.items()).values())):
            return _of_queries(chain.from_iterable(_by_query(v, wanted) for v in values), wanted)
    twice = next((v for v in values if isinstance(v, Repeated)), None)
    if twice is not None:
        raise _repeated(twice, wanted)
    return rows.entries_of(values, wanted)


def _of_columns(value: Mapping[str, Any], wanted: Wanted) -> Entries:
    names = list(value)
    lengths = {name: len(column) for name, column in value.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} {length}" for name, length in lengths.items())
        message = f"{wanted.place}: columns must have the same length, got {found}."
        raise SourceError(message, code="unequal-lengths")
    taken = chosen(names, wanted)
    query, item, number, rank = (None if i is None else value[names[i]] for i in taken)
    return Entries(query, item, number, rank)


def _by_query(value: Any, wanted: Wanted) -> Iterator[tuple[Any, _Listing]]:
    """The queries of an object whose keys they are."""
    for query, held in value.items():
        is_object = isinstance(held, Mapping | Repeated)
        key = holder(held, wanted.holds, wanted) if is_object else None
        if key is None:
            yield query, _listing(query, held, wanted)
        else:
            yield query, _held(query, held, key, wanted)


def _of_objects(values: Iterable[Any], wanted: Wanted) -> Iterator[tuple[Any, _Listing]]:
    """The queries of objects that hold one each; without an id its number is it."""
    for number, value in enumerate(values, 1):
        key = holder(value, wanted.holds, wanted)
        if key is None:
            names = ", ".join(map(repr, HOLDERS[wanted.holds][:6]))
            message = (
                f"{wanted.place}, object {number}: holds no list of items; "
                f"the key may be {names}, ..., got {as_written(value)}."
            )
            raise SourceError(message, code="wrong-structure")
        query = _own_id(value, number, wanted)
        yield query, _held(query, value, key, wanted)


def _own_id(value: Any, number: int, wanted: Wanted) -> Any:
    fields = {key: held for key, held in value.items() if isinstance(key, str)}
    given = wanted.columns.get("query")
    if given is not None:
        if given not in fields:
            message = f"{wanted.place}, object {number}: has no {given!r}, got {as_written(value)}."
            raise SourceError(message, code="missing-column")
        return fields[given]
    place = named(list(fields), "query", ID)
    if place is not None:
        return list(fields.values())[place]
    # Numbers stand for ids only where qrels and run are in one object, and cannot be mixed up.
    if all(holder(value, holds) is not None for holds in HOLDERS):
        return number
    keys = ", ".join(map(repr, fields))
    message = (
        f"{wanted.place}, object {number}: no key is known as the query; there are {keys}. Name it "
        f"with --columns {wanted.holds}.query=NAME, or columns={{'query': NAME}} in Python."
    )
    raise SourceError(message, code="missing-column")


def _held(query: Any, value: Any, key: str, wanted: Wanted) -> _Listing:
    """What one object holds of a query, its numbers perhaps in a list beside the items."""
    if isinstance(value, Repeated):
        raise _repeated(value, wanted)
    listing = _listing(query, value[key], wanted)
    beside = next((name for name in BESIDE[wanted.holds] if name in value), None)
    if beside is None or listing.numbers is not None or not is_column(value[beside]):
        return listing
    if len(value[beside]) != len(listing.items):
        message = (
            f"{wanted.place}: query {query!r} has {len(listing.items)} in {key!r} and "
            f"{len(value[beside])} in {beside!r}; there must be as many."
        )
        raise SourceError(message, code="unequal-lengths")
    return _Listing(listing.items, value[beside])


def _listing(query: Any, held: Any, wanted: Wanted) -> _Listing:
    """The items of one query, from an object, a list or, of what is relevant, a set."""
    if isinstance(held, Mapping | Repeated):
        pairs = held.items()
        return _Listing([item for item, _ in pairs], [number for _, number in pairs])
    if hasattr(held, "tolist"):
        held = held.tolist()
    if isinstance(held, Set) and wanted.holds == "qrels":
        return _Listing(list(held))
    if not isinstance(held, list | tuple):
        message = (
            f"{wanted.place}: query {query!r} must hold items, as a list or as "
            f"{{item: {NUMBER[wanted.holds]}}}, got {as_written(held)}."
        )
        raise SourceError(message, code="wrong-structure")
    return _of_elements(query, held, wanted) if held else _Listing([])


def _of_elements(query: Any, held: Sequence[Any], wanted: Wanted) -> _Listing:
    """The items of a list: ids alone, pairs with a number, or objects."""
    if isinstance(held[0], Repeated):
        raise _repeated(held[0], wanted)
    fields = [] if isinstance(held[0], str | bytes) else rows.fields_of(held[0])
    if fields:
        return _of_fields(query, held, fields, wanted)
    if not isinstance(held[0], list | tuple):
        return _Listing(held)
    for place, element in enumerate(held, 1):
        if not isinstance(element, list | tuple) or len(element) != 2:
            message = (
                f"{wanted.place}: query {query!r}, element {place}: expected "
                f"[item, {NUMBER[wanted.holds]}], got {as_written(element)}."
            )
            raise SourceError(message, code="wrong-structure")
    return _Listing([item for item, _ in held], [number for _, number in held])


def _of_fields(query: Any, held: Sequence[Any], fields: list[str], wanted: Wanted) -> _Listing:
    number = NUMBER[wanted.holds]
    also: dict[str, tuple[str, ...]] = {"item": ID, number: (), "rank": ()}

    def refused(place: int) -> SourceError:
        return SourceError(
            f"{wanted.place}: query {query!r}, element {place + 1}: is not like the first, which "
            f"has {', '.join(fields)}, got {as_written(held[place])}.",
            code="wrong-structure",
        )

    def column(role: str) -> list[Any] | None:
        given = wanted.columns.get(role)
        place = fields.index(given) if given in fields else named(fields, role, also[role])
        return None if place is None else rows.column_of(held, fields[place], refused)

    items = column("item")
    if items is None:
        known = ", ".join(map(repr, ALIASES["item"][:4]))
        message = (
            f"{wanted.place}: query {query!r}, element 1: no key is known as the item; it may be "
            f"{known}, ..., got {as_written(held[0])}."
        )
        raise SourceError(message, code="missing-column")
    return _Listing(items, column(number), column("rank") if wanted.holds == "run" else None)


def _of_queries(found: Iterable[tuple[Any, _Listing]], wanted: Wanted) -> Entries:
    """The entries of all queries; items without a number are relevant, or in rank order."""
    queries: list[Any] = []
    listings: list[_Listing] = []
    # By text: whole numbers hash to themselves, so that they can be made to collide.
    n_before: dict[str | bytes, int] = {}
    for query, listing in found:
        _check_id(query, wanted)
        queries.append(query)
        key = query if isinstance(query, str | bytes) else as_written(query, _DIGITS)
        listings.append(_numbered(listing, n_before.get(key, 0), wanted))
        n_before[key] = n_before.get(key, 0) + len(listing.items)
    ranked = {listing.ranks is not None for listing in listings if listing.items}
    if wanted.holds == "run" and False in ranked:
        wanted.check_no_ranks()
    sizes = [len(listing.items) for listing in listings]
    return Entries(
        query=list(chain.from_iterable(map(repeat, queries, sizes))),
        item=list(chain.from_iterable(listing.items for listing in listings)),
        number=list(chain.from_iterable(listing.numbers or () for listing in listings)),
        rank=list(chain.from_iterable(map(_ranks, listings))) if True in ranked else None,
        queries=queries,
    )


def _numbered(listing: _Listing, n_before: int, wanted: Wanted) -> _Listing:
    """The same, with numbers: label 1, or ranks that go on where the query's last list ended."""
    if listing.numbers is not None:
        return listing
    size = len(listing.items)
    if wanted.holds == "qrels":
        return _Listing(listing.items, [1] * size)
    ranks: Sequence[int] = range(n_before + 1, n_before + size + 1)
    if listing.ranks is not None:
        ranks = ranks_of(listing.ranks, wanted).tolist()
    return _Listing(listing.items, [-rank for rank in ranks], ranks)


def _ranks(listing: _Listing) -> Iterable[int]:
    # Where some queries have ranks and others have not, no rule reads them.
    return repeat(0, len(listing.items)) if listing.ranks is None else listing.ranks


def _check_id(query: Any, wanted: Wanted) -> None:
    if not isinstance(query, Hashable):
        id_of(query, wanted.place)


def _repeated(value: Repeated, wanted: Wanted) -> SourceError:
    return SourceError(
        f"{wanted.place}: has the key {value.twice!r} twice in one object: {as_written(value)}.",
        code="repeated-column",
    )


QRELS = declare(
    Format(
        name="nested",
        holds="qrels",
        summary="Dicts and lists within each other, in any shape that a JSON file may have.",
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
        queries=naming(entries_of),
    )
)
RUN = declare(
    Format(
        name="nested",
        holds="run",
        summary="Dicts and lists within each other, in any shape that a JSON file may have.",
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
        queries=naming(entries_of),
    )
)
