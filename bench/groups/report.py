"""Reports: written, and opened in a browser."""

from dataclasses import replace

from bench.contenders import COMMAND, Contender, inside
from bench.data import CACHE, Collection
from bench.figures import Figure, printed_mb, seconds, time_ratio
from bench.groups._declare import Group, Size

_EMPTY = "opening an empty page"
_LARGEST = {300: 1.5, 5000: 3.0}  # MB of two runs
_PATIENCE = 2.0  # seconds


def report(size: Size) -> Group:
    """How long a report takes to write, how large it is, and how long it takes to open."""
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
            *(made for one in several for made in (_comparing(one), _writing(one))),
            _empty(),
            *(_opening(_page(one)).called(_opened(one)) for one in several),
        ],
        base=_EMPTY,
        figures=[figure for one in several for figure in _figures(one)],
    )


def _figures(one: Collection) -> list[Figure]:
    largest = _LARGEST.get(one.queries) if one.runs == 2 else None
    shape = _shape(one)
    return [
        Figure(f"report of {shape}, size", printed_mb(_opened(one)), at_most=largest, unit=" MB"),
        Figure(
            f"report of {shape}, until it can be used in Chromium",
            seconds(_opened(one)),
            at_most=_PATIENCE,
            unit=" s",
        ),
        Figure(
            f"report of {shape}, opening against an empty page", time_ratio(_opened(one), _EMPTY)
        ),
        Figure(
            f"report of {shape}, writing against `gainful compare`",
            time_ratio(_writing(one).name, _comparing(one).name),
        ),
    ]


def _shape(one: Collection) -> str:
    return f"{one.queries:,} queries x {one.runs} runs"


def _opened(one: Collection) -> str:
    return f"opening a report of {_shape(one)}"


def _page(one: Collection) -> str:
    return str(CACHE / f"report-{one.queries}x{one.runs}.html")


def _writing(one: Collection) -> Contender:
    command = (COMMAND, "report", one.qrels, *one.run_paths, "-o", _page(one))
    return Contender(f"gainful report, {_shape(one)}", command, "gainful", one)


def _comparing(one: Collection) -> Contender:
    command = (COMMAND, "compare", one.qrels, *one.run_paths)
    return Contender(f"gainful compare, {_shape(one)}", command, "gainful", one)


def _opening(path: str) -> Contender:
    return replace(_in_a_browser("opening a report", path), trial=_empty())


def _empty() -> Contender:
    made = _in_a_browser(_EMPTY, str(CACHE / "empty.html"))
    return replace(made, trial=made)


def _in_a_browser(task: str, path: str) -> Contender:
    """What opens a page; the tools know how to start a browser."""
    made = inside(task, path)
    return replace(made, command=("env", "PYTHONPATH=tools", *made.command))
