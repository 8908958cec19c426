"""Gate: what a gate decided, by which checks, and on which numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gainful.errors import ComparisonError
from gainful.gating.digits import share
from gainful.gating.thresholds import Thresholds
from gainful.interval import Interval
from gainful.measures import Measure, parse
from gainful.notices import Notice
from gainful.plain import plain, to_json
from gainful.ragged import FloatArray
from gainful.records import Frozen, Record
from gainful.rules import Rules
from gainful.wording import count

PASS, FAIL, CANNOT_TELL = "pass", "fail", "cannot tell"
OUTCOMES = {
    PASS: "the candidate meets what it is held to",
    FAIL: "it does not",
    CANNOT_TELL: "it does not, but the labels of items that nobody judged could change that",
}
_SAID = {FAIL: "failed", CANNOT_TELL: "cannot be told", PASS: "passed"}


def mark(outcome: str) -> str:
    """An outcome as it is printed: what is not passed is not overlooked.

    >>> mark(PASS), mark(CANNOT_TELL)
    ('pass', 'CANNOT TELL')
    """
    return outcome if outcome == PASS else outcome.upper()


@dataclass(eq=False, repr=False)
class Check(Record):
    """One thing that a candidate was held to.

    Attributes:
        name: What is checked: the name of a mode or of a threshold, or ``pinned``.
        measure: By which measure.
        outcome: One of ``OUTCOMES``.
        decides: Whether the verdict depends on it; the modes that were not asked for do not.
        sentence: What was found, in plain words.
        numbers: The numbers in it, by name.
        query: The pinned query that it is about, if it is about one.
    """

    name: str
    measure: Measure
    outcome: str
    decides: bool
    sentence: str
    numbers: Mapping[str, float]
    query: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the candidate meets it."""
        return self.outcome == PASS


@dataclass(eq=False, repr=False)
class Gated(Record):
    """The numbers of one measure, on which its checks are based.

    What takes a baseline is None without one; what takes two queries is None for one.

    Attributes:
        measure: The measure.
        thresholds: What the candidate was held to by it.
        n_queries: How many queries have a value in both runs.
        candidate: The mean of the candidate.
        baseline: The mean of the baseline.
        difference: The mean of the candidate less the mean of the baseline.
        lower: The lower end of the one-sided confidence interval of the difference.
        p_regression: The one-sided p-value that the candidate is worse.
        p_noninferior: The one-sided p-value that it is not worse by as much as is allowed.
        detectable: The smallest drop that so many queries show four times out of five, by the
            one-sided test.
        judged: The share of what the candidate ranks within the cutoff that is judged: the mean of
            Judged@k, queries without results left out. None where items are not judged one by one.
        judged_before: The same of the baseline.
        possible: Where the difference may lie whatever the labels of unjudged items are; worked
            out for nDCG and its kin where a check failed.
        possible_candidate: The same for the mean of the candidate.
    """

    measure: Measure
    thresholds: Thresholds
    n_queries: int
    candidate: float
    baseline: float | None = None
    difference: float | None = None
    lower: float | None = None
    p_regression: float | None = None
    p_noninferior: float | None = None
    detectable: float | None = None
    judged: float | None = None
    judged_before: float | None = None
    possible: Interval | None = None
    possible_candidate: Interval | None = None

    @property
    def newly_unjudged(self) -> float:
        """The share of the candidate's items that are unjudged beyond those of the baseline.

        >>> from gainful import nDCG
        >>> Gated(nDCG, Thresholds(), 9, 0.5, judged=0.75, judged_before=1.0).newly_unjudged
        0.25
        """
        if self.judged is None or self.judged_before is None:
            return 0.0
        return self.judged_before - self.judged

    def to_dict(self) -> dict[str, Any]:
        """All numbers by name."""
        own = {"measure": str(self.measure), "thresholds": self.thresholds.to_dict()}
        numbers: dict[str, Any] = plain({**vars(self), **own})
        return numbers


class Drop(NamedTuple):
    """One query, and its values; without a baseline there is the candidate's alone."""

    query: str
    candidate: float
    baseline: float | None = None
    difference: float | None = None


