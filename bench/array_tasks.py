"""Tasks on labels and scores in arrays."""

import math
import statistics
from typing import Any

from bench.tasks import Timing, measure_time, task

_COLUMNS = 1000


@task("gainful.ndcg", package="gainful")
def compute_ndcg(rows: str, decimals: str, k: str) -> Timing:
    """Time the nDCG of every row of arrays; the mean is computed afterwards."""
    import gainful

    labels, scores = _draw_arrays(int(rows), int(decimals))
    seconds, values = measure_time(lambda: gainful.ndcg(labels, scores, k=_parse_cutoff(k)))
    return seconds, statistics.fmean(values)


@task("gainful.ndcg, dialect=sklearn", package="gainful")
def compute_ndcg_in_dialect(rows: str, decimals: str, k: str) -> Timing:
    """Time the nDCG of every row in the scikit-learn dialect; the mean is computed afterwards."""
    import gainful
    import gainful.dialects

    labels, scores = _draw_arrays(int(rows), int(decimals))
    seconds, values = measure_time(
        lambda: gainful.ndcg(labels, scores, k=_parse_cutoff(k), dialect="sklearn")
    )
    return seconds, statistics.fmean(values)


@task("gainful.adapters.sklearn.ndcg_score", package="gainful")
def compute_adapted_ndcg_score(rows: str, decimals: str, k: str) -> Timing:
    """Time mean nDCG from arrays."""
    import gainful.dialects  # noqa: F401  loaded before the clock starts
    from gainful.adapters.sklearn import ndcg_score

    labels, scores = _draw_arrays(int(rows), int(decimals))
    return measure_time(lambda: ndcg_score(labels, scores, k=_parse_cutoff(k)))


@task("sklearn.metrics.ndcg_score", package="scikit-learn")
def compute_ndcg_score(rows: str, decimals: str, k: str) -> Timing:
    """Time mean nDCG from arrays."""
    from sklearn.metrics import ndcg_score

    labels, scores = _draw_arrays(int(rows), int(decimals))
    seconds, value = measure_time(lambda: ndcg_score(labels, scores, k=_parse_cutoff(k)))
    return seconds, float(value)


@task("numpy.sort", package="numpy")
def sort_scores(rows: str, decimals: str) -> Timing:
    """Time sorting every row's scores."""
    import numpy as np

    scores = _draw_arrays(int(rows), int(decimals))[1]
    return measure_time(lambda: np.sort(scores, axis=1))[0], math.nan


@task("numpy.argsort", package="numpy")
def argsort_scores(rows: str, decimals: str) -> Timing:
    """Time finding the order of every row's scores."""
    import numpy as np

    scores = _draw_arrays(int(rows), int(decimals))[1]
    return measure_time(lambda: np.argsort(scores, axis=1))[0], math.nan


def _parse_cutoff(k: str) -> int | None:
    return None if k == "all" else int(k)


def _draw_arrays(rows: int, decimals: int) -> tuple[Any, Any]:
    """Return labels from 0 to 4 and scores below 1; with 3 decimals, most rows have ties."""
    import numpy as np

    rng = np.random.default_rng(20240229)
    labels = rng.integers(5, size=(rows, _COLUMNS)).astype(np.float64)
    return labels, rng.random((rows, _COLUMNS)).round(decimals)
