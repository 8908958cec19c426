"""Judgments and a run in data frames."""

from bench.contenders import Contender, inside
from bench.data import Collection
from bench.figures import Figure, printed_mb, time_ratio
from bench.groups._declare import Group, Size

_KINDS = ("polars", "pyarrow", "pandas, Arrow", "pandas, objects")
_FILE = "gainful.evaluate files"
_PEERS = ("sorting all", "top ten only")


def frames(size: Size) -> Group:
    """``gainful.evaluate`` of frames beside the same of files, and beside a query of polars."""
    collection = Collection(size.queries)
    return Group(
        title="Data frames",
        text=(
            f"Data: {collection}, as frames with ids of text, two columns of them and one of "
            "numbers. Timed inside the process, which has imported the package and made the "
            "frames. The memory in the summary is what is resident at most above what was before."
        ),
        contenders=[
            inside(_FILE, collection=collection),
            *(_ours(kind, collection) for kind in _KINDS),
            *(
                inside("polars frames", how, collection=collection).called(f"polars, {how}")
                for how in _PEERS
            ),
        ],
        base=_FILE,
        figures=[
            *(
                Figure(
                    f"frames of {kind}, against the TREC file",
                    time_ratio(_called(kind), _FILE),
                    at_most=1.5,
                )
                for kind in _KINDS
            ),
            *(
                Figure(
                    f"frames of {kind}, times as fast as polars, sorting all",
                    time_ratio("polars, sorting all", _called(kind)),
                    at_least=4,
                )
                for kind in _KINDS
            ),
            Figure(
                "frames of polars, times as fast as polars, top ten only",
                time_ratio("polars, top ten only", _called("polars")),
            ),
            *(
                Figure(
                    f"frames of {kind}, memory beside them", printed_mb(_called(kind)), unit=" MB"
                )
                for kind in _KINDS
            ),
        ],
    )


def _called(kind: str) -> str:
    return f"gainful.evaluate, {kind}"


def _ours(kind: str, collection: Collection) -> Contender:
    return inside("gainful.evaluate frames", kind, collection=collection).called(_called(kind))
