"""Run and judgments, joined and ranked; what was dropped is counted and said."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gainful import _native
from gainful.errors import AlignError
from gainful.joined import Joined, about_join, about_query
from gainful.near_ids import near_queries
from gainful.notices import Notice
from gainful.oddities import ABOUT_LABELS, about_near
from gainful.ragged import ENDLESS, BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.refused_rules import OF_ONE_LABEL, SHIFTING, refuse
from gainful.ruled_rankings import check_sizes, ruled, ruled_labels
from gainful.rules import Rules
from gainful.sources import Collapse, Columns, Judgments, Reading, Run, read_qrels
from gainful.wording import examples

READING = Reading()
# The rules that matter while a run is read; the others have their say when it is joined.
READ_BY = (
    "order",
    "ties",
    "duplicates",
    "unjudged",
    "depth",
    "precision",
    "collapse",
    "own_items",
)
SAMPLE = {"headed": 100, "heads": 20}  # queries and items that tell why ids do not match


class Place(NamedTuple):
    """A retrieved item, its score, its label if it is judged, and the tie block it stands in."""

    item: str
    score: float
    label: float | None
    tie_first: int
    tie_size: int


def align(
    judgments: Judgments, run: Run, rules: Rules, reading: Reading = READING
) -> tuple[JudgedRankings, tuple[Notice, ...]]:
    """Where the judged items of every judged query ended up in the run, and what is odd about it.

    Queries stand in the order of the qrels. Queries of the run without judgments are left out.
    """
    ranked, notices, _ = align_heads(judgments, run, rules, reading, **SAMPLE)
    return ranked, notices


def align_heads(
    judgments: Judgments,
    run: Run,
    rules: Rules,
    reading: Reading,
    *,
    heads: int,
    headed: int | None = None,
) -> tuple[JudgedRankings, tuple[Notice, ...], _native.Aligned]:
    """The same, and what the native core found: the first items of every query of the qrels."""
    joined = join(judgments, run, rules, reading, heads=heads, headed=headed)
    kept = selected(judgments, run, rules, joined)
    return kept, tuple(about_join(judgments, run, rules, joined)), joined.aligned


def align_numbered(
    pairs: Sequence[tuple[str, str]], run: Run, rules: Rules, reading: Reading, *, labels_of: str
) -> tuple[JudgedRankings, tuple[Notice, ...]]:
    """The same for judged queries and items alone: their numbers, from 1, stand for labels.

    So they tell which item was found where. Ties cannot be broken by label then: ``labels_of`` says
    what else has labels.
    """
    if rules.ties in ("best", "worst"):
        message = (
            f"ties={rules.ties} orders by label, but an item has one for every {labels_of}. "
            "Pass another --ties, for example item-desc."
        )
        raise AlignError(message)
    refuse(rules, OF_ONE_LABEL, f"has no meaning where an item has a label for every {labels_of}")
    numbered = Columns(
        query=[query for query, _ in pairs],
        item=[item for _, item in pairs],
        label=np.arange(1.0, len(pairs) + 1).tolist(),
    )
    ranked, notices = align(read_qrels(numbered), run, rules, reading)
    return ranked, tuple(one for one in notices if not isinstance(one, ABOUT_LABELS))


def join(
    judgments: Judgments,
    run: Run,
    rules: Rules,
    reading: Reading = READING,
    *,
    kept: int | None = None,
    heads: int = 0,
    headed: int | None = None,
) -> Joined:
    """All judged queries, in the order of the qrels.

    Args:
        kept: A query whose items are remembered.
        heads: How many of the first items of every query are remembered.
        headed: Of how many queries they are; of all if None.
    """
    aligner = _native.Aligner(judgments.index, _options(rules), reading.native, kept, heads, headed)
    parts = None if rules.collapse is None else Collapse(rules.collapse)
    how: Any = {"ranks_for": rules.reading_ranks, "collapse": parts, "rows": judgments.handed.rows}
    aligned, handed = run.aligned(aligner, reading, **how)
    return Joined(aligner, aligned, _judged_rankings(judgments, aligned, rules), parts, handed)


def rejoined(judgments: Judgments, joined: Joined, rules: Rules) -> Joined:
    """The same under other rules, of which none is among ``READ_BY``: the run is not read again."""
    return joined._replace(ranked=_judged_rankings(judgments, joined.aligned, rules))


def _judged_rankings(
    judgments: Judgments, aligned: _native.Aligned, rules: Rules
) -> JudgedRankings:
    pool = judgments.pool_offsets, judgments.pool_label
    return _rankings(aligned, judgments.queries, *pool, rules, judgments.index.given_labels)


def align_query(
    judgments: Judgments, run: Run, query: str, rules: Rules, reading: Reading = READING
) -> tuple[JudgedRankings, tuple[Notice, ...], list[Place]]:
    """One query: its judged items, what is odd about them, and all its items in rank order.

    The items go on below ``Rules.depth``.
    """
    if query not in judgments.queries:
        known = examples(judgments.queries)
        message = f"query {query!r} has no judgments; the first ids of the qrels are {known}."
        raise AlignError(message)
    refuse(rules, SHIFTING, "has no place in a ranking of items with their own ranks and labels")
    number = judgments.queries.index(query)
    joined = join(judgments, run, rules, reading, kept=number)
    aligner, aligned = joined.aligner, joined.aligned
    _check_shared(judgments, run, aligner, aligned)
    if rules.missing == "error" and not aligned.in_run[number]:
        raise AlignError(_missing_message(run, query))
    ranked = joined.ranked.select(np.array([number]))
    notices = tuple(about_query(judgments, run, rules, joined, ranked))
    places = [Place(*place) for place in aligner.ranking()]
    return ranked, notices, _relabelled(places, rules) if rules.reads_labels else places


def _relabelled(places: list[Place], rules: Rules) -> list[Place]:
    labels = ruled_labels(np.array([place.label or 0.0 for place in places]), rules).tolist()
    return [
        place if place.label is None else place._replace(label=label)
        for place, label in zip(places, labels, strict=True)
    ]


def align_arrays(
    labels: FloatArray,
    scores: FloatArray | None,
    offsets: IntArray,
    rules: Rules,
    *,
    reach: int | None = None,
    first: int = 0,
) -> JudgedRankings:
    """Rankings of items without ids: every item is judged, and all there is to be found.

    Args:
        labels: Of all items, one ranking after the other.
        scores: What orders the items of a ranking; None if they are in order.
        offsets: Where each ranking begins.
        rules: How to rank.
        reach: The last rank that matters; what stands below may be left out, of the rankings and
            of what was there to be found.
        first: The number of the first ranking, which is its id.
    """
    all_count = rules.reads_labels or rules.empty_test == "zero-sum"
    deep = 0 if reach is None or all_count else min(reach, ENDLESS)
    ranked = _native.align_arrays(labels, scores, offsets, _options(rules), deep)
    queries = tuple(map(str, range(first, first + len(offsets) - 1)))
    pool = ranked.pool_offsets, ranked.pool_label
    in_order = partial(np.add, labels, 0.0) if len(pool[1]) == len(labels) else None
    found = _rankings(ranked.aligned, queries, *pool, rules, in_order)
    check_sizes(found, rules)
    return replace(found, listed=rules.depth is None)


def _check_shared(
    judgments: Judgments, run: Run, aligner: _native.Aligner, aligned: _native.Aligned
) -> None:
    if not aligned.in_run.any():
        near = near_queries(judgments, aligner, aligned.in_run)
        hint = "".join(f" {one.question}" for one in about_near(run, "queries", near))
        raise AlignError(_nothing_shared(judgments, run, aligner) + hint)


def _options(rules: Rules) -> _native.Options:
    return _native.Options(
        order=getattr(_native.Order, rules.order),
        ties=getattr(_native.Ties, rules.ties.replace("-", "_")),
        duplicates=getattr(_native.Duplicates, rules.kept),
        condense=rules.unjudged == "condense",
        float32=rules.precision == "float32",
        depth=min(rules.depth or 0, ENDLESS),
        drop_own=rules.own_items == "drop",
    )


def _rankings(
    aligned: _native.Aligned,
    queries: tuple[str, ...],
    pool_offsets: IntArray,
    pool_label: FloatArray,
    rules: Rules,
    given: Callable[[], FloatArray] | None,
) -> JudgedRankings:
    found = JudgedRankings(
        queries=queries,
        n_retrieved=aligned.n_retrieved,
        hit_offsets=aligned.hit_offsets,
        hit_rank=aligned.hit_rank,
        hit_label=aligned.hit_label,
        hit_tie_first=aligned.hit_tie_first,
        hit_tie_size=aligned.hit_tie_size,
        pool_offsets=pool_offsets,
        pool_label=pool_label,
        average_ties=rules.ties == "average",
        shared_ranks=rules.ties == "middle",
        one_each=rules.duplicates != "count",
        given=given,
    )
    return ruled(found, rules)


def selected(judgments: Judgments, run: Run, rules: Rules, joined: Joined) -> JudgedRankings:
    """The queries that the rules keep; an error where they want one, or where none is shared."""
    aligner, aligned, ranked, *_ = joined
    _check_shared(judgments, run, aligner, aligned)
    missing = aligned.in_run == 0
    # Another test is that of a measure, which leaves the queries out of its mean.
    empty = ranked.nothing_relevant & (rules.empty_test is None)
    if rules.missing == "error" and missing.any():
        raise AlignError(_missing_message(run, ranked.queries[int(missing.argmax())]))
    if rules.empty == "error" and empty.any():
        query = ranked.queries[int(empty.argmax())]
        message = f"nothing is relevant for query {query!r}, got empty=error."
        raise AlignError(message)
    keep = np.ones(ranked.n_queries, dtype=np.bool_)
    if rules.missing == "skip":
        keep &= ~missing
    if rules.empty == "skip":
        keep &= ~empty
    kept = ranked if keep.all() else ranked.select(kept_queries(keep, rules))
    if rules.min_items is not None:
        check_sizes(kept.select(np.flatnonzero(~missing[keep])), rules)
    return kept


def kept_queries(keep: BoolArray, rules: Rules) -> IntArray:
    """The numbers of the queries that are kept; an error if there are none."""
    if not keep.any():
        message = f"no query is left to evaluate, got missing={rules.missing} empty={rules.empty}."
        raise AlignError(message)
    return np.flatnonzero(keep)


def _nothing_shared(judgments: Judgments, run: Run, aligner: _native.Aligner) -> str:
    if not aligner.n_rows:
        return f"{run.place}: there are no items in it."
    return (
        f"run {run.name!r} and the qrels share no query; the first ids are "
        f"{aligner.first_row.query!r} (run) and {judgments.queries[0]!r} (qrels)."
    )


def _missing_message(run: Run, query: str) -> str:
    return f"run {run.name!r} has no items for query {query!r}, got missing=error."
