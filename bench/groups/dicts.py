"""Judgments and a run in dicts."""

from bench.contenders import make_task
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_GAINFUL, _PEER = "gainful.evaluate dicts", "pytrec-eval-terrier dicts"


def compare_dicts(size: Size) -> Group:
    """Compare ``gainful.evaluate`` with pytrec_eval's evaluator on the same dicts."""
    queries = str(size.dict_queries)
    return Group(
        title="Dicts",
        text=(
            f"Data: {size.dict_queries:,} queries x 1,000 items, 60 of them judged. Timed inside "
            "the process, which has imported the package and made the dicts."
        ),
        contenders=[make_task(_GAINFUL, queries), make_task(_PEER, queries)],
        base=_GAINFUL,
        figures=[
            Figure(
                "dicts, times as fast as pytrec-eval-terrier",
                get_time_ratio(_PEER, _GAINFUL),
                at_least=3,
            )
        ],
    )
