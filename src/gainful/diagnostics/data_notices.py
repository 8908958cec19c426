"""Notices about files, ids, labels, scores and depths, with the thresholds that raise them."""

from collections.abc import Iterator, Sequence

import numpy as np

from gainful.alignment import JoinStats, Rules
from gainful.base import FloatArray, _native, format_count, format_examples, format_setting
from gainful.diagnostics.id_mismatch import IdFix
from gainful.diagnostics.notices import Notice
from gainful.sources import Judgments, RowLocator, Run


class NearIds(Notice):
    """Ids of run and qrels hardly match, but would if they were written alike."""

    code = "near-ids"
    severity = "error"
    run: str
    what: str
    change: str
    side: str
    now: float
    then: float
    sample: str
    pattern: str

    def __str__(self) -> str:
        has = f"{self.now:.1%} of the judged {self.what}{self.sample}"
        return f"run {self.run!r} has {has}. {self.question}"

    @property
    def question(self) -> str:
        """The suggested change as a question, and its effect."""
        return (
            f"Did you mean to {self.change} the {self.what} of the {self.side}? "
            f"{self.then:.1%} of the judged {self.what} would match.{self.way}"
        )

    @property
    def way(self) -> str:
        """The option that makes the change, if there is one: for items, not for queries."""
        applies = self.pattern and self.what == "items"
        return f" Pass --collapse '{self.pattern}'." if applies else ""


class CarriageReturns(Notice):
    """Lines of a file end in a carriage return alone, so many are read as one."""

    code = "carriage-returns"
    severity = "error"
    source: str
    n_lines: int

    def __str__(self) -> str:
        lines = format_count(self.n_lines, "line has", "lines have")
        return (
            f"{self.source}: {lines} carriage returns inside, so that several are read as one. End "
            "lines in a line feed."
        )


class NothingRelevant(Notice):
    """No label of the qrels is above 0."""

    code = "nothing-relevant"
    severity = "error"
    highest: float

    def __str__(self) -> str:
        return f"no label of the qrels is above 0 (the highest is {format_setting(self.highest)})."


class FractionalLabels(Notice):
    """The qrels have labels that are no whole numbers."""

    code = "fractional-labels"
    severity = "info"
    n_labels: int
    n_judged: int
    example: float

    def __str__(self) -> str:
        return (
            f"{self.n_labels:,} of the {format_count(self.n_judged, 'label', 'labels')} of the "
            f"qrels are no whole numbers, such as {format_setting(self.example)}; where a measure "
            "has rel=1, those below 1 are not relevant."
        )


class HighLabels(Notice):
    """The qrels have labels beyond any usual grade: they may be percentages, or scores."""

    code = "high-labels"
    severity = "warning"
    highest: float
    n_values: int

    def __str__(self) -> str:
        return (
            f"the qrels have labels up to {format_setting(self.highest)} ({self.n_values:,} "
            "different); gains such as exp2 grow without measure. Pass a gain table, or other "
            "labels, if they are no grades."
        )


class SkippedLabels(Notice):
    """The grades of the qrels leave some out."""

    code = "skipped-labels"
    severity = "info"
    labels: tuple[str, ...]
    skipped: tuple[str, ...]

    def __str__(self) -> str:
        used, unused = ", ".join(self.labels), ", ".join(self.skipped)
        return f"the qrels have the labels {used}, and never {unused}."


class OneLabel(Notice):
    """All judgments have the same label, so no ranking of judged items is worse than another."""

    code = "one-label"
    severity = "info"
    label: float
    n_judged: int

    def __str__(self) -> str:
        return (
            f"every label of the qrels is {format_setting(self.label)} "
            f"({format_count(self.n_judged, 'judgment', 'judgments')}): items that are not judged "
            "are the only ones that are not relevant."
        )


class Refusal(Notice):
    """Input that ``evaluate`` refuses, as a finding: its code is the one that the error has."""

    severity = "error"


class BadLines(Refusal):
    """Lines or entries cannot be read; ``eval`` refuses the first of them."""

    code: str  # type: ignore[misc]
    source: str
    reason: str
    n_lines: int
    first: str

    def __str__(self) -> str:
        more = self.n_lines - 1
        if not more:
            return self.first
        return f"{self.first} {format_count(more, 'more is', 'more are')} wrong in the same way."


class RepeatedItems(Refusal):
    """Items are judged, or retrieved, twice for one query; ``eval`` refuses the first of them."""

    code: str  # type: ignore[misc]
    source: str
    n_repeats: int
    first: str

    def __str__(self) -> str:
        more = self.n_repeats - 1
        if not more:
            return self.first
        return f"{self.first} {format_count(more, 'more is', 'more are')} repeated."


