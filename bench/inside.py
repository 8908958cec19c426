"""Work that is timed inside its process, after its imports: ``python -m bench.inside NAME ...``.

A task prints its seconds, the value that it computed, or nan, and perhaps the megabytes it took.
"""

import math
import random
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bench.inside_arrays
import bench.inside_dialects
import bench.inside_limits
import bench.inside_report
import bench.inside_spark
import bench.inside_statistics
import bench.inside_tables  # noqa: F401  declares tasks
from bench.tasks import TASKS, Timed, task, timed

__all__ = ["TASKS"]

_COLUMNS = 1000
_JUDGED = 60


@task("gainful.evaluate files", package="gainful")
def evaluate_files(qrels: str, run: str, threads: str = "") -> Timed:
    """Files to mean nDCG@10, on as many threads as gainful chooses unless they are given."""
    import gainful

    options: dict[str, Any] = {"threads": int(threads)} if threads else {}
    seconds, scores = timed(lambda: gainful.evaluate(qrels, run, "nDCG@10", **options))
    return seconds, scores.mean()["nDCG@10"]


@task("gainful.evaluate frames", package="gainful")
def evaluate_frames(qrels: str, run: str, kind: str) -> tuple[float, float, float]:
    """Frames of a library to mean nDCG@10, and the megabytes that it took beside them."""
    import gainful

    judged, ranked = _frames(qrels, run, kind)
    with _peak() as added:
        seconds, scores = timed(lambda: gainful.evaluate(judged, ranked, "nDCG@10"))
    return seconds, scores.mean()["nDCG@10"], added[0]


@task("polars frames", package="polars")
def polars_frames(qrels: str, run: str, how: str) -> tuple[float, float, float]:
    """The same by a query of polars, on its own frames."""
    from bench.peers import all_sorted, polars_mean, top_ten

    judged, ranked = (frame.lazy() for frame in _frames(qrels, run, "polars"))
    with _peak() as added:
        found = all_sorted if how == "sorting all" else top_ten
        seconds, value = timed(lambda: polars_mean(judged, ranked, found))
    return seconds, value, added[0]


def _frames(qrels: str, run: str, kind: str) -> list[Any]:
    """Judgments and run as frames of a library; their ids are text."""
    from bench.peers import polars_tables

    judged, ranked = polars_tables(qrels, run)
    columns = [judged.select("query", "item", "label"), ranked.select("query", "item", "score")]
    frames = [one.collect().rechunk() for one in columns]
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
def _peak() -> Iterator[list[float]]:
    """The megabytes that were resident at most above what was at the beginning; Linux alone."""
    added: list[float] = []
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the peak is what there is now
    except OSError:
        yield added
        added.append(math.nan)
        return
    before = _resident("VmRSS")
    yield added
    added.append(_resident("VmHWM") - before)


def _resident(name: str) -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0]) * 1024 / 1e6


@task("gainful trec_eval, reading and joining", package="gainful")
def trec_eval_reading(qrels: str, run: str) -> Timed:
    """Files to rankings, as the drop-in reads them."""
    arguments = _all_trec(qrels, run)
    from gainful.adapters.trec_eval.rankings import read_judged_rankings

    return timed(lambda: read_judged_rankings(arguments))[0], math.nan


@task("gainful trec_eval, measures", package="gainful")
def trec_eval_measures(qrels: str, run: str) -> Timed:
    """Rankings to the values of all measures of all_trec."""
    arguments = _all_trec(qrels, run)
    from gainful.adapters.trec_eval.measure_list import CATALOG, parse_parameters
    from gainful.adapters.trec_eval.rankings import read_judged_rankings
    from gainful.adapters.trec_eval.values import compute_columns

    wanted = [one for one in CATALOG if one.name in arguments.measures and one.name != "runid"]
    evaluated = read_judged_rankings(arguments)
    seconds, _ = timed(
        lambda: [
            compute_columns(e, parse_parameters(e, None), evaluated, arguments) for e in wanted
        ]
    )
    return seconds, math.nan


def _all_trec(qrels: str, run: str) -> Any:
    from gainful.adapters.trec_eval.command_line import read_arguments

    return read_arguments(["-m", "all_trec", qrels, run], None)


@task("pytrec-eval-terrier, all measures", package="pytrec-eval-terrier")
def pytrec_eval_all(qrels: str, run: str) -> Timed:
    """Files to the means of all measures, the whole of it timed."""
    import pytrec_eval

    def means() -> dict[str, float]:
        with open(qrels) as judged, open(run) as ranked:
            index = pytrec_eval.RelevanceEvaluator(
                pytrec_eval.parse_qrel(judged), pytrec_eval.supported_measures
            )
            values = list(index.evaluate(pytrec_eval.parse_run(ranked)).values())
        aggregated = pytrec_eval.compute_aggregated_measure
        return {name: aggregated(name, [value[name] for value in values]) for name in values[0]}

    seconds, found = timed(means)
    return seconds, round(found["map"], 4)


@task("gainful.evaluate dicts", package="gainful")
def evaluate_dicts(queries: str) -> Timed:
    """Dicts to mean nDCG@10."""
    import gainful

    qrels, run = _dicts(int(queries))
    seconds, scores = timed(lambda: gainful.evaluate(qrels, run, "nDCG@10"))
    return seconds, scores.mean()["nDCG@10"]


@task("pytrec-eval-terrier dicts", package="pytrec-eval-terrier")
def pytrec_eval_dicts(queries: str) -> Timed:
    """Dicts to the values of all queries, of which the mean is taken afterwards."""
    import pytrec_eval

    qrels, run = _dicts(int(queries))
    seconds, values = timed(
        lambda: pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(run)
    )
    return seconds, statistics.mean(value["ndcg_cut_10"] for value in values.values())


def _dicts(queries: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments and a run; the ids of the two are not the same objects, as if read from files."""
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
    """Do the task that the command line names."""
    name, *arguments = sys.argv[1:]
    print(*map(repr, TASKS[name].run(*arguments)))


if __name__ == "__main__":
    main()
