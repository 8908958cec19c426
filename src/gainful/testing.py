"""assert_ranking(): a gate inside a test."""

from typing import Any

from gainful.asked import Measures, as_measures, as_rules
from gainful.explaining import explain
from gainful.gating.deciding import gate
from gainful.gating.inputs import Qrels, judged_one_by_one, read_once
from gainful.gating.pinned import Pinned
from gainful.gating.result import Drop, Gate, mark
from gainful.gating.text import about, headline, shown
from gainful.measures import Measure
from gainful.rules import Rules
from gainful.sources import Run, Source, read_run


def assert_ranking(
    run: Source | Run,
    qrels: Qrels,
    measures: Measures = "nDCG@10",
    *,
    min: float | None = None,
    baseline: Source | Run | None = None,
    max_drop: float | None = None,
    mode: str = "point",
    query_max_drop: float | None = None,
    pinned: Pinned = (),
    min_judged: float | None = None,
    alpha: float = 0.05,
    rules: Rules | None = None,
) -> None:
    """None; an AssertionError if a run does not pass the gate, which says why.

    It names the five worst queries, with the reason for the value of each where the measure has a
    formula. What is wrong with the data is a GainfulError, as everywhere. The arguments are those
    of ``gainful.gate``; give ``min``, a ``baseline``, or both.

    >>> assert_ranking({"q1": ["d1"]}, {"q1": {"d1": 1}}, "nDCG@10", min=0.9)
    >>> assert_ranking({"q1": ["d2", "d1"]}, {"q1": {"d1": 1, "d2": 0}}, "nDCG@10", min=0.9)
    Traceback (most recent call last):
        ...
    AssertionError: FAIL: run 'run': 1 check on 1 query, 1 failed.
    nDCG@10: run 0.6309
      FAIL min: nDCG@10 is 0.6309, below 0.9.
      judged: 100.0 % of the first 10 items.
    The worst queries:
      'q1' 0.6309: nDCG@10 is 0.6309: 1 of 1 relevant item is among the first 10; the largest \
loss is d1 (label 1), at rank 2 where the ideal has it at 1.
    """
    __tracebackhide__ = True  # pytest then shows the test, not this function
    candidate, rules = read_run(run), as_rules(rules)
    judged = read_once(qrels, as_measures(measures), rules)
    held: Any = {"max_drop": max_drop, "mode": mode, "query_max_drop": query_max_drop}
    more: Any = {"min": min, "min_judged": min_judged, "alpha": alpha, "pinned": pinned}
    decided = gate(judged, baseline, candidate, measures, **held, **more, rules=rules)
    if not decided.passed:
        raise AssertionError(_why(decided, judged, candidate, rules))


def _why(decided: Gate, qrels: Any, run: Run, rules: Rules) -> str:
    lines = [decided.sentence]
    for gated in decided.gated:
        own = [check for check in shown(decided, gated) if check.decides]
        if all(check.passed for check in own):
            continue
        lines += [headline(decided, gated)]
        lines += [f"  {mark(check.outcome)} {check.name}: {check.sentence}" for check in own]
        lines += [f"  {line}" for line in about(gated)]
        worst = decided.worst(measure=gated.measure)
        lines += ["The worst queries:"] if worst else []
        lines += [
            f"  {_told(drop)}{_reading(drop, gated.measure, qrels, run, rules)}" for drop in worst
        ]
    return "\n".join(lines)


def _told(drop: Drop) -> str:
    if drop.baseline is None:
        return f"{drop.query!r} {drop.candidate:.4f}"
    return f"{drop.query!r} {drop.candidate:.4f}, was {drop.baseline:.4f} ({drop.difference:+.4f})"


def _reading(drop: Drop, measure: Measure, qrels: Any, run: Run, rules: Rules) -> str:
    """Why the query has its value, if the measure can be explained."""
    if measure.formula is None or not judged_one_by_one(measure) or not run.lasts:
        return ""
    return f": {explain(qrels, run, drop.query, measure, rules=rules).reading}"
