"""Qrels and run, read, joined and chosen as trec_eval does it."""

import mmap
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gainful import _native, ragged
from gainful.align import join
from gainful.align_groups import align_groups
from gainful.align_preferences import align_preferences
from gainful.errors import AlignError, PreferenceError, SourceError
from gainful.notices import MissingQueries, Notice
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.rules import Rules
from gainful.sources import (
    Columns,
    Format,
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    Reading,
    Run,
    opened,
    read_qrels,
    read_run,
)
from gainful.trec_eval._numbers import atof, atol
from gainful.trec_eval.arguments import Arguments, Exit
from gainful.trec_eval.lines import (
    GROUPS,
    PREFERENCES,
    QRELS,
    QRELS_PREFERENCES,
    RESULTS,
    content,
    refused,
    rows,
    run_tag,
)
from gainful.wording import count, examples

_PREFS = "trec_eval.form_prefs_counts"
_NOTHING_SHARED = "trec_eval: No queries with both results and relevance info\n"
_MARK = b"\xef\xbb\xbf"  # the byte order mark, which trec_eval takes for a part of the first id


@dataclass
class Evaluated:
    """What is to be measured.

    Attributes:
        ranked: The rankings of the queries that are evaluated, in byte order.
        bogus: Which of them the run does not have; they are there with -c alone.
        n_judged: How many queries the qrels have.
        n_relevant: How many judgments of all queries are relevant.
        tag: The name that the run gives itself.
        failure: What is said on standard error before the program ends after these queries.
        needs_measure: Whether the failure is one of a measure that reads the rankings.
        said: What else is said on standard error.
    """

    ranked: Any
    bogus: BoolArray
    n_judged: int
    n_relevant: int
    tag: str
    failure: str = ""
    needs_measure: bool = True
    said: str = ""


def judged_rankings(arguments: Arguments) -> Evaluated:
    """The rankings that plain qrels and a run make."""
    qrels, results = arguments.files
    judgments, judged_twice, labels = _read_qrels(qrels, arguments)
    _check_results_format(arguments)
    ranked, in_run, tag, found_twice = _read_run(judgments, results, arguments)
    evaluated = chosen(ranked, in_run, tag, arguments)
    evaluated.n_relevant = int((labels >= _relevant_from(arguments)).sum())
    _cut_at_repeats(evaluated, arguments, found_twice, judged_twice)
    evaluated.ranked = _as_asked(evaluated, arguments)
    return evaluated


def grouped_rankings(arguments: Arguments) -> Evaluated:
    """The rankings that qrels with judgment groups and a run make."""
    path, _ = arguments.files
    fields = rows(path, content(path, GROUPS), GROUPS, arguments)
    fields.sort(key=lambda row: [_bytes(text) for text in row[:3]])
    query, group, item, label = ([row[i] for row in fields] for i in range(4))
    for above, row in pairwise(fields):
        if above[:3] == row[:3]:
            raise refused(path, f"trec_eval.get_qrels: duplicate docs {row[2]}\n")
    labels = np.array([float(atol(text)) for text in label])
    judgments = GroupedJudgments(path, query, group, item, labels)
    evaluated = _other_rankings(judgments, align_groups, ranking_rules(arguments), arguments)
    evaluated.n_relevant = int((labels >= _relevant_from(arguments)).sum())
    if arguments.judged_only:
        groups = _condensed(evaluated.ranked.groups)
        evaluated.ranked = replace(evaluated.ranked, groups=groups)
    return evaluated


def preference_rankings(arguments: Arguments) -> Evaluated:
    """The rankings that preferences, or qrels taken for such, and a run make."""
    path, _ = arguments.files
    wanted = PREFERENCES if arguments.judgments == "prefs" else QRELS_PREFERENCES
    fields = rows(path, content(path, wanted), wanted, arguments)
    if wanted is QRELS_PREFERENCES:
        fields = [[query, group, "0", item, level] for query, group, item, level in fields]
    query, group, subgroup, item, level = ([row[i] for row in fields] for i in range(5))
    levels = np.array([atof(text) for text in level])
    judgments = PreferenceJudgments(path, query, group, subgroup, item, levels)
    # Alone among the measures these put equal scores in ascending order of the items.
    rules = replace(ranking_rules(arguments), ties="item-asc")
    refusals: dict[str, str] = {}

    def aligned(given: PreferenceJudgments, run: Run, rules: Rules) -> Any:
        try:
            return align_preferences(given, run, rules)
        except PreferenceError as error:
            said = f"{_PREFS}: doc '{error.item}' has both 0 and non-0 rel_level assigned\n"
            if error.places:
                said = "{}: Pref inconsistency found\n      internal rank {} and internal rank {} "
                said = (said + "are conflicted\n").format(_PREFS, *error.places)
            refusals[error.query] = said
            return aligned(_harmless(given, error.query), run, rules)

    evaluated = _other_rankings(judgments, aligned, rules, arguments)
    _cut(evaluated, refusals, arguments)
    return evaluated