class RefusedInput(Refusal):
    """Qrels or a run cannot be evaluated."""

    code: str  # type: ignore[misc]
    source: str
    why: str

    def __str__(self) -> str:
        return self.why


class SwappedFiles(Refusal):
    """The qrels look like a run, and the run looks like qrels."""

    code: str  # type: ignore[misc]
    qrels: str
    run: str

    def __str__(self) -> str:
        return (
            f"{self.qrels} has the columns of a run, and {self.run} those of qrels. Swap the two: "
            "qrels come first."
        )


class ContradictedRanks(Notice):
    """The rank column of a run says another order than its scores."""

    code = "contradicted-ranks"
    severity = "warning"
    run: str
    n_lines: int
    n_neighbors: int
    first: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: {self.n_lines:,} of {self.n_neighbors:,} ranks contradict the "
            f"scores, first on {self.first}: a better rank has a lower score. order=score goes by "
            "the scores."
        )


class ReversedScores(Notice):
    """Scores rise as ranks do: they may be distances, of which the lowest is the best."""

    code = "reversed-scores"
    severity = "error"
    run: str
    n_queries: int
    n_telling: int
    first: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: scores rise with the ranks in {self.n_queries:,} of "
            f"{format_count(self.n_telling, 'query', 'queries')} (first {self.first!r}), so its "
            "last item is ranked first. If they are distances, negate them, or pass --order rank."
        )


class AscendingScores(Notice):
    """Scores rise from line to line: they may be distances, of which the lowest is the best."""

    code = "ascending-scores"
    severity = "warning"
    run: str
    n_queries: int
    n_telling: int
    first: str
    odd_ranks: bool

    def __str__(self) -> str:
        guess = "are distances, negate them"
        if self.odd_ranks:
            guess = "stand in the rank column, which holds no integers, swap the two"
        return (
            f"run {self.run!r}: scores rise from line to line in {self.n_queries:,} of "
            f"{format_count(self.n_telling, 'query', 'queries')} (first {self.first!r}), so the "
            f"last line is ranked first. If they {guess}, or pass --order file."
        )


class EqualScores(Notice):
    """All scores of a query are equal, so a rule for ties ranked it."""

    code = "equal-scores"
    severity = "warning"
    run: str
    n_queries: int
    n_several: int
    first: str
    rule: str

    def __str__(self) -> str:
        fate = "averages over all orders" if self.rule == "average" else "alone orders them"
        return (
            f"run {self.run!r}: all scores are equal in {self.n_queries:,} of "
            f"{format_count(self.n_several, 'query', 'queries')} with several items (first "
            f"{self.first!r}); ties={self.rule} {fate}."
        )


class CloseScores(Notice):
    """Scores differ in double precision only: tools that compare in single precision tie them."""

    code = "close-scores"
    severity = "info"
    run: str
    n_items: int
    n_judged: int
    first: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: {self.n_items:,} of the {self.n_judged:,} judged items it returned "
            f"stand beside one whose score differs in double precision only (first in query "
            f"{self.first!r}); trec_eval 9, and precision=float32, tie them."
        )


class InfiniteScores(Notice):
    """Scores are infinite, so their items are tied."""

    code = "infinite-scores"
    severity = "warning"
    run: str
    n_rows: int
    first: str

    def __str__(self) -> str:
        scores = format_count(self.n_rows, "score is", "scores are")
        return f"run {self.run!r}: {scores} infinite, first on {self.first}; equal ones are tied."


class ShortRankings(Notice):
    """Some queries of a run have far fewer items than most."""

    code = "short-rankings"
    severity = "info"
    run: str
    depth: int
    queries: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"run {self.run!r} has {self.depth:,} items for most queries, and less than a tenth of "
            f"that for {len(self.queries):,} ({format_examples(self.queries)})."
        )


class UnequalDepths(Notice):
    """Runs are cut at different depths, so measures without a cutoff favor the deeper."""

    code = "unequal-depths"
    severity = "warning"
    runs: tuple[str, ...]
    depths: tuple[int, ...]

    def __str__(self) -> str:
        depths = ", ".join(f"{r!r} {n:,}" for r, n in zip(self.runs, self.depths, strict=True))
        return (
            f"the runs are cut at different depths ({depths} items at most); measures without a "
            "cutoff favor the deeper. Pass --depth to cut them alike."
        )


_MOST_QUERIES = 0.9  # the share of queries that makes something the habit of a run
_MIN_RISES = 10  # rises of scores, without a fall, that are no accident
_MIN_EQUAL_SHARE = 0.1  # the share of queries whose scores are all equal
_MIN_CLOSE_SHARE = 0.01  # the share of judged items with a score close to another
_HIGHEST_GRADE = 10  # labels above it are not usual grades
_MIN_DEPTH = 10  # the usual depth from which a tenth of it is short
_DEPTH_RATIO = 2  # how many times as deep as another run

