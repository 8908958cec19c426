"""Permutation tests and bootstrap intervals."""

from bench.contenders import make_task
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_FLIPS, _SCIPY = "gainful.stats, sign flips", "scipy.stats.permutation_test"
_TUKEY, _DRAWING = "gainful.stats, randomized Tukey", "numpy.random.Generator.permuted"
_INTERVALS = "gainful.stats, intervals"
_QUERIES = 10_000
_TABLE = ("50", "1000")  # systems, queries


def compare_statistics(size: Size) -> Group:
    """Compare sign flips with SciPy's, and randomized Tukey with drawing its permutations."""
    flips, permutations = str(size.resamples), str(size.resamples // 10)
    return Group(
        title="Statistics",
        text=(
            f"Sign flips: {_QUERIES:,} queries, {size.resamples:,} resamples; the value is p, "
            f"which is drawn. Tukey: {' systems x '.join(_TABLE)} queries, all pairs, "
            f"{size.resamples // 10:,} permutations; the value is the least p. Intervals: BCa, "
            "9,999 resamples, of the means of the same systems, and of the differences and the "
            "relative differences of all pairs. Timed inside the process, which has imported the "
            "package and made the arrays."
        ),
        contenders=[
            make_task(_FLIPS, str(_QUERIES), flips).with_answer("p of gainful"),
            make_task(_SCIPY, str(_QUERIES), flips).with_answer("p of SciPy"),
            make_task(_TUKEY, *_TABLE, permutations).with_answer("least p"),
            make_task(_DRAWING, *_TABLE, permutations),
            make_task(_INTERVALS, *_TABLE),
        ],
        base=_FLIPS,
        figures=[
            Figure(
                "sign flips, times as fast as `scipy.stats.permutation_test`",
                get_time_ratio(_SCIPY, _FLIPS),
                at_least=8,
            ),
            Figure(
                "randomized Tukey, against drawing its permutations by `Generator.permuted`",
                get_time_ratio(_TUKEY, _DRAWING),
                at_most=2,
            ),
        ],
    )
