"""Many measures, other shapes of data, and all that trec_eval prints."""

from dataclasses import replace

from bench.contenders import Contender, make_gainful_eval, make_task, make_ten_lines, make_trec_eval
from bench.data import Collection
from bench.figures import Figure, get_added_mb, get_time_ratio
from bench.groups._group import Group, Size
from bench.rounds import Outcomes

_CUTOFFS = ("@5", "@10", "@20", "@100", "")
_NAMES = (
    *("nDCG", "DCG", "IDCG", "CG", "nCG"),
    *("nDCG(gain=exp2)", "DCG(discount=ln)", "nDCG(gain=binary)"),
)
# nDCG@10 first: its value is compared with that of the other command.
FORTY = sorted((name + cutoff for name in _NAMES for cutoff in _CUTOFFS), key="nDCG@10".__ne__)
_FORTY = f"gainful, {len(FORTY)} measures"


def compare_measures(size: Size) -> Group:
    """Compare forty measures with one."""
    collection = Collection(size.queries)
    return Group(
        title="Many measures at once",
        text=f"Data: {collection}. The measures: {', '.join(FORTY)}.",
        contenders=[
            make_gainful_eval(collection),
            make_gainful_eval(collection, measures=FORTY).with_name(_FORTY),
        ],
        base="gainful",
        figures=[
            Figure(
                "40 measures against nDCG@10 alone", get_time_ratio(_FORTY, "gainful"), at_most=1.5
            )
        ],
    )


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
