"""A run with ten times the lines."""

from bench.contenders import make_gainful_eval, make_ten_lines
from bench.data import Collection
from bench.figures import Figure, get_added_mb, get_time_ratio
from bench.groups._group import Group, Size

_ONCE, _TEN_TIMES = "1,000 items a query", "10,000 items a query"
_START = make_ten_lines().name


def compare_large(size: Size) -> Group:
    """Compare a run with one ten times as long, for the same queries and judgments."""
    collection, ten_times = Collection(size.queries), Collection(size.queries, items=10_000)
    return Group(
        title="Ten times the lines",
        text=f"Data: {ten_times}. The first 1,000 items of each query are those of the other run.",
        contenders=[
            make_ten_lines(),
            make_gainful_eval(collection).with_name(_ONCE),
            make_gainful_eval(ten_times).with_name(_TEN_TIMES),
        ],
        base=_ONCE,
        figures=[
            Figure("10x the lines", get_time_ratio(_TEN_TIMES, _ONCE), at_most=10.5),
            Figure(
                "peak memory above start-up for 10x the lines, against 1x",
                lambda outcomes: (
                    get_added_mb(_TEN_TIMES, _START)(outcomes)
                    / get_added_mb(_ONCE, _START)(outcomes)
                ),
                at_most=1.3,
            ),
        ],
    )
