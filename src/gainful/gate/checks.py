"""The checks of a gate: outcome and sentence for every threshold, and for pinned queries."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from gainful.base import (
    TOLERANCE,
    BoolArray,
    FloatArray,
    Interval,
    describe_change,
    format_count,
    format_difference,
    format_distinct,
    format_p_value_brief,
    format_percent,
    format_setting,
)
from gainful.errors import ComparisonError, SourceError
from gainful.gate.evidence import (
    Evidence,
    PossibleValues,
    describe_depth,
    lacks_labels,
    lacks_many_labels,
)
from gainful.measures import Measure

PASS: Final = "pass"
FAIL: Final = "fail"
CANNOT_TELL: Final = "cannot tell"


def format_outcome(outcome: str) -> str:
    """Return an outcome as it is printed: in capitals unless it is a pass.

    >>> format_outcome(PASS), format_outcome(CANNOT_TELL)
    ('pass', 'CANNOT TELL')
    """
    return outcome if outcome == PASS else outcome.upper()


@dataclass(frozen=True)
class Check:
    """One check of a candidate.

    Attributes:
        name: Name of a mode or of a threshold, or ``pinned``.
        measure: The measure.
        outcome: ``"pass"``, ``"fail"``, or ``"cannot tell"`` where the labels of unjudged items
            could change a failure.
        decides: True if the verdict depends on it; False for the modes that were not chosen.
        sentence: The result, in plain words.
        numbers: The numbers in it, by name.
        query: The pinned query, if the check is about one.
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
        """True if the candidate passes the check."""
        return self.outcome == PASS


UNJUDGED_COMMAND = "gainful unjudged QRELS BASELINE CANDIDATE"
_MAX_NAMED = 3  # queries that a sentence names
_MISSING_LABELS = f"This may be a lack of judgments. See what to judge: {UNJUDGED_COMMAND}"


def check_queries(
    evidence: Evidence,
    values: FloatArray,
    queries: Sequence[str],
    pinned: Sequence[str],
    possible: PossibleValues | None,
) -> Iterator[Check]:
    """Yield a check of every pinned query; without any, one check of all queries.

    A query without a value in either run does not drop.
    """
    limit = evidence.thresholds.query_max_drop or 0.0
    drops = np.nan_to_num(values[1] - values[0])
    # Labels could let these queries stay within the limit; the baseline lacks fewer of them.
    undecided = np.zeros(len(drops), dtype=np.bool_)
    if possible is not None:
        undecided = possible.lacks_labels & (possible.highest >= -limit - TOLERANCE)
    if not pinned:
        yield _check_all_queries(evidence, drops, queries, limit, undecided)
        return
    number_of = {query: i for i, query in enumerate(queries)}
    for query in pinned:
        i = number_of[query]
        candidate, baseline = map(float, np.nan_to_num(values[:, i]))
        yield _check_pinned_query(evidence, query, candidate, baseline, limit, bool(undecided[i]))


def _check_all_queries(
    evidence: Evidence,
    drops: FloatArray,
    queries: Sequence[str],
    limit: float,
    undecided: BoolArray,
) -> Check:
    order = np.argsort(np.round(-drops, 12), kind="stable")
    too_far = order[drops[order] > limit + TOLERANCE]
    first, outcome = int(order[0]), PASS
    sentence = "no query drops."
    if len(too_far):
        outcome = CANNOT_TELL if undecided[too_far].all() else FAIL
        examples = too_far[:_MAX_NAMED].tolist()
        examples_text = ", ".join(
            f"{queries[i]!r} by {format_distinct(drops[i], limit)}" for i in examples
        )
        examples_text += ", ..." if len(too_far) > _MAX_NAMED else ""
        dropping = format_count(len(too_far), "query drops", "queries drop")
        sentence = f"{dropping} by more than {format_setting(limit)} ({examples_text})."
    elif drops[first] > TOLERANCE:
        largest = f"{format_distinct(drops[first], limit)}, of {queries[first]!r}"
        sentence = (
            f"no query drops by more than {format_setting(limit)}; the largest drop is {largest}."
        )
    sentence = f"{sentence} {_MISSING_LABELS}" if outcome == CANNOT_TELL else sentence
    numbers = {"largest": float(max(drops[first], 0.0)), "query_max_drop": limit}
    return Check("query-max-drop", evidence.measure, outcome, True, sentence, numbers)


