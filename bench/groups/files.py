"""One number from two files."""

from bench.contenders import make_gainful_eval, make_peer, make_task, make_wc
from bench.data import Collection
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size
from bench.peers import PEERS

_CALL = "gainful, without start-up"


def compare_files(size: Size) -> Group:
    """Compare gainful with its peers, and with a process that only reads the file."""
    collection = Collection(size.queries)
    return Group(
        title="From two files to mean nDCG@10",
        text=(
            f"Data: {collection}. `{_CALL}` is `gainful.evaluate` timed inside a process that "
            "has imported gainful. The polars query that sorts all is the plain one: scan, sort, "
            "number, join, group; the others have been made faster by hand. `wc -l` only reads "
            "the run."
        ),
        contenders=[
            make_gainful_eval(collection),
            make_task("gainful.evaluate files", collection=collection).with_name(_CALL),
            *(make_peer(name, collection) for name in PEERS),
            make_wc(collection),
        ],
        base="gainful",
        figures=[
            Figure(
                "nDCG@10, file to answer without start-up and imports, against `wc -l`",
                get_time_ratio(_CALL, "wc -l"),
                at_most=5,
            ),
            *(_make_figure(name, target) for name, target in _TARGETS.items()),
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


def _make_figure(name: str, target: float | None) -> Figure:
    title = f"whole process, times as fast as {name}"
    return Figure(title, get_time_ratio(name, "gainful"), at_least=target)
