"""Gainful on Spark beside Spark SQL, MLlib, and one machine."""

from bench.contenders import Contender, make_task
from bench.data import Tables
from bench.figures import Figure, get_printed_number, get_printed_ratio, get_time_ratio
from bench.groups._group import Group, Size
from bench.spark_tasks import EXTRA_NUMBERS
from bench.table_tasks import EXTRA_NUMBERS as LOCAL_EXTRA_NUMBERS

_SPARK = "gainful on Spark"
_WINDOWS, _TOP = "Spark SQL windows", "Spark SQL windows, top ten only"
_MIXED = ", rows mixed"
_LOCAL, _DUCKDB = "gainful.evaluate", "DuckDB ranks, gainful measures"
_LIMIT = "500MB"
_LIMITED = f"{_DUCKDB}{_MIXED}, within {_LIMIT}"
_MLLIB, _BINARY = "MLlib RankingMetrics, binary", "gainful.evaluate, nDCG(gain=binary)@10"
_TINY = Tables(queries=2, items=20, judgments=5)


def compare_spark(size: Size) -> Group:
    """Compare Gainful on Spark with its peers on Spark and with one machine."""
    data, mixed = (Tables(size.spark_queries, shape=shape) for shape in ("together", "mixed"))
    return Group(
        title="Spark",
        text=(
            f"Data: {data}: the rows of a query stand together, but where they are said to be "
            "mixed: then all rows of the run are in random order. About ten items of a query have "
            "the same score. On Spark: a session `local[2]` with 4 GB for the JVM, which has done "
            "the same work twice on a hundredth of the queries, so that neither the start of the "
            "JVM and of Python workers nor compilation is measured; settings are Spark's own, but "
            "that a task reads at most 8 MB of a file. Spark SQL windows: `row_number` over the "
            "items of a query, broadcast qrels, an ideal by another window, `avg`. `Top ten only` "
            "is the same with `where rank <= 10`, so that Spark drops all other items before it "
            "shuffles: it serves measures at a cutoff, and those alone. MLlib gets the first ten "
            "items of each query, and from Python takes every label above 0 for 1: its value is "
            "that of binary nDCG@10. On one machine: timed inside the process, after its imports. "
            "DuckDB joins and ranks by a window, and Gainful's kernel does the rest. Shuffle: "
            "what tasks wrote for others; results: what they sent to the driver; broadcast: what "
            "the driver sends to every executor, closures included; all from Spark's event log. "
            "The largest Python worker, the JVM and the driver's Python are the most that was "
            "resident in one process, looked at every 50 ms; the JVM takes what it is given before "
            "it collects garbage."
        ),
        contenders=[
            _make_spark_task("gainful.spark", data).with_name(_SPARK),
            _make_spark_task("Spark SQL windows", data, "all").with_name(_WINDOWS),
            _make_spark_task("Spark SQL windows", data, "top").with_name(_TOP),
            _add_mixed(_make_spark_task("gainful.spark", mixed).with_name(_SPARK)),
            _add_mixed(_make_spark_task("Spark SQL windows", mixed, "all").with_name(_WINDOWS)),
            _make_spark_task("MLlib RankingMetrics", data).with_name(_MLLIB).with_answer(_MLLIB),
            _make_local_task(_LOCAL, data, "nDCG(gain=binary)@10")
            .with_name(_BINARY)
            .with_answer(_MLLIB),
            _make_local_task(_LOCAL, data),
            _add_mixed(_make_local_task(_LOCAL, mixed)),
            _make_local_task(_DUCKDB, data),
            _add_mixed(_make_local_task(_DUCKDB, mixed)),
            _make_local_task(_DUCKDB, mixed, _LIMIT).with_name(_LIMITED),
        ],
        base=_WINDOWS,
        figures=[*_compare_with_windows(), *_compare_memory(), *_compare_peers()],
    )


def _compare_with_windows() -> list[Figure]:
    return [
        Figure(
            "Gainful on Spark against Spark SQL windows",
            get_time_ratio(_SPARK, _WINDOWS),
            at_most=1.0,
        ),
        Figure(
            "Gainful on Spark against Spark SQL windows, top ten only", get_time_ratio(_SPARK, _TOP)
        ),
        Figure(
            "Gainful on Spark against Spark SQL windows, rows mixed",
            get_time_ratio(_SPARK + _MIXED, _WINDOWS + _MIXED),
        ),
        Figure(
            "Gainful on Spark: shuffled bytes against those of Spark SQL windows",
            get_printed_ratio(_SPARK, _WINDOWS, "shuffle MB"),
        ),
    ]


def _compare_memory() -> list[Figure]:
    return [
        *(
            Figure(
                f"Gainful on Spark, largest Python worker{suffix}",
                get_printed_number(_SPARK + suffix, "largest worker MB"),
                unit=" MB",
            )
            for suffix in ("", _MIXED)
        ),
        *(
            Figure(f"{title}, JVM", get_printed_number(name, "JVM MB"), unit=" MB")
            for title, name in (("Gainful on Spark", _SPARK), ("Spark SQL windows", _WINDOWS))
        ),
    ]


def _compare_peers() -> list[Figure]:
    return [
        Figure("Gainful on Spark, times as fast as MLlib", get_time_ratio(_MLLIB, _SPARK)),
        Figure(
            "`gainful.evaluate` on one machine, times as fast as Spark SQL windows",
            get_time_ratio(_WINDOWS, _LOCAL),
        ),
        *(
            Figure(
                f"`gainful.evaluate` of Parquet, times as fast as DuckDB and its kernel{suffix}",
                get_time_ratio(_DUCKDB + suffix, _LOCAL + suffix),
            )
            for suffix in ("", _MIXED)
        ),
        Figure(
            f"the same, DuckDB within {_LIMIT}",
            get_time_ratio(_LIMITED, _LOCAL + _MIXED),
        ),
        *(
            Figure(
                f"peak memory of {title}, rows mixed",
                get_printed_number(name, "peak MB"),
                unit=" MB",
            )
            for title, name in (
                ("`gainful.evaluate` of Parquet", _LOCAL + _MIXED),
                ("DuckDB and its kernel", _DUCKDB + _MIXED),
                (f"the same within {_LIMIT}", _LIMITED),
            )
        ),
    ]


def _make_spark_task(task: str, data: Tables, *arguments: str) -> Contender:
    """Return the task, with a trial on few rows because Spark needs Java."""
    contender, trial = (
        make_task(task, *tables.warm_up_paths, *arguments, collection=tables).with_extra_numbers(
            *EXTRA_NUMBERS
        )
        for tables in (data, _TINY)
    )
    return contender.with_trial(trial)


def _make_local_task(name: str, data: Tables, *arguments: str) -> Contender:
    task = {_LOCAL: "gainful.evaluate Parquet"}.get(name, name)
    return (
        make_task(task, *arguments, collection=data)
        .with_name(name)
        .with_extra_numbers(*LOCAL_EXTRA_NUMBERS)
    )


def _add_mixed(contender: Contender) -> Contender:
    return contender.with_name(contender.name + _MIXED)
