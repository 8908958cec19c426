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
from gainful.base import ragged
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
    plain_fields: dict[str, Any] = {}
    for name in (field.name for field in fields(ranked)):  # type: ignore[arg-type]
        value = getattr(ranked, name)
        if isinstance(value, Rankings):
            plain_fields[name] = _split_fields(value, f"{prefix}{name}.", arrays)
        elif isinstance(value, Items):
            plain_fields[name] = value.ids
        elif isinstance(value, np.ndarray):
            arrays[prefix + name] = value
        elif callable(value):
            arrays[prefix + name] = value()
        elif value is not None:
            plain_fields[name] = value
    return plain_fields


def _rebuild(
    kind: type[Rankings], plain_fields: dict[str, Any], prefix: str, arrays: Any
) -> Rankings:
    values: dict[str, Any] = {}
    for name in (field.name for field in fields(kind)):  # type: ignore[arg-type]
        if isinstance(plain_fields.get(name), dict):
            values[name] = _rebuild(JudgedRankings, plain_fields[name], f"{prefix}{name}.", arrays)
        elif name in plain_fields:
            values[name] = (
                tuple(plain_fields[name])
                if isinstance(plain_fields[name], list)
                else plain_fields[name]
            )
        elif prefix + name in arrays:
            values[name] = arrays[prefix + name]
    if "read_given_labels" in values:
        values["read_given_labels"] = partial(_return_array, values["read_given_labels"])
    if "items" in values:
        values["items"] = Items(values["items"])
    return kind(**values)


def _return_array(array: object) -> Any:
    return array


def merge_rankings(parts: Sequence[Rankings], data: ItemData) -> Rankings:
    """Merge the rankings of all queries, in the order of their ids."""
    merged: Any = _concatenate_rankings(parts)
    order = sorted(range(merged.n_queries), key=merged.queries.__getitem__)
    ordered: Rankings = merged.select(np.array(order, dtype=np.int64))
    return _renumber_items(ordered, data) if isinstance(ordered, ItemRankings) else ordered


def _concatenate_rankings(parts: Sequence[Rankings]) -> Rankings:
    """Concatenate the rankings of all parts."""
    kind = type(parts[0])
    values: dict[str, Any] = {}
    for name in (field.name for field in fields(kind)):  # type: ignore[arg-type]
        part_values = [getattr(part, name) for part in parts]
        first = part_values[0]
        if isinstance(first, Rankings):
            values[name] = _concatenate_rankings(part_values)
        elif isinstance(first, Items):
            values[name] = Items(tuple(id for items in part_values for id in items.ids))
        elif name == "read_given_labels":
            values[name] = first and partial(
                _return_array, np.concatenate([labels() for labels in part_values])
            )
        elif isinstance(first, tuple):
            values[name] = tuple(id for ids in part_values for id in ids)
        elif isinstance(first, np.ndarray):
            values[name] = _concatenate_arrays(name, part_values, parts)
        else:
            values[name] = first  # the same in all parts, as the rules have it
    return kind(**values)


def _concatenate_arrays(name: str, arrays: list[Any], parts: Sequence[Any]) -> Any:
    if name.endswith("_offsets"):
        sizes = [np.diff(offsets) for offsets in arrays]
        return ragged.offsets_from_sizes(np.concatenate(sizes))
    if name in _OFFSETS_OF_NUMBERS:
        counts = [int(getattr(part, _OFFSETS_OF_NUMBERS[name])[-1]) for part in parts]
    elif name == "item":
        counts = [len(part.items.ids) for part in parts]
    else:
        return np.concatenate(arrays)
    shifts = np.cumsum([0, *counts[:-1]])
    return np.concatenate([array + n for array, n in zip(arrays, shifts.tolist(), strict=True)])


def _renumber_items(rankings: ItemRankings, data: ItemData) -> ItemRankings:
    """Give items that several parts share one number, in the order of first appearance."""
    number: dict[str, int] = {}
    numbers = np.array(
        [number.setdefault(id, len(number)) for id in rankings.items.ids], dtype=np.int64
    )
    item = numbers[rankings.item]
    distinct, first, which = np.unique(item, return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    new_number = np.empty(len(appearance), dtype=np.int64)
    new_number[appearance] = np.arange(len(appearance))
    ids = tuple(number)
    used_ids = tuple(ids[i] for i in distinct[appearance].tolist())
    return replace(rankings, item=new_number[which], items=collect_items(used_ids, data))


_CLASSES: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
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
    """Serialize statistics of joins, and what they consist of, as JSON.

    >>> deserialize(serialize({"missing": Count(2, ("q1", 0.5))}))
    {'missing': Count(times=2, first=('q1', 0.5))}
    """
    return json.dumps(_to_jsonable(value), separators=(",", ":")).encode()


def deserialize(text: bytes) -> Any:
    """Deserialize a summary."""
    return _from_jsonable(json.loads(text))


def _to_jsonable(value: object) -> Any:
    if is_dataclass(value):
        plain_fields = {
            field.name: _to_jsonable(getattr(value, field.name)) for field in fields(value)
        }
        return [type(value).__name__, plain_fields]
    if isinstance(value, tuple | frozenset):
        return [type(value).__name__, [_to_jsonable(item) for item in value]]
    if isinstance(value, list):
        return ["list", [_to_jsonable(item) for item in value]]
    if isinstance(value, dict):
        return {key: _to_jsonable(item) for key, item in value.items()}
    return value


def _from_jsonable(value: object) -> Any:
    if isinstance(value, dict):
        return {key: _from_jsonable(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    name, content = value
    if name == "list":
        return [_from_jsonable(item) for item in content]
    kind = _CLASSES[name]
    if isinstance(content, dict):
        return kind(**_from_jsonable(content))
    items = [_from_jsonable(item) for item in content]
    return kind(*items) if hasattr(kind, "_fields") else kind(items)
