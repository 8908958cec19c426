"""Writing reports, and opening them in a browser."""

from dataclasses import replace
from importlib.resources import files

from bench.contenders import COMMAND, Contender, make_import, make_task
from bench.data import CACHE, Collection
from bench.figures import Figure, get_cpu_ratio, get_printed_mb, get_seconds
from bench.groups._group import Group, Size

_DEMO = "gainful report, the demo"
_DRAWING = "import altair, vl_convert, jinja2, and draw the demo's charts once"
_NUMPY = make_import("numpy")
_MANY_RUNS = Collection(1000, items=100, runs=8)
_MAX_MB = {300: 1.5, 5000: 3.0}  # of two runs, by number of queries
_MAX_SECONDS = 2.0


def measure_reports(size: Size) -> Group:
    """Measure the CPU time to write a report, the time to open it, and its size."""
    collections = [Collection(n, items=100, runs=2) for n in (300, min(5000, size.queries))]
    many_runs = _make_report(_MANY_RUNS)
    return Group(
        title="Reports",
        text=(
            "`gainful report`, whole processes: user and system time, the least of all rounds. The "
            f"demo has 12 queries and 2 runs, the large report {_format_shape(_MANY_RUNS)}, 100 "
            "items a query. Opening is timed inside Chromium, from the start of navigation to the "
            "mark that tables and charts can be used, each time in a new browser."
        ),
        contenders=[
            _NUMPY,
            _make_drawing(),
            Contender(_DEMO, (*_list_demo_command(), "-o", _find_page("demo")), "gainful"),
            many_runs,
            *map(_make_report, collections),
            *map(_make_opening, collections),
        ],
        base=_NUMPY.name,
        figures=[
            Figure(
                "report of the demo: CPU against `import numpy`",
                get_cpu_ratio(_DEMO, _NUMPY.name),
                at_most=12,
            ),
            Figure(
                "report of the demo: CPU against importing Altair, vl-convert and Jinja, and "
                "drawing its charts once",
                get_cpu_ratio(_DEMO, _DRAWING),
                at_most=1.5,
            ),
            Figure(
                f"report of {_format_shape(_MANY_RUNS)}: CPU against the demo's",
                get_cpu_ratio(many_runs.name, _DEMO),
                at_most=3,
            ),
            *(figure for data in collections for figure in _make_page_figures(data)),
        ],
    )


def _make_page_figures(data: Collection) -> list[Figure]:
    shape, opening = _format_shape(data), _make_opening(data).name
    return [
        Figure(
            f"report of {shape}: size",
            get_printed_mb(opening),
            at_most=_MAX_MB.get(data.queries),
            unit=" MB",
        ),
        Figure(
            f"report of {shape}: until it can be used in Chromium",
            get_seconds(opening),
            at_most=_MAX_SECONDS,
            unit=" s",
        ),
    ]


def _format_shape(data: Collection) -> str:
    return f"{data.queries:,} queries x {data.runs} runs"


def _find_page(name: str) -> str:
    return str(CACHE / f"report-{name}.html")


def _find_page_of(data: Collection) -> str:
    return _find_page(f"{data.queries}x{data.runs}")


def _list_demo_command() -> tuple[str, ...]:
    return (COMMAND, "report", *_list_demo_files())


def _list_demo_files() -> tuple[str, ...]:
    names = ("qrels.txt", "keyword.run", "hybrid.run")
    return tuple(str(files("gainful") / "demo" / name) for name in names)


def _make_drawing() -> Contender:
    """Return the process that draws the demo's charts; its trial saves them."""
    path = str(CACHE / "demo-charts.json")
    drawing = make_task("drawing the charts of a report", path)
    trial = make_task("saving the charts of a report", path, *_list_demo_files())
    return replace(drawing, name=_DRAWING, trial=trial)


def _make_report(data: Collection) -> Contender:
    command = (COMMAND, "report", data.qrels, *data.run_paths, "-o", _find_page_of(data))
    return Contender(f"gainful report, {_format_shape(data)}", command, "gainful", data)


def _make_opening(data: Collection) -> Contender:
    """Return the task that opens a page in the browser that the tools start."""
    empty = _add_tools(make_task("opening an empty page", str(CACHE / "empty.html")))
    opening = _add_tools(make_task("opening a report", _find_page_of(data)))
    name = f"opening a report of {_format_shape(data)}"
    return replace(opening.with_name(name), trial=empty)


def _add_tools(contender: Contender) -> Contender:
    return replace(contender, command=("env", "PYTHONPATH=tools", *contender.command))