@dataclass(eq=False, repr=False)
class Gate(Frozen):
    """What a gate decided.

    Attributes:
        candidate: The name of the run that was let through or not.
        baseline: The name of the run that it would replace, if there is one.
        queries: The id of each query.
        measures: The measures, each of which is gated.
        values: For every measure the values of the candidate, one per query, and in the row below,
            if there is one, those of the baseline.
        gated: The numbers of every measure.
        checks: What the candidate was held to, measure by measure.
        rules: The rules under which the values hold.
        notices: What a reader of the numbers should know.

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
    gated: tuple[Gated, ...]
    checks: tuple[Check, ...]
    rules: Rules
    notices: tuple[Notice, ...] = field(default=())

    @property
    def deciding(self) -> tuple[Check, ...]:
        """The checks that the verdict depends on."""
        return tuple(check for check in self.checks if check.decides)

    @property
    def verdict(self) -> str:
        """One of ``OUTCOMES``: what fails is worse than what nobody can tell."""
        found = {check.outcome for check in self.deciding}
        return next(outcome for outcome in (FAIL, CANNOT_TELL, PASS) if outcome in found)

    @property
    def passed(self) -> bool:
        """Whether the candidate meets all that it is held to."""
        return self.verdict == PASS

    @property
    def sentence(self) -> str:
        """The verdict in a sentence."""
        outcomes = [check.outcome for check in self.deciding]
        counts = [(outcomes.count(outcome), said) for outcome, said in _SAID.items()]
        found = ", ".join(f"{n:,} {said}" for n, said in counts if n)
        whom = "" if self.baseline is None else f" against {self.baseline!r}"
        head = f"{mark(self.verdict)}: run {self.candidate!r}{whom}: "
        new = max(gated.newly_unjudged for gated in self.gated)
        if self.verdict == CANNOT_TELL and new > 0:
            head += f"{share(new)} new unjudged items; "
        n_checks = count(len(outcomes), "check", "checks")
        n_queries = count(len(self.queries), "query", "queries")
        return f"{head}{n_checks} on {n_queries}, {found}."

    def worst(self, n: int = 5, measure: str | Measure | None = None) -> tuple[Drop, ...]:
        """The queries that dropped most, or without a baseline the lowest; the largest drop first.

        Queries that did not drop, or have no value, are not among them.
        """
        values = self.values[self.measures.index(self._known(measure))]
        by = values[0] - values[1] if len(values) == 2 else values[0]
        # Rounded, so that what is alike but for rounding stays in the order of the queries.
        order = np.argsort(np.round(by, 12), kind="stable")
        order = order[by[order] < (0 if len(values) == 2 else np.inf)]  # NaN is not below either
        return tuple(
            Drop(self.queries[i], *map(float, (*values[:, i], *([by[i]] * (len(values) - 1)))))
            for i in order[:n].tolist()
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything there is but the values of all queries, as plain values."""
        return {
            "verdict": self.verdict,
            "passed": self.passed,
            "sentence": self.sentence,
            "candidate": self.candidate,
            "baseline": self.baseline,
            "n_queries": len(self.queries),
            "measures": [gated.to_dict() for gated in self.gated],
            "checks": [plain({**vars(c), "measure": str(c.measure)}) for c in self.checks],
            "worst": {str(m): [d._asdict() for d in self.worst(measure=m)] for m in self.measures},
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """The same as JSON."""
        return to_json(self.to_dict(), indent=indent)

    def to_markdown(self) -> str:
        """The verdict, the checks and the worst queries, for the summary of a CI job."""
        from gainful.gating.text import markdown

        return markdown(self)

    def to_junit(self) -> str:
        """JUnit XML: a test case for every check that decides."""
        from gainful.gating.junit import junit

        return junit(self)

    def __repr__(self) -> str:
        from gainful.gating.text import text

        return text(self)

    def _known(self, measure: str | Measure | None) -> Measure:
        wanted = parse(measure) if isinstance(measure, str) else measure or self.measures[0]
        if wanted not in self.measures:
            known = ", ".join(map(str, self.measures))
            message = f"{wanted} was not gated; there are {known}."
            raise ComparisonError(message, code="not-in-result")
        return wanted
