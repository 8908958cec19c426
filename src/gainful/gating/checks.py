"""What a candidate is held to, by one measure, and the sentence about each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gainful.gating.coverage import lacks_labels, lacks_many, looked_at
from gainful.gating.digits import TOLERANCE, chance, share, signed, told, way
from gainful.gating.possible import Possible
from gainful.gating.query_checks import HOLES, of_queries
from gainful.gating.result import CANNOT_TELL, FAIL, PASS, Check, Gated
from gainful.interval import Interval
from gainful.ragged import FloatArray
from gainful.settings import text_of


class _Found(NamedTuple):
    """What one check found.

    Attributes:
        fits: Whether the candidate meets it.
        sentence: What was found.
        numbers: The numbers in it.
        reach: A number that has to come up to another for the candidate to meet it, as it is and
            as it could be with other labels, and that other.
    """

    fits: bool
    sentence: str
    numbers: Mapping[str, float]
    reach: tuple[float, Interval | None, float] | None = None


def checks(
    gated: Gated,
    values: FloatArray,
    queries: Sequence[str],
    pinned: Sequence[str],
    possible: Possible | None = None,
) -> Iterator[Check]:
    """Every check of one measure, those of the modes first.

    Args:
        gated: The numbers of the measure.
        values: The values of the candidate, and below them those of the baseline.
        queries: The id of each query.
        pinned: The pinned queries.
        possible: What the labels of unjudged items could make of the values, if that is known.
    """
    given = gated.thresholds
    if len(values) == 2:
        for name, look in MODES.items():
            yield _check(gated, name, look(gated), decides=name == given.mode)
    if given.min is not None:
        yield _check(gated, "min", _min(gated, given.min))
    if pinned or given.query_max_drop is not None:
        yield from of_queries(gated, values, queries, pinned, possible)
    if given.min_judged is not None:
        yield _min_judged(gated, given.min_judged)


def _check(gated: Gated, name: str, found: _Found, *, decides: bool = True) -> Check:
    """The check; where labels could let it pass, nobody can tell, and the sentence says why."""
    fits, sentence, numbers, _ = found
    outcome = PASS if fits else FAIL
    if not fits and _labels_matter(gated, found):
        outcome = CANNOT_TELL
        sentence = f"{sentence} {_lacking(gated)}" if decides else sentence
    return Check(name, gated.measure, outcome, decides, sentence, numbers)


def _labels_matter(gated: Gated, found: _Found) -> bool:
    if found.reach is None:
        return False
    now, possible, needed = found.reach
    if now >= needed:
        return False  # it takes more queries, not more labels
    if possible is None:
        return lacks_many(gated)
    return lacks_labels(gated) and possible.high >= needed - TOLERANCE


def _point(gated: Gated) -> _Found:
    """Whether the mean drops by more than is allowed."""
    assert gated.difference is not None
    allowed = gated.thresholds.allowed
    fits = gated.difference >= -allowed - TOLERANCE
    limit = "a drop of" if fits else "no more than"
    sentence = f"{_moved(gated)}; {limit} {text_of(allowed)} is allowed."
    return _Found(
        fits,
        sentence,
        {"difference": gated.difference, "max_drop": allowed},
        _reach(gated, -allowed),
    )


def _regression(gated: Gated) -> _Found:
    """Whether the mean drops by more than chance explains."""
    assert gated.difference is not None
    alpha, p = gated.thresholds.alpha, gated.p_regression
    if p is None:
        sentence = f"one query cannot show that {gated.measure} drops."
        return _Found(True, sentence, {"alpha": alpha})
    numbers = {"difference": gated.difference, "p": p, "alpha": alpha}
    if gated.difference >= -TOLERANCE:
        return _Found(True, f"{gated.measure} does not drop: p = {chance(p, alpha)}.", numbers)
    if p < alpha:
        why = f"more than chance explains: p = {chance(p, alpha)}, below {text_of(alpha)}"
        return _Found(False, f"{_moved(gated)}, {why}.", numbers, _reach(gated, 0.0))
    why = f"p = {chance(p, alpha)}, not below {text_of(alpha)}"
    return _Found(True, f"chance may explain that {_moved(gated)}: {why}.", numbers)


def _noninferior(gated: Gated) -> _Found:
    """Whether a drop by as much as is allowed, or more, is ruled out."""
    allowed, alpha = gated.thresholds.allowed, gated.thresholds.alpha
    numbers = {"max_drop": allowed, "alpha": alpha}
    drop = f"that {gated.measure} drops by {text_of(allowed)} or more"
    if gated.p_noninferior is None or gated.lower is None:
        return _Found(False, f"one query cannot rule out {drop}.", numbers, _reach(gated, -allowed))
    numbers |= {"p": gated.p_noninferior, "lower": gated.lower}
    fits = gated.p_noninferior < alpha
    sentence = (
        f"{drop} is {'' if fits else 'not '}ruled out: with {100 * (1 - alpha):g} % "
        f"confidence the difference is above {told(gated.lower, -allowed)}."
    )
    return _Found(fits, sentence, numbers, _reach(gated, -allowed))


MODES: dict[str, Callable[[Gated], _Found]] = {
    "point": _point,
    "regression": _regression,
    "noninferior": _noninferior,
}


def _min(gated: Gated, least: float) -> _Found:
    fits = gated.candidate >= least - TOLERANCE
    side = "at least" if fits else "below"
    sentence = f"{gated.measure} is {told(gated.candidate, least)}, {side} {text_of(least)}."
    reach = (gated.candidate, gated.possible_candidate, least)
    return _Found(fits, sentence, {"candidate": gated.candidate, "min": least}, reach)


def _reach(gated: Gated, needed: float) -> tuple[float, Interval | None, float]:
    assert gated.difference is not None
    return gated.difference, gated.possible, needed


def _min_judged(gated: Gated, least: float) -> Check:
    judged = gated.judged or 0.0
    fits = judged >= least - TOLERANCE
    side = "at least" if fits else "below"
    sentence = f"{share(judged, least)} of {looked_at(gated)} are judged, {side} {share(least)}."
    if not fits:
        sentence += f" See what to judge: {HOLES}"
    numbers = {"judged": judged, "min_judged": least}
    outcome = PASS if fits else CANNOT_TELL
    return Check("min-judged", gated.measure, outcome, True, sentence, numbers)


def _lacking(gated: Gated) -> str:
    """Why nobody can tell, and what to do about it."""
    assert gated.judged is not None
    new = gated.newly_unjudged
    lack = f"only {share(gated.judged)} of {looked_at(gated)} are judged"
    if gated.judged_before is not None and new > 0:
        lack = (
            f"{share(new)} new unjudged items ({share(gated.judged_before)} of "
            f"{looked_at(gated)} were judged, now {share(gated.judged)})"
        )
    effect = ""
    if gated.possible is not None:
        low, high = map(signed, gated.possible)
        effect = f"; with their labels the difference may be anything from {low} to {high}"
    return f"This may be a lack of judgments: {lack}{effect}. See what to judge: {HOLES}"


def _moved(gated: Gated) -> str:
    assert gated.difference is not None
    assert gated.baseline is not None
    if abs(gated.difference) <= TOLERANCE:
        return f"{gated.measure} stays at {told(gated.candidate)}"
    by = told(abs(gated.difference), gated.thresholds.allowed)
    ends = f"from {told(gated.baseline)} to {told(gated.candidate)}"
    return f"{gated.measure} {way(gated.difference)} by {by}, {ends}"
