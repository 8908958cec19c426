"""Notices about files, ids, labels, scores and depths, with the thresholds that raise them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gainful.alignment import JoinStats, Rules
from gainful.base import FloatArray, _native, format_count, format_examples, format_setting
from gainful.diagnostics.notices import Notice, declare_notice
from gainful.sources import Judgments, RowLocator, Run

if TYPE_CHECKING:
    from gainful.diagnostics.id_mismatch import IdFix


@declare_notice("near-ids", "error")
def NearIds(
    run: str, what: str, change: str, side: str, now: float, then: float, sample: str, pattern: str
) -> str:
    question = write_fix_question(what, change, side, then, pattern)
    return f"run {run!r} has {now:.1%} of the judged {what}{sample}. {question}"


def write_fix_question(what: str, change: str, side: str, share: float, pattern: str) -> str:
    """Return the suggested change as a question, its effect, and the option that makes it."""
    # There is an option for items, none for queries.
    way = f" Pass --collapse '{pattern}'." if pattern and what == "items" else ""
    return (
        f"Did you mean to {change} the {what} of the {side}? "
        f"{share:.1%} of the judged {what} would match.{way}"
    )


@declare_notice("carriage-returns", "error")
def CarriageReturns(source: str, n_lines: int) -> str:
    lines = format_count(n_lines, "line has", "lines have")
    return (
        f"{source}: {lines} carriage returns inside, so that several are read as one. End "
        "lines in a line feed."
    )


@declare_notice("nothing-relevant", "error")
def NothingRelevant(highest: float) -> str:
    return f"no label of the qrels is above 0 (the highest is {format_setting(highest)})."


@declare_notice("fractional-labels", "info")
def FractionalLabels(n_labels: int, n_judged: int, example: float) -> str:
    return (
        f"{n_labels:,} of the {format_count(n_judged, 'label', 'labels')} of the "
        f"qrels are no whole numbers, such as {format_setting(example)}; where a measure "
        "has rel=1, those below 1 are not relevant."
    )


@declare_notice("high-labels", "warning")
def HighLabels(highest: float, n_values: int) -> str:
    return (
        f"the qrels have labels up to {format_setting(highest)} ({n_values:,} "
        "different); gains such as exp2 grow without measure. Pass a gain table, or other "
        "labels, if they are no grades."
    )


@declare_notice("skipped-labels", "info")
def SkippedLabels(labels: tuple[str, ...], skipped: tuple[str, ...]) -> str:
    used, unused = ", ".join(labels), ", ".join(skipped)
    return f"the qrels have the labels {used}, and never {unused}."


@declare_notice("one-label", "info")
def OneLabel(label: float, n_judged: int) -> str:
    return (
        f"every label of the qrels is {format_setting(label)} "
        f"({format_count(n_judged, 'judgment', 'judgments')}): items that are not judged "
        "are the only ones that are not relevant."
    )


# Input that ``evaluate`` refuses, as a finding of ``check``: its code is the one of the error.


def BadLines(code: str, source: str, reason: str, n_lines: int, first: str) -> Notice:
    """Return the finding that lines cannot be read; ``eval`` refuses the first of them."""
    more = f" {format_count(n_lines - 1, 'more is', 'more are')} wrong in the same way."
    data = {"source": source, "reason": reason, "n_lines": n_lines, "first": first}
    return Notice(code, "error", first + more * (n_lines > 1), data)


def RepeatedItems(code: str, source: str, n_repeats: int, first: str) -> Notice:
    """Return the finding that items are judged, or retrieved, twice for one query."""
    more = f" {format_count(n_repeats - 1, 'more is', 'more are')} repeated."
    data = {"source": source, "n_repeats": n_repeats, "first": first}
    return Notice(code, "error", first + more * (n_repeats > 1), data)


def RefusedInput(code: str, source: str, why: str) -> Notice:
    """Return the finding that qrels or a run cannot be evaluated."""
    return Notice(code, "error", why, {"source": source, "why": why})


def SwappedFiles(code: str, qrels: str, run: str) -> Notice:
    """Return the finding that the qrels look like a run, and the run looks like qrels."""
    text = (
        f"{qrels} has the columns of a run, and {run} those of qrels. Swap the two: "
        "qrels come first."
    )
    return Notice(code, "error", text, {"qrels": qrels, "run": run})


@declare_notice("contradicted-ranks", "warning")
def ContradictedRanks(run: str, n_lines: int, n_neighbors: int, first: str) -> str:
    return (
        f"run {run!r}: {n_lines:,} of {n_neighbors:,} ranks contradict the "
        f"scores, first on {first}: a better rank has a lower score. order=score goes by "
        "the scores."
    )


@declare_notice("reversed-scores", "error")
def ReversedScores(run: str, n_queries: int, n_telling: int, first: str) -> str:
    return (
        f"run {run!r}: scores rise with the ranks in {n_queries:,} of "
        f"{format_count(n_telling, 'query', 'queries')} (first {first!r}), so its "
        "last item is ranked first. If they are distances, negate them, or pass --order rank."
    )


@declare_notice("ascending-scores", "warning")
def AscendingScores(run: str, n_queries: int, n_telling: int, first: str, odd_ranks: bool) -> str:
    guess = "are distances, negate them"
    if odd_ranks:
        guess = "stand in the rank column, which holds no integers, swap the two"
    return (
        f"run {run!r}: scores rise from line to line in {n_queries:,} of "
        f"{format_count(n_telling, 'query', 'queries')} (first {first!r}), so the "
        f"last line is ranked first. If they {guess}, or pass --order file."
    )


@declare_notice("equal-scores", "warning")
def EqualScores(run: str, n_queries: int, n_several: int, first: str, rule: str) -> str:
    fate = "averages over all orders" if rule == "average" else "alone orders them"
    return (
        f"run {run!r}: all scores are equal in {n_queries:,} of "
        f"{format_count(n_several, 'query', 'queries')} with several items (first "
        f"{first!r}); ties={rule} {fate}."
    )


@declare_notice("close-scores", "info")
def CloseScores(run: str, n_items: int, n_judged: int, first: str) -> str:
    return (
        f"run {run!r}: {n_items:,} of the {n_judged:,} judged items it returned "
        f"stand beside one whose score differs in double precision only (first in query "
        f"{first!r}); trec_eval 9, and precision=float32, tie them."
    )


@declare_notice("infinite-scores", "warning")
def InfiniteScores(run: str, n_rows: int, first: str) -> str:
    scores = format_count(n_rows, "score is", "scores are")
    return f"run {run!r}: {scores} infinite, first on {first}; equal ones are tied."


@declare_notice("short-rankings", "info")
def ShortRankings(run: str, depth: int, queries: tuple[str, ...]) -> str:
    return (
        f"run {run!r} has {depth:,} items for most queries, and less than a tenth of "
        f"that for {len(queries):,} ({format_examples(queries)})."
    )


@declare_notice("unequal-depths", "warning")
def UnequalDepths(runs: tuple[str, ...], depths: tuple[int, ...]) -> str:
    listed = ", ".join(f"{run!r} {depth:,}" for run, depth in zip(runs, depths, strict=True))
    return (
        f"the runs are cut at different depths ({listed} items at most); measures without a "
        "cutoff favor the deeper. Pass --depth to cut them alike."
    )


_MOST_QUERIES = 0.9  # the share of queries that makes something the habit of a run
_MIN_RISES = 10  # rises of scores, without a fall, that are no accident
_MIN_EQUAL_SHARE = 0.1  # the share of queries whose scores are all equal
_MIN_CLOSE_SHARE = 0.01  # the share of judged items with a score close to another
_HIGHEST_GRADE = 10  # labels above it are not usual grades
_MIN_DEPTH = 10  # the usual depth from which a tenth of it is short
_DEPTH_RATIO = 2  # how many times as deep as another run

LABEL_NOTICES = {
    notice_type.code
    for notice_type in (NothingRelevant, FractionalLabels, HighLabels, SkippedLabels, OneLabel)
}


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


def suggest_id_fix(run: str, kind: str, fix: "IdFix | None") -> Iterator[Notice]:
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