def _check_pinned_query(
    evidence: Evidence,
    query: str,
    candidate: float,
    baseline: float,
    max_drop: float,
    undecided: bool,
) -> Check:
    sentence = f"query {query!r} stays at {format_distinct(candidate)}."
    if abs(candidate - baseline) > TOLERANCE:
        change = format_distinct(abs(candidate - baseline), max_drop)
        sentence = (
            f"query {query!r} {describe_change(candidate - baseline)} by {change}, "
            f"from {format_distinct(baseline)} to {format_distinct(candidate)}."
        )
    outcome = PASS
    if baseline - candidate > max_drop + TOLERANCE:
        limit = (
            f"no more than {format_setting(max_drop)} is allowed"
            if max_drop
            else "a pinned query may not drop"
        )
        outcome = CANNOT_TELL if undecided else FAIL
        sentence = f"{sentence[:-1]}; {limit}.{f' {_MISSING_LABELS}' if undecided else ''}"
    numbers = {"candidate": candidate, "baseline": baseline, "query_max_drop": max_drop}
    return Check("pinned", evidence.measure, outcome, True, sentence, numbers, query)


class _Assessment(NamedTuple):
    """The result of one check, before missing labels are considered.

    Attributes:
        passes: True if the candidate passes the check.
        sentence: The result, in plain words.
        numbers: The numbers in it.
        reach: The number that decides, its range over all labels of unjudged items, and the value
            that it has to reach.
    """

    passes: bool
    sentence: str
    numbers: Mapping[str, float]
    reach: tuple[float, Interval | None, float] | None = None


def run_checks(
    evidence: Evidence,
    values: FloatArray,
    queries: Sequence[str],
    pinned: Sequence[str],
    possible: PossibleValues | None = None,
) -> Iterator[Check]:
    """Yield the checks of one measure, those of the modes first.

    Args:
        evidence: The numbers of the measure.
        values: The values of the candidate, and below them those of the baseline.
        queries: The id of each query.
        pinned: The pinned queries.
        possible: The ranges of the values over all labels of unjudged items, if known.
    """
    thresholds = evidence.thresholds
    if len(values) == 2:
        for name, assess in MODES.items():
            yield _make_check(evidence, name, assess(evidence), decides=name == thresholds.mode)
    if thresholds.min is not None:
        yield _make_check(evidence, "min", _check_min(evidence, thresholds.min))
    if pinned or thresholds.query_max_drop is not None:
        yield from check_queries(evidence, values, queries, pinned, possible)
    if thresholds.min_judged is not None:
        yield _check_min_judged(evidence, thresholds.min_judged)


def _make_check(
    evidence: Evidence, name: str, assessment: _Assessment, *, decides: bool = True
) -> Check:
    """Return the check; where labels could let it pass, it cannot tell, and says why."""
    passes, sentence, numbers, _ = assessment
    outcome = PASS if passes else FAIL
    if not passes and _could_pass_with_labels(evidence, assessment):
        outcome = CANNOT_TELL
        sentence = f"{sentence} {_describe_missing_labels(evidence)}" if decides else sentence
    return Check(name, evidence.measure, outcome, decides, sentence, numbers)


def _could_pass_with_labels(evidence: Evidence, assessment: _Assessment) -> bool:
    if assessment.reach is None:
        return False
    value, possible, needed = assessment.reach
    if value >= needed:
        return False  # it takes more queries, not more labels
    if possible is None:
        return lacks_many_labels(evidence)
    return lacks_labels(evidence) and possible.high >= needed - TOLERANCE