def _harmless(judgments: PreferenceJudgments, query: str) -> PreferenceJudgments:
    """With one judgment alone for a query, which contradicts nothing."""
    first = judgments.query.index(query)
    keep = [i for i, other in enumerate(judgments.query) if other != query or i == first]
    return replace(
        judgments,
        query=[judgments.query[i] for i in keep],
        group=[judgments.group[i] for i in keep],
        subgroup=[judgments.subgroup[i] for i in keep],
        item=[judgments.item[i] for i in keep],
        level=judgments.level[keep],
    )


def _other_rankings(
    judgments: GroupedJudgments | PreferenceJudgments,
    aligned: Callable[..., tuple[Any, tuple[Notice, ...]]],
    rules: Rules,
    arguments: Arguments,
) -> Evaluated:
    _check_results_format(arguments)
    path = arguments.files[1]
    source = native_run(path, arguments)
    twice: dict[str, str] = {}
    try:
        if source is None:
            raise SourceError
        ranked, notices = aligned(judgments, source[0], rules)
        tag = source[1]
    except SourceError:  # trec_eval takes it otherwise, or says in its own words what is wrong
        held = source[0].source if source is not None else None
        columns, tag, twice = run_columns(path, held, arguments)
        ranked, notices = aligned(judgments, read_run(columns), replace(rules, duplicates="max"))
    except AlignError:
        raise Exit(7, _NOTHING_SHARED) from None
    about = [notice for notice in notices if isinstance(notice, MissingQueries)]
    missing = {query for notice in about for query in notice.queries}
    in_run = np.array([query not in missing for query in ranked.queries], dtype=np.bool_)
    evaluated = chosen(ranked, in_run, tag, arguments)
    _cut_at_repeats(evaluated, arguments, twice, {})
    return evaluated


def _check_results_format(arguments: Arguments) -> None:
    if arguments.results != "trec_results":
        said = f"trec_eval: Illegal retrieval results format '{arguments.results}'\n"
        raise Exit(2, said)


def rankings_at_hand(judgments: Judgments, run: Run, arguments: Arguments) -> Evaluated:
    """The rankings of the queries that qrels and run share, in the order of the qrels."""
    _, aligned, ranked = join(judgments, run, ranking_rules(arguments))
    shared = np.flatnonzero(aligned.in_run)
    evaluated = Evaluated(
        ranked=ranked if len(shared) == ranked.n_queries else ranked.select(shared),
        bogus=np.zeros(len(shared), dtype=np.bool_),
        n_judged=ranked.n_queries,
        n_relevant=int((judgments.pool_label >= _relevant_from(arguments)).sum()),
        tag=run.name,
    )
    evaluated.ranked = _as_asked(evaluated, arguments)
    return evaluated


def in_byte_order(queries: tuple[str, ...]) -> list[int]:
    """The numbers of the queries in the order of their bytes."""
    keys = [query.encode("utf-8", "surrogateescape") for query in queries]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _relevant_from(arguments: Arguments) -> float:
    # trec_eval's num_rel under -c forgets about -l.
    return 1 if arguments.compat else arguments.level


