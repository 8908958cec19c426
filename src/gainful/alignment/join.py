"""Join run and judgments, rank the judged items, count what was dropped."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gainful.alignment.join_stats import (
    SAMPLED_QUERIES,
    ZERO,
    AlignedPart,
    Count,
    IdSample,
    JoinStats,
    RunRow,
)
from gainful.alignment.label_rules import apply_label_rules, check_sizes, convert_labels, is_padding
from gainful.alignment.rankings import JudgedRankings
from gainful.alignment.rules import (
    RANK_SHIFTING_RULES,
    SINGLE_LABEL_RULES,
    Rules,
    list_rule_arguments,
    refuse_rules,
)
from gainful.base import (
    ENDLESS,
    BoolArray,
    FloatArray,
    IntArray,
    ReadOptions,
    _native,
    format_examples,
    ragged,
)
from gainful.errors import AlignError
from gainful.sources import (
    Collapse,
    Columns,
    Judgments,
    ReadSpec,
    RowLocator,
    Run,
    index_qrels,
    push_source,
)

CHECKED_QUERIES, CHECKED_ITEMS = (
    250,
    100,
)  # queries and their first items, whose ids are compared at most
TOP_RANKS = 10  # ranks within which unjudged items are counted


class Heads(NamedTuple):
    """The first items of every query.

    Attributes:
        offsets: Where the items of each query begin; one more than there are queries.
        item: The number of each item in ``ids``, in rank order within a query.
        ids: The ids of items, in the order in which they appear.
    """

    offsets: IntArray
    item: IntArray
    ids: tuple[str, ...]


class Joined(NamedTuple):
    """A run and judgments, joined and ranked under rules, before any query is left out.

    Attributes:
        judgments: The judgments.
        run: The run.
        rules: The rules.
        aligner: The native aligner, which knows the rows that were odd.
        aligned: The ranks of judged items, and the first items of queries.
        ranked: The rankings of all judged queries, in the order of the qrels.
        parts: Counts of the items that were collapsed, if the rules ask for it.
        locator: Names the rows of the run.
    """

    judgments: Judgments
    run: Run
    rules: Rules
    aligner: _native.Aligner
    aligned: _native.Aligned
    ranked: JudgedRankings
    parts: Collapse | None
    locator: RowLocator

    def under(self, rules: Rules) -> "Joined":
        """Return the join under rules that read it alike; nothing is read."""
        if rules == self.rules:
            return self
        ranked = _rank_judged(self.judgments, self.aligned, rules)
        return self._replace(rules=rules, ranked=ranked)

    def list_heads(self, depth: int) -> Heads:
        """Return the first items of every query, down to a depth, as far as they were kept."""
        offsets, item = self.aligned.head_offsets, self.aligned.head_item
        ids = tuple(self.aligned.items)
        if np.diff(offsets).max(initial=0) <= depth:
            return Heads(offsets, item, ids)
        item = item[ragged.find_positions(offsets) <= depth]
        _, first = np.unique(item, return_index=True)
        kept = item[np.sort(first)]  # numbers in the order in which the items appear
        number = np.zeros(len(ids), dtype=np.int64)
        number[kept] = np.arange(len(kept))
        sizes = np.minimum(np.diff(offsets), depth)
        return Heads(ragged.offsets_from_sizes(sizes), number[item], tuple(ids[i] for i in kept))


def collect_stats(joined: Joined) -> JoinStats:
    """Collect the statistics of a join."""
    judgments, _, rules, aligner, aligned, ranked, parts, locator = joined
    odd_rows, tally = aligner.odd, aligned.tally
    has_no_hits = len(judgments.pool_label) and aligner.n_rows and not len(aligned.hit_rank)
    return JoinStats(
        n_queries=len(judgments.queries),
        missing=_select_ids(judgments.queries, aligned.in_run == 0),
        empty=_select_ids(ranked.queries, ranked.nothing_relevant),
        unjudged_queries=tuple(aligner.strangers),
        rows=Count(aligner.n_rows, _convert_row(aligner.first_row)),
        n_hits=len(aligned.hit_rank),
        n_retrieved=int(aligned.n_retrieved.sum()),
        n_own=aligned.n_own,
        n_padding=int(np.count_nonzero(is_padding(judgments.pool_label, rules))),
        n_scored=tally.rows,
        odd_ranks=tally.odd_ranks,
        neighbors=tally.neighbors,
        contradicted=Count(*_unpack_sightings(tally.contradicted)),
        infinite=Count(*_unpack_sightings(tally.infinite)),
        n_multi_score=tally.telling,
        equal=_count_with_query(judgments, tally.equal),
        ascending=_count_with_query(judgments, tally.ascending),
        rises=tally.rises,
        close=_count_with_query(judgments, tally.close),
        n_duplicates=aligned.n_duplicates,
        n_judged_twice=judgments.index.n_duplicates,
        n_parts=0 if parts is None else parts.n_items,
        n_whole=0 if parts is None else parts.n_whole,
        n_comments=odd_rows.comments + locator.n_comments,
        n_qrels_comments=judgments.n_comments,
        long_lines=Count(odd_rows.long_lines, odd_rows.first_long if odd_rows.long_lines else None),
        n_returns=odd_rows.returns,
        **_collect_ranking_stats(ranked),
        **collect_label_stats(judgments),
        **(_collect_id_stats(joined) if has_no_hits else {}),
    )


def _collect_ranking_stats(ranked: JudgedRankings) -> dict[str, Any]:
    n_negative = int((ranked.pool_label < 0).sum())
    return {
        "n_ranked": len(ranked.hit_rank),
        "n_tied": int((ranked.hit_tie_size > 1).sum()),
        "n_looked_at": int(np.minimum(ranked.n_retrieved, TOP_RANKS).sum()),
        "judged": _count_judged_at_top(ranked),
        "negative": Count(n_negative, float(ranked.pool_label.min()) if n_negative else None),
    }


def collect_label_stats(judgments: Judgments) -> dict[str, Any]:
    """Collect the statistics of the labels of judgments."""
    labels = judgments.pool_label
    fractional, first = np.flatnonzero(labels % 1 != 0), None
    if len(fractional):
        number = int(np.searchsorted(judgments.pool_offsets, fractional[0], side="right")) - 1
        first = judgments.queries[number], float(labels[fractional[0]])
    return {
        "n_judgments": len(labels),
        "labels": frozenset(ragged.find_distinct(labels).tolist()),
        "fractional": Count(len(fractional), first),
    }


def _collect_id_stats(joined: Joined) -> dict[str, Any]:
    """Collect examples of ids, for a run and judgments without a common item."""
    judgments, aligner = joined.judgments, joined.aligner
    sizes = np.diff(judgments.pool_offsets)
    largest = int(sizes.argmax())
    most_judged = (
        -int(sizes[largest]),
        judgments.queries[largest],
        judgments.index.judgments(largest)[0][0],
    )
    row, judged_row = aligner.first_judged, ZERO
    if row.number is not None:
        judged_item, _ = judgments.index.judgments(row.number)[0]
        judged_row = Count(1, (_convert_row(row), judged_item))
    return {
        "judged_row": judged_row,
        "most_judged": Count(1, most_judged),
        "samples": collect_samples(joined),
    }


def collect_samples(joined: Joined) -> tuple[IdSample, ...]:
    """Return the first items of the run, and the judged ones, of some queries that have both."""
    judgments, aligned = joined.judgments, joined.aligned
    query = ragged.find_owners(aligned.head_offsets)
    rank = np.arange(len(query)) - aligned.head_offsets[query]
    is_sampled = (query < CHECKED_QUERIES) & (rank < CHECKED_ITEMS)
    ids = aligned.items
    heads: dict[int, list[str]] = {}
    for number, item in zip(
        query[is_sampled].tolist(), aligned.head_item[is_sampled].tolist(), strict=True
    ):
        heads.setdefault(number, []).append(ids[item])
    return tuple(
        IdSample(
            judgments.queries[number],
            tuple(items),
            tuple(item for item, _ in judgments.index.judgments(number)),
        )
        for number, items in heads.items()
    )


def _count_judged_at_top(ranked: JudgedRankings) -> tuple[float, ...]:
    """Return numbers that add up to how many items in the first ranks are judged."""
    if not ranked.average_ties:
        return (float(np.count_nonzero(ranked.hit_rank <= TOP_RANKS)),)
    shallow = ranked.hit_tie_first <= TOP_RANKS
    first, size = ranked.hit_tie_first[shallow], ranked.hit_tie_size[shallow]
    return ragged.compute_exact_terms(np.minimum(TOP_RANKS + 1 - first, size) / size)


def _unpack_sightings(sightings: _native.Sightings) -> tuple[int, int | None]:
    return sightings.count, sightings.first


def _count_with_query(judgments: Judgments, sightings: _native.Sightings) -> Count:
    return Count(
        sightings.count, None if sightings.first is None else judgments.queries[sightings.first]
    )


def _convert_row(row: _native.Example) -> RunRow | None:
    return None if row.place is None else RunRow(row.place, row.query, row.item)


def _select_ids(queries: Sequence[str], chosen: BoolArray) -> tuple[str, ...]:
    return tuple(queries[i] for i in np.flatnonzero(chosen).tolist())


READING = ReadOptions()
# The rules that matter while a run is read; the others apply when it is joined.
_READING_RULES = (
    "order",
    "ties",
    "duplicates",
    "unjudged",
    "depth",
    "precision",
    "collapse",
    "own_items",
)


def select_reading_rules(rules: Rules) -> Rules:
    """Return the rules that matter while a run is read, and the defaults of all others."""
    names = list_rule_arguments(type(rules))
    return type(rules)(**{name: getattr(rules, name) for name in _READING_RULES if name in names})


KEEP_SAMPLE = {
    "keep_top_queries": SAMPLED_QUERIES,
    "keep_top": 20,
}  # queries and items whose ids show why they do not match


class RankedItem(NamedTuple):
    """A retrieved item, its score, its label if it is judged, and the tie block it is in."""

    item: str
    score: float
    label: float | None
    tie_first: int
    tie_size: int


def align(
    judgments: Judgments, run: Run, rules: Rules, read_options: ReadOptions = READING
) -> AlignedPart[JudgedRankings, JoinStats]:
    """Rank the judged items of every judged query, and collect the statistics of the join."""
    return align_joined(join(judgments, run, rules, read_options, **KEEP_SAMPLE))


def align_joined(joined: Joined) -> AlignedPart[JudgedRankings, JoinStats]:
    """Return the rankings of the queries that the rules keep, and the statistics of the join.

    Queries are in the order of the qrels; there may be none. Queries of the run without judgments
    are left out. Nothing is refused here: the added statistics of all parts decide that.
    """
    return AlignedPart(select_queries(joined), collect_stats(joined), joined.locator)


class RankedHits(NamedTuple):
    """The hits of queries that were ranked elsewhere, as the native core has them."""

    n_retrieved: IntArray
    hit_offsets: IntArray
    hit_rank: IntArray
    hit_label: FloatArray
    hit_tie_first: IntArray
    hit_tie_size: IntArray


def align_hits(
    judgments: Judgments,
    n_rows: Mapping[str, int],
    hits: Mapping[str, Sequence[tuple[int, int, int, str]]],
    rules: Rules,
) -> AlignedPart[JudgedRankings, JoinStats]:
    """Align queries that were ranked elsewhere, with the statistics that can be had of them.

    Args:
        judgments: The judgments of these queries.
        n_rows: Number of items that the run returned for each query.
        hits: Rank, first rank and size of the tie block, and item of each judged item of a query.
        rules: The rules that the hits were ranked by.
    """
    sizes = np.array([n_rows.get(query, 0) for query in judgments.queries], dtype=np.int64)
    rows = [
        (*place[:3], labels[place[3]])
        for number, query in enumerate(judgments.queries)
        if (labels := dict(judgments.index.judgments(number)))
        for place in sorted(hits.get(query, ()))
    ]
    rank, first, size, label = np.array(rows, dtype=np.float64).reshape(-1, 4).T
    n_hits = np.array([len(hits.get(query, ())) for query in judgments.queries])
    aligned = RankedHits(
        n_retrieved=np.minimum(sizes, rules.depth or ENDLESS),
        hit_offsets=ragged.offsets_from_sizes(n_hits),
        hit_rank=rank.astype(np.int64),
        hit_label=label.copy(),
        hit_tie_first=first.astype(np.int64),
        hit_tie_size=size.astype(np.int64),
    )
    ranked = _rank_judged(judgments, aligned, rules)
    unjudged = sorted(n_rows.keys() - set(judgments.queries))
    stats = JoinStats(
        n_queries=len(judgments.queries),
        missing=_select_ids(judgments.queries, sizes == 0),
        empty=_select_ids(ranked.queries, ranked.nothing_relevant),
        unjudged_queries=tuple(unjudged),
        rows=Count(sum(n_rows.values()), RunRow(0, min(n_rows, default=""), "")),
        n_hits=len(rows),
        n_retrieved=int(aligned.n_retrieved.sum()),
        n_padding=int(np.count_nonzero(is_padding(judgments.pool_label, rules))),
        n_judged_twice=judgments.index.n_duplicates,
        **_collect_ranking_stats(ranked),
        **collect_label_stats(judgments),
    )
    return AlignedPart(_select_queries(ranked, sizes == 0, rules), stats, RowLocator("run"))


def align_numbered(
    pairs: Sequence[tuple[str, str]],
    run: Run,
    rules: Rules,
    read_options: ReadOptions,
    *,
    labels_of: str,
) -> AlignedPart[JudgedRankings, JoinStats]:
    """Align judged queries and items by number: their numbers, from 1, replace labels.

    The numbers identify which item was retrieved where. Then ties cannot be broken by label:
    ``labels_of`` names what has the labels instead.
    """
    if rules.ties in ("best", "worst"):
        message = (
            f"ties={rules.ties} orders by label, but an item has one for every {labels_of}. "
            "Pass another --ties, for example item-desc."
        )
        raise AlignError(message, code="refused-rule")
    refuse_rules(
        rules, SINGLE_LABEL_RULES, f"has no meaning where an item has a label for every {labels_of}"
    )
    numbered = Columns(
        query=[query for query, _ in pairs],
        item=[item for _, item in pairs],
        label=np.arange(1.0, len(pairs) + 1).tolist(),
    )
    # The rules about duplicates and parts were applied to the judgments already.
    return align(index_qrels(numbered, Rules(), read_options), run, rules, read_options)


def join(
    judgments: Judgments,
    run: Run,
    rules: Rules,
    read_options: ReadOptions = READING,
    *,
    keep_query: int | None = None,
    keep_top: int = 0,
    keep_top_queries: int | None = None,
) -> Joined:
    """Join a run and judgments, and rank all judged queries, in the order of the qrels.

    Args:
        keep_query: Number of a query whose items are all kept.
        keep_top: Number of first items of every query that are kept.
        keep_top_queries: Number of queries whose first items are kept; all if None.
    """
    aligner = _native.Aligner(
        judgments.index,
        make_native_options(rules),
        read_options.native,
        keep_query,
        keep_top,
        keep_top_queries,
    )
    parts = None if rules.collapse is None else Collapse(rules.collapse)
    spec = ReadSpec(
        "run",
        run.place,
        run.columns,
        ranks_for=rules.reading_ranks,
        collapse=parts,
        rows=judgments.locator.rows,
    )
    aligned, locator = push_source(
        run.source, run.form, spec, aligner, read_options, aligner.finish
    )
    ranked = _rank_judged(judgments, aligned, rules)
    return Joined(judgments, run, rules, aligner, aligned, ranked, parts, locator)


def _rank_judged(
    judgments: Judgments, aligned: _native.Aligned | RankedHits, rules: Rules
) -> JudgedRankings:
    ranked = JudgedRankings(
        queries=judgments.queries,
        n_retrieved=aligned.n_retrieved,
        hit_offsets=aligned.hit_offsets,
        hit_rank=aligned.hit_rank,
        hit_label=aligned.hit_label,
        hit_tie_first=aligned.hit_tie_first,
        hit_tie_size=aligned.hit_tie_size,
        pool_offsets=judgments.pool_offsets,
        pool_label=judgments.pool_label,
        average_ties=rules.ties == "average",
        shared_ranks=rules.ties == "middle",
        has_distinct_hits=rules.duplicates != "count",
        read_given_labels=judgments.index.given_labels,
    )
    return apply_label_rules(ranked, rules)


def check_query(query: str, judgments: Judgments, rules: Rules) -> None:
    """Raise an error if a query is not judged, or if rules leave its items without own ranks."""
    if query not in judgments.queries:
        first_ids = format_examples(judgments.queries)
        message = f"query {query!r} has no judgments; the first ids of the qrels are {first_ids}."
        raise AlignError(message, code="unknown-query")
    refuse_rules(
        rules,
        RANK_SHIFTING_RULES,
        "has no place in a ranking of items with their own ranks and labels",
    )


def list_ranked_items(joined: Joined) -> list[RankedItem]:
    """Return all items of the query that was kept, in rank order; they go on below the depth."""
    places, rules = [RankedItem(*place) for place in joined.aligner.ranking()], joined.rules
    return _convert_item_labels(places, rules) if rules.reads_labels else places


def _convert_item_labels(places: list[RankedItem], rules: Rules) -> list[RankedItem]:
    labels = convert_labels(np.array([place.label or 0.0 for place in places]), rules).tolist()
    return [
        place if place.label is None else place._replace(label=label)
        for place, label in zip(places, labels, strict=True)
    ]


def make_native_options(rules: Rules) -> _native.Options:
    """Return the rules that apply while a run is read, as the native core takes them."""
    rules = rules.resolve_ties(has_ids=True)
    return _native.Options(
        order=getattr(_native.Order, rules.order),
        ties=getattr(_native.Ties, rules.ties.replace("-", "_")),
        duplicates=getattr(_native.Duplicates, rules.duplicate_rule),
        condense=rules.unjudged == "condense",
        float32=rules.precision == "float32",
        depth=min(rules.depth or 0, ENDLESS),
        drop_own=rules.own_items == "drop",
    )


def select_queries(joined: Joined) -> JudgedRankings:
    """Return the rankings of the queries that the rules keep, which may be none."""
    return _select_queries(joined.ranked, joined.aligned.in_run == 0, joined.rules)


def _select_queries(ranked: JudgedRankings, missing: BoolArray, rules: Rules) -> JudgedRankings:
    keep = np.ones(ranked.n_queries, dtype=np.bool_)
    if rules.missing == "skip":
        keep &= ~missing
    if rules.empty == "skip" and rules.empty_test is None:
        keep &= ~ranked.nothing_relevant
    left = ranked if keep.all() else ranked.select(np.flatnonzero(keep))
    if rules.min_items is not None:
        check_sizes(left.select(np.flatnonzero(~missing[keep])), rules)
    return left
