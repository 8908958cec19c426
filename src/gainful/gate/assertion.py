"""assert_ranking(): a gate in a test."""

from gainful.alignment import Rules
from gainful.base import load_report
from gainful.evaluation import Collection, Measures, Qrels, explain, open_collection
from gainful.gate.checks import PinnedQueries, format_outcome
from gainful.gate.evidence import name_runs_apart
from gainful.gate.gate import Drop, Gate, gate
from gainful.measures import Measure
from gainful.sources import Run, Source


def assert_ranking(
    qrels: Qrels | Collection,
    run: Source | Run,
    measures: Measures = "nDCG@10",
    *,
    min: float | None = None,
    baseline: Source | Run | None = None,
    max_drop: float | None = None,
    mode: str = "point",
    query_max_drop: float | None = None,
    pinned: PinnedQueries = (),
    min_judged: float | None = None,
    alpha: float = 0.05,
    rules: Rules | None = None,
) -> None:
    """Raise an AssertionError with the reasons if a run does not pass the gate.

    The message names the five worst queries, and the reason for the value of each where the measure
    has a formula. Bad data raise a GainfulError, as everywhere. Pass ``min``, a ``baseline``, or
    both.

    Args:
        qrels: As for ``evaluate``; or a ``Collection``, and runs by name.
        run: The candidate.
        measures: As for ``gainful.gate``, and so are all other arguments.
        min: The lowest mean that passes.
        baseline: The run in use.
        max_drop: Largest drop of the mean against the baseline that passes.
        mode: Test of drops, as for ``gainful.gate``.
        query_max_drop: Largest drop of any single query, or of any pinned one, that passes.
        pinned: The pinned queries, or the path of a file of them.
        min_judged: The share of items that must be judged.
        alpha: One-sided significance level.
        rules: As for ``evaluate``.

    Returns:
        None if the run passes.

    Raises:
        AssertionError: The run does not pass.
        ComparisonError: The thresholds do not fit together, or the measure.

    >>> assert_ranking({"q1": {"d1": 1}}, {"q1": ["d1"]}, "nDCG@10", min=0.9)
    >>> assert_ranking({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d2", "d1"]}, "nDCG@10", min=0.9)
    Traceback (most recent call last):
        ...
    AssertionError: FAIL: run 'run': 1 check on 1 query, 1 failed.
    nDCG@10: run 0.6309
      FAIL min: nDCG@10 is 0.6309, below 0.9.
      judged: 100.0% of the first 10 items.
    The worst queries:
      'q1' 0.6309: nDCG@10 is 0.6309: 1 of 1 relevant item is among the first 10; the largest \
loss is d1 (label 1), at rank 2 where the ideal has it at 1.
    """
    __tracebackhide__ = True  # pytest then shows the test, not this function
    if isinstance(qrels, Collection):
        runs = [run] if baseline is None else [baseline, run]
    else:
        runs = [*name_runs_apart(baseline, run)]
    with open_collection(qrels, runs, rules=rules) as collection:
        names = [run.name for run in collection.runs]
        result = gate(
            collection,
            None if baseline is None else names[0],
            names[-1],
            measures,
            max_drop=max_drop,
            mode=mode,
            min=min,
            query_max_drop=query_max_drop,
            pinned=pinned,
            min_judged=min_judged,
            alpha=alpha,
        )
        if not result.passed:
            raise AssertionError(_describe_failure(result, collection.select(names[-1])))


def _describe_failure(result: Gate, collection: Collection) -> str:
    report = load_report()
    lines = [result.sentence]
    for evidence in result.evidence:
        checks = [check for check in report.select_checks(result, evidence) if check.decides]
        if all(check.passed for check in checks):
            continue
        lines += [report.format_gate_means(result, evidence)]
        lines += [
            f"  {format_outcome(check.outcome)} {check.name}: {check.sentence}" for check in checks
        ]
        lines += [f"  {line}" for line in report.describe_evidence(evidence)]
        worst = result.worst(measure=evidence.measure)
        lines += ["The worst queries:"] if worst else []
        lines += [
            f"  {_format_drop(drop)}{_explain_drop(drop, evidence.measure, collection)}"
            for drop in worst
        ]
    return "\n".join(lines)


def _format_drop(drop: Drop) -> str:
    if drop.baseline is None:
        return f"{drop.query!r} {drop.candidate:.4f}"
    return f"{drop.query!r} {drop.candidate:.4f}, was {drop.baseline:.4f} ({drop.difference:+.4f})"


def _explain_drop(drop: Drop, measure: Measure, collection: Collection) -> str:
    """Explain the value of the query, if the measure can be explained."""
    if measure.formula is None or collection.is_on_spark:
        return ""
    return f": {explain(collection, None, drop.query, measure).reading}"
