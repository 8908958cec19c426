"""Dicts and lists, as Python or JSON nests them."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, repeat
from typing import Any, NamedTuple

from gainful.base import ReadOptions, _native, format_repr
from gainful.errors import SourceError
from gainful.sources.columns import KNOWN_NAMES, NUMBER, find_columns, find_role, to_id
from gainful.sources.entries import (
    Entries,
    feed_entries,
    to_ranks,
)
from gainful.sources.formats import ReadSpec, declare_format
from gainful.sources.objects import get_column, list_field_names, read_row_entries

# What the items of a query stand under, in an object of one query; the likeliest first. One that
# holds both qrels and a run has different names for them.
ITEM_KEYS = {
    "qrels": (
        "relevant_items", "relevant_docs", "relevant_documents", "relevant_ids", "relevant",
        "qrels", "judgments", "judgements", "ground_truth", "positives", "expected", "gold",
        "items", "docs", "documents", "passages", "item_ids", "doc_ids",
    ),
    "run": (
        "recommend_result", "recommendations", "recommended", "recommended_items", "results",
        "retrieved", "retrieved_docs", "retrieved_documents", "retrieved_items", "retrieved_ids",
        "hits", "ranking", "ranked", "predictions", "predicted", "run", "items", "docs",
        "documents", "passages", "candidates", "contexts", "ctxs", "chunks", "context_ids",
        "source_nodes", "nodes", "item_ids", "doc_ids",
    ),
}  # fmt: skip
# What else they stand under begins so: gold_doc_ids, retrieved_chunks.
ITEM_KEY_PREFIXES = {
    "qrels": ("relevant", "gold", "expected", "groundtruth", "reference"),
    "run": ("retriev", "recommend", "ranked", "predicted"),
}
# What numbers beside a list of items stand under.
NUMBER_KEYS = {
    "qrels": ("labels", "relevances", "relevance", "grades", "ratings", "gains"),
    "run": ("scores", "similarities"),
}
# Objects of which one alone is known by such a name.
RECOMMENDER = ("recommend_result", "relevant_items")
# In an object of one query, and in one of an item within it, an id may be called just that.
ID_NAMES = ("id",)
_MAX_KEYS = 100  # an object with more is one of queries or items
_SCALARS = {float, int, str, bool, type(None)}  # looked up: most objects hold nothing else


class RepeatedKeys:
    """An object of JSON in which a key stands twice, as pairs.

    Attributes:
        pairs: Key and value, as often as they stand there.
    """

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = pairs

    @classmethod
    def make_object(cls, pairs: list[tuple[str, Any]]) -> "dict[str, Any] | RepeatedKeys":
        """Return an object of JSON: a dict, unless a dict would lose pairs."""
        content = dict(pairs)
        return content if len(content) == len(pairs) else cls(pairs)

    @property
    def repeated_key(self) -> str:
        """The first key that stands there again."""
        keys = [key for key, _ in self.pairs]
        return next(key for i, key in enumerate(keys) if key in keys[:i])

    def items(self) -> list[tuple[str, Any]]:
        """Return key and value pairs, repeated keys included."""
        return self.pairs

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in self.pairs) + "}"


def is_columnar(value: Any, spec: ReadSpec | None = None) -> bool:
    """Return whether it is an object of columns: of lists, two of which are known as ids."""
    return _has_roles(value, spec) and all(map(is_column, value.values()))


def is_row(value: Any, spec: ReadSpec | None = None) -> bool:
    """Return whether it is one row, of which two fields are known as ids."""
    return _has_roles(value, spec) and not any(map(is_container, value.values()))


def _has_roles(value: object, spec: ReadSpec | None) -> bool:
    """Return whether two keys of an object are known as query and item."""
    if not isinstance(value, Mapping) or len(value) > _MAX_KEYS:
        return False
    names = [key for key in value if isinstance(key, str)]
    user_names = {} if spec is None else spec.columns
    query, item = (_find_column(names, role, user_names.get(role)) for role in ("query", "item"))
    return len(names) == len(value) and query is not None and item is not None and query != item


def _find_column(names: list[str], role: str, source: str | None) -> int | None:
    return names.index(source) if source in names else find_role(names, role)


def is_single_query(value: Any, holds: str) -> bool:
    """Return whether it is an object that holds the items of one query, and perhaps its id."""
    key = find_items_key(value, holds)
    if key is None or key in RECOMMENDER:
        return key is not None
    fields = {name: content for name, content in value.items() if isinstance(name, str)}
    place = find_role(list(fields), "query", ID_NAMES)
    return place is not None and not is_container(list(fields.values())[place])


def find_items_key(value: Any, holds: str, spec: ReadSpec | None = None) -> str | None:
    """Return the key under which an object holds the items of its query."""
    if len(value) > _MAX_KEYS:
        return None
    keys = {
        key: content
        for key, content in value.items()
        if type(content) not in _SCALARS and isinstance(key, str) and is_container(content)
    }
    if not keys:
        return None
    column = None if spec is None else spec.columns.get("item")
    if column in keys:
        return column
    plain = {"".join(filter(str.isalnum, key.lower())): key for key in keys}
    candidates = [plain.get(name.replace("_", "")) for name in ITEM_KEYS[holds]]
    candidates += [key for name, key in plain.items() if name.startswith(ITEM_KEY_PREFIXES[holds])]
    return next((key for key in candidates if key is not None), None)


def is_container(value: object) -> bool:
    """Return whether it holds other values."""
    return isinstance(value, Mapping | RepeatedKeys | Set) or is_column(value)


def is_column(value: object) -> bool:
    """Return whether it is a list of values."""
    return isinstance(value, list | tuple) or (
        hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1
    )


_DIGITS = 5000  # more than Python writes of a whole number


class _Listing(NamedTuple):
    """The items of one query, and a number or a rank for each, or neither."""

    items: Sequence[Any]
    numbers: Sequence[Any] | None = None
    ranks: Sequence[Any] | None = None


def read_nested_entries(value: Any, spec: ReadSpec) -> Entries:
    """Return the entries of nested dicts and lists, however they are nested."""
    if is_columnar(value, spec):
        return _read_columns(value, spec)
    if is_row(value, spec):  # a file of one line, for one
        return read_row_entries([value], spec)
    if isinstance(value, Mapping | RepeatedKeys):
        is_single = is_single_query(value, spec.holds)
        listings = _read_objects([value], spec) if is_single else _split_queries(value, spec)
        return _join_queries(listings, spec)
    if not isinstance(value, list | tuple):
        message = f"{spec.place}: must hold an object or a list, got {format_repr(value)}."
        raise SourceError(message, code="wrong-structure")
    return _read_list(value, spec)


def _read_list(values: Sequence[Any], spec: ReadSpec) -> Entries:
    first = values[0] if values else None
    if isinstance(first, Mapping | RepeatedKeys):
        for number, value in enumerate(values, 1):
            if not isinstance(value, Mapping | RepeatedKeys):
                message = (
                    f"{spec.place}, element {number}: must be an object, got {format_repr(value)}."
                )
                raise SourceError(message, code="wrong-structure")
        if find_items_key(first, spec.holds, spec) is not None:
            return _join_queries(_read_objects(values, spec), spec)
        if any(map(is_container, dict(first.items()).values())):
            return _join_queries(chain.from_iterable(_split_queries(v, spec) for v in values), spec)
    repeated = next((v for v in values if isinstance(v, RepeatedKeys)), None)
    if repeated is not None:
        raise _make_repeated_key_error(repeated, spec)
    return read_row_entries(values, spec)


def _read_columns(value: Mapping[str, Any], spec: ReadSpec) -> Entries:
    names = list(value)
    lengths = {name: len(column) for name, column in value.items()}
    if len(set(lengths.values())) > 1:
        listing = ", ".join(f"{name} {length}" for name, length in lengths.items())
        message = f"{spec.place}: columns must have the same length, got {listing}."
        raise SourceError(message, code="unequal-lengths")
    roles = find_columns(names, spec)
    query, item, number, rank = (None if i is None else value[names[i]] for i in roles)
    return Entries(query, item, number, rank)


def _split_queries(value: Any, spec: ReadSpec) -> Iterator[tuple[Any, _Listing]]:
    """Return the queries of an object whose keys they are."""
    for query, content in value.items():
        is_object = isinstance(content, Mapping | RepeatedKeys)
        key = find_items_key(content, spec.holds, spec) if is_object else None
        if key is None:
            yield query, _read_listing(query, content, spec)
        else:
            yield query, _read_items(query, content, key, spec)


def _read_objects(values: Iterable[Any], spec: ReadSpec) -> Iterator[tuple[Any, _Listing]]:
    """Return the queries of objects that hold one each; a query without an id gets its number."""
    for number, value in enumerate(values, 1):
        key = find_items_key(value, spec.holds, spec)
        if key is None:
            names = ", ".join(map(repr, ITEM_KEYS[spec.holds][:6]))
            message = (
                f"{spec.place}, object {number}: holds no list of items; "
                f"the key may be {names}, ..., got {format_repr(value)}."
            )
            raise SourceError(message, code="wrong-structure")
        query = _read_id(value, number, spec)
        yield query, _read_items(query, value, key, spec)


def _read_id(value: Any, number: int, spec: ReadSpec) -> Any:
    fields = {key: content for key, content in value.items() if isinstance(key, str)}
    column = spec.columns.get("query")
    if column is not None:
        if column not in fields:
            message = f"{spec.place}, object {number}: has no {column!r}, got {format_repr(value)}."
            raise SourceError(message, code="missing-column")
        return fields[column]
    place = find_role(list(fields), "query", ID_NAMES)
    if place is not None:
        return list(fields.values())[place]
    # Numbers stand for ids only where qrels and run are in one object, and cannot be mixed up.
    if all(find_items_key(value, holds) is not None for holds in ITEM_KEYS):
        return number
    keys = ", ".join(map(repr, fields))
    message = (
        f"{spec.place}, object {number}: no key is known as the query; there are {keys}. Name it "
        f"with --columns {spec.holds}.query=NAME, or columns={{'query': NAME}} in Python."
    )
    raise SourceError(message, code="missing-column")


def _read_items(query: Any, value: Any, key: str, spec: ReadSpec) -> _Listing:
    """Read the items of one query, whose numbers may be in a list next to them."""
    if isinstance(value, RepeatedKeys):
        raise _make_repeated_key_error(value, spec)
    listing = _read_listing(query, value[key], spec)
    numbers_key = next((name for name in NUMBER_KEYS[spec.holds] if name in value), None)
    if numbers_key is None or listing.numbers is not None or not is_column(value[numbers_key]):
        return listing
    if len(value[numbers_key]) != len(listing.items):
        message = (
            f"{spec.place}: query {query!r} has {len(listing.items)} in {key!r} and "
            f"{len(value[numbers_key])} in {numbers_key!r}; there must be as many."
        )
        raise SourceError(message, code="unequal-lengths")
    return _Listing(listing.items, value[numbers_key])


def _read_listing(query: object, content: object, spec: ReadSpec) -> _Listing:
    """Return the items of one query, from an object, a list or a set of relevant items."""
    if isinstance(content, Mapping | RepeatedKeys):
        pairs = content.items()
        return _Listing([item for item, _ in pairs], [number for _, number in pairs])
    if hasattr(content, "tolist"):
        content = content.tolist()
    if isinstance(content, Set) and spec.holds == "qrels":
        return _Listing(list(content))
    if not isinstance(content, list | tuple):
        message = (
            f"{spec.place}: query {query!r} must hold items, as a list or as "
            f"{{item: {NUMBER[spec.holds]}}}, got {format_repr(content)}."
        )
        raise SourceError(message, code="wrong-structure")
    return _read_elements(query, content, spec) if content else _Listing([])


def _read_elements(query: object, content: Sequence[Any], spec: ReadSpec) -> _Listing:
    """Return the items of a list: ids alone, pairs with a number, or objects."""
    if isinstance(content[0], RepeatedKeys):
        raise _make_repeated_key_error(content[0], spec)
    fields = [] if isinstance(content[0], str | bytes) else list_field_names(content[0])
    if fields:
        return _read_fields(query, content, fields, spec)
    if not isinstance(content[0], list | tuple):
        return _Listing(content)
    for place, element in enumerate(content, 1):
        if not isinstance(element, list | tuple) or len(element) != 2:
            message = (
                f"{spec.place}: query {query!r}, element {place}: expected "
                f"[item, {NUMBER[spec.holds]}], got {format_repr(element)}."
            )
            raise SourceError(message, code="wrong-structure")
    return _Listing([item for item, _ in content], [number for _, number in content])


def _read_fields(
    query: object, content: Sequence[Any], fields: list[str], spec: ReadSpec
) -> _Listing:
    number = NUMBER[spec.holds]
    extra_names: dict[str, tuple[str, ...]] = {"item": ID_NAMES, number: (), "rank": ()}

    def make_error(place: int) -> SourceError:
        return SourceError(
            f"{spec.place}: query {query!r}, element {place + 1}: is not like the first, which "
            f"has {', '.join(fields)}, got {format_repr(content[place])}.",
            code="wrong-structure",
        )

    def read_column(role: str) -> list[Any] | None:
        column = spec.columns.get(role)
        place = (
            fields.index(column) if column in fields else find_role(fields, role, extra_names[role])
        )
        return None if place is None else get_column(content, fields[place], make_error)

    items = read_column("item")
    if items is None:
        examples = ", ".join(map(repr, KNOWN_NAMES["item"][:4]))
        message = (
            f"{spec.place}: query {query!r}, element 1: no key is known as the item; it may be "
            f"{examples}, ..., got {format_repr(content[0])}."
        )
        raise SourceError(message, code="missing-column")
    return _Listing(
        items, read_column(number), read_column("rank") if spec.holds == "run" else None
    )


def _join_queries(query_listings: Iterable[tuple[Any, _Listing]], spec: ReadSpec) -> Entries:
    """Return the entries of all queries; items without a number are relevant, or in rank order."""
    queries: list[Any] = []
    listings: list[_Listing] = []
    # By text: whole numbers hash to themselves, so that they can be made to collide.
    n_before: dict[str | bytes, int] = {}
    for query, listing in query_listings:
        _check_id(query, spec)
        queries.append(query)
        key = query if isinstance(query, str | bytes) else format_repr(query, _DIGITS)
        listings.append(_number_items(listing, n_before.get(key, 0), spec))
        n_before[key] = n_before.get(key, 0) + len(listing.items)
    ranked = {listing.ranks is not None for listing in listings if listing.items}
    if spec.holds == "run" and False in ranked:
        spec.check_no_ranks()
    sizes = [len(listing.items) for listing in listings]
    return Entries(
        query=list(chain.from_iterable(map(repeat, queries, sizes))),
        item=list(chain.from_iterable(listing.items for listing in listings)),
        number=list(chain.from_iterable(listing.numbers or () for listing in listings)),
        rank=list(chain.from_iterable(map(_list_ranks, listings))) if True in ranked else None,
        queries=queries,
    )


def _number_items(listing: _Listing, n_before: int, spec: ReadSpec) -> _Listing:
    """Return the listing with numbers: label 1, or ranks that continue the query's last list."""
    if listing.numbers is not None:
        return listing
    size = len(listing.items)
    if spec.holds == "qrels":
        return _Listing(listing.items, [1] * size)
    ranks: Sequence[int] = range(n_before + 1, n_before + size + 1)
    if listing.ranks is not None:
        ranks = to_ranks(listing.ranks, spec).tolist()
    return _Listing(listing.items, [-rank for rank in ranks], ranks)


