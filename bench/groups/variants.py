"""The same run in other shapes."""

from bench.contenders import Contender, gainful, ten_lines
from bench.data import Collection
from bench.figures import Figure, added_mb, time_ratio
from bench.groups._declare import Group, Size
from bench.rounds import Outcomes

_SHAPES = {
    "sorted": "sorted by query and score",
    "unsorted": "unsorted within each query",
    "interleaved": "lines of all queries shuffled",
    "uuids": "item ids are UUIDs",
    "urls": "item ids are addresses of 60 to 100 bytes",
    "ties": "ten distinct scores a query",
}
_TEN = ten_lines().name


def variants(size: Size) -> Group:
    """One run written in several ways, with the time and the memory that each takes."""
    sorted_run = Collection(size.queries)
    return Group(
        title="Shapes of a run",
        text=(
            f"Data: {sorted_run}, written in several ways. The longer ids are in the order of the "
            "numbers, so all but the heavily tied run have the same value."
        ),
        contenders=[ten_lines(), *(_of_shape(size, shape) for shape in _SHAPES)],
        base=_SHAPES["sorted"],
        figures=[
            *(_slower(shape, 2.5) for shape in ("unsorted", "interleaved")),
            *(_slower(shape, None) for shape in ("uuids", "urls", "ties")),
            Figure(
                "peak memory above start-up",
                added_mb(_SHAPES["sorted"], _TEN),
                at_most=100,
                unit=" MB",
            ),
            Figure(
                "the same for lines of all queries shuffled, above it",
                lambda found: _bytes_a_line(found, sorted_run),
                at_most=24,
                unit=" bytes a line",
            ),
        ],
    )


def _of_shape(size: Size, shape: str) -> Contender:
    contender = gainful(Collection(size.queries, shape=shape)).called(_SHAPES[shape])
    return contender.answering(_SHAPES[shape]) if shape == "ties" else contender


def _slower(shape: str, target: float | None) -> Figure:
    what = f"{_SHAPES[shape]}, against the sorted run"
    return Figure(what, time_ratio(_SHAPES[shape], _SHAPES["sorted"]), at_most=target)


def _bytes_a_line(found: Outcomes, collection: Collection) -> float:
    added = added_mb(_SHAPES["interleaved"], _SHAPES["sorted"])(found)
    return added * 1e6 / collection.lines
