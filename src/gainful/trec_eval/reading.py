"""Qrels and runs, read and joined as trec_eval does it.

The native core reads what it would read alike; what is odd is read here, line by line.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gainful import _native
from gainful.align import join
from gainful.errors import SourceError
from gainful.ragged import BoolArray, FloatArray
from gainful.rankings import JudgedRankings
from gainful.rules import Rules
from gainful.sources import (
    Columns,
    Format,
    Judgments,
    Reading,
    Run,
    Steady,
    Wanted,
    opened,
    read_qrels,
    read_run,
)
from gainful.trec_eval._numbers import atof, atol
from gainful.trec_eval.arguments import Arguments, Exit
from gainful.trec_eval.lines import (
    QRELS,
    RESULTS,
    Tail,
    content,
    refused,
    rows,
    run_tag,
)

NOTHING_SHARED = "trec_eval: No queries with both results and relevance info\n"
_MARK = b"\xef\xbb\xbf"  # the byte order mark, which trec_eval takes for a part of the first id


def judgments_in(path: str, arguments: Arguments) -> tuple[Judgments, dict[str, str], FloatArray]:
    """The judgments, the first item of each query that is judged twice, and all labels."""
    if _is_plain(path) and not _starts_with_mark(path):
        try:
            judgments = read_qrels(path, format="trec")
            odd = judgments.index.odd
            if not (odd.comments or odd.blanks or odd.unwhole):
                return judgments, {}, judgments.pool_label
        except SourceError:
            pass  # trec_eval takes it otherwise, or says in its own words what is wrong
    fields = rows(path, content(path, QRELS), QRELS, arguments)
    queries, items, labels = ([row[i] for row in fields] for i in (0, 2, 3))
    twice = first_repeats(queries, items)
    levels = [float(atol(text)) for text in labels]
    columns = Columns(query=queries, item=items, label=levels)
    if not queries:
        raise refused(path, f"trec_eval.get_qrels: Cannot read qrels file '{path}'\n")
    return read_qrels(columns, duplicates="first"), twice, np.array(levels)


class Joined(NamedTuple):
    ranked: JudgedRankings
    in_run: BoolArray
    tag: str
    twice: dict[str, str]


def joined_with(judgments: Judgments, path: str, arguments: Arguments) -> Joined:
    """The rankings of all judged queries, which of them the run has, and its tag."""
    steady = Steady([path])
    rules, native = ranking_rules(arguments), native_run(path, arguments)
    if native is not None:
        run, tag = native
        try:
            aligner, aligned, ranked, *_ = join(judgments, run, rules)
            steady.check()  # of the file that the tag is from
            if arguments.newer or not aligner.odd.comments:
                return Joined(ranked, aligned.in_run != 0, tag, {})
        except SourceError:
            pass  # as above
    held = native[0].source if native is not None else None
    columns, tag, twice = run_columns(path, held, arguments)
    rules = replace(rules, duplicates="max")
    _, aligned, ranked, *_ = join(judgments, read_run(columns), rules)
    return Joined(ranked, aligned.in_run != 0, tag, twice)


def ranking_rules(arguments: Arguments) -> Rules:
    """How trec_eval ranks: by score, then by item, both descending."""
    deepest = arguments.deepest
    return Rules(
        precision="float64" if arguments.newer else "float32",
        depth=deepest if deepest is not None and deepest > 0 else None,
    )


def native_run(path: str, arguments: Arguments) -> tuple[Run, str] | None:
    """The run for the native core to read, and its tag; None if it would not read it right."""
    if path.startswith("-") and not arguments.newer:
        raise refused(path, f"{RESULTS.reader}: Cannot read results file '{path}'\n")
    if _is_plain(path):
        if _starts_with_mark(path):
            return None
        with open(path, "rb") as file:
            return read_run(path, format="trec"), run_tag(Tail(file), arguments)
    text = content("-" if path.startswith("-") else path, RESULTS)
    return Run("results", text, _BYTES), run_tag(text, arguments)


def run_columns(path: str, held: Any, arguments: Arguments) -> tuple[Columns, str, dict[str, str]]:
    """The run as columns, its tag, and of every query with an item twice the first such item."""
    text = held if isinstance(held, bytes) else content(path, RESULTS)
    fields = rows(path, text, RESULTS, arguments)
    if not fields:
        raise Exit(7, NOTHING_SHARED)
    queries, items, scores = ([row[i] for row in fields] for i in (0, 2, 4))
    score = np.array([atof(text) for text in scores])
    undefined = {queries[i] for i in np.flatnonzero(np.isnan(score))}
    kind: Any = np.float64 if arguments.newer else np.float32
    rows_of: dict[str, list[int]] = {query: [] for query in undefined}
    for i, query in enumerate(queries):
        if query in rows_of:
            rows_of[query].append(i)
    for numbers in rows_of.values():
        _order_undefined(numbers, items, score, kind, _ascending(arguments))
    twice = _repeats_above(queries, items, score.astype(kind), arguments)
    return Columns(query=queries, item=items, score=score.tolist()), fields[-1][5], twice


def first_repeats(queries: list[str], items: list[str]) -> dict[str, str]:
    """Of every query with an item twice, the first such item in byte order."""
    seen: set[tuple[str, str]] = set()
    repeats: dict[str, str] = {}
    for pair in zip(queries, items, strict=True):
        if pair in seen:
            query, item = pair
            repeats[query] = min(item, repeats.get(query, item), key=in_bytes)
        seen.add(pair)
    return repeats


def _repeats_above(
    queries: list[str], items: list[str], score: Any, arguments: Arguments
) -> dict[str, str]:
    """The same for a run; what stands below -M does not matter."""
    repeats = first_repeats(queries, items)
    if not repeats or arguments.deepest is None:
        return repeats
    rows_of: dict[str, list[int]] = {query: [] for query in repeats}
    for i, query in enumerate(queries):
        if query in rows_of:
            rows_of[query].append(i)
    above: dict[str, str] = {}
    for query, numbers in rows_of.items():
        falling = not _ascending(arguments)
        by_item = sorted(numbers, key=lambda i: in_bytes(items[i]), reverse=falling)
        best = sorted(by_item, key=lambda i: -score[i])
        kept = best[: max(arguments.deepest, 0)]
        above |= first_repeats([query] * len(kept), [items[i] for i in kept])
    return above


def _ascending(arguments: Arguments) -> bool:
    """Whether equal scores are in ascending order of items: for preferences alone."""
    return "prefs" in arguments.judgments


def _order_undefined(
    numbers: list[int], items: list[str], score: Any, kind: Any, ascending: bool
) -> None:
    """Replace the scores of a query that has NaN among them by what orders them alike.

    trec_eval compares NaN as neither more nor less, so that the order depends on how qsort()
    works: in the C library of GNU it merges, from the order of the items.
    """
    value = dict(zip(numbers, score[numbers].astype(kind).tolist(), strict=True))
    key = {i: in_bytes(items[i]) for i in numbers}

    def compare(a: int, b: int) -> int:
        if value[a] > value[b]:
            return -1
        if value[a] < value[b]:
            return 1
        rises = (key[a] > key[b]) - (key[a] < key[b])
        return rises if ascending else -rises

    start = sorted(numbers, key=key.__getitem__)
    merged = merge_sorted(start, compare)
    score[merged] = -np.arange(len(merged), dtype=np.float64)


def merge_sorted(values: list[int], compare: Callable[[int, int], int]) -> list[int]:
    """Sorted as the C library of GNU does it; the order matters where ``compare`` is no order."""
    if len(values) <= 1:
        return values
    half = len(values) // 2
    left, right = (merge_sorted(part, compare) for part in (values[:half], values[half:]))
    merged: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        first = compare(left[i], right[j]) <= 0
        merged.append(left[i] if first else right[j])
        i, j = i + first, j + (not first)
    return merged + left[i:] + right[j:]


def _is_plain(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    try:
        with opened(path) as file:
            return file.plain is not None
    except SourceError:
        return False


def _starts_with_mark(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(_MARK)) == _MARK


def _feed_bytes(text: Any, aligner: Any, _wanted: Wanted, _reading: Reading) -> None:
    try:
        aligner.feed(text)
        aligner.feed(b"")
    except _native.Ungrouped:
        aligner.start_over()
        aligner.feed(text)
        aligner.feed(b"")


_BYTES = Format("bytes", "run", "The text of a run.", feed=_feed_bytes)


def in_bytes(text: str) -> bytes:
    """What trec_eval orders by."""
    return text.encode("utf-8", "surrogateescape")
