"""Whole commands on small input: start-up, and what a comparison adds to an evaluation."""

from dataclasses import replace

from bench.contenders import COMMAND, Contender, make_gainful_eval, make_import, make_ten_lines
from bench.data import ROOT, TINY, Collection
from bench.figures import Figure, Statistic, get_time_ratio
from bench.groups._group import Group, Size
from bench.rounds import Outcomes

_NUMPY = make_import("numpy")
_SCIPY = replace(make_import("scipy.stats"), package="scipy")
_RUNS = Collection(queries=1000, items=100, runs=2)
_DEMO = ROOT / "src" / "gainful" / "demo"
_SHAPES = {
    "the demo": [str(_DEMO / name) for name in ("qrels.txt", "keyword.run", "hybrid.run")],
    "1,000 queries": [_RUNS.qrels, *_RUNS.run_paths],
}


def measure_commands(size: Size) -> Group:
    """Measure start-up, and `compare` of two runs; the size does not matter."""
    return Group(
        title="Commands",
        text=(
            f"Start-up: {TINY}. Two runs: those of the demo, with 12 queries, and 1,000 queries x "
            "100 items. The others are Python processes that import a package and end. The figures "
            "of `compare` are of CPU seconds."
        ),
        contenders=[
            make_ten_lines(),
            make_import("gainful"),
            _NUMPY,
            _SCIPY,
            *(_make_command(name, shape) for shape in _SHAPES for name in ("eval", "compare")),
        ],
        base=_NUMPY.name,
        figures=[
            Figure(
                "start-up: `gainful eval` of ten lines against `import numpy`",
                get_time_ratio(make_ten_lines().name, _NUMPY.name),
                at_most=1.4,
            ),
            *(
                Figure(
                    f"`compare` of two runs, {shape}, against `eval` and the import of SciPy",
                    _divide_by_eval_and_scipy(shape),
                    at_most=1.3,
                )
                for shape in _SHAPES
            ),
        ],
        rounds=3,
    )


def _make_command(name: str, shape: str) -> Contender:
    collection = None if shape == "the demo" else _RUNS
    contender = replace(make_gainful_eval(_RUNS), value=None, collection=collection)
    command = (COMMAND, name, *_SHAPES[shape], "-m", "nDCG@10")
    return replace(contender, name=f"gainful {name}, {shape}", command=command)


def _divide_by_eval_and_scipy(shape: str) -> Statistic:
    """Return a function that divides the CPU of `compare` by that of `eval` and of SciPy's import.

    The import alone: without that of NumPy, which `eval` has too.
    """

    def compute(outcomes: Outcomes) -> float:
        compare, evaluation, scipy, numpy = (
            outcomes[name].cpu_seconds
            for name in (
                f"gainful compare, {shape}",
                f"gainful eval, {shape}",
                _SCIPY.name,
                _NUMPY.name,
            )
        )
        return compare / (evaluation + scipy - numpy)

    return compute