def _check_point(evidence: Evidence) -> _Assessment:
    """Check that the mean drops by no more than is allowed."""
    assert evidence.difference is not None
    allowed = evidence.thresholds.allowed_drop
    passes = evidence.difference >= -allowed - TOLERANCE
    limit = "a drop of" if passes else "no more than"
    sentence = f"{_describe_change(evidence)}; {limit} {format_setting(allowed)} is allowed."
    return _Assessment(
        passes,
        sentence,
        {"difference": evidence.difference, "max_drop": allowed},
        _make_difference_reach(evidence, -allowed),
    )


def _check_regression(evidence: Evidence) -> _Assessment:
    """Check that the mean does not drop by more than chance explains."""
    assert evidence.difference is not None
    alpha, p = evidence.thresholds.alpha, evidence.p_regression
    if p is None:
        sentence = f"one query cannot show that {evidence.measure} drops."
        return _Assessment(True, sentence, {"alpha": alpha})
    numbers = {"difference": evidence.difference, "p": p, "alpha": alpha}
    if evidence.difference >= -TOLERANCE:
        sentence = f"{evidence.measure} does not drop: p = {format_p_value_brief(p, alpha)}."
        return _Assessment(True, sentence, numbers)
    if p < alpha:
        p_text = format_p_value_brief(p, alpha)
        reason = f"more than chance explains: p = {p_text}, below {format_setting(alpha)}"
        sentence = f"{_describe_change(evidence)}, {reason}."
        return _Assessment(False, sentence, numbers, _make_difference_reach(evidence, 0.0))
    reason = f"p = {format_p_value_brief(p, alpha)}, not below {format_setting(alpha)}"
    sentence = f"chance may explain that {_describe_change(evidence)}: {reason}."
    return _Assessment(True, sentence, numbers)


def _check_noninferior(evidence: Evidence) -> _Assessment:
    """Check that a drop by as much as is allowed, or more, is ruled out."""
    allowed, alpha = evidence.thresholds.allowed_drop, evidence.thresholds.alpha
    numbers = {"max_drop": allowed, "alpha": alpha}
    drop = f"that {evidence.measure} drops by {format_setting(allowed)} or more"
    reach = _make_difference_reach(evidence, -allowed)
    if evidence.p_noninferior is None or evidence.lower is None:
        return _Assessment(False, f"one query cannot rule out {drop}.", numbers, reach)
    numbers |= {"p": evidence.p_noninferior, "lower": evidence.lower}
    passes = evidence.p_noninferior < alpha
    sentence = (
        f"{drop} is {'' if passes else 'not '}ruled out: with {100 * (1 - alpha):g}% "
        f"confidence the difference is above {format_distinct(evidence.lower, -allowed)}."
    )
    return _Assessment(passes, sentence, numbers, reach)


MODES: dict[str, Callable[[Evidence], _Assessment]] = {
    "point": _check_point,
    "regression": _check_regression,
    "noninferior": _check_noninferior,
}


def _check_min(evidence: Evidence, minimum: float) -> _Assessment:
    passes = evidence.candidate >= minimum - TOLERANCE
    side = "at least" if passes else "below"
    value = format_distinct(evidence.candidate, minimum)
    sentence = f"{evidence.measure} is {value}, {side} {format_setting(minimum)}."
    reach = (evidence.candidate, evidence.possible_candidate, minimum)
    return _Assessment(passes, sentence, {"candidate": evidence.candidate, "min": minimum}, reach)


def _make_difference_reach(
    evidence: Evidence, needed: float
) -> tuple[float, Interval | None, float]:
    assert evidence.difference is not None
    return evidence.difference, evidence.possible, needed


def _check_min_judged(evidence: Evidence, minimum: float) -> Check:
    judged = evidence.judged or 0.0
    passes = judged >= minimum - TOLERANCE
    side = "at least" if passes else "below"
    share, limit = format_percent(judged, minimum), format_percent(minimum)
    sentence = f"{share} of {describe_depth(evidence)} are judged, {side} {limit}."
    if not passes:
        sentence += f" See what to judge: {UNJUDGED_COMMAND}"
    numbers = {"judged": judged, "min_judged": minimum}
    outcome = PASS if passes else CANNOT_TELL
    return Check("min-judged", evidence.measure, outcome, True, sentence, numbers)


