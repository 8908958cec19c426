"""gate(): whether a run may replace another."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gainful.asked import Measures, as_measures, as_rules
from gainful.errors import ComparisonError
from gainful.evaluate import collect_each
from gainful.gating.checks import checks
from gainful.gating.inputs import Qrels, judged_one_by_one, read_once, told_apart
from gainful.gating.numbers import gateable, numbers, values_of
from gainful.gating.pinned import Pinned, known_pinned, read_pinned
from gainful.gating.possible import possible
from gainful.gating.result import Gate
from gainful.gating.thresholds import Thresholds
from gainful.measures import Measure
from gainful.results import Scores
from gainful.rules import Rules
from gainful.settings import text_of
from gainful.sources import Progress, Run, Source

_OF_A_BASELINE = {"max_drop": None, "mode": "point", "query_max_drop": None}


def gate(
    qrels: Qrels,
    baseline: Source | Run | None,
    candidate: Source | Run,
    measures: Measures = "nDCG@10",
    *,
    max_drop: float | None = None,
    mode: str = "point",
    min: float | None = None,
    query_max_drop: float | None = None,
    pinned: Pinned = (),
    min_judged: float | None = None,
    alpha: float = 0.05,
    per_measure: Mapping[str | Measure, Mapping[str, Any]] | None = None,
    items: Any = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Gate:
    """Whether a candidate may replace a baseline, by which checks, and on which numbers.

    Args:
        qrels: As for ``evaluate``.
        baseline: The run that is in use; None to hold the candidate to ``min`` alone.
        candidate: The run that would replace it.
        measures: One or several; each is gated.
        max_drop: How much the mean may drop; 0.01 if not given.
        mode: ``"point"``: the mean may not drop by more than ``max_drop``. ``"regression"``: it may
            not drop by more than chance explains. ``"noninferior"``: that it drops by ``max_drop``
            or more must be ruled out. All three are worked out, this one decides.
        min: What the mean of the candidate must be at least.
        query_max_drop: How much any single query may drop; or the pinned ones, if there are any.
        pinned: Queries that alone are held to ``query_max_drop``, or, without it, that may not
            drop at all: their ids, or the path of a file with one a line.
        min_judged: How much of what the candidate ranks within the cutoff must be judged, from 0
            to 1, for the gate to tell.
        alpha: Below which one-sided p-value something is more than chance.
        per_measure: Other thresholds for some of the measures:
            ``{"P@5": {"max_drop": 0.02}}``.
        items: As for ``evaluate``.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> result = gate(qrels, {"q1": ["d1"], "q2": ["d1"]}, {"q1": ["d1"], "q2": ["d1", "d2"]})
    >>> result.passed
    True
    >>> print(result.sentence)
    pass: run 'candidate' against 'baseline': 1 check on 2 queries, 1 passed.
    """
    rules, chosen = as_rules(rules), tuple(map(gateable, as_measures(measures)))
    general = Thresholds(
        max_drop=max_drop,
        mode=mode,
        min=min,
        query_max_drop=query_max_drop,
        min_judged=min_judged,
        alpha=alpha,
    )
    held = _held(chosen, general, per_measure or {})
    ids = read_pinned(pinned)
    for measure, thresholds in held.items():
        _sensible(measure, thresholds, ids, rules, alone=baseline is None)
    judged = read_once(qrels, chosen, rules, threads=threads, progress=progress)
    runs = told_apart(baseline, candidate)
    how: Any = {"rules": rules, "threads": threads, "progress": progress}
    *before, now = collect_each(judged, runs, chosen, items=items, **how)
    known_pinned(ids, now.queries, pinned)
    return _decided(held, now, before[0] if before else None, ids, judged, runs)


def _decided(
    held: Mapping[Measure, Thresholds],
    now: Scores,
    before: Scores | None,
    pinned: tuple[str, ...],
    judged: Any,
    runs: list[Run],
) -> Gate:
    values = [values_of(now, before, measure) for measure in held]
    gated, found = [], []
    for measure, own in zip(held, values, strict=True):
        one = numbers(own, measure, held[measure], now, before)
        ours = list(checks(one, own, now.queries, pinned))
        if len(runs) == 2 and not all(check.passed for check in ours if check.decides):
            could = possible(judged, runs[0], runs[1], measure, now)
            if could is not None:
                one = replace(one, possible=could.difference, possible_candidate=could.candidate)
                ours = list(checks(one, own, now.queries, pinned, could))
        gated.append(one)
        found += ours
    notices = (*(() if before is None else before.notices), *now.notices)
    return Gate(
        candidate=now.run,
        baseline=None if before is None else before.run,
        queries=now.queries,
        measures=tuple(held),
        values=np.stack(values),
        gated=tuple(gated),
        checks=tuple(found),
        rules=now.rules,
        notices=tuple(dict.fromkeys(notices)),
    )


def _held(
    chosen: tuple[Measure, ...],
    general: Thresholds,
    per_measure: Mapping[str | Measure, Mapping[str, Any]],
) -> dict[Measure, Thresholds]:
    """What the candidate is held to by each measure."""
    held = dict.fromkeys(chosen, general)
    if not all(isinstance(one, Mapping) for one in (per_measure, *_values(per_measure))):
        message = f"gate: per_measure must map measures to thresholds, got {per_measure!r:.60}."
        raise ComparisonError(message, code="bad-threshold")
    for name, own in per_measure.items():
        for measure in as_measures(name):
            if measure not in held:
                known = ", ".join(map(str, chosen))
                message = f"gate: {measure} has thresholds but is not gated; there are {known}."
                raise ComparisonError(message, code="bad-threshold")
            held[measure] = held[measure].but(own)
    return held


def _values(given: Any) -> Iterable[Any]:
    return given.values() if isinstance(given, Mapping) else ()


def _sensible(
    measure: Measure, given: Thresholds, pinned: tuple[str, ...], rules: Rules, *, alone: bool
) -> None:
    """An error where thresholds mean nothing together."""
    message = ""
    if alone:
        message = _needs_a_baseline(given, pinned)
    elif given.mode == "noninferior" and not given.allowed:
        message = "max_drop must be > 0 in mode noninferior, got 0: no test rules out every drop."
    if given.min_judged is not None and not judged_one_by_one(measure):
        message = f"min_judged asks for judged items, but {measure} does not judge one by one."
    if given.min_judged is not None and rules.unjudged == "condense":
        message = "min_judged asks for judged items, but unjudged=condense leaves no others."
    message = message or _out_of_range(measure, given)
    if message:
        message = f"gate: {message}"
        raise ComparisonError(message, code="bad-threshold")


def _out_of_range(measure: Measure, given: Thresholds) -> str:
    """What is wrong with a threshold that no value could meet, or none could miss."""
    if not dict(measure.settings).keys() <= {"cutoff", "rel"}:
        return ""  # other settings may change the range
    low, high = measure.bounds
    ranges = {"max_drop": (0.0, high - low), "query_max_drop": (0.0, high - low)}
    for name, (least, most) in (ranges | {"min": (low, high)}).items():
        value = getattr(given, name)
        if value is not None and not least <= value <= most:
            hint = f" Did you mean {value / 100:g}?" if least < value / 100 <= most else ""
            return (
                f"{name} of {measure} must lie from {least:g} to {most:g}, "
                f"got {text_of(value)}.{hint}"
            )
    return ""


def _needs_a_baseline(given: Thresholds, pinned: tuple[str, ...]) -> str:
    own = given.to_dict()
    for name, without in _OF_A_BASELINE.items():
        if own[name] != without:
            return f"{name} holds a candidate against a baseline, got no baseline."
    if pinned:
        return "pinned queries are held against a baseline, got no baseline."
    if given.min is None:
        return "without a baseline there is nothing to hold a candidate to. Give one, or min."
    return ""
