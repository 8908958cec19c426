"""Tests that permute."""

from bench.contenders import inside
from bench.figures import Figure, time_ratio
from bench.groups._declare import Group, Size

_FLIPS, _SCIPY = "gainful.stats, sign flips", "scipy.stats.permutation_test"
_TUKEY, _DRAWING = "gainful.stats, randomised Tukey", "numpy.random.Generator.permuted"
_INTERVALS = "gainful.stats, intervals"
_QUERIES = 10_000
_TABLE = ("50", "1000")  # systems, queries


def statistics(size: Size) -> Group:
    """Sign flips beside SciPy's; randomised Tukey beside the drawing of permutations alone."""
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
            inside(_FLIPS, str(_QUERIES), flips).answering("p of gainful"),
            inside(_SCIPY, str(_QUERIES), flips).answering("p of SciPy"),
            inside(_TUKEY, *_TABLE, permutations).answering("least p"),
            inside(_DRAWING, *_TABLE, permutations),
            inside(_INTERVALS, *_TABLE),
        ],
        base=_FLIPS,
        figures=[
            Figure(
                "sign flips, times as fast as `scipy.stats.permutation_test`",
                time_ratio(_SCIPY, _FLIPS),
                at_least=8,
            ),
            Figure(
                "randomised Tukey, against drawing its permutations by `Generator.permuted`",
                time_ratio(_TUKEY, _DRAWING),
                at_most=2,
            ),
        ],
    )