def _describe_missing_labels(evidence: Evidence) -> str:
    """Describe the missing labels, their possible effect, and the way to get them."""
    assert evidence.judged is not None
    new = evidence.newly_unjudged
    lack = f"only {format_percent(evidence.judged)} of {describe_depth(evidence)} are judged"
    if evidence.judged_before is not None and new > 0:
        lack = (
            f"{format_percent(new)} new unjudged items ({format_percent(evidence.judged_before)} "
            f"of {describe_depth(evidence)} were judged, now {format_percent(evidence.judged)})"
        )
    effect = ""
    if evidence.possible is not None:
        low, high = map(format_difference, evidence.possible)
        effect = f"; with their labels the difference may be anything from {low} to {high}"
    return f"This may be a lack of judgments: {lack}{effect}. See what to judge: {UNJUDGED_COMMAND}"


def _describe_change(evidence: Evidence) -> str:
    assert evidence.difference is not None
    assert evidence.baseline is not None
    if abs(evidence.difference) <= TOLERANCE:
        return f"{evidence.measure} stays at {format_distinct(evidence.candidate)}"
    change = format_distinct(abs(evidence.difference), evidence.thresholds.allowed_drop)
    ends = f"from {format_distinct(evidence.baseline)} to {format_distinct(evidence.candidate)}"
    return f"{evidence.measure} {describe_change(evidence.difference)} by {change}, {ends}"


PinnedQueries = Iterable[object] | str | os.PathLike[str]
_MAX_SUGGESTIONS = 3  # ids that an error suggests


def read_pinned(pinned: PinnedQueries) -> tuple[str, ...]:
    """Return the ids of pinned queries, each once, from ids or from the path of a file.

    A file has one id per line. Blank lines, and those that begin with #, are skipped.

    >>> read_pinned(["q1", 7, "q1"])
    ('q1', '7')
    """
    if isinstance(pinned, str | os.PathLike):
        return _read_pinned_file(os.fspath(pinned))
    if isinstance(pinned, bytes) or not isinstance(pinned, Iterable):
        message = f"pinned: must be ids of queries, or the path of a file, got {pinned!r:.60}."
        raise ComparisonError(message, code="bad-argument")
    return tuple(dict.fromkeys(str(query) for query in pinned))


def _read_pinned_file(path: str) -> tuple[str, ...]:
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = [line.strip() for line in file]
    except OSError as error:
        reason = str(error.strerror or error).lower()
        message = f"{path}: {reason}."
        raise SourceError(message, code="cannot-read") from error
    queries = tuple(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
    if not queries:
        message = f"{path}: there are no queries in it; write one id a line."
        raise SourceError(message, code="nothing-in-it")
    return queries


def require_known_queries(
    pinned: Sequence[str], queries: Sequence[str], source: PinnedQueries
) -> None:
    """Raise an error if a pinned query has no judgments; it suggests similar ids.

    >>> require_known_queries(["q1"], ["q1", "q2"], "pinned.txt")
    """
    name = os.fspath(source) if isinstance(source, str | os.PathLike) else "pinned"
    judged = set(queries)
    unknown = [query for query in pinned if query not in judged]
    if not unknown:
        return
    import difflib  # only a misspelled id needs it

    folded = {query.casefold(): query for query in queries}
    matches = difflib.get_close_matches(
        unknown[0].casefold(), folded, n=_MAX_SUGGESTIONS, cutoff=0.6
    )
    suggestions = [folded[query] for query in matches]
    hint = f"The first of the qrels is {queries[0]!r}."
    if suggestions:
        hint = f"Did you mean {' or '.join(map(repr, suggestions))}?"
    more = f", and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
    message = f"{name}: query {unknown[0]!r} has no judgments{more}. {hint}"
    raise ComparisonError(message, code="unknown-query")
