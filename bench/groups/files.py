"""Two files to one number."""

from bench.contenders import gainful, inside, peer, wc
from bench.data import Collection
from bench.figures import Figure, time_ratio
from bench.groups._declare import Group, Size
from bench.peers import PEERS

_INSIDE = "gainful, without start-up"


def files(size: Size) -> Group:
    """gainful beside its peers, and beside what only reads the file."""
    collection = Collection(size.queries)
    return Group(
        title="From two files to mean nDCG@10",
        text=(
            f"Data: {collection}. `{_INSIDE}` is `gainful.evaluate` timed inside a process that "
            "has imported gainful. The polars query that sorts all is the plain one: scan, sort, "
            "number, join, group; the others have been made faster by hand. `wc -l` only reads "
            "the run."
        ),
        contenders=[
            gainful(collection),
            inside("gainful.evaluate files", collection=collection).called(_INSIDE),
            *(peer(name, collection) for name in PEERS),
            wc(collection),
        ],
        base="gainful",
        figures=[
            Figure(
                "nDCG@10, file to answer without start-up and imports, against `wc -l`",
                time_ratio(_INSIDE, "wc -l"),
                at_most=5,
            ),
            *(_faster(name, target) for name, target in _TARGETS.items()),
        ],
    )


_TARGETS = {
    "pytrec-eval-terrier": 30,
    "polars, sorting all": 6,
    "DuckDB": 6,
    "polars, top ten only": None,
    "polars, top ten only, ids as numbers": None,
    "ir-measures": None,
}


def _faster(name: str, target: float | None) -> Figure:
    what = f"whole process, times as fast as {name}"
    return Figure(what, time_ratio(name, "gainful"), at_least=target)