def _list_ranks(listing: _Listing) -> Iterable[int]:
    # Where some queries have ranks and others have not, no rule reads them.
    return repeat(0, len(listing.items)) if listing.ranks is None else listing.ranks


def _check_id(query: object, spec: ReadSpec) -> None:
    if not isinstance(query, Hashable):
        to_id(query, spec.place)


def _make_repeated_key_error(value: RepeatedKeys, spec: ReadSpec) -> SourceError:
    key = value.repeated_key
    return SourceError(
        f"{spec.place}: has the key {key!r} twice in one object: {format_repr(value)}.",
        code="repeated-column",
    )


for _holds in ("qrels", "run"):
    declare_format(
        name="nested",
        holds=_holds,
        summary="Dicts and lists within each other, in any shape that a JSON file may have.",
        read_entries=read_nested_entries,
    )


def _feed_qrels(
    mapping: Mapping[Any, Any], index: _native.Index, spec: ReadSpec, read_options: ReadOptions
) -> None:
    if spec.labels is None:
        index.add(_to_dict(mapping))
    else:
        feed_entries(read_nested_entries, mapping, index, spec, read_options)


def _feed_run(
    mapping: Mapping[Any, Any], aligner: _native.Aligner, spec: ReadSpec, _read_options: ReadOptions
) -> None:
    spec.check_no_ranks()
    aligner.add(_to_dict(mapping))


