"""All measures of trec_eval at once."""

from dataclasses import replace

from bench.contenders import make_task, make_trec_eval
from bench.data import Collection
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_PEER = "pytrec-eval-terrier, all measures"
_READING, _MEASURES = "gainful trec_eval, reading and joining", "gainful trec_eval, measures"


def compare_trec_eval(size: Size) -> Group:
    """Compare ``gainful trec_eval`` with a package that embeds trec_eval."""
    collection = Collection(size.queries)
    return Group(
        title="All measures of trec_eval",
        text=(
            f"Data: {collection}. `gainful trec_eval -m all_trec` and `{_PEER}`, which computes "
            "all its measures and their means, are timed as whole processes. The other two are "
            "parts of the first, timed inside a process."
        ),
        contenders=[
            make_trec_eval(collection),
            replace(
                make_task(_PEER, collection=collection).with_answer("MAP, four decimals"),
                clock=None,
            ),
            make_task(_READING, collection=collection),
            make_task(_MEASURES, collection=collection),
        ],
        base="gainful trec_eval",
        figures=[
            Figure(
                f"`-m all_trec`, whole processes, times as fast as {_PEER}",
                get_time_ratio(_PEER, "gainful trec_eval"),
                at_least=20,
            ),
            Figure(
                "time in the measures of all_trec against that of reading the files",
                get_time_ratio(_MEASURES, _READING),
                at_most=1,
            ),
        ],
    )
