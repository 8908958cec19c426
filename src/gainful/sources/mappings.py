"""Dicts of dicts, and dicts of lists."""

from collections.abc import Mapping
from typing import Any

from gainful import _native
from gainful.sources._format import Format, declare


def _is_mapping(source: Any) -> bool:
    return isinstance(source, Mapping)


def _is_mapping_of_lists(source: Any) -> bool:
    return _is_mapping(source) and isinstance(next(iter(source.values()), None), list | tuple)


def _feed(mapping: Any, receiver: _native.Index | _native.Aligner) -> None:
    # Mappings that are no dicts (a defaultdict is one) are made one; dicts are taken as they are.
    plain = {
        query: entries if isinstance(entries, dict) or not _is_mapping(entries) else dict(entries)
        for query, entries in mapping.items()
    }
    receiver.add(plain)


def _feed_lists(mapping: Any, receiver: Any) -> None:
    for query, items in mapping.items():
        receiver.add_list(query, items)


QRELS = declare(
    Format(
        name="dict-qrels",
        holds="qrels",
        summary="A dict of dicts: {query: {item: label}}.",
        columns=(),
        has_ranks=lambda _: False,
        recognises=_is_mapping,
        feed=_feed,
    )
)
LISTS = declare(
    Format(
        name="list-run",
        holds="run",
        summary="A dict of lists: {query: [item, ...]}, best first.",
        columns=(),
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
        columns=(),
        has_ranks=lambda _: False,
        recognises=_is_mapping,
        feed=_feed,
    )
)