def _to_dict(mapping: Mapping[Any, Any]) -> dict[Any, Any]:
    # Mappings that are no dicts (a defaultdict is one) are made one; dicts are taken as they are.
    return {
        query: dict(entries)
        if isinstance(entries, Mapping) and not isinstance(entries, dict)
        else entries
        for query, entries in mapping.items()
    }


def _feed_lists(
    mapping: Mapping[Any, Any], aligner: _native.Aligner, spec: ReadSpec, read_options: ReadOptions
) -> None:
    if spec.columns:  # they may be columns, under other names than people use
        feed_entries(read_nested_entries, mapping, aligner, spec, read_options)
        return
    for query, items in mapping.items():
        aligner.add_list(query, items)


def _feed_sets(
    mapping: Mapping[Any, Any], index: _native.Index, spec: ReadSpec, read_options: ReadOptions
) -> None:
    if spec.columns:
        feed_entries(read_nested_entries, mapping, index, spec, read_options)
        return
    for query, items in mapping.items():
        if not isinstance(items, set | frozenset | list | tuple):
            message = f"qrels: query {query!r} must hold a set of items, got {format_repr(items)}."
            raise SourceError(message, code="wrong-structure")
        index.add_list(query, items)


declare_format(
    name="sets",
    holds="qrels",
    summary="A dict of sets: {query: {item, ...}}, the relevant items; their label is 1.",
    push=_feed_sets,
    read_entries=read_nested_entries,
)
declare_format(
    name="dict",
    holds="qrels",
    summary="A dict of dicts: {query: {item: label}}.",
    push=_feed_qrels,
    read_entries=read_nested_entries,
)
declare_format(
    name="lists",
    holds="run",
    summary="A dict of lists: {query: [item, ...]}, best first.",
    push=_feed_lists,
    read_entries=read_nested_entries,
)
declare_format(
    name="dict",
    holds="run",
    summary="A dict of dicts: {query: {item: score}}.",
    push=_feed_run,
    read_entries=read_nested_entries,
)
