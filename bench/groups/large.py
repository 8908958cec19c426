"""Ten times the lines."""

from bench.contenders import gainful, ten_lines
from bench.data import Collection
from bench.figures import Figure, added_mb, time_ratio
from bench.groups._declare import Group, Size

_ONE, _TEN_TIMES = "1,000 items a query", "10,000 items a query"
_START = ten_lines().name


def large(size: Size) -> Group:
    """A run ten times as long, for the same queries and judgments."""
    one, ten_times = Collection(size.queries), Collection(size.queries, items=10_000)
    return Group(
        title="Ten times the lines",
        text=f"Data: {ten_times}. The first 1,000 items of each query are those of the other run.",
        contenders=[ten_lines(), gainful(one).called(_ONE), gainful(ten_times).called(_TEN_TIMES)],
        base=_ONE,
        figures=[
            Figure("10x the lines", time_ratio(_TEN_TIMES, _ONE), at_most=10.5),
            Figure(
                "peak memory above start-up for 10x the lines, against 1x",
                lambda found: added_mb(_TEN_TIMES, _START)(found) / added_mb(_ONE, _START)(found),
                at_most=1.3,
            ),
        ],
    )
