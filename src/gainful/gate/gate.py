"""gate(): decide whether a candidate run may replace the baseline."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from gainful.alignment import Rules
from gainful.base import (
    FloatArray,
    Progress,
    Result,
    format_count,
    format_percent,
    format_setting,
    to_jsonable,
)
from gainful.diagnostics import Notice
from gainful.errors import ComparisonError
from gainful.evaluation import (
    Collection,
    Measures,
    Qrels,
    Scores,
    evaluate_runs,
    list_measures,
    open_collection,
)
from gainful.gate.checks import (
    CANNOT_TELL,
    FAIL,
    PASS,
    Check,
    PinnedQueries,
    format_outcome,
    read_pinned,
    require_known_queries,
    run_checks,
)
from gainful.gate.evidence import (
    Evidence,
    collect_evidence,
    compute_possible_values,
    name_runs_apart,
    reads_plain_qrels,
    require_gateable,
    stack_values,
)
from gainful.gate.thresholds import Thresholds
from gainful.measures import Measure, parse_measure
from gainful.sources import Run, Source
from gainful.unjudged import find_bounds_depth

_OUTCOME_WORDS = {FAIL: "failed", CANNOT_TELL: "cannot be told", PASS: "passed"}


class Drop(NamedTuple):
    """One query and its values; without a baseline, the value of the candidate alone."""

    query: str
    candidate: float
    baseline: float | None = None
    difference: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Result):
    """The verdict of a gate, with its checks and the numbers behind them.

    Attributes:
        candidate: The name of the run that was tested.
        baseline: The name of the run that it would replace, or None.
        queries: The id of each query.
        measures: The measures that were gated.
        values: The values, by measure, run (candidate, then baseline if there is one) and query.
        evidence: The numbers of every measure.
        checks: The checks, measure by measure.
        rules: The rules of the evaluation.
        notices: The notices of both runs.

    >>> import gainful
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 0}}
    >>> before, now = {"q1": ["d1"], "q2": ["d1"]}, {"q1": ["d1"], "q2": ["d2", "d1"]}
    >>> gate = gainful.gate(qrels, before, now, "RR")
    >>> gate.verdict
    'fail'
    >>> gate.worst(1)
    (Drop(query='q2', candidate=0.5, baseline=1.0, difference=-0.5),)
    """

    candidate: str
    baseline: str | None
    queries: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: FloatArray
    evidence: tuple[Evidence, ...]
    checks: tuple[Check, ...]
    rules: Rules
    notices: tuple[Notice, ...] = field(default=())

    _view = "view_gate"

    @property
    def deciding(self) -> tuple[Check, ...]:
        """The checks that the verdict depends on."""
        return tuple(check for check in self.checks if check.decides)

    @property
    def verdict(self) -> str:
        """The worst outcome of the deciding checks: "fail", "cannot tell" or "pass"."""
        outcomes = {check.outcome for check in self.deciding}
        return next(outcome for outcome in (FAIL, CANNOT_TELL, PASS) if outcome in outcomes)

    @property
    def passed(self) -> bool:
        """True if the candidate passes all deciding checks."""
        return self.verdict == PASS

    @property
    def sentence(self) -> str:
        """The verdict in a sentence."""
        outcomes = [check.outcome for check in self.deciding]
        counts = [(outcomes.count(outcome), word) for outcome, word in _OUTCOME_WORDS.items()]
        results = ", ".join(f"{n:,} {word}" for n, word in counts if n)
        opponent = "" if self.baseline is None else f" against {self.baseline!r}"
        head = f"{format_outcome(self.verdict)}: run {self.candidate!r}{opponent}: "
        new = max(evidence.newly_unjudged for evidence in self.evidence)
        if self.verdict == CANNOT_TELL and new > 0:
            head += f"{format_percent(new)} new unjudged items; "
        n_checks = format_count(len(outcomes), "check", "checks")
        n_queries = format_count(len(self.queries), "query", "queries")
        return f"{head}{n_checks} on {n_queries}, {results}."

    def worst(self, n: int = 5, measure: str | Measure | None = None) -> tuple[Drop, ...]:
        """Return the queries that dropped most, largest drop first.

        Without a baseline, return the queries with the lowest values. Queries that did not drop or
        have no value are left out.
        """
        values = self.values[self.measures.index(self._find_measure(measure))]
        keys = values[0] - values[1] if len(values) == 2 else values[0]
        # Rounded, so that values that differ by rounding alone stay in the order of the queries.
        order = np.argsort(np.round(keys, 12), kind="stable")
        order = order[keys[order] < (0 if len(values) == 2 else np.inf)]  # NaN is not below either
        return tuple(
            Drop(self.queries[i], *map(float, (*values[:, i], *([keys[i]] * (len(values) - 1)))))
            for i in order[:n].tolist()
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the values of all queries, as plain Python values."""
        return {
            "verdict": self.verdict,
            "passed": self.passed,
            "sentence": self.sentence,
            "candidate": self.candidate,
            "baseline": self.baseline,
            "n_queries": len(self.queries),
            "measures": [evidence.to_dict() for evidence in self.evidence],
            "checks": [to_jsonable({**vars(c), "measure": str(c.measure)}) for c in self.checks],
            "worst": {str(m): [d._asdict() for d in self.worst(measure=m)] for m in self.measures},
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_junit(self) -> str:
        """Return JUnit XML with one test case for every deciding check."""
        from gainful.gate.ci import format_junit

        return format_junit(self)

    def _find_measure(self, measure: str | Measure | None) -> Measure:
        resolved = (
            parse_measure(measure) if isinstance(measure, str) else measure or self.measures[0]
        )
        if resolved not in self.measures:
            names = ", ".join(map(str, self.measures))
            message = f"{resolved} was not gated; there are {names}."
            raise ComparisonError(message, code="not-in-result")
        return resolved


# Items are kept down to this depth, in case a check fails; for more the runs are joined again.
_SHALLOW = 100

_DEFAULTS_WITHOUT_BASELINE = {"max_drop": None, "mode": "point", "query_max_drop": None}


def gate(
    qrels: Qrels | Collection,
    baseline: Source | Run | None,
    candidate: Source | Run,
    measures: Measures = "nDCG@10",
    *,
    max_drop: float | None = None,
    mode: str = "point",
    min: float | None = None,
    query_max_drop: float | None = None,
    pinned: PinnedQueries = (),
    min_judged: float | None = None,
    alpha: float = 0.05,
    per_measure: Mapping[str | Measure, Mapping[str, Any]] | None = None,
    items: object = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Gate:
    """Decide whether a candidate may replace a baseline.

    Args:
        qrels: As for ``evaluate``.
        baseline: The run in use; None to check the candidate against ``min`` alone. Of a
            collection, the name of the run.
        candidate: The run that would replace it.
        measures: One or more measures; each is gated.
        max_drop: Largest drop of the mean that passes; the default is 0.01.
        mode: ``"point"``: the mean may not drop by more than ``max_drop``. ``"regression"``: it may
            not drop by more than chance explains. ``"noninferior"``: a drop by ``max_drop`` or more
            must be ruled out. All three are computed; this one decides.
        min: The lowest mean of the candidate that passes.
        query_max_drop: Largest drop that passes of any single query, or of any pinned one if there
            are any.
        pinned: Queries that alone are held to ``query_max_drop``, or, without it, that may not
            drop at all: their ids, or the path of a file with one id per line.
        min_judged: The share of the candidate's items within the cutoff that must be judged, from
            0 to 1. Below it the gate cannot tell.
        alpha: One-sided significance level.
        per_measure: Other thresholds for some of the measures:
            ``{"P@5": {"max_drop": 0.02}}``.
        items: As for ``evaluate``.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        The verdict, the checks and the numbers behind them.

    Raises:
        ComparisonError: The thresholds do not fit together, or the measure is no mean over queries.
        MeasureError: A measure is unknown.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> result = gate(qrels, {"q1": ["d1"], "q2": ["d1"]}, {"q1": ["d1"], "q2": ["d1", "d2"]})
    >>> result.passed
    True
    >>> print(result.sentence)
    pass: run 'candidate' against 'baseline': 1 check on 2 queries, 1 passed.
    """
    resolved = tuple(map(require_gateable, list_measures(measures)))
    general = Thresholds(
        max_drop=max_drop,
        mode=mode,
        min=min,
        query_max_drop=query_max_drop,
        min_judged=min_judged,
        alpha=alpha,
    )
    thresholds = _resolve_thresholds(resolved, general, per_measure or {})
    ids = read_pinned(pinned)
    with open_collection(
        qrels,
        _list_runs(qrels, baseline, candidate),
        items=items,
        rules=rules,
        threads=threads,
        progress=progress,
    ) as collection:
        thresholds = {
            label: of_measure
            for measure, of_measure in thresholds.items()
            for label in collection.resolve(measure)
        }
        for measure in thresholds:
            _refuse_bad_thresholds(
                measure, thresholds[measure], ids, collection.rules, lacks_baseline=baseline is None
            )
        depth = find_bounds_depth(collection.resolve(resolved).values())
        collection.keep_top(depth if depth <= _SHALLOW else 0)
        *baseline_scores, candidate_scores = evaluate_runs(collection, None, resolved)
        require_known_queries(ids, candidate_scores.queries, pinned)
        return _decide(
            thresholds,
            candidate_scores,
            baseline_scores[0] if baseline_scores else None,
            ids,
            collection,
        )


def _list_runs(
    qrels: object, baseline: Source | Run | None, candidate: Source | Run
) -> list[Source | Run]:
    """Return the runs, candidate last: of a collection their names, else with different names."""
    if not isinstance(qrels, Collection):
        return [*name_runs_apart(baseline, candidate)]
    return [candidate] if baseline is None else [baseline, candidate]


def _decide(
    thresholds: Mapping[Measure, Thresholds],
    candidate: Scores,
    baseline: Scores | None,
    pinned: tuple[str, ...],
    collection: Collection,
) -> Gate:
    """Run the checks of every measure, again with bounds where one fails."""
    values = [stack_values(candidate, baseline, measure) for measure in thresholds]
    evidence, checks = [], []
    for measure, pair in zip(thresholds, values, strict=True):
        numbers = collect_evidence(pair, measure, thresholds[measure], candidate, baseline)
        results = list(run_checks(numbers, pair, candidate.queries, pinned))
        if baseline is not None and not all(check.passed for check in results if check.decides):
            possible = compute_possible_values(collection, measure, candidate)
            if possible is not None:
                numbers = replace(
                    numbers, possible=possible.difference, possible_candidate=possible.candidate
                )
                results = list(run_checks(numbers, pair, candidate.queries, pinned, possible))
        evidence.append(numbers)
        checks += results
    notices = (*(() if baseline is None else baseline.notices), *candidate.notices)
    return Gate(
        candidate=candidate.run,
        baseline=None if baseline is None else baseline.run,
        queries=candidate.queries,
        measures=tuple(thresholds),
        values=np.stack(values),
        evidence=tuple(evidence),
        checks=tuple(checks),
        rules=candidate.rules,
        notices=tuple(dict.fromkeys(notices)),
    )


def _resolve_thresholds(
    measures: tuple[Measure, ...],
    general: Thresholds,
    per_measure: Mapping[str | Measure, Mapping[str, Any]],
) -> dict[Measure, Thresholds]:
    """Return the thresholds of every measure: the general ones, or its own."""
    resolved = dict.fromkeys(measures, general)
    tables = per_measure.values() if isinstance(per_measure, Mapping) else (per_measure,)
    if not all(isinstance(table, Mapping) for table in tables):
        message = f"gate: per_measure must map measures to thresholds, got {per_measure!r:.60}."
        raise ComparisonError(message, code="bad-threshold")
    for name, changes in per_measure.items():
        for measure in list_measures(name):
            if measure not in resolved:
                names = ", ".join(map(str, measures))
                message = f"gate: {measure} has thresholds but is not gated; there are {names}."
                raise ComparisonError(message, code="bad-threshold")
            resolved[measure] = resolved[measure].override(changes)
    return resolved


def _refuse_bad_thresholds(
    measure: Measure,
    thresholds: Thresholds,
    pinned: tuple[str, ...],
    rules: Rules,
    *,
    lacks_baseline: bool,
) -> None:
    """Raise an error where thresholds make no sense together."""
    message = ""
    if lacks_baseline:
        message = _describe_missing_baseline(thresholds, pinned)
    elif thresholds.mode == "noninferior" and not thresholds.allowed_drop:
        message = "max_drop must be > 0 in mode noninferior, got 0: no test rules out every drop."
    if thresholds.min_judged is not None and not reads_plain_qrels(measure):
        message = f"min_judged asks for judged items, but {measure} does not judge one by one."
    if thresholds.min_judged is not None and rules.unjudged == "condense":
        message = "min_judged asks for judged items, but unjudged=condense leaves no others."
    message = message or _describe_range_error(measure, thresholds)
    if message:
        message = f"gate: {message}"
        raise ComparisonError(message, code="bad-threshold")


def _describe_range_error(measure: Measure, thresholds: Thresholds) -> str:
    """Describe a threshold that no value could meet, or that all values meet."""
    if not dict(measure.settings).keys() <= {"cutoff", "rel"}:
        return ""  # other settings may change the range
    low, high = measure.bounds
    ranges = {"max_drop": (0.0, high - low), "query_max_drop": (0.0, high - low)}
    for name, (lowest, highest) in (ranges | {"min": (low, high)}).items():
        value = getattr(thresholds, name)
        if value is not None and not lowest <= value <= highest:
            hint = f" Did you mean {value / 100:g}?" if lowest < value / 100 <= highest else ""
            return (
                f"{name} of {measure} must lie from {lowest:g} to {highest:g}, "
                f"got {format_setting(value)}.{hint}"
            )
    return ""


def _describe_missing_baseline(thresholds: Thresholds, pinned: tuple[str, ...]) -> str:
    values = thresholds.to_dict()
    for name, default in _DEFAULTS_WITHOUT_BASELINE.items():
        if values[name] != default:
            return f"{name} holds a candidate against a baseline, got no baseline."
    if pinned:
        return "pinned queries are held against a baseline, got no baseline."
    if thresholds.min is None:
        return "without a baseline there is nothing to hold a candidate to. Give one, or min."
    return ""
