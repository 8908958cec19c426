"""One run in several shapes."""

from bench.contenders import Contender, make_gainful_eval, make_ten_lines
from bench.data import Collection
from bench.figures import Figure, get_added_mb, get_time_ratio
from bench.groups._group import Group, Size
from bench.rounds import Outcomes

_SHAPES = {
    "sorted": "sorted by query and score",
    "unsorted": "unsorted within each query",
    "interleaved": "lines of all queries shuffled",
    "uuids": "item ids are UUIDs",
    "urls": "item ids are addresses of 60 to 100 bytes",
    "ties": "ten distinct scores a query",
}
_TEN = make_ten_lines().name


def compare_variants(size: Size) -> Group:
    """Compare the time and memory of one run written in several ways."""
    sorted_run = Collection(size.queries)
    return Group(
        title="Shapes of a run",
        text=(
            f"Data: {sorted_run}, written in several ways. The longer ids are in the order of the "
            "numbers, so all but the heavily tied run have the same value."
        ),
        contenders=[make_ten_lines(), *(_make_contender(size, shape) for shape in _SHAPES)],
        base=_SHAPES["sorted"],
        figures=[
            *(_make_figure(shape, 2.5) for shape in ("unsorted", "interleaved")),
            *(_make_figure(shape, None) for shape in ("uuids", "urls", "ties")),
            Figure(
                "peak memory above start-up",
                get_added_mb(_SHAPES["sorted"], _TEN),
                at_most=100,
                unit=" MB",
            ),
            Figure(
                "the same for lines of all queries shuffled, above it",
                lambda outcomes: _compute_bytes_per_line(outcomes, sorted_run),
                at_most=24,
                unit=" bytes a line",
            ),
        ],
    )


def _make_contender(size: Size, shape: str) -> Contender:
    contender = make_gainful_eval(Collection(size.queries, shape=shape)).with_name(_SHAPES[shape])
    return contender.with_answer(_SHAPES[shape]) if shape == "ties" else contender


def _make_figure(shape: str, target: float | None) -> Figure:
    title = f"{_SHAPES[shape]}, against the sorted run"
    return Figure(title, get_time_ratio(_SHAPES[shape], _SHAPES["sorted"]), at_most=target)


def _compute_bytes_per_line(outcomes: Outcomes, collection: Collection) -> float:
    added = get_added_mb(_SHAPES["interleaved"], _SHAPES["sorted"])(outcomes)
    return added * 1e6 / collection.lines
