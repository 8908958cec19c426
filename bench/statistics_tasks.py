"""Tasks on statistics."""

import math
from typing import Any

from bench.tasks import Timing, measure_time, task

_SEED = 20240229


@task("gainful.stats, sign flips", package="gainful")
def run_sign_flip_test(queries: str, resamples: str) -> Timing:
    """Time the p-value of the randomization test from differences."""
    from gainful.stats.randomization import flip_signs

    differences = _draw_differences(int(queries))
    return measure_time(lambda: flip_signs(differences, resamples=int(resamples)))


@task("scipy.stats.permutation_test", package="scipy")
def run_permutation_test(queries: str, resamples: str) -> Timing:
    """Time the randomization test of SciPy, in batches of 1000: faster than 10 and 100."""
    import numpy as np
    import scipy.stats

    differences = _draw_differences(int(queries))
    seconds, result = measure_time(
        lambda: scipy.stats.permutation_test(
            (differences,),
            np.mean,
            permutation_type="samples",
            vectorized=True,
            n_resamples=int(resamples),
            batch=1000,
            rng=np.random.default_rng(0),
        )
    )
    return seconds, float(result.pvalue)


@task("gainful.stats, randomized Tukey", package="gainful")
def run_randomized_tukey(systems: str, queries: str, resamples: str) -> Timing:
    """Time the p-values of all pairs from values; the value is the smallest."""
    from gainful.stats import randomization

    values = _draw_values(int(systems), int(queries))
    seconds, p_values = measure_time(
        lambda: randomization.randomized_tukey(values, resamples=int(resamples))
    )
    return seconds, float(p_values.min())


@task("numpy.random.Generator.permuted", package="numpy")
def draw_permutations(systems: str, queries: str, resamples: str) -> Timing:
    """Time drawing the permutations one by one, without a test."""
    import numpy as np

    values = _draw_values(int(systems), int(queries))
    rng = np.random.default_rng(0)

    def draw() -> None:
        for _ in range(int(resamples)):
            rng.permuted(values, axis=0)

    return measure_time(draw)[0], math.nan


@task("gainful.stats, intervals", package="gainful")
def compute_intervals(systems: str, queries: str) -> Timing:
    """Time the intervals of all means, differences and relative differences from values."""
    import scipy.stats  # noqa: F401  loaded before the clock starts

    from gainful.stats import bootstrap

    values = _draw_values(int(systems), int(queries))
    pairs = [(i, j) for i in range(len(values)) for j in range(i)]
    return measure_time(lambda: bootstrap.compute_bootstrap_intervals(values, pairs))[0], math.nan


def _draw_differences(queries: int) -> Any:
    """Return differences of two systems with a mean a little above 0, so that p is small."""
    import numpy as np

    return np.random.default_rng(_SEED).normal(1.5 / math.sqrt(queries), 1, queries)


def _draw_values(systems: int, queries: int) -> Any:
    import numpy as np

    return np.random.default_rng(_SEED).random((systems, queries))
