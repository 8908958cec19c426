"""Rankings that workers send, for measures of whole runs: as bytes, and put together again."""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from gainful.alignment import (
    JUDGMENT_TYPES,
    Count,
    FirstSeen,
    GroupStats,
    Ids,
    IdSample,
    ItemRankings,
    Items,
    ItemStats,
    JoinStats,
    JudgedRankings,
    MissingData,
    Rankings,
    RunRow,
    UnjudgedQuery,
    collect_items,
)
from gainful.evaluation import UndefinedQueries
from gainful.sources import ItemData
from gainful.spark.task import PartialSum

_PIECE_ITEMS = 1 << 20  # items of the queries that are sent in one piece, unless one query has more
_QUERY_COST = 100  # how many items a query counts for, whatever it returned
_HEADER = "header"  # name of the array that holds the other fields as JSON
# Arrays that number items or groups, and the offsets whose last entry is how many there are.
_OFFSETS_OF_NUMBERS = {
    "hit_item": "item_offsets",
    "row_item": "item_offsets",
    "row_group": "group_offsets",
}


def serialize_in_pieces(ranked: Rankings) -> Iterator[bytes]:
    """Serialize rankings, some queries at a time."""
    size = np.cumsum(ranked.n_retrieved + _QUERY_COST) // _PIECE_ITEMS
    starts = np.flatnonzero(np.diff(size, prepend=-1))
    for queries in np.split(np.arange(ranked.n_queries), starts[1:]):
        yield serialize_rankings(ranked.select(queries))  # type: ignore[attr-defined]


def serialize_rankings(ranked: Rankings) -> bytes:
    """Serialize rankings as arrays and JSON, without code."""
    arrays: dict[str, Any] = {}
    header = {"type": type(ranked).__name__, "fields": _split_fields(ranked, "", arrays)}
    arrays[_HEADER] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def deserialize_rankings(data: bytes) -> Rankings:
    """Deserialize rankings, without the data of their items."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        header = json.loads(arrays[_HEADER].tobytes())
        ranking_type = next(t for t in JUDGMENT_TYPES if t.__name__ == header["type"])
        return _rebuild(ranking_type, header["fields"], "", arrays)


def _split_fields(ranked: Rankings, prefix: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are not arrays; add the arrays to ``arrays``."""
    held: dict[str, Any] = {}
    for name in (field.name for field in fields(ranked)):  # type: ignore[arg-type]
        value = getattr(ranked, name)
        if isinstance(value, Rankings):
            held[name] = _split_fields(value, f"{prefix}{name}.", arrays)
        elif isinstance(value, Items):
            held[name] = value.ids
        elif isinstance(value, np.ndarray):
            arrays[prefix + name] = value
        elif callable(value):
            arrays[prefix + name] = value()
        elif value is not None:
            held[name] = value
    return held


def _rebuild(kind: type[Rankings], held: dict[str, Any], prefix: str, arrays: Any) -> Rankings:
    found: dict[str, Any] = {}
    for name in (field.name for field in fields(kind)):  # type: ignore[arg-type]
        if isinstance(held.get(name), dict):
            found[name] = _rebuild(JudgedRankings, held[name], f"{prefix}{name}.", arrays)
        elif name in held:
            found[name] = tuple(held[name]) if isinstance(held[name], list) else held[name]
        elif prefix + name in arrays:
            found[name] = arrays[prefix + name]
    if "given" in found:
        found["given"] = partial(_return_array, found["given"])
    if "items" in found:
        found["items"] = Items(found["items"])
    return kind(**found)


def _return_array(array: object) -> Any:
    return array


def merge_rankings(parts: Sequence[Rankings], data: ItemData) -> Rankings:
    """Merge the rankings of all queries, in the order of their ids."""
    every: Any = _concatenate_rankings(parts)
    order = sorted(range(every.n_queries), key=every.queries.__getitem__)
    found: Rankings = every.select(np.array(order, dtype=np.int64))
    return _renumber_items(found, data) if isinstance(found, ItemRankings) else found


