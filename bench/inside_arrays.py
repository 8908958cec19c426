"""Labels and scores in arrays: tasks that are timed inside their process."""

import math
import statistics
from typing import Any

from bench.tasks import Timed, task, timed

_COLUMNS = 1000


@task("gainful.ndcg", package="gainful")
def ndcg(rows: str, decimals: str, k: str) -> Timed:
    """Arrays to the nDCG of every row, of which the mean is taken afterwards."""
    import gainful

    labels, scores = _arrays(int(rows), int(decimals))
    seconds, values = timed(lambda: gainful.ndcg(labels, scores, k=_cutoff(k)))
    return seconds, statistics.fmean(values)


@task("gainful.ndcg, dialect=sklearn", package="gainful")
def ndcg_in_dialect(rows: str, decimals: str, k: str) -> Timed:
    """The same as scikit-learn has it."""
    import gainful
    import gainful.dialects

    labels, scores = _arrays(int(rows), int(decimals))
    seconds, values = timed(lambda: gainful.ndcg(labels, scores, k=_cutoff(k), dialect="sklearn"))
    return seconds, statistics.fmean(values)


@task("gainful.adapters.sklearn.ndcg_score", package="gainful")
def adapted_ndcg_score(rows: str, decimals: str, k: str) -> Timed:
    """Arrays to mean nDCG."""
    import gainful.dialects  # noqa: F401  loaded before
    from gainful.adapters.sklearn import ndcg_score

    labels, scores = _arrays(int(rows), int(decimals))
    return timed(lambda: ndcg_score(labels, scores, k=_cutoff(k)))


@task("sklearn.metrics.ndcg_score", package="scikit-learn")
def ndcg_score(rows: str, decimals: str, k: str) -> Timed:
    """Arrays to mean nDCG."""
    from sklearn.metrics import ndcg_score

    labels, scores = _arrays(int(rows), int(decimals))
    seconds, value = timed(lambda: ndcg_score(labels, scores, k=_cutoff(k)))
    return seconds, float(value)


@task("numpy.sort", package="numpy")
def sort(rows: str, decimals: str) -> Timed:
    """Every row's scores in order."""
    import numpy as np

    scores = _arrays(int(rows), int(decimals))[1]
    return timed(lambda: np.sort(scores, axis=1))[0], math.nan


@task("numpy.argsort", package="numpy")
def argsort(rows: str, decimals: str) -> Timed:
    """The order of every row's scores."""
    import numpy as np

    scores = _arrays(int(rows), int(decimals))[1]
    return timed(lambda: np.argsort(scores, axis=1))[0], math.nan


def _cutoff(k: str) -> int | None:
    return None if k == "all" else int(k)


def _arrays(rows: int, decimals: int) -> tuple[Any, Any]:
    """Labels from 0 to 4, and scores below 1 of so many decimals: with 3, most rows have ties."""
    import numpy as np

    rng = np.random.default_rng(20240229)
    labels = rng.integers(5, size=(rows, _COLUMNS)).astype(np.float64)
    return labels, rng.random((rows, _COLUMNS)).round(decimals)
