"""The command that runs one task in its own process: ``python -m bench.all_tasks NAME ...``.

A task prints its seconds, the computed value or nan, and sometimes the megabytes that it used.
"""

import math
import random
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bench.array_tasks
import bench.dialect_tasks
import bench.limit_tasks
import bench.report_tasks
import bench.spark_tasks
import bench.statistics_tasks
import bench.table_tasks  # noqa: F401  declares tasks
from bench.tasks import TASKS, Timing, measure_time, task

__all__ = ["TASKS"]

_COLUMNS = 1000
_JUDGED = 60


@task("gainful.evaluate files", package="gainful")
def evaluate_files(qrels: str, run: str, threads: str = "") -> Timing:
    """Time mean nDCG@10 from files, on gainful's default number of threads unless one is passed."""
    import gainful

    options: dict[str, Any] = {"threads": int(threads)} if threads else {}
    seconds, scores = measure_time(lambda: gainful.evaluate(qrels, run, "nDCG@10", **options))
    return seconds, scores.mean()["nDCG@10"]


@task("gainful.evaluate frames", package="gainful")
def evaluate_frames(qrels: str, run: str, kind: str) -> tuple[float, float, float]:
    """Time mean nDCG@10 from data frames, and return the megabytes used on top of the frames."""
    import gainful

    judged, ranked = _make_frames(qrels, run, kind)
    with _watch_peak() as added:
        seconds, scores = measure_time(lambda: gainful.evaluate(judged, ranked, "nDCG@10"))
    return seconds, scores.mean()["nDCG@10"], added[0]


@task("polars frames", package="polars")
def evaluate_polars_frames(qrels: str, run: str, selection: str) -> tuple[float, float, float]:
    """Time a polars query on polars frames, and return the megabytes used on top of the frames."""
    from bench.peers import compute_polars_mean, select_top_ten, sort_all

    judged, ranked = (frame.lazy() for frame in _make_frames(qrels, run, "polars"))
    with _watch_peak() as added:
        select_items = sort_all if selection == "sorting all" else select_top_ten
        seconds, value = measure_time(lambda: compute_polars_mean(judged, ranked, select_items))
    return seconds, value, added[0]


def _make_frames(qrels: str, run: str, kind: str) -> list[Any]:
    """Return judgments and run as data frames of the given kind; their ids are text."""
    from bench.peers import scan_polars_tables

    judged, ranked = scan_polars_tables(qrels, run)
    columns = [judged.select("query", "item", "label"), ranked.select("query", "item", "score")]
    frames = [frame.collect().rechunk() for frame in columns]
    if kind == "polars":
        return frames
    tables = [frame.to_arrow() for frame in frames]
    if kind == "pyarrow":
        return tables
    import pandas

    if kind == "pandas, Arrow":
        return [table.to_pandas(types_mapper=pandas.ArrowDtype) for table in tables]
    ids = {"query": object, "item": object}
    return [table.to_pandas().astype(ids) for table in tables]


@contextmanager
def _watch_peak() -> Iterator[list[float]]:
    """Yield a list that receives the peak of resident megabytes above the start (Linux only)."""
    added: list[float] = []
    try:
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak to the current memory
    except OSError:
        yield added
        added.append(math.nan)
        return
    start = _read_memory("VmRSS")
    yield added
    added.append(_read_memory("VmHWM") - start)


def _read_memory(name: str) -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0]) * 1024 / 1e6


@task("gainful trec_eval, reading and joining", package="gainful")
def read_for_trec_eval(qrels: str, run: str) -> Timing:
    """Time reading files into rankings by the trec_eval adapter."""
    arguments = _parse_all_trec(qrels, run)
    from gainful.adapters.trec_eval.evaluated_rankings import read_judged_rankings

    return measure_time(lambda: read_judged_rankings(arguments))[0], math.nan


@task("gainful trec_eval, measures", package="gainful")
def compute_trec_eval(qrels: str, run: str) -> Timing:
    """Time computing the values of all measures of all_trec from rankings."""
    arguments = _parse_all_trec(qrels, run)
    from gainful.adapters.trec_eval.evaluated_rankings import read_judged_rankings
    from gainful.adapters.trec_eval.measure_list import CATALOG, parse_parameters
    from gainful.adapters.trec_eval.values import compute_columns

    entries = [
        entry for entry in CATALOG if entry.name in arguments.measures and entry.name != "runid"
    ]
    rankings = read_judged_rankings(arguments)
    seconds, _ = measure_time(
        lambda: [
            compute_columns(entry, parse_parameters(entry, None), rankings, arguments)
            for entry in entries
        ]
    )
    return seconds, math.nan


def _parse_all_trec(qrels: str, run: str) -> Any:
    from gainful.adapters.trec_eval.command_line import read_arguments

    return read_arguments(["-m", "all_trec", qrels, run], None)


@task("pytrec-eval-terrier, all measures", package="pytrec-eval-terrier")
def evaluate_pytrec_eval(qrels: str, run: str) -> Timing:
    """Time the means of all measures from files."""
    import pytrec_eval

    def compute_means() -> dict[str, float]:
        with open(qrels) as judged, open(run) as ranked:
            index = pytrec_eval.RelevanceEvaluator(
                pytrec_eval.parse_qrel(judged), pytrec_eval.supported_measures
            )
            values = list(index.evaluate(pytrec_eval.parse_run(ranked)).values())
        aggregated = pytrec_eval.compute_aggregated_measure
        return {name: aggregated(name, [value[name] for value in values]) for name in values[0]}

    seconds, means = measure_time(compute_means)
    return seconds, round(means["map"], 4)


@task("gainful.evaluate dicts", package="gainful")
def evaluate_dicts(queries: str) -> Timing:
    """Time mean nDCG@10 from dicts."""
    import gainful

    qrels, run = _draw_dicts(int(queries))
    seconds, scores = measure_time(lambda: gainful.evaluate(qrels, run, "nDCG@10"))
    return seconds, scores.mean()["nDCG@10"]


@task("pytrec-eval-terrier dicts", package="pytrec-eval-terrier")
def evaluate_pytrec_eval_dicts(queries: str) -> Timing:
    """Time the values of all queries from dicts; their mean is computed afterwards."""
    import pytrec_eval

    qrels, run = _draw_dicts(int(queries))
    seconds, values = measure_time(
        lambda: pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(run)
    )
    return seconds, statistics.mean(value["ndcg_cut_10"] for value in values.values())


def _draw_dicts(queries: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Return judgments and a run whose ids are not the same objects, as if read from files."""
    draw = random.Random(20240229)
    qrels, run = {}, {}
    for query in range(queries):
        items = draw.sample(range(10**6, 10**7), _COLUMNS)
        judged = draw.sample(items, _JUDGED)
        qrels[f"q{query}"] = {f"d{item}": draw.randrange(4) for item in judged}
        # In single precision, which trec_eval compares in, these are as distinct as in double.
        run[f"q{query}"] = {f"d{item}": draw.randrange(10**6) / 64 for item in items}
    return qrels, run


def main() -> None:
    """Run the task that the command line names."""
    name, *arguments = sys.argv[1:]
    print(*map(repr, TASKS[name].run(*arguments)))


if __name__ == "__main__":
    main()
