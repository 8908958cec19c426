"""Writing reports, and opening them in a browser."""

from dataclasses import replace

from bench.contenders import COMMAND, Contender, make_task
from bench.data import CACHE, Collection
from bench.figures import Figure, get_printed_mb, get_seconds, get_time_ratio
from bench.groups._group import Group, Size

_EMPTY = "opening an empty page"
_MAX_MB = {300: 1.5, 5000: 3.0}  # of two runs, by number of queries
_MAX_SECONDS = 2.0


def measure_reports(size: Size) -> Group:
    """Measure the time to write and to open a report, and its size."""
    shapes = [(12, 2), (300, 2), (min(5000, size.queries), 2), (300, 20)]
    collections = [Collection(queries, items=100, runs=runs) for queries, runs in shapes]
    return Group(
        title="Reports",
        text=(
            "`gainful report` and `gainful compare` of the same runs, 100 items a query, whole "
            "processes. Opening is timed inside Chromium, from the start of navigation to the mark "
            "that tables and charts can be used, each time in a new browser; an empty page holds "
            "nothing but the mark."
        ),
        contenders=[
            *(
                contender
                for data in collections
                for contender in (_make_comparison(data), _make_report(data))
            ),
            _make_empty(),
            *(
                _make_opening(_find_page(data)).with_name(_format_opening(data))
                for data in collections
            ),
        ],
        base=_EMPTY,
        figures=[figure for data in collections for figure in _make_figures(data)],
    )


def _make_figures(data: Collection) -> list[Figure]:
    largest = _MAX_MB.get(data.queries) if data.runs == 2 else None
    shape = _format_shape(data)
    return [
        Figure(
            f"report of {shape}, size",
            get_printed_mb(_format_opening(data)),
            at_most=largest,
            unit=" MB",
        ),
        Figure(
            f"report of {shape}, until it can be used in Chromium",
            get_seconds(_format_opening(data)),
            at_most=_MAX_SECONDS,
            unit=" s",
        ),
        Figure(
            f"report of {shape}, opening against an empty page",
            get_time_ratio(_format_opening(data), _EMPTY),
        ),
        Figure(
            f"report of {shape}, writing against `gainful compare`",
            get_time_ratio(_make_report(data).name, _make_comparison(data).name),
        ),
    ]


def _format_shape(data: Collection) -> str:
    return f"{data.queries:,} queries x {data.runs} runs"


def _format_opening(data: Collection) -> str:
    return f"opening a report of {_format_shape(data)}"


def _find_page(data: Collection) -> str:
    return str(CACHE / f"report-{data.queries}x{data.runs}.html")


def _make_report(data: Collection) -> Contender:
    command = (COMMAND, "report", data.qrels, *data.run_paths, "-o", _find_page(data))
    return Contender(f"gainful report, {_format_shape(data)}", command, "gainful", data)


def _make_comparison(data: Collection) -> Contender:
    command = (COMMAND, "compare", data.qrels, *data.run_paths)
    return Contender(f"gainful compare, {_format_shape(data)}", command, "gainful", data)


def _make_opening(path: str) -> Contender:
    return replace(_make_browser_task("opening a report", path), trial=_make_empty())


def _make_empty() -> Contender:
    contender = _make_browser_task(_EMPTY, str(CACHE / "empty.html"))
    return replace(contender, trial=contender)


def _make_browser_task(task: str, path: str) -> Contender:
    """Return a task that opens a page in the browser that the tools start."""
    contender = make_task(task, path)
    return replace(contender, command=("env", "PYTHONPATH=tools", *contender.command))
