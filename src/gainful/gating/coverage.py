"""How much of what runs return is judged, and what the rest could still change."""

import math

import numpy as np

from gainful.gating.inputs import judged_one_by_one
from gainful.gating.result import Gated
from gainful.measures import Judged, Measure, Unjudged
from gainful.ragged import FloatArray
from gainful.results import Scores
from gainful.rules import Rules

FELL = 0.05  # the share that must be newly unjudged for the values to say too little


def judging(measure: Measure, rules: Rules) -> tuple[Measure, ...]:
    """The measures that say how much of what a measure looks at is judged; none if none can.

    >>> from gainful import nDCG
    >>> judging(nDCG @ 10, Rules())
    (Judged@10, Unjudged(divide=returned, negatives=judged)@10)
    """
    # Condensed rankings have nothing unjudged left in them.
    if not judged_one_by_one(measure) or rules.unjudged == "condense":
        return ()
    cutoff = measure.all_settings.get("cutoff")
    unjudged = Unjudged(divide="returned", negatives="judged", cutoff=cutoff)
    return Judged(cutoff=cutoff), unjudged


def judged_share(scores: Scores, measure: Measure) -> float | None:
    """The mean of Judged@k over the queries with results; None where nothing tells.

    Judged takes a query without results for one of which nothing is judged. Here that would call a
    lack of judgments what is a lack of results.
    """
    wanted = judging(measure, scores.rules)
    if not wanted:
        return None
    judged, unjudged = (scores.column(one) for one in wanted)
    returned = judged + unjudged > 0
    return math.fsum(judged[returned]) / int(returned.sum()) if returned.any() else None


def newly_unjudged(gated: Gated) -> float:
    """The share of the candidate's items that are unjudged beyond those of the baseline.

    >>> from gainful import nDCG
    >>> from gainful.gating.thresholds import Thresholds
    >>> newly_unjudged(Gated(nDCG, Thresholds(), 9, 0.5, judged=0.75, judged_before=1.0))
    0.25
    """
    if gated.judged is None or gated.judged_before is None:
        return 0.0
    return gated.judged_before - gated.judged


def lacks_labels(gated: Gated) -> bool:
    """Whether the candidate has fewer judged items than the baseline, or than it must have."""
    return _short(gated) or newly_unjudged(gated) > 0


def lacks_many(gated: Gated) -> bool:
    """The same, where nothing tells what the missing labels could change."""
    return _short(gated) or newly_unjudged(gated) > FELL


def _short(gated: Gated) -> bool:
    least = gated.thresholds.min_judged or 0.0
    return gated.judged is not None and gated.judged < least


def looked_at(gated: Gated) -> str:
    """What of a ranking a measure looks at, in words.

    >>> from gainful import nDCG
    >>> from gainful.gating.thresholds import Thresholds
    >>> looked_at(Gated(nDCG @ 10, Thresholds(), 9, 0.5))
    'the first 10 items'
    """
    cutoff = gated.measure.all_settings.get("cutoff")
    return "the items" if cutoff is None else f"the first {cutoff} items"


def without_nan(values: FloatArray) -> FloatArray:
    """The values of the queries that have one in every row."""
    return values[:, ~np.isnan(values).any(axis=0)]
