"""What a candidate is held to, by one measure, and the sentence about each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gainful.gating.coverage import labels_matter, newly_unjudged
from gainful.gating.digits import chance, share, signed, told
from gainful.gating.result import CANNOT_TELL, FAIL, PASS, Check, Gated
from gainful.ragged import FloatArray
from gainful.settings import text_of
from gainful.wording import count

TOLERANCE = 1e-12  # of a drop: what only rounding makes larger than the limit is not
HOLES = "gainful holes QRELS BASELINE CANDIDATE"
_SHOWN = 3  # queries that a sentence names


class _Found(NamedTuple):
    """What one check found.

    Attributes:
        fits: Whether the candidate meets it.
        sentence: What was found.
        numbers: The numbers in it.
        needed: The difference of means from which on the candidate would meet it, if it depends on
            that alone, or at least on that.
    """

    fits: bool
    sentence: str
    numbers: Mapping[str, float]
    needed: float | None = None


def checks(
    gated: Gated, values: FloatArray, queries: Sequence[str], pinned: Sequence[str]
) -> Iterator[Check]:
    """Every check of one measure, those of the modes first."""
    given = gated.thresholds
    if len(values) == 2:
        for name, look in MODES.items():
            yield _check(gated, name, look(gated), decides=name == given.mode)
    if given.min is not None:
        yield _check(gated, "min", _min(gated, given.min))
    if pinned:
        yield from _pinned(gated, values, queries, pinned)
    elif given.query_max_drop is not None:
        yield _queries(gated, values, queries, given.query_max_drop)
    if given.min_judged is not None:
        yield _min_judged(gated, given.min_judged)


def _check(gated: Gated, name: str, found: _Found, *, decides: bool = True) -> Check:
    """The check; where labels could let it pass, nobody can tell, and the sentence says why."""
    fits, sentence, numbers, needed = found
    outcome = PASS if fits else FAIL
    if not fits and labels_matter(gated, needed):
        outcome = CANNOT_TELL
        sentence = f"{sentence} {_lacking(gated)}" if decides else sentence
    return Check(name, gated.measure, outcome, decides, sentence, numbers)


def _point(gated: Gated) -> _Found:
    """Whether the mean drops by more than is allowed."""
    assert gated.difference is not None
    allowed = gated.thresholds.allowed
    fits = gated.difference >= -allowed - TOLERANCE
    limit = "a drop of" if fits else "no more than"
    sentence = f"{_moved(gated)}; {limit} {text_of(allowed)} is allowed."
    return _Found(fits, sentence, {"difference": gated.difference, "max_drop": allowed}, -allowed)


def _regression(gated: Gated) -> _Found:
    """Whether the mean drops by more than chance explains."""
    assert gated.difference is not None
    alpha, p = gated.thresholds.alpha, gated.p_regression
    if p is None:
        sentence = f"one query cannot show that {gated.measure} drops."
        return _Found(True, sentence, {"alpha": alpha})
    numbers = {"difference": gated.difference, "p": p, "alpha": alpha}
    if gated.difference >= -TOLERANCE:
        return _Found(True, f"{gated.measure} does not drop: p = {chance(p)}.", numbers)
    if p < alpha:
        why = f"more than chance explains: p = {chance(p)}, below {text_of(alpha)}"
        return _Found(False, f"{_moved(gated)}, {why}.", numbers, 0.0)
    why = f"p = {chance(p)}, not below {text_of(alpha)}"
    return _Found(True, f"chance may explain that {_moved(gated)}: {why}.", numbers)


def _noninferior(gated: Gated) -> _Found:
    """Whether a drop by as much as is allowed, or more, is ruled out."""
    allowed, alpha = gated.thresholds.allowed, gated.thresholds.alpha
    numbers = {"max_drop": allowed, "alpha": alpha}
    drop = f"that {gated.measure} drops by {text_of(allowed)} or more"
    if gated.p_noninferior is None or gated.lower is None:
        return _Found(False, f"one query cannot rule out {drop}.", numbers, -allowed)
    numbers |= {"p": gated.p_noninferior, "lower": gated.lower}
    fits = gated.p_noninferior < alpha
    sentence = (
        f"{drop} is {'' if fits else 'not '}ruled out: with {text_of(100 * (1 - alpha))} % "
        f"confidence the difference is above {told(gated.lower, -allowed)}."
    )
    return _Found(fits, sentence, numbers, -allowed)


MODES: dict[str, Callable[[Gated], _Found]] = {
    "point": _point,
    "regression": _regression,
    "noninferior": _noninferior,
}


def _min(gated: Gated, least: float) -> _Found:
    fits = gated.candidate >= least - TOLERANCE
    side = "at least" if fits else "below"
    sentence = f"{gated.measure} is {told(gated.candidate, least)}, {side} {text_of(least)}."
    needed = None
    if gated.difference is not None:
        needed = gated.difference + least - gated.candidate
    return _Found(fits, sentence, {"candidate": gated.candidate, "min": least}, needed)


def _min_judged(gated: Gated, least: float) -> Check:
    judged = gated.judged or 0.0
    fits = judged >= least - TOLERANCE
    side = "at least" if fits else "below"
    sentence = f"{share(judged)} of {_looked_at(gated)} are judged, {side} {share(least)}."
    if not fits:
        sentence += f" See what to judge: {HOLES}"
    numbers = {"judged": judged, "min_judged": least}
    outcome = PASS if fits else CANNOT_TELL
    return Check("min-judged", gated.measure, outcome, True, sentence, numbers)


def _queries(gated: Gated, values: FloatArray, queries: Sequence[str], most: float) -> Check:
    drops = np.nan_to_num(values[1] - values[0])
    order = np.argsort(-drops, kind="stable")
    too_far = [i for i in order.tolist() if drops[i] > most + TOLERANCE]
    first, limit = int(order[0]), text_of(most)
    sentence = "no query drops."
    if too_far:
        each = [f"{queries[i]!r} by {told(drops[i], most)}" for i in too_far[:_SHOWN]]
        named = ", ".join(each) + (", ..." if len(too_far) > _SHOWN else "")
        dropping = count(len(too_far), "query drops", "queries drop")
        sentence = f"{dropping} by more than {limit}: {named}."
    elif drops[first] > 0:
        largest = f"{told(drops[first], most)}, of {queries[first]!r}"
        sentence = f"no query drops by more than {limit}; the largest drop is {largest}."
    numbers = {"largest": float(max(drops[first], 0.0)), "query_max_drop": most}
    outcome = FAIL if too_far else PASS
    return Check("query-max-drop", gated.measure, outcome, True, sentence, numbers)


def _pinned(
    gated: Gated, values: FloatArray, queries: Sequence[str], pinned: Sequence[str]
) -> Iterator[Check]:
    most = gated.thresholds.query_max_drop or 0.0
    place = {query: i for i, query in enumerate(queries)}
    for query in pinned:
        now, before = map(float, np.nan_to_num(values[:, place[query]]))
        fits = before - now <= most + TOLERANCE
        limit = f"no more than {text_of(most)} is allowed" if most else "a pinned query may not"
        moved = f"stays at {told(now)}"
        if now != before:
            by = told(abs(now - before), most)
            moved = f"{_way(now - before)} by {by}, from {told(before)} to {told(now)}"
        sentence = f"query {query!r} {moved}{'' if fits else f'; {limit}'}."
        numbers = {"candidate": now, "baseline": before, "query_max_drop": most}
        outcome = PASS if fits else FAIL
        yield Check("pinned", gated.measure, outcome, True, sentence, numbers, query)


def _lacking(gated: Gated) -> str:
    """Why nobody can tell, and what to do about it."""
    assert gated.judged is not None
    new = newly_unjudged(gated)
    lack = f"only {share(gated.judged)} of {_looked_at(gated)} are judged"
    if gated.judged_before is not None and new > 0:
        lack = (
            f"{share(new)} new unjudged items ({share(gated.judged_before)} of "
            f"{_looked_at(gated)} were judged, now {share(gated.judged)})"
        )
    effect = ""
    if gated.possible is not None:
        low, high = map(signed, gated.possible)
        effect = f"; with their labels the difference may be anything from {low} to {high}"
    return f"This may be a lack of judgments: {lack}{effect}. See what to judge: {HOLES}"


def _looked_at(gated: Gated) -> str:
    cutoff = gated.measure.all_settings.get("cutoff")
    return "the items" if cutoff is None else f"the first {cutoff} items"


def _moved(gated: Gated) -> str:
    assert gated.difference is not None
    assert gated.baseline is not None
    if abs(gated.difference) <= TOLERANCE:
        return f"{gated.measure} stays at {told(gated.candidate)}"
    by = told(abs(gated.difference), gated.thresholds.allowed)
    ends = f"from {told(gated.baseline)} to {told(gated.candidate)}"
    return f"{gated.measure} {_way(gated.difference)} by {by}, {ends}"


def _way(difference: float) -> str:
    return "rises" if difference > 0 else "drops"
