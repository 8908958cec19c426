"""Reports: written, and opened in a browser."""

from dataclasses import replace

from bench.contenders import COMMAND, Contender, make_task
from bench.data import CACHE, Collection
from bench.figures import Figure, get_printed_mb, get_seconds, get_time_ratio
from bench.groups._group import Group, Size

_EMPTY = "opening an empty page"
_LARGEST = {300: 1.5, 5000: 3.0}  # MB of two runs
_PATIENCE = 2.0  # seconds


def report(size: Size) -> Group:
    """Measure how long a report takes to write and to open, and how large it is."""
    shapes = [(12, 2), (300, 2), (min(5000, size.queries), 2), (300, 20)]
    several = [Collection(queries, items=100, runs=runs) for queries, runs in shapes]
    return Group(
        title="Reports",
        text=(
            "`gainful report` and `gainful compare` of the same runs, 100 items a query, whole "
            "processes. Opening is timed inside Chromium, from the start of navigation to the mark "
            "that tables and charts can be used, each time in a new browser; an empty page holds "
            "nothing but the mark."
        ),
        contenders=[
            *(made for one in several for made in (_make_comparing(one), _make_writing(one))),
            _make_empty(),
            *(_make_opening(_find_page(one)).with_name(_format_opening(one)) for one in several),
        ],
        base=_EMPTY,
        figures=[figure for one in several for figure in _make_figures(one)],
    )


def _make_figures(one: Collection) -> list[Figure]:
    largest = _LARGEST.get(one.queries) if one.runs == 2 else None
    shape = _format_shape(one)
    return [
        Figure(
            f"report of {shape}, size",
            get_printed_mb(_format_opening(one)),
            at_most=largest,
            unit=" MB",
        ),
        Figure(
            f"report of {shape}, until it can be used in Chromium",
            get_seconds(_format_opening(one)),
            at_most=_PATIENCE,
            unit=" s",
        ),
        Figure(
            f"report of {shape}, opening against an empty page",
            get_time_ratio(_format_opening(one), _EMPTY),
        ),
        Figure(
            f"report of {shape}, writing against `gainful compare`",
            get_time_ratio(_make_writing(one).name, _make_comparing(one).name),
        ),
    ]


def _format_shape(one: Collection) -> str:
    return f"{one.queries:,} queries x {one.runs} runs"


def _format_opening(one: Collection) -> str:
    return f"opening a report of {_format_shape(one)}"


def _find_page(one: Collection) -> str:
    return str(CACHE / f"report-{one.queries}x{one.runs}.html")


def _make_writing(one: Collection) -> Contender:
    command = (COMMAND, "report", one.qrels, *one.run_paths, "-o", _find_page(one))
    return Contender(f"gainful report, {_format_shape(one)}", command, "gainful", one)


def _make_comparing(one: Collection) -> Contender:
    command = (COMMAND, "compare", one.qrels, *one.run_paths)
    return Contender(f"gainful compare, {_format_shape(one)}", command, "gainful", one)


def _make_opening(path: str) -> Contender:
    return replace(_make_browser_task("opening a report", path), trial=_make_empty())


def _make_empty() -> Contender:
    made = _make_browser_task(_EMPTY, str(CACHE / "empty.html"))
    return replace(made, trial=made)


def _make_browser_task(task: str, path: str) -> Contender:
    """Return a task that opens a page; the tools know how to start a browser."""
    made = make_task(task, path)
    return replace(made, command=("env", "PYTHONPATH=tools", *made.command))