LABEL_NOTICES = (NothingRelevant, FractionalLabels, HighLabels, SkippedLabels, OneLabel)


def diagnose_scores(
    stats: JoinStats, run: str, rules: Rules, locator: RowLocator, *, all_close: bool
) -> Iterator[Notice]:
    """Yield notices about the scores and ranks of a run that scores order."""
    yield from _diagnose_order(stats, run, locator)
    if stats.infinite.first is not None:
        yield InfiniteScores(run, stats.infinite.times, locator.name_row(stats.infinite.first))
    equal, close = stats.equal, stats.close
    n_several = stats.n_multi_score + equal.times
    if equal.times and equal.times >= _MIN_EQUAL_SHARE * n_several:
        yield EqualScores(run, equal.times, n_several, equal.first, rules.ties)
    matters = close.times >= (1 if all_close else max(1, _MIN_CLOSE_SHARE * stats.n_hits))
    if close.times and matters and rules.precision == "float64":
        yield CloseScores(run, close.times, stats.n_hits, close.first)


def _diagnose_order(stats: JoinStats, run: str, locator: RowLocator) -> Iterator[Notice]:
    ascending, contradicted = stats.ascending, stats.contradicted
    if ascending.times and ascending.times >= _MOST_QUERIES * stats.n_multi_score:
        rising = (run, ascending.times, stats.n_multi_score, ascending.first)
        if contradicted.times and contradicted.times >= _MOST_QUERIES * stats.rises > 1:
            yield ReversedScores(*rising)
            return
        if not contradicted.times and stats.rises >= _MIN_RISES:
            yield AscendingScores(*rising, _lacks_ranks(stats, locator))
    if contradicted.first is not None:
        counts = contradicted.times, stats.neighbors
        yield ContradictedRanks(run, *counts, locator.name_row(contradicted.first))


def _lacks_ranks(stats: JoinStats, locator: RowLocator) -> bool:
    """Return True if the rank column, as TREC files have it, holds no ranks."""
    return locator.unit == "line" and locator.lines is None and stats.odd_ranks == stats.n_scored


def suggest_id_fix(run: str, kind: str, fix: IdFix | None) -> Iterator[NearIds]:
    """Yield a notice that suggests a change to ids, if there is one."""
    if fix is not None:
        yield NearIds(run, kind, *fix)


def diagnose_labels(stats: JoinStats) -> Iterator[Notice]:
    """Yield notices about unusual labels of the qrels."""
    if not stats.labels:
        return
    highest = max(stats.labels)
    if highest <= 0:
        yield NothingRelevant(highest)
    if stats.fractional.times:
        yield FractionalLabels(stats.fractional.times, stats.n_judgments, stats.fractional.first[1])
    if highest > _HIGHEST_GRADE:
        yield HighLabels(highest, len(stats.labels))


def diagnose_label_scale(labels: FloatArray) -> Iterator[Notice]:
    """Yield notices about the scale of labels, which ``check`` alone reports."""
    values = np.unique(labels)
    if len(values) == 1 and values[0] > 0:
        yield OneLabel(float(values[0]), len(labels))
    usual = len(values) and values[-1] <= _HIGHEST_GRADE and not (values % 1).any()
    if usual and len(values) > 1:
        skipped = sorted(set(range(1, int(values[-1]))) - {int(value) for value in values})
        if skipped:
            yield SkippedLabels(
                tuple(map(format_setting, values.tolist())), tuple(map(str, skipped))
            )


def diagnose_depth(judgments: Judgments, run: Run, aligned: _native.Aligned) -> Iterator[Notice]:
    """Yield a notice about queries that have far fewer items than most."""
    depths = aligned.n_retrieved[aligned.in_run != 0]
    if not len(depths):
        return
    values, counts = np.unique(depths, return_counts=True)
    usual = int(values[counts.argmax()])
    short = (aligned.in_run != 0) & (aligned.n_retrieved * 10 < usual)
    if usual >= _MIN_DEPTH and 2 * counts.max() > len(depths) and short.any():
        names = tuple(judgments.queries[i] for i in np.flatnonzero(short))
        yield ShortRankings(run.name, usual, names)


def compare_depths(runs: Sequence[str], deepest: Sequence[int]) -> Iterator[Notice]:
    """Yield a notice about runs that are cut at different depths."""
    if len(runs) > 1 and max(deepest) >= _DEPTH_RATIO * min(deepest) > 0:
        yield UnequalDepths(tuple(runs), tuple(deepest))
