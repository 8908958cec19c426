"""How much of what runs return is judged, and what the rest could still change."""

import math

from gainful.gating.digits import TOLERANCE
from gainful.gating.inputs import judged_one_by_one
from gainful.gating.result import Gated
from gainful.measures import Measure
from gainful.results import Scores

FELL = 0.05  # the share that must be newly unjudged for the values to say too little


def judged_share(scores: Scores, measure: Measure) -> float | None:
    """The mean of Judged@k over the queries with results; None where nothing tells.

    >>> from gainful import evaluate, nDCG
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> judged_share(evaluate(qrels, {"q1": ["d1", "d2"]}, "nDCG@10"), nDCG @ 10)
    0.5
    """
    # Condensed rankings have nothing unjudged left in them.
    condensed = scores.rules.unjudged == "condense"
    if not judged_one_by_one(measure) or measure not in scores.judged or condensed:
        return None
    share = scores.judged_of_returned(measure)
    return None if math.isnan(share) else share


def lacks_labels(gated: Gated) -> bool:
    """Whether the candidate has fewer judged items than the baseline, or than it must have."""
    return _short(gated) or gated.newly_unjudged > TOLERANCE


def lacks_many(gated: Gated) -> bool:
    """The same, where nothing tells what the missing labels could change."""
    return _short(gated) or gated.newly_unjudged > FELL + TOLERANCE


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
    words = {None: "the items", 1: "the first items"}  # one of each query
    return words.get(cutoff, f"the first {cutoff} items")
