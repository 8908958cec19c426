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
from gainful.facts import Facts
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
    facts: Facts, run: str, rules: Rules, handed: Handed, *, all_close: bool
) -> Iterator[Notice]:
    """What the ranks and scores of a run are like, where scores order it."""
    yield from _about_order(facts, run, handed)
    if facts.infinite.first is not None:
        yield InfiniteScores(run, facts.infinite.times, handed.row(facts.infinite.first))
    equal, close = facts.equal, facts.close
    n_several = facts.telling + equal.times
    if equal.times and equal.times >= _SOME * n_several:
        yield EqualScores(run, equal.times, n_several, equal.first, rules.ties)
    matters = close.times >= (1 if all_close else max(1, _PER_CENT * facts.n_hits))
    if close.times and matters and rules.precision == "float64":
        yield CloseScores(run, close.times, facts.n_hits, close.first)


def _about_order(facts: Facts, run: str, handed: Handed) -> Iterator[Notice]:
    ascending, contradicted = facts.ascending, facts.contradicted
    if ascending.times and ascending.times >= NEARLY_ALL * facts.telling:
        rising = (run, ascending.times, facts.telling, ascending.first)
        if contradicted.times and contradicted.times >= NEARLY_ALL * facts.rises > 1:
            yield ReversedScores(*rising)
            return
        if not contradicted.times and facts.rises >= _NO_ACCIDENT:
            yield AscendingScores(*rising, _no_integers(facts, handed))
    if contradicted.first is not None:
        counts = contradicted.times, facts.neighbours
        yield ContradictedRanks(run, *counts, handed.row(contradicted.first))


def _no_integers(facts: Facts, handed: Handed) -> bool:
    """Whether there is a rank column, as TREC files have, without a rank in it."""
    return handed.unit == "line" and handed.lines is None and facts.odd_ranks == facts.n_scored


def about_near(run: str, what: str, near: Near | None) -> Iterator[NearIds]:
    """Why ids do not match, if one can tell."""
    if near is not None:
        yield NearIds(run, what, *near)


def about_labels(facts: Facts) -> Iterator[Notice]:
    """What is odd about the labels of the qrels."""
    if not facts.labels:
        return
    highest = max(facts.labels)
    if highest <= 0:
        yield NothingRelevant(highest)
    if facts.fractional.times:
        yield FractionalLabels(facts.fractional.times, facts.n_judgments, facts.fractional.first[1])
    if highest > _GRADES:
        yield HighLabels(highest, len(facts.labels))


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


def about_returns(source: str, n_lines: int) -> Iterator[Notice]:
    """Lines that end in a carriage return alone."""
    if n_lines:
        yield CarriageReturns(source, n_lines)
