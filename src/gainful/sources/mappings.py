"""Dicts of dicts, of lists and of sets."""

from collections.abc import Mapping
from typing import Any

from gainful.errors import SourceError
from gainful.sources._entries import Entries, feeding, naming, tabled
from gainful.sources._format import Format, declare
from gainful.sources._reading import Reading
from gainful.sources._wanted import Wanted
from gainful.wording import as_written


def _feed_qrels(mapping: Any, index: Any, wanted: Wanted, reading: Reading) -> None:
    if wanted.labels is None:
        index.add(_plain(mapping))
    else:
        feeding(_entries)(mapping, index, wanted, reading)


def _feed_run(mapping: Any, aligner: Any, wanted: Wanted, _reading: Reading) -> None:
    wanted.check_no_ranks()
    aligner.add(_plain(mapping))


def _entries(mapping: Any, wanted: Wanted) -> Entries:
    from gainful.sources import nested

    return nested.entries_of(mapping, wanted)


def _plain(mapping: Mapping[Any, Any]) -> dict[Any, Any]:
    # Mappings that are no dicts (a defaultdict is one) are made one; dicts are taken as they are.
    return {
        query: dict(entries)
        if isinstance(entries, Mapping) and not isinstance(entries, dict)
        else entries
        for query, entries in mapping.items()
    }


def _feed_lists(mapping: Any, aligner: Any, wanted: Wanted, reading: Reading) -> None:
    if wanted.columns:  # they may be columns, under other names than people use
        feeding(_entries)(mapping, aligner, wanted, reading)
        return
    for query, items in mapping.items():
        aligner.add_list(query, items)


def _feed_sets(mapping: Any, index: Any, wanted: Wanted, reading: Reading) -> None:
    if wanted.columns:
        feeding(_entries)(mapping, index, wanted, reading)
        return
    for query, items in mapping.items():
        if not isinstance(items, set | frozenset | list | tuple):
            message = f"qrels: query {query!r} must hold a set of items, got {as_written(items)}."
            raise SourceError(message, code="wrong-structure")
        index.add_list(query, items)


SETS = declare(
    Format(
        name="sets",
        holds="qrels",
        summary="A dict of sets: {query: {item, ...}}, the relevant items; their label is 1.",
        feed=_feed_sets,
        tables=tabled(_entries),
        renamed=True,
        queries=naming(_entries),
    )
)
QRELS = declare(
    Format(
        name="dict",
        holds="qrels",
        summary="A dict of dicts: {query: {item: label}}.",
        feed=_feed_qrels,
        tables=tabled(_entries),
        renamed=True,
        queries=naming(_entries),
    )
)
LISTS = declare(
    Format(
        name="lists",
        holds="run",
        summary="A dict of lists: {query: [item, ...]}, best first.",
        feed=_feed_lists,
        tables=tabled(_entries),
        renamed=True,
        queries=naming(_entries),
    )
)
RUN = declare(
    Format(
        name="dict",
        holds="run",
        summary="A dict of dicts: {query: {item: score}}.",
        feed=_feed_run,
        tables=tabled(_entries),
        renamed=True,
        queries=naming(_entries),
    )
)
