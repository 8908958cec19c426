"""Rankings that workers send, for measures of whole runs: as bytes, and put together again."""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from gainful.align_items import known_items
from gainful.item_rankings import ItemRankings, Items
from gainful.kinds import KINDS
from gainful.rankings import JudgedRankings, Rankings
from gainful.sources import ItemData

_AT_ONCE = 1 << 20  # items of the queries that are sent in one piece, unless one query has more
_QUERY = 100  # how many items a query counts for, whatever it returned
_ABOUT = "about"  # the array that has what is no array
# What numbers stand for: of which offsets the last says how many there are.
_NUMBERED = {"hit_item": "item_offsets", "row_item": "item_offsets", "row_group": "group_offsets"}


def pieces(ranked: Rankings) -> Iterator[bytes]:
    """The rankings as bytes, some queries at a time."""
    size = np.cumsum(ranked.n_retrieved + _QUERY) // _AT_ONCE
    starts = np.flatnonzero(np.diff(size, prepend=-1))
    for queries in np.split(np.arange(ranked.n_queries), starts[1:]):
        yield as_bytes(ranked.select(queries))  # type: ignore[attr-defined]


def as_bytes(ranked: Rankings) -> bytes:
    """Rankings as bytes that hold no code."""
    arrays: dict[str, Any] = {}
    about = {"kind": type(ranked).__name__, "held": _taken_apart(ranked, "", arrays)}
    arrays[_ABOUT] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def from_bytes(data: bytes) -> Rankings:
    """The rankings again, but for what is known of their items."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        about = json.loads(arrays[_ABOUT].tobytes())
        kind = next(one for one in KINDS if one.__name__ == about["kind"])
        return _made(kind, about["held"], "", arrays)


def _taken_apart(ranked: Rankings, prefix: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """What is no array, by name; arrays are added to the others."""
    held: dict[str, Any] = {}
    for name in (field.name for field in fields(ranked)):  # type: ignore[arg-type]
        value = getattr(ranked, name)
        if isinstance(value, Rankings):
            held[name] = _taken_apart(value, f"{prefix}{name}.", arrays)
        elif isinstance(value, Items):
            held[name] = value.ids
        elif isinstance(value, np.ndarray):
            arrays[prefix + name] = value
        elif callable(value):
            arrays[prefix + name] = value()
        elif value is not None:
            held[name] = value
    return held


def _made(kind: type[Rankings], held: dict[str, Any], prefix: str, arrays: Any) -> Rankings:
    found: dict[str, Any] = {}
    for name in (field.name for field in fields(kind)):  # type: ignore[arg-type]
        if isinstance(held.get(name), dict):
            found[name] = _made(JudgedRankings, held[name], f"{prefix}{name}.", arrays)
        elif name in held:
            found[name] = tuple(held[name]) if isinstance(held[name], list) else held[name]
        elif prefix + name in arrays:
            found[name] = arrays[prefix + name]
    if "given" in found:
        found["given"] = partial(_same, found["given"])
    if "items" in found:
        found["items"] = Items(found["items"])
    return kind(**found)


def _same(array: Any) -> Any:
    return array


def together(parts: Sequence[Rankings], data: ItemData) -> Rankings:
    """The rankings of all queries, in the order of their ids."""
    every: Any = _joined(parts)
    order = sorted(range(every.n_queries), key=every.queries.__getitem__)
    found: Rankings = every.select(np.array(order, dtype=np.int64))
    return _renumbered(found, data) if isinstance(found, ItemRankings) else found


def _joined(parts: Sequence[Rankings]) -> Rankings:
    """The rankings of all parts, one after the other."""
    kind = type(parts[0])
    found: dict[str, Any] = {}
    for name in (field.name for field in fields(kind)):  # type: ignore[arg-type]
        each = [getattr(part, name) for part in parts]
        one = each[0]
        if isinstance(one, Rankings):
            found[name] = _joined(each)
        elif isinstance(one, Items):
            found[name] = Items(tuple(id for items in each for id in items.ids))
        elif name == "given":
            found[name] = one and partial(_same, np.concatenate([labels() for labels in each]))
        elif isinstance(one, tuple):
            found[name] = tuple(id for ids in each for id in ids)
        elif isinstance(one, np.ndarray):
            found[name] = _concatenated(name, each, parts)
        else:
            found[name] = one  # the same in all parts, as the rules have it
    return kind(**found)


def _concatenated(name: str, each: list[Any], parts: Sequence[Any]) -> Any:
    if name.endswith("_offsets"):
        sizes = [np.diff(offsets) for offsets in each]
        return np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    if name in _NUMBERED:
        counts = [int(getattr(part, _NUMBERED[name])[-1]) for part in parts]
    elif name == "item":
        counts = [len(part.items.ids) for part in parts]
    else:
        return np.concatenate(each)
    before = np.cumsum([0, *counts[:-1]])
    return np.concatenate([one + n for one, n in zip(each, before.tolist(), strict=True)])


def _renumbered(found: ItemRankings, data: ItemData) -> ItemRankings:
    """With items that parts share once, numbered in the order in which they come."""
    number: dict[str, int] = {}
    same = np.array([number.setdefault(id, len(number)) for id in found.items.ids], dtype=np.int64)
    item = same[found.item]
    distinct, first, which = np.unique(item, return_index=True, return_inverse=True)
    met = np.argsort(first)
    place = np.empty(len(met), dtype=np.int64)
    place[met] = np.arange(len(met))
    ids = tuple(number)
    named = tuple(ids[i] for i in distinct[met].tolist())
    return replace(found, item=place[which], items=known_items(named, data))
