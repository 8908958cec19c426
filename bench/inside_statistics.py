"""Tasks of statistics, which are timed inside their process."""

import math
from typing import Any

from bench.tasks import Timed, task, timed

_SEED = 20240229


@task("gainful.stats, sign flips", package="gainful")
def sign_flips(queries: str, resamples: str) -> Timed:
    """Differences to the p-value of the randomisation test."""
    from gainful.stats.randomization import sign_flip

    differences = _differences(int(queries))
    return timed(lambda: sign_flip(differences, resamples=int(resamples)))


@task("scipy.stats.permutation_test", package="scipy")
def permutation_test(queries: str, resamples: str) -> Timed:
    """The same; in batches of a thousand, the fastest of ten, a hundred and a thousand."""
    import numpy as np
    import scipy.stats

    differences = _differences(int(queries))
    seconds, found = timed(
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
    return seconds, float(found.pvalue)


@task("gainful.stats, randomised Tukey", package="gainful")
def randomized_tukey(systems: str, queries: str, resamples: str) -> Timed:
    """Values to the p-values of all pairs, of which the least is printed."""
    from gainful.stats import anova

    values = _values(int(systems), int(queries))
    seconds, found = timed(lambda: anova.randomized_tukey(values, resamples=int(resamples)))
    return seconds, float(found.min())


@task("numpy.random.Generator.permuted", package="numpy")
def permuted(systems: str, queries: str, resamples: str) -> Timed:
    """The permutations alone, drawn one by one and forgotten."""
    import numpy as np

    values = _values(int(systems), int(queries))
    rng = np.random.default_rng(0)

    def draw() -> None:
        for _ in range(int(resamples)):
            rng.permuted(values, axis=0)

    return timed(draw)[0], math.nan


@task("gainful.stats, intervals", package="gainful")
def intervals(systems: str, queries: str) -> Timed:
    """Values to the intervals of all means, differences and relative differences."""
    import scipy.stats  # noqa: F401  loaded before

    from gainful.stats import bootstrap

    values = _values(int(systems), int(queries))
    pairs = [(i, j) for i in range(len(values)) for j in range(i)]
    return timed(lambda: bootstrap.bootstrap_intervals(values, pairs))[0], math.nan


def _differences(queries: int) -> Any:
    """Of two systems: a little above 0, which p shows."""
    import numpy as np

    return np.random.default_rng(_SEED).normal(1.5 / math.sqrt(queries), 1, queries)


def _values(systems: int, queries: int) -> Any:
    import numpy as np

    return np.random.default_rng(_SEED).random((systems, queries))
