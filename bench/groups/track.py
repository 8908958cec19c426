"""Many runs against one qrels."""

from bench.contenders import gainful, peer
from bench.data import Collection
from bench.figures import Figure, time_ratio
from bench.groups._declare import Group, Size

_PEER = "pytrec-eval-terrier"


def track(size: Size) -> Group:
    """All runs of a TREC track in one process, which indexes the judgments once."""
    collection = Collection(queries=50, runs=size.runs)
    return Group(
        title="A track",
        text=f"Data: {collection}. Each contender reads the qrels once, and prints all means.",
        contenders=[gainful(collection), peer(_PEER, collection)],
        base="gainful",
        figures=[
            Figure(
                f"{size.runs} runs against one qrels, times as fast as {_PEER}",
                time_ratio(_PEER, "gainful"),
                at_least=30,
            )
        ],
    )
