"""Run and judgments, joined and ranked; what was dropped is counted and said."""

import math
from collections.abc import Iterator

import numpy as np

from gainful import _native
from gainful.errors import AlignError
from gainful.notices import (
    DuplicateItems,
    DuplicateJudgments,
    EmptyQueries,
    MissingQueries,
    NegativeLabels,
    NoJudgedItems,
    Notice,
    TiedItems,
    UnjudgedItems,
    UnjudgedQueries,
)
from gainful.ragged import BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.rules import Rules
from gainful.sources import Judgments, Run
from gainful.sources._wording import in_words

UNDEFINED = {"zero": 0.0, "one": 1.0, "nan": math.nan, "skip": math.nan, "error": math.nan}
_SHALLOW = 10


def align(
    judgments: Judgments, run: Run, rules: Rules
) -> tuple[JudgedRankings, tuple[Notice, ...]]:
    """Where the judged items of every judged query ended up in the run, and what is odd about it.

    Queries stand in the order of the qrels. Queries of the run without judgments are left out.
    """
    aligner, aligned = _aligned(judgments, run, rules)
    missing = aligned.in_run == 0
    if missing.all():
        raise AlignError(_nothing_shared(judgments, run, aligner))
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
        undefined=UNDEFINED[rules.empty],
    )
    empty = ranked.pool_total(ranked.pool_label > 0) == 0
    notices = (
        *_about_queries(ranked, run, rules, missing, empty, aligner),
        *_about_items(ranked, run, rules, judgments, aligner, aligned),
    )
    return _selected(ranked, rules, missing, empty), notices


def align_arrays(
    labels: FloatArray, scores: FloatArray | None, offsets: IntArray, rules: Rules
) -> JudgedRankings:
    """Rankings of items without ids: every item is judged, and all there is to be found."""
    ranked = _native.align_arrays(labels, scores, offsets, _options(rules))
    return JudgedRankings(
        queries=tuple(map(str, range(len(offsets) - 1))),
        n_retrieved=ranked.aligned.n_retrieved,
        hit_offsets=ranked.aligned.hit_offsets,
        hit_rank=ranked.aligned.hit_rank,
        hit_label=ranked.aligned.hit_label,
        hit_tie_first=ranked.aligned.hit_tie_first,
        hit_tie_size=ranked.aligned.hit_tie_size,
        pool_offsets=offsets,
        pool_label=ranked.pool_label,
        average_ties=rules.ties == "average",
        undefined=UNDEFINED[rules.empty],
    )


def ranking(
    judgments: Judgments, run: Run, query: str, rules: Rules
) -> list[tuple[str, float, float | None, int, int]]:
    """All items of one query in rank order: item, score, label or None, tie block's first and size."""
    aligner, _ = _aligned(judgments, run, rules)
    items = aligner.ranking(judgments.queries.index(query))
    return items if rules.depth is None else items[: rules.depth]


def _aligned(
    judgments: Judgments, run: Run, rules: Rules
) -> tuple[_native.Aligner, _native.Aligned]:
    needs_ranks = rules.order == "rank" or rules.ties == "rank-column"
    if needs_ranks and not run.form.has_ranks:
        rule = "order=rank" if rules.order == "rank" else "ties=rank-column"
        message = f"run {run.name!r} has no rank column, got {rule}. Pass a run file that has one."
        raise AlignError(message)
    aligner = _native.Aligner(judgments.index, _options(rules))
    run.feed(aligner)
    try:
        return aligner, aligner.finish()
    except _native.BadInput as error:
        raise in_words(error, run.place) from None


def _options(rules: Rules) -> _native.Options:
    return _native.Options(
        order=getattr(_native.Order, rules.order),
        ties=getattr(_native.Ties, rules.ties.replace("-", "_")),
        duplicates=getattr(_native.Duplicates, rules.duplicates),
        condense=rules.unjudged == "condense",
        float32=rules.precision == "float32",
        depth=rules.depth or 0,
    )


def _nothing_shared(judgments: Judgments, run: Run, aligner: _native.Aligner) -> str:
    if not aligner.n_rows:
        return f"{run.place}: there are no items in it."
    return (
        f"run {run.name!r} and the qrels share no query; the first ids are "
        f"{aligner.first_query!r} (run) and {judgments.queries[0]!r} (qrels)."
    )


def _selected(
    ranked: JudgedRankings, rules: Rules, missing: BoolArray, empty: BoolArray
) -> JudgedRankings:
    keep = np.ones(ranked.n_queries, dtype=np.bool_)
    if rules.missing == "skip":
        keep &= ~missing
    if rules.empty == "skip":
        keep &= ~empty
    if keep.all():
        return ranked
    if not keep.any():
        message = f"no query is left to evaluate, got missing={rules.missing} empty={rules.empty}."
        raise AlignError(message)
    return ranked.select(np.flatnonzero(keep))


def _about_queries(
    ranked: JudgedRankings,
    run: Run,
    rules: Rules,
    missing: BoolArray,
    empty: BoolArray,
    aligner: _native.Aligner,
) -> Iterator[Notice]:
    if missing.any():
        notice = MissingQueries(
            run.name, _named(ranked, missing), ranked.n_queries, rules.missing == "skip"
        )
        if rules.missing == "error":
            message = f"{str(notice).partition(';')[0]}, got missing=error."
            raise AlignError(message)
        yield notice
    if empty.any():
        if rules.empty == "error":
            first = _named(ranked, empty)[0]
            message = f"nothing is relevant for query {first!r}, got empty=error."
            raise AlignError(message)
        yield EmptyQueries(_named(ranked, empty), ranked.n_queries, rules.empty)
    if strangers := aligner.strangers:
        yield UnjudgedQueries(run.name, tuple(strangers))


def _about_items(
    ranked: JudgedRankings,
    run: Run,
    rules: Rules,
    judgments: Judgments,
    aligner: _native.Aligner,
    aligned: _native.Aligned,
) -> Iterator[Notice]:
    if len(ranked.pool_label) and not len(ranked.hit_rank):
        item = judgments.index.judgments(int(np.diff(judgments.pool_offsets).argmax()))[0][0]
        yield NoJudgedItems(run.name, aligner.first_item, item)
    if len(ranked.hit_rank) and rules.unjudged == "nonrelevant" and (
        share := _unjudged_share(ranked)
    ):
        yield UnjudgedItems(run.name, share, _SHALLOW)
    if n_tied := int((ranked.hit_tie_size > 1).sum()):
        yield TiedItems(run.name, n_tied, len(ranked.hit_rank), rules.ties)
    if n_negative := int((ranked.pool_label < 0).sum()):
        yield NegativeLabels(n_negative, float(ranked.pool_label.min()))
    if aligned.n_duplicates:
        yield DuplicateItems(run.name, aligned.n_duplicates, rules.duplicates)
    if judgments.index.n_duplicates:
        yield DuplicateJudgments(judgments.index.n_duplicates, judgments.duplicates)


def _unjudged_share(ranked: JudgedRankings) -> float:
    seen = np.minimum(ranked.n_retrieved, _SHALLOW).sum()
    first, size = ranked.hit_tie_first, ranked.hit_tie_size
    if not ranked.average_ties:
        first, size = ranked.hit_rank, np.ones_like(size)
    judged = math.fsum(np.clip(_SHALLOW + 1 - first, 0, size) / size)
    return float(1 - judged / seen) if seen else 0.0


def _named(ranked: JudgedRankings, chosen: BoolArray) -> tuple[str, ...]:
    return tuple(ranked.queries[i] for i in np.flatnonzero(chosen))
