"""The declaration of groups and of their data sizes."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.contenders import Contender
from bench.figures import Figure


@dataclass(frozen=True)
class Size:
    """The size of the data.

    Attributes:
        queries: Number of queries in files.
        runs: Number of runs in the track.
        rows: Number of rows of the arrays.
        dict_queries: Number of queries in dicts.
        resamples: Number of resamples of the randomization test.
        spark_queries: Number of queries in the tables for Spark.
    """

    queries: int
    runs: int
    rows: int
    dict_queries: int
    resamples: int
    spark_queries: int


# Files as those of MS MARCO dev.
FULL = Size(
    queries=6980,
    runs=100,
    rows=10_000,
    dict_queries=1000,
    resamples=100_000,
    spark_queries=20_000,
)
QUICK = Size(queries=500, runs=10, rows=1000, dict_queries=100, resamples=2000, spark_queries=200)


@dataclass(frozen=True)
class Group:
    """Contenders that take turns, and the figures computed from them.

    Attributes:
        title: Heading of the table.
        text: Description of the data and the contenders, for the report.
        contenders: Contenders in the order of the table.
        base: Name of the contender whose time is 1 in the table.
        figures: Figures for the summary.
        rounds: Number of rounds per repetition; short groups have more.
    """

    title: str
    text: str
    contenders: Sequence[Contender]
    base: str
    figures: Sequence[Figure] = ()
    rounds: int = 1
