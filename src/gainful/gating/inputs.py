"""What a gate reads: the qrels once, and runs that can be told apart."""

from typing import Any

from gainful.errors import ComparisonError
from gainful.measures import Judged, Measure
from gainful.rules import Rules
from gainful.sources import (
    GroupedJudgments,
    Judgments,
    PreferenceJudgments,
    Progress,
    Reading,
    Run,
    Source,
    is_path,
    is_spark,
    read_judgments,
    read_run,
)

Qrels = Source | Judgments | GroupedJudgments | PreferenceJudgments


def judged_one_by_one(measure: Measure) -> bool:
    """Whether a measure reads plain qrels: a label for each item.

    >>> from gainful import StRecall, nDCG
    >>> judged_one_by_one(nDCG), judged_one_by_one(StRecall)
    (True, False)
    """
    return issubclass(Judged.reads, measure.reads)


def read_once(
    qrels: Any,
    measures: tuple[Measure, ...],
    rules: Rules,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Any:
    """The qrels, read, if they are here and all measures read the same of them; else as given."""
    if is_spark(qrels) or not all(map(judged_one_by_one, measures)):
        return qrels
    return read_judgments(qrels, rules, Reading(threads, progress))


def told_apart(baseline: Any, candidate: Any) -> list[Run]:
    """The runs, the candidate last, by names that tell them apart.

    >>> [run.name for run in told_apart("a/bm25.run", "b/bm25.run")]
    ['a/bm25.run', 'b/bm25.run']
    """
    now = read_run(candidate)
    if baseline is None:
        return [now]
    before = read_run(baseline)
    if is_path(before.source) and before.source == now.source:
        message = (
            f"gate: baseline and candidate must be two runs, got {now.place} for both. "
            "Pass the run in use, and the one that would replace it."
        )
        raise ComparisonError(message, code="too-few-runs")
    if before.name != now.name:
        return [before, now]
    if before.place != now.place:
        return [read_run(before, name=before.place), read_run(now, name=now.place)]
    return [read_run(before, name="baseline"), read_run(now, name="candidate")]
