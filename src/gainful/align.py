"""Run and judgments, joined and ranked; what was dropped is counted and said."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gainful import _native
from gainful.about_joins import Parties, about, about_query, parties
from gainful.errors import AlignError
from gainful.facts import SAMPLED, Facts
from gainful.joined import Joined, facts_of
from gainful.near_ids import near_queries
from gainful.notices import Notice
from gainful.oddities import ABOUT_LABELS, about_near
from gainful.ragged import ENDLESS, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.refused_rules import OF_ONE_LABEL, SHIFTING, refuse
from gainful.ruled_rankings import check_sizes, ruled, ruled_labels
from gainful.rules import Rules
from gainful.sources import Collapse, Columns, Handed, Judgments, Reading, Run, index_qrels
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
SAMPLE = {"headed": SAMPLED, "heads": 20}  # queries and items that tell why ids do not match


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
    joined = join(judgments, run, rules, reading, **SAMPLE)
    notices = said(
        facts_of(judgments, rules, joined), parties(judgments, run, joined.handed), rules
    )
    return kept(joined, rules), notices


def part(
    judgments: Judgments, run: Run, rules: Rules, reading: Reading = READING
) -> tuple[JudgedRankings, Facts, Handed]:
    """The same for a part of the queries, which may be none: rankings, facts, and the rows' names.

    What is to be said, or refused, is known when the facts of all parts are added.
    """
    joined = join(judgments, run, rules, reading, **SAMPLE)
    return kept(joined, rules), facts_of(judgments, rules, joined), joined.handed


def said(facts: Facts, who: Parties, rules: Rules) -> tuple[Notice, ...]:
    """What is odd, by the facts; an error where the rules want one, or where no query is shared."""
    check(facts, who, rules)
    return tuple(about(facts, who, rules))


def part_numbered(
    pairs: Sequence[tuple[str, str]], run: Run, rules: Rules, reading: Reading, *, labels_of: str
) -> tuple[JudgedRankings, Facts, Handed]:
    """The same for judged queries and items alone: their numbers, from 1, stand for labels.

    So they tell which item was found where. Ties cannot be broken by label then: ``labels_of`` says
    what else has labels.
    """
    if rules.ties in ("best", "worst"):
        message = (
            f"ties={rules.ties} orders by label, but an item has one for every {labels_of}. "
            "Pass another --ties, for example item-desc."
        )
        raise AlignError(message, code="refused-rule")
    refuse(rules, OF_ONE_LABEL, f"has no meaning where an item has a label for every {labels_of}")
    numbered = Columns(
        query=[query for query, _ in pairs],
        item=[item for _, item in pairs],
        label=np.arange(1.0, len(pairs) + 1).tolist(),
    )
    # What the rules make of duplicates and parts has been done to the judgments already.
    return part(index_qrels(numbered, Rules(), reading), run, rules, reading)


def said_of_numbered(facts: Facts, who: Parties, rules: Rules) -> tuple[Notice, ...]:
    """The same as for others, but for their labels."""
    return tuple(one for one in said(facts, who, rules) if not isinstance(one, ABOUT_LABELS))


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
    aligner = _native.Aligner(
        judgments.index, native_options(rules), reading.native, kept, heads, headed
    )
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
        raise AlignError(message, code="unknown-query")
    refuse(rules, SHIFTING, "has no place in a ranking of items with their own ranks and labels")
    number = judgments.queries.index(query)
    joined = join(judgments, run, rules, reading, kept=number)
    aligner, aligned = joined.aligner, joined.aligned
    _check_shared(facts_of(judgments, rules, joined), parties(judgments, run, joined.handed))
    if rules.missing == "error" and not aligned.in_run[number]:
        raise AlignError(_missing_message(run.name, query), code="refused-missing")
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
    ranked = _native.align_arrays(labels, scores, offsets, native_options(rules), deep)
    queries = tuple(map(str, range(first, first + len(offsets) - 1)))
    pool = ranked.pool_offsets, ranked.pool_label
    in_order = partial(np.add, labels, 0.0) if len(pool[1]) == len(labels) else None
    found = _rankings(ranked.aligned, queries, *pool, rules, in_order)
    check_sizes(found, rules)
    return replace(found, listed=rules.depth is None)


def native_options(rules: Rules) -> _native.Options:
    """The rules that matter while a run is read, as the native core takes them."""
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
    check(facts_of(judgments, rules, joined), parties(judgments, run, joined.handed), rules)
    return kept(joined, rules)


def check(facts: Facts, who: Parties, rules: Rules) -> None:
    """Refuse what the rules refuse, and a run and judgments that share no query."""
    _check_shared(facts, who)
    # Another test is that of a measure, which leaves the queries out of its mean.
    empty = facts.empty if rules.empty_test is None else ()
    if rules.missing == "error" and facts.missing:
        query = facts.missing[0]
        raise AlignError(_missing_message(who.run, query), query=query, code="refused-missing")
    if rules.empty == "error" and empty:
        message = f"nothing is relevant for query {empty[0]!r}, got empty=error."
        raise AlignError(message, query=empty[0], code="refused-empty")
    left_out = {*(facts.missing if rules.missing == "skip" else ())}
    left_out |= {*(empty if rules.empty == "skip" else ())}
    check_left(facts.n_queries - len(left_out), rules)


def check_left(n_queries: int, rules: Rules) -> None:
    """Refuse to leave out all queries."""
    if not n_queries:
        message = f"no query is left to evaluate, got missing={rules.missing} empty={rules.empty}."
        raise AlignError(message, code="no-query-left")


def kept(joined: Joined, rules: Rules) -> JudgedRankings:
    """The queries that the rules keep, if there are any."""
    aligned, ranked = joined.aligned, joined.ranked
    missing = aligned.in_run == 0
    keep = np.ones(ranked.n_queries, dtype=np.bool_)
    if rules.missing == "skip":
        keep &= ~missing
    if rules.empty == "skip" and rules.empty_test is None:
        keep &= ~ranked.nothing_relevant
    left = ranked if keep.all() else ranked.select(np.flatnonzero(keep))
    if rules.min_items is not None:
        check_sizes(left.select(np.flatnonzero(~missing[keep])), rules)
    return left


def _check_shared(facts: Facts, who: Parties) -> None:
    if len(facts.missing) < facts.n_queries:
        return
    if not facts.rows.times:
        message = f"{who.place}: there are no items in it."
        raise AlignError(message, code="nothing-in-it")
    near = near_queries((), facts.missing, [one.query for one in facts.strangers])
    hint = "".join(f" {one.question}" for one in about_near(who.run, "queries", near))
    message = (
        f"run {who.run!r} and the qrels share no query; the first ids are "
        f"{facts.rows.first.query!r} (run) and {facts.missing[0]!r} (qrels).{hint}"
    )
    raise AlignError(message, code="no-common-query")


def _missing_message(run: str, query: str) -> str:
    return f"run {run!r} has no items for query {query!r}, got missing=error."
