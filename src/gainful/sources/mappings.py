"""Dicts of dicts, of lists and of sets."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gainful import _native
from gainful.errors import SourceError
from gainful.sources._format import Format, declare
from gainful.sources._reading import Reading


def _is_mapping(source: Any) -> bool:
    return isinstance(source, Mapping)


def _is_mapping_of_lists(source: Any) -> bool:
    return _is_mapping(source) and isinstance(next(iter(source.values()), None), list | tuple)


def _feed(mapping: Any, receiver: _native.Index | _native.Aligner, _reading: Reading) -> None:
    # Mappings that are no dicts (a defaultdict is one) are made one; dicts are taken as they are.
    plain = {
        query: entries if isinstance(entries, dict) or not _is_mapping(entries) else dict(entries)
        for query, entries in mapping.items()
    }
    receiver.add(plain)


def _feed_lists(mapping: Any, receiver: Any, _reading: Reading) -> None:
    for query, items in mapping.items():
        receiver.add_list(query, items)


def _is_mapping_of_collections(source: Any) -> bool:
    first = next(iter(source.values()), None) if _is_mapping(source) else None
    return isinstance(first, set | frozenset | list | tuple)


def _feed_collections(mapping: Any, receiver: Any, _reading: Reading) -> None:
    for query, items in mapping.items():
        if not isinstance(items, set | frozenset | list | tuple):
            message = f"qrels: query {query!r} must hold a set of items, got {items!r:.60}."
            raise SourceError(message)
    rows = [(query, item) for query, items in mapping.items() for item in items]
    queries, items = ([row[i] for row in rows] for i in (0, 1))
    receiver.add({query: {} for query in mapping})  # those without an item are judged too
    receiver.add_columns(queries, items, np.ones(len(rows)))


SETS = declare(
    Format(
        name="set-qrels",
        holds="qrels",
        summary="A dict of sets: {query: {item, ...}}, the relevant items; their label is 1.",
        recognises=_is_mapping_of_collections,
        feed=_feed_collections,
    )
)
QRELS = declare(
    Format(
        name="dict-qrels",
        holds="qrels",
        summary="A dict of dicts: {query: {item: label}}.",
        recognises=_is_mapping,
        feed=_feed,
    )
)
LISTS = declare(
    Format(
        name="list-run",
        holds="run",
        summary="A dict of lists: {query: [item, ...]}, best first.",
        has_ranks=lambda _: True,
        recognises=_is_mapping_of_lists,
        feed=_feed_lists,
    )
)
RUN = declare(
    Format(
        name="dict-run",
        holds="run",
        summary="A dict of dicts: {query: {item: score}}.",
        recognises=_is_mapping,
        feed=_feed,
    )
)