def _concatenate_rankings(parts: Sequence[Rankings]) -> Rankings:
    """Concatenate the rankings of all parts."""
    kind = type(parts[0])
    found: dict[str, Any] = {}
    for name in (field.name for field in fields(kind)):  # type: ignore[arg-type]
        each = [getattr(part, name) for part in parts]
        one = each[0]
        if isinstance(one, Rankings):
            found[name] = _concatenate_rankings(each)
        elif isinstance(one, Items):
            found[name] = Items(tuple(id for items in each for id in items.ids))
        elif name == "given":
            found[name] = one and partial(
                _return_array, np.concatenate([labels() for labels in each])
            )
        elif isinstance(one, tuple):
            found[name] = tuple(id for ids in each for id in ids)
        elif isinstance(one, np.ndarray):
            found[name] = _concatenate_arrays(name, each, parts)
        else:
            found[name] = one  # the same in all parts, as the rules have it
    return kind(**found)


def _concatenate_arrays(name: str, each: list[Any], parts: Sequence[Any]) -> Any:
    if name.endswith("_offsets"):
        sizes = [np.diff(offsets) for offsets in each]
        return np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    if name in _OFFSETS_OF_NUMBERS:
        counts = [int(getattr(part, _OFFSETS_OF_NUMBERS[name])[-1]) for part in parts]
    elif name == "item":
        counts = [len(part.items.ids) for part in parts]
    else:
        return np.concatenate(each)
    before = np.cumsum([0, *counts[:-1]])
    return np.concatenate([one + n for one, n in zip(each, before.tolist(), strict=True)])


def _renumber_items(found: ItemRankings, data: ItemData) -> ItemRankings:
    """Give items that several parts share one number, in the order of first appearance."""
    number: dict[str, int] = {}
    same = np.array([number.setdefault(id, len(number)) for id in found.items.ids], dtype=np.int64)
    item = same[found.item]
    distinct, first, which = np.unique(item, return_index=True, return_inverse=True)
    met = np.argsort(first)
    place = np.empty(len(met), dtype=np.int64)
    place[met] = np.arange(len(met))
    ids = tuple(number)
    named = tuple(ids[i] for i in distinct[met].tolist())
    return replace(found, item=place[which], items=collect_items(named, data))


_CLASSES: dict[str, Any] = {
    one.__name__: one
    for one in (
        JoinStats,
        ItemStats,
        GroupStats,
        Count,
        RunRow,
        UnjudgedQuery,
        IdSample,
        Ids,
        FirstSeen,
        MissingData,
        UndefinedQueries,
        PartialSum,
        tuple,
        frozenset,
    )
}


def serialize(value: object) -> bytes:
    """JoinStats, and what they hold, as JSON.

    >>> deserialize(serialize({"missing": Count(2, ("q1", 0.5))}))
    {'missing': Count(times=2, first=('q1', 0.5))}
    """
    return json.dumps(_to_jsonable(value), separators=(",", ":")).encode()


def deserialize(text: bytes) -> Any:
    """Deserialize a summary."""
    return _from_jsonable(json.loads(text))


def _to_jsonable(value: object) -> Any:
    if is_dataclass(value):
        held = {field.name: _to_jsonable(getattr(value, field.name)) for field in fields(value)}
        return [type(value).__name__, held]
    if isinstance(value, tuple | frozenset):
        return [type(value).__name__, [_to_jsonable(one) for one in value]]
    if isinstance(value, list):
        return ["list", [_to_jsonable(one) for one in value]]
    if isinstance(value, dict):
        return {key: _to_jsonable(one) for key, one in value.items()}
    return value


def _from_jsonable(value: object) -> Any:
    if isinstance(value, dict):
        return {key: _from_jsonable(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    name, held = value
    if name == "list":
        return [_from_jsonable(one) for one in held]
    kind = _CLASSES[name]
    if isinstance(held, dict):
        return kind(**_from_jsonable(held))
    several = [_from_jsonable(one) for one in held]
    return kind(*several) if hasattr(kind, "_fields") else kind(several)
