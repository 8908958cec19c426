"""Many runs against one qrels."""

from bench.contenders import make_gainful_eval, make_peer
from bench.data import Collection
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_PEER = "pytrec-eval-terrier"


def compare_track(size: Size) -> Group:
    """Compare all runs of a TREC track in one process, which indexes the judgments once."""
    collection = Collection(queries=50, runs=size.runs)
    return Group(
        title="A track",
        text=f"Data: {collection}. Each contender reads the qrels once, and prints all means.",
        contenders=[make_gainful_eval(collection), make_peer(_PEER, collection)],
        base="gainful",
        figures=[
            Figure(
                f"{size.runs} runs against one qrels, times as fast as {_PEER}",
                get_time_ratio(_PEER, "gainful"),
                at_least=30,
            )
        ],
    )
