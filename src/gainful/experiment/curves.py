"""A measure at every cutoff."""

from collections.abc import Sequence

import numpy as np

from gainful.experiment.result import Curve, CurvePoint
from gainful.interval import Interval
from gainful.measures import Measure, parse
from gainful.ragged import FloatArray, mean
from gainful.results import Scores

CUTOFFS = tuple(range(1, 51))


def measures_at(measure: Measure, cutoffs: Sequence[int]) -> tuple[Measure, ...]:
    """The measure at these cutoffs; none if it takes no cutoff."""
    if "cutoff" not in measure.all_settings:
        return ()
    bare = _bare(measure)
    return tuple(parse(f"{bare}@{cutoff}") for cutoff in cutoffs)


def curves(scores: Sequence[Scores], measure: Measure) -> tuple[Curve, ...]:
    """The mean of every run at each cutoff, with the interval of Student's t."""
    at = measures_at(measure, CUTOFFS)
    if not at:
        return ()
    return tuple(
        Curve(
            one.run,
            _bare(measure),
            tuple(_point(k, one.column(m)) for k, m in zip(CUTOFFS, at, strict=True)),
        )
        for one in scores
    )


def _bare(measure: Measure) -> str:
    return str(measure).rpartition("@")[0] or str(measure)


def _point(cutoff: int, values: FloatArray) -> CurvePoint:
    from scipy.special import stdtrit

    known = values[~np.isnan(values)]
    middle, n = mean(known), len(known)
    half = float("nan")
    if n > 1:
        half = float(stdtrit(n - 1, 0.975)) * float(known.std(ddof=1)) / n**0.5
    return CurvePoint(cutoff, middle, Interval(middle - half, middle + half))
