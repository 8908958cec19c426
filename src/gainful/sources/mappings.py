"""Dicts of dicts, of lists and of sets."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.sources._format import Format, declare
from gainful.sources._object_tables import table
from gainful.sources._reading import Reading
from gainful.sources._roles import NUMBER
from gainful.sources._wanted import Wanted


def _feed_qrels(mapping: Any, index: Any, _wanted: Wanted, _reading: Reading) -> None:
    index.add(_plain(mapping))


def _feed_run(mapping: Any, aligner: Any, wanted: Wanted, _reading: Reading) -> None:
    wanted.check_no_ranks()
    aligner.add(_plain(mapping))


def _plain(mapping: Mapping[Any, Any]) -> dict[Any, Any]:
    # Mappings that are no dicts (a defaultdict is one) are made one; dicts are taken as they are.
    return {
        query: dict(entries)
        if isinstance(entries, Mapping) and not isinstance(entries, dict)
        else entries
        for query, entries in mapping.items()
    }


def _feed_lists(mapping: Any, aligner: Any, _wanted: Wanted, _reading: Reading) -> None:
    for query, items in mapping.items():
        aligner.add_list(query, items)


def _feed_sets(mapping: Any, index: Any, _wanted: Wanted, _reading: Reading) -> None:
    for query, items in mapping.items():
        if not isinstance(items, set | frozenset | list | tuple):
            message = f"qrels: query {query!r} must hold a set of items, got {items!r:.60}."
            raise SourceError(message)
        index.add_list(query, items)


def _tables(mapping: Any, wanted: Wanted) -> Iterator[Any]:
    """Rows of ``{query: {item: number}}``."""
    query: list[Any] = []
    item: list[Any] = []
    number: list[Any] = []
    for one, entries in mapping.items():
        if not isinstance(entries, Mapping):
            message = (
                f"{wanted.place}: query {one!r} must hold a dict of items, got {entries!r:.60}."
            )
            raise SourceError(message)
        query += [one] * len(entries)
        item += entries
        number += entries.values()
    yield table(wanted, query, item, **{NUMBER[wanted.holds]: number})


def _tables_of_lists(mapping: Any, wanted: Wanted) -> Iterator[Any]:
    """Rows of ``{query: [item, ...]}``: their ranks, or as qrels their label 1."""
    kinds = list | tuple if wanted.holds == "run" else list | tuple | set | frozenset
    for one, items in mapping.items():
        if not isinstance(items, kinds):
            of = "list" if wanted.holds == "run" else "set"
            message = f"{wanted.place}: query {one!r} must hold a {of} of items, got {items!r:.60}."
            raise SourceError(message)
    query = [one for one, items in mapping.items() for _ in items]
    item = [item for items in mapping.values() for item in items]
    if wanted.holds == "qrels":
        yield table(wanted, query, item, label=np.ones(len(query)))
        return
    ranks = [np.arange(1, len(items) + 1) for items in mapping.values()]
    yield table(wanted, query, item, rank=np.concatenate([*ranks, np.array([], dtype=np.int64)]))


SETS = declare(
    Format(
        name="sets",
        holds="qrels",
        summary="A dict of sets: {query: {item, ...}}, the relevant items; their label is 1.",
        renamed=True,
        feed=_feed_sets,
        tables=_tables_of_lists,
    )
)
QRELS = declare(
    Format(
        name="dict",
        holds="qrels",
        summary="A dict of dicts: {query: {item: label}}.",
        renamed=True,
        feed=_feed_qrels,
        tables=_tables,
    )
)
LISTS = declare(
    Format(
        name="lists",
        holds="run",
        summary="A dict of lists: {query: [item, ...]}, best first.",
        renamed=True,
        feed=_feed_lists,
        tables=_tables_of_lists,
    )
)
RUN = declare(
    Format(
        name="dict",
        holds="run",
        summary="A dict of dicts: {query: {item: score}}.",
        renamed=True,
        feed=_feed_run,
        tables=_tables,
    )
)
