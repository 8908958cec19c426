"""One measure of several runs: what they score, and how each pair of them differs."""

import math
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from gainful import ragged
from gainful.comparison.result import Pair, System
from gainful.errors import ComparisonError
from gainful.interval import Interval
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.stats import verdicts
from gainful.stats._settings import Pairs, Settings
from gainful.stats.bootstrap import Intervals, intervals
from gainful.stats.corrections import benjamini_hochberg, holm
from gainful.stats.effects import (
    d_z,
    d_z_interval,
    pooled_effects,
    superiority,
    wins_ties_losses,
)
from gainful.stats.paired import (
    equivalence,
    paired_t,
    probability_better,
    probability_within,
)
from gainful.stats.power import detectable_effect, queries_needed
from gainful.stats.randomisation import sign_flips
from gainful.stats.requested import REQUESTED
from gainful.stats.spread import LARGEST, spread
from gainful.stats.tukey import max_t, randomised_tukey

# What gave the p-value that the verdict is based on; "{}" is the test of a pair by itself.
_NAMES = {
    "none": "{}",
    "holm": "{}, Holm",
    "bh": "{}, Benjamini-Hochberg",
    "tukey": "randomised Tukey",
    "max-t": "step-down maxT",
}
_SAME = 1e-9  # what only rounding makes differ is the same, however large ties may be


def compared(
    measure: Measure,
    runs: tuple[str, ...],
    values: FloatArray,
    judged: list[float],
    settings: Settings,
) -> tuple[list[System], list[Pair]]:
    """What every run scores, and how every pair differs; queries without a value are left out.

    Args:
        values: A row per run, a column per query.
        judged: The share of judged items, per run.
    """
    values = np.ascontiguousarray(values[:, ~np.isnan(values).any(axis=0)])
    _check(measure, values)
    pairs = settings.pairs(runs)
    how: Any = {"resamples": settings.draws["bootstrap"], "seed": settings.seed}
    found = intervals(values, pairs, level=1 - settings.alpha, **how)
    systems = [
        System(run, measure, ragged.mean(row), interval, share, values.shape[1])
        for run, row, interval, share in zip(runs, values, found.means, judged, strict=True)
    ]
    return systems, _pairs(measure, runs, values, pairs, settings, found)


def _check(measure: Measure, values: FloatArray) -> None:
    if not values.size:
        message = (
            f"compare: {measure} has no value for any query; there is nothing to compare. "
            "Choose another measure, or another rule for queries with nothing relevant."
        )
        raise ComparisonError(message, code="no-values")
    if (large := values[np.abs(values) > LARGEST]).size:
        message = (
            f"compare: values of {measure} must be numbers below {LARGEST:g}, got "
            f"{float(large[0])!r}. Choose another measure, such as nDCG@10."
        )
        raise ComparisonError(message, code="not-numbers")


class _Given(NamedTuple):
    """Two runs by one measure, and what was found for all pairs together."""

    measure: Measure
    system: str
    baseline: str
    ours: FloatArray
    theirs: FloatArray
    interval: Interval
    relative_interval: Interval
    pooled_effect: float
    p_randomised: float
    p_adjusted: float
    test: str


def _pairs(
    measure: Measure,
    runs: tuple[str, ...],
    values: FloatArray,
    pairs: Pairs,
    settings: Settings,
    found: Intervals,
) -> list[Pair]:
    correction = settings.correction_for(len(pairs))
    flips = {"resamples": settings.draws["sign flips"], "seed": settings.seed}
    p_randomised = sign_flips(values, pairs, **flips)
    p_adjusted = _adjusted(correction, values, pairs, settings)
    pooled = pooled_effects(values)
    return [
        _pair(
            _Given(
                measure,
                runs[system],
                runs[baseline],
                values[system],
                values[baseline],
                found.differences[i],
                found.relatives[i],
                float(pooled[system, baseline]),
                float(p_randomised[i]),
                float(p_adjusted[i]),
                _NAMES[correction],
            ),
            settings,
            flips,
        )
        for i, (system, baseline) in enumerate(pairs)
    ]


def _pair(given: _Given, settings: Settings, flips: dict[str, int]) -> Pair:
    lost = given.ours - given.theirs
    found, test, margin = spread(lost), paired_t(lost, level=1 - settings.alpha), settings.margin
    wins, ties, losses = wins_ties_losses(lost, tie=settings.tie)
    mean, of_baseline = ragged.mean(given.ours), ragged.mean(given.theirs)
    difference = mean - of_baseline
    pair = Pair(
        measure=given.measure,
        system=given.system,
        baseline=given.baseline,
        difference=difference,
        interval=given.interval,
        t_interval=test.interval,
        relative=difference / of_baseline if of_baseline else math.nan,
        relative_interval=given.relative_interval,
        deviation=found.deviation,
        effect=d_z(lost),
        effect_interval=d_z_interval(lost, level=1 - settings.alpha),
        pooled_effect=given.pooled_effect,
        t=test.t,
        p_t=test.p,
        p_randomised=given.p_randomised,
        p_adjusted=given.p_adjusted,
        wins=wins,
        ties=ties,
        losses=losses,
        superiority=superiority(lost, tie=settings.tie),
        p_better=probability_better(lost),
        p_equal=None if margin is None else probability_within(lost, margin),
        p_equivalent=None if margin is None else equivalence(lost, margin),
        detectable=_detectable(found.n, settings.alpha) * found.deviation,
        more={test: REQUESTED[test].p(lost, **flips) for test in settings.tests},
        possible=None,
        verdict="",
        sentence="",
        n_queries=found.n,
    )
    same = wins_ties_losses(lost, tie=min(settings.tie, _SAME))[1] == found.n
    return _with_verdict(pair, given.test, settings, same=same)


def _with_verdict(pair: Pair, correction: str, settings: Settings, *, same: bool) -> Pair:
    alpha, margin = settings.alpha, settings.margin
    # Where all queries differ alike Student's t is infinite, and proves nothing of few.
    by_t = math.isfinite(pair.t)
    verdict = verdicts.kind(
        pair.difference,
        same=same,
        p=pair.p_adjusted,
        p_equivalent=pair.p_equivalent if by_t else None,
        alpha=alpha,
    )
    test = correction.format("paired t" if by_t else "sign flips")
    decided, needed = replace(pair, verdict=verdict), _needed(pair.effect, alpha)
    sentence = verdicts.sentence(decided, test=test, alpha=alpha, margin=margin, needed=needed)
    return replace(decided, sentence=sentence)


def _adjusted(
    correction: str,
    values: FloatArray,
    pairs: Pairs,
    settings: Settings,
) -> FloatArray:
    how = {"resamples": settings.draws["permutations"], "seed": settings.seed}
    if correction == "tukey":
        of_all = randomised_tukey(values, **how)
        return np.array([of_all[pair] for pair in pairs])
    if correction == "max-t":
        return max_t(values, pairs[0][1], **how)[[system for system, _ in pairs]]
    tests = [paired_t(values[system] - values[baseline]) for system, baseline in pairs]
    alone = np.array([test.p for test in tests])
    if correction == "none":
        return alone
    return (holm if correction == "holm" else benjamini_hochberg)(alone)


@cache
def _detectable(n_queries: int, alpha: float) -> float:
    return detectable_effect(n_queries, alpha=alpha) if n_queries > 1 else math.nan


def _needed(effect: float, alpha: float) -> int | None:
    """How many queries would show an effect; None if nothing can be said."""
    return queries_needed(effect, alpha=alpha) if 1e-9 < abs(effect) < math.inf else None
