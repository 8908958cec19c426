"""Judgments and a run in data frames."""

from bench.contenders import Contender, make_task
from bench.data import Collection
from bench.figures import Figure, get_printed_mb, get_time_ratio
from bench.groups._group import Group, Size

_KINDS = ("polars", "pyarrow", "pandas, Arrow", "pandas, objects")
_FILE = "gainful.evaluate files"
_PEERS = ("sorting all", "top ten only")


def compare_frames(size: Size) -> Group:
    """Compare ``gainful.evaluate`` of frames with that of files and with polars queries."""
    collection = Collection(size.queries)
    return Group(
        title="Data frames",
        text=(
            f"Data: {collection}, as frames with ids of text, two columns of them and one of "
            "numbers. Timed inside the process, which has imported the package and made the "
            "frames. The memory in the summary is what is resident at most above what was before."
        ),
        contenders=[
            make_task(_FILE, collection=collection),
            *(_make_evaluation(kind, collection) for kind in _KINDS),
            *(
                make_task("polars frames", peer, collection=collection).with_name(f"polars, {peer}")
                for peer in _PEERS
            ),
        ],
        base=_FILE,
        figures=[
            *(
                Figure(
                    f"frames of {kind}, against the TREC file",
                    get_time_ratio(_format_name(kind), _FILE),
                    at_most=1.5,
                )
                for kind in _KINDS
            ),
            *(
                Figure(
                    f"frames of {kind}, times as fast as polars, sorting all",
                    get_time_ratio("polars, sorting all", _format_name(kind)),
                    at_least=4,
                )
                for kind in _KINDS
            ),
            Figure(
                "frames of polars, times as fast as polars, top ten only",
                get_time_ratio("polars, top ten only", _format_name("polars")),
            ),
            *(
                Figure(
                    f"frames of {kind}, memory beside them",
                    get_printed_mb(_format_name(kind)),
                    unit=" MB",
                )
                for kind in _KINDS
            ),
        ],
    )


def _format_name(kind: str) -> str:
    return f"gainful.evaluate, {kind}"


def _make_evaluation(kind: str, collection: Collection) -> Contender:
    return make_task("gainful.evaluate frames", kind, collection=collection).with_name(
        _format_name(kind)
    )
