"""What is odd about scores, labels and depths: counts to notices, each from a threshold on."""

from collections.abc import Iterator, Sequence

import numpy as np

from gainful import _native
from gainful.data_notices import (
    CarriageReturns,
    FractionalLabels,
    HighLabels,
    NearIds,
    NothingRelevant,
    OneLabel,
    SkippedLabels,
)
from gainful.near_ids import Near
from gainful.notices import Notice
from gainful.ragged import FloatArray
from gainful.rules import Rules
from gainful.score_notices import (
    AscendingScores,
    CloseScores,
    ContradictedRanks,
    EqualScores,
    InfiniteScores,
    ReversedScores,
    ShortRankings,
    UnequalDepths,
)
from gainful.settings import text_of
from gainful.sources import Handed, Judgments, Run

NEARLY_ALL = 0.9  # of the queries, that something is the habit of the run
_NO_ACCIDENT = 10  # times that scores rise and never fall
_SOME = 0.1  # of the queries with one score
_PER_CENT = 0.01  # of the judged items beside one that is close
_GRADES = 10  # labels above are no usual grades
_DEEP = 10  # items, of which a tenth can be told
_OTHER_DEPTH = 2  # times as deep as another run

ABOUT_LABELS = (NothingRelevant, FractionalLabels, HighLabels, SkippedLabels, OneLabel)


def about_scores(
    judgments: Judgments,
    run: Run,
    rules: Rules,
    aligned: _native.Aligned,
    handed: Handed,
    *,
    all_close: bool,
) -> Iterator[Notice]:
    """What the ranks and scores of a run are like, where scores order it."""
    tally, queries = aligned.tally, judgments.queries
    yield from _about_order(judgments, run, tally, handed)
    if tally.infinite.first is not None:
        yield InfiniteScores(run.name, tally.infinite.count, handed.row(tally.infinite.first))
    n_several = tally.telling + tally.equal.count
    if tally.equal.first is not None and tally.equal.count >= _SOME * n_several:
        first = queries[tally.equal.first]
        yield EqualScores(run.name, tally.equal.count, n_several, first, rules.ties)
    n_hits, close = len(aligned.hit_rank), tally.close
    matters = close.count >= (1 if all_close else max(1, _PER_CENT * n_hits))
    if close.first is not None and matters and rules.precision == "float64":
        yield CloseScores(run.name, close.count, n_hits, queries[close.first])


def _about_order(
    judgments: Judgments, run: Run, tally: _native.Tally, handed: Handed
) -> Iterator[Notice]:
    ascending, contradicted = tally.ascending, tally.contradicted
    if ascending.first is not None and ascending.count >= NEARLY_ALL * tally.telling:
        first = judgments.queries[ascending.first]
        rising = (run.name, ascending.count, tally.telling, first)
        if contradicted.count and contradicted.count >= NEARLY_ALL * tally.rises > 1:
            yield ReversedScores(*rising)
            return
        if not contradicted.count and tally.rises >= _NO_ACCIDENT:
            yield AscendingScores(*rising, _no_integers(tally, handed))
    if contradicted.first is not None:
        counts = contradicted.count, tally.neighbours
        yield ContradictedRanks(run.name, *counts, handed.row(contradicted.first))


def _no_integers(tally: _native.Tally, handed: Handed) -> bool:
    """Whether there is a rank column, as TREC files have, without a rank in it."""
    return handed.unit == "line" and handed.lines is None and tally.odd_ranks == tally.rows


def about_near(run: Run, what: str, near: Near | None) -> Iterator[NearIds]:
    """Why ids do not match, if one can tell."""
    if near is not None:
        yield NearIds(run.name, what, *near)


def about_labels(labels: FloatArray) -> Iterator[Notice]:
    """What is odd about the labels of the qrels."""
    if not len(labels):
        return
    highest = float(labels.max())
    if highest <= 0:
        yield NothingRelevant(highest)
    unwhole = labels[labels % 1 != 0]
    if len(unwhole):
        yield FractionalLabels(len(unwhole), len(labels), float(unwhole[0]))
    if highest > _GRADES:
        yield HighLabels(highest, len(np.unique(labels)))


def about_scale(labels: FloatArray) -> Iterator[Notice]:
    """Which labels there are, where that is worth a look before anything is evaluated."""
    values = np.unique(labels)
    if len(values) == 1 and values[0] > 0:
        yield OneLabel(float(values[0]), len(labels))
    usual = len(values) and values[-1] <= _GRADES and not (values % 1).any()
    if usual and len(values) > 1:
        skipped = sorted(set(range(1, int(values[-1]))) - {int(value) for value in values})
        if skipped:
            yield SkippedLabels(tuple(map(text_of, values.tolist())), tuple(map(str, skipped)))


def about_depth(judgments: Judgments, run: Run, aligned: _native.Aligned) -> Iterator[Notice]:
    """Queries that have far fewer items than most."""
    depths = aligned.n_retrieved[aligned.in_run != 0]
    if not len(depths):
        return
    values, counts = np.unique(depths, return_counts=True)
    usual = int(values[counts.argmax()])
    short = (aligned.in_run != 0) & (aligned.n_retrieved * 10 < usual)
    if usual >= _DEEP and 2 * counts.max() > len(depths) and short.any():
        names = tuple(judgments.queries[i] for i in np.flatnonzero(short))
        yield ShortRankings(run.name, usual, names)


def about_depths(runs: Sequence[str], deepest: Sequence[int]) -> Iterator[Notice]:
    """Runs that are cut at different depths."""
    if len(runs) > 1 and max(deepest) >= _OTHER_DEPTH * min(deepest) > 0:
        yield UnequalDepths(tuple(runs), tuple(deepest))


def about_returns(source: str, odd: _native.Odd) -> Iterator[Notice]:
    """Lines that end in a carriage return alone."""
    if odd.returns:
        yield CarriageReturns(source, odd.returns)