def chosen(ranked: Any, in_run: BoolArray, tag: str, arguments: Arguments) -> Evaluated:
    """The queries to evaluate, and where that ends early."""
    failure = said = ""
    order = in_byte_order(ranked.queries)
    n_judged = len(order)
    missing = [i for i in order if not in_run[i]]
    if arguments.only_query is not None:
        order = [i for i in order if ranked.queries[i] == arguments.only_query]
    keep = [i for i in order if in_run[i]]
    if arguments.complete and arguments.newer:
        keep = order
    elif arguments.compat == 10 and (lost := [i for i in order if not in_run[i]]):
        failure = f"trec_eval: result qid '{ranked.queries[lost[0]]}' not found in qrels\n"
        keep = order[: order.index(lost[0])]
    elif missing and keep and arguments.compat is None and not arguments.complete:
        queries = count(len(missing), "judged query is", "judged queries are")
        named = examples([ranked.queries[i] for i in missing])
        said = f"trec_eval: {queries} not in the results ({named}); -c counts 0 for each\n"
    kept = np.array(keep, dtype=np.int64)
    same = len(kept) == ranked.n_queries and (np.diff(kept) > 0).all()
    return Evaluated(
        ranked=ranked if same else ranked.select(kept),
        bogus=~in_run[kept],
        n_judged=n_judged,
        n_relevant=0,
        tag=tag,
        failure=failure,
        needs_measure=False,
        said=said,
    )


def _cut_at_repeats(
    evaluated: Evaluated,
    arguments: Arguments,
    found_twice: dict[str, str],
    judged_twice: dict[str, str],
) -> None:
    """End where a query has an item twice: in the run, or else in the qrels."""
    who = _PREFS if "prefs" in arguments.judgments else "trec_eval.form_res_qrels"
    refusals = {
        query: f"trec_eval.form_res_rels: duplicate docs {item}\n"
        for query, item in judged_twice.items()
    }
    refusals |= {query: f"{who}: duplicate docs {item}" for query, item in found_twice.items()}
    _cut(evaluated, refusals, arguments)


def _cut(evaluated: Evaluated, refusals: dict[str, str], arguments: Arguments) -> None:
    """End before the first query that is refused, if any measure looks."""
    refused = [i for i, query in enumerate(evaluated.ranked.queries) if query in refusals]
    if not refused or not arguments.measures - {"runid", "num_q"}:
        return
    first = refused[0]
    evaluated.failure = refusals[evaluated.ranked.queries[first]]
    evaluated.needs_measure, evaluated.said = True, ""
    evaluated.ranked = evaluated.ranked.select(np.arange(first))
    evaluated.bogus = evaluated.bogus[:first]


def _read_qrels(path: str, arguments: Arguments) -> tuple[Judgments, dict[str, str], FloatArray]:
    """The judgments, the first item of each query that is judged twice, and all labels."""
    if _is_plain(path) and not _starts_with_mark(path):
        try:
            judgments = read_qrels(path)
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


class _Joined(NamedTuple):
    ranked: JudgedRankings
    in_run: BoolArray
    tag: str
    twice: dict[str, str]


def _read_run(judgments: Judgments, path: str, arguments: Arguments) -> _Joined:
    """The rankings of all judged queries, which of them the run has, and its tag."""
    rules, native = ranking_rules(arguments), native_run(path, arguments)
    if native is not None:
        run, tag = native
        try:
            aligner, aligned, ranked = join(judgments, run, rules)
            if arguments.newer or not aligner.odd.comments:
                return _Joined(ranked, aligned.in_run != 0, tag, {})
        except SourceError:
            pass  # as above
    held = native[0].source if native is not None else None
    columns, tag, twice = run_columns(path, held, arguments)
    rules = replace(rules, duplicates="max")
    _, aligned, ranked = join(judgments, read_run(columns), rules)
    return _Joined(ranked, aligned.in_run != 0, tag, twice)


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
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as seen:
            return read_run(path), run_tag(seen, arguments)
    text = content("-" if path.startswith("-") else path, RESULTS)
    return Run("results", text, _BYTES), run_tag(text, arguments)


def run_columns(path: str, held: Any, arguments: Arguments) -> tuple[Columns, str, dict[str, str]]:
    """The run as columns, its tag, and of every query with an item twice the first such item."""
    text = held if isinstance(held, bytes) else content(path, RESULTS)
    fields = rows(path, text, RESULTS, arguments)
    if not fields:
        raise Exit(7, _NOTHING_SHARED)
    queries, items, scores = ([row[i] for row in fields] for i in (0, 2, 4))
    score = np.array([atof(text) for text in scores])
    undefined = {queries[i] for i in np.flatnonzero(np.isnan(score))}
    kind: Any = np.float64 if arguments.newer else np.float32
    for query in undefined:
        _order_undefined([i for i, q in enumerate(queries) if q == query], items, score, kind)
    twice = _repeats_above(queries, items, score.astype(kind), arguments)
    return Columns(query=queries, item=items, score=score.tolist()), fields[-1][5], twice


