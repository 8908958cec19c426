"""RBP and its residual: users who go on to the next item with a fixed chance."""

from typing import Annotated

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import ENDLESS, FloatArray, Setting, format_setting
from gainful.errors import MeasureError
from gainful.measures import _settings as s
from gainful.measures._cwl import compute_powers, sum_weighted
from gainful.measures._declare import measure
from gainful.measures._gains import Gain

BINARY = Gain("binary")
Scale = Annotated[
    str,
    Setting(
        "what gains are divided by, so that none is above 1",
        choices={
            "none": "nothing: a gain above 1 is an error",
            "max_label": "the gain of max_label",
            "query": "the highest gain of the query's judged items if it is above 1",
        },
    ),
]


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def RBP(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    p: s.Persistence = 0.8,
    gain: s.Gain = BINARY,
    rel: s.BinaryRel = 1.0,
    scale: Scale = "none",
    max_label: s.MaxLabel = 4.0,
) -> FloatArray:
    r"""Expected gain per item of a user who goes on to the next one with a chance of ``p``.

    $$\mathrm{RBP}@k = (1 - p) \sum_{i=1}^{k} g(l_i)\, p^{i-1}$$

    for gains from 0 to 1: by default 1 for a label of at least `rel`. Unjudged items gain
    nothing; so the value is the lowest that RBP may have, and RBPResidual says how much higher
    it may be. A query without results, or with nothing relevant, scores 0.

    Graded gains must be scaled: `gain=linear, scale=max_label, max_label=3` is label / 3, as in
    pyNTCIREVAL and in cwl-eval. trec_eval 10 divides by the highest label among the query's
    judgments: its `rbp` is `RBP(p=0.9, gain=linear, scale=query)`, not what RBP is by default.
    cwl-eval fills rankings up to 1000 items and makes their weights add up to 1, which divides
    by $1 - p^{1000}$: of no importance for p up to 0.97.

    Reference: Moffat and Zobel, Rank-biased precision for measurement of retrieval
    effectiveness, ACM TOIS 27(1), 2008.
    """
    gains = _scale_gains(ranked, gain, rel, scale, max_label)
    bottom = np.minimum(ranked.n_retrieved, min(cutoff or ENDLESS, ENDLESS))
    return (1.0 - p) * sum_weighted(
        ranked, gains, compute_powers(p, int(bottom.max(initial=1))), bottom
    )


@measure(bounds=(0, 1), averages_ties=True, higher_is_better=False)
def RBPResidual(
    ranked: JudgedRankings, *, cutoff: s.Cutoff = None, p: s.Persistence = 0.8
) -> FloatArray:
    r"""How much higher RBP may be if all that is unjudged gains 1.

    $$\mathrm{RBPResidual}@k = p^{\min(k, n)} + (1 - p) \sum_{i \le \min(k, n)} u_i\, p^{i-1}$$

    where $u_i$ is 1 for an unjudged item and 0 for a judged one, and $n$ is how many items the
    run returned: whatever stands below the end may still be relevant. A query without results
    has 1. Negative labels count as unjudged, as in trec_eval.

    trec_eval 10's `rbp_resid` is the same wherever a returned item is unjudged. Where none is, it
    prints 0 in place of $p^n$; this measure has $p^n$, as Moffat and Zobel do.

    Reference: Moffat and Zobel, 2008.
    """
    bottom = np.minimum(ranked.n_retrieved, min(cutoff or ENDLESS, ENDLESS))
    judged = (ranked.hit_label >= 0).astype(np.float64)
    judged_weight = sum_weighted(
        ranked, judged, compute_powers(p, int(bottom.max(initial=1))), bottom
    )
    return np.maximum(1.0 - (1.0 - p) * judged_weight, 0.0)


def _scale_gains(
    ranked: JudgedRankings, gain: Gain, rel: float, scale: str, max_label: float
) -> FloatArray:
    """Return the gains of all hits, from 0 to 1."""
    gains = gain.apply(ranked.hit_label, rel=rel, negatives="zero")
    pool = gain.apply(ranked.pool_label, rel=rel, negatives="zero")
    if scale == "max_label":
        top = gain.apply(np.array([max_label]), rel=rel, negatives="zero")[0]
        if top <= 0:
            message = f"RBP: max_label must gain something, got {format_setting(max_label)}."
            raise MeasureError(message, code="bad-setting")
        gains, pool = gains / top, pool / top
    if scale == "query":
        highest = np.ones(ranked.n_queries)
        np.maximum.at(highest, ranked.pool_query, pool)
        gains, pool = gains / highest[ranked.hit_query], pool / highest[ranked.pool_query]
    low, high = pool.min(initial=0.0), pool.max(initial=0.0)
    if low < 0 or high > 1:
        wrong = format_setting(float(low if low < 0 else high))
        message = (
            f"RBP: gains must be from 0 to 1, got {wrong}. "
            "Pass scale=max_label with the highest label there may be, or scale=query."
        )
        raise MeasureError(message, code="label-above-max")
    return gains