def first_repeats(queries: list[str], items: list[str]) -> dict[str, str]:
    """Of every query with an item twice, the first such item in byte order."""
    seen: set[tuple[str, str]] = set()
    repeats: dict[str, str] = {}
    for pair in zip(queries, items, strict=True):
        if pair in seen:
            query, item = pair
            repeats[query] = min(item, repeats.get(query, item), key=_bytes)
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
        ascending = "prefs" in arguments.judgments
        by_item = sorted(numbers, key=lambda i: _bytes(items[i]), reverse=not ascending)
        best = sorted(by_item, key=lambda i: -score[i])
        kept = best[: max(arguments.deepest, 0)]
        above |= first_repeats([query] * len(kept), [items[i] for i in kept])
    return above


def _order_undefined(numbers: list[int], items: list[str], score: Any, kind: Any) -> None:
    """Replace the scores of a query that has NaN among them by what orders them alike.

    trec_eval compares NaN as neither more nor less, so that the order depends on how qsort()
    works: in the C library of GNU it merges, from the order of the items.
    """
    values = score.astype(kind)

    def compare(a: int, b: int) -> int:
        if values[a] > values[b]:
            return -1
        if values[a] < values[b]:
            return 1
        return (_bytes(items[b]) > _bytes(items[a])) - (_bytes(items[b]) < _bytes(items[a]))

    start = sorted(numbers, key=lambda i: _bytes(items[i]))
    merged = merge_sorted(start, compare)
    score[merged] = -np.arange(len(merged), dtype=np.float64)


def merge_sorted(values: list[int], compare: Callable[[int, int], int]) -> list[int]:
    """Sorted as the C library of GNU does it; the order matters where ``compare`` is no order."""
    if len(values) <= 1:
        return values
    half = len(values) // 2
    left, right = (merge_sorted(part, compare) for part in (values[:half], values[half:]))
    merged: list[int] = []
    while left and right:
        merged.append((left if compare(left[0], right[0]) <= 0 else right).pop(0))
    return merged + left + right


def _as_asked(evaluated: Evaluated, arguments: Arguments) -> JudgedRankings:
    """Without what -M and -J leave out, and with an unjudged item for those that -c adds."""
    ranked: JudgedRankings = evaluated.ranked
    if evaluated.bogus.any():
        ranked = replace(ranked, n_retrieved=np.where(evaluated.bogus, 1, ranked.n_retrieved))
    if arguments.deepest is not None and arguments.deepest <= 0:
        none = np.full(ranked.n_queries, arguments.deepest)
        ranked = _with_hits(ranked, np.zeros(0, dtype=np.int64), none)
    if not arguments.judged_only:
        return ranked
    return _condensed(ranked)


def _condensed(ranked: JudgedRankings) -> JudgedRankings:
    """Only the judged items; those with negative labels are none."""
    hits = np.flatnonzero(ranked.hit_label >= 0)
    return _with_hits(ranked, hits, np.bincount(ranked.hit_query[hits], minlength=ranked.n_queries))


def _with_hits(ranked: JudgedRankings, hits: IntArray, n_retrieved: IntArray) -> JudgedRankings:
    """With some of the hits, and nothing between them."""
    offsets = np.searchsorted(ranked.hit_query[hits], np.arange(ranked.n_queries + 1))
    rank = ragged.positions(offsets)
    return replace(
        ranked,
        n_retrieved=n_retrieved,
        hit_offsets=offsets,
        hit_rank=rank,
        hit_label=ranked.hit_label[hits],
        hit_tie_first=rank,
        hit_tie_size=np.ones(len(rank), dtype=np.int64),
    )


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


def _feed_bytes(text: Any, aligner: _native.Aligner, _reading: Reading) -> None:
    try:
        aligner.feed(text)
        aligner.feed(b"")
    except _native.Ungrouped:
        aligner.start_over()
        aligner.feed(text)
        aligner.feed(b"")


_BYTES = Format("bytes", "run", "The text of a run.", recognises=lambda _: False, feed=_feed_bytes)  # type: ignore[arg-type]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
