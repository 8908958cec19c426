"""The declaration of a group."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.contenders import Contender
from bench.figures import Figure


@dataclass(frozen=True)
class Size:
    """How much is measured.

    Attributes:
        queries: Of the files.
        runs: Of the track.
        rows: Of the arrays.
        dict_queries: Of the dicts.
        resamples: Of the randomization test.
        spark_queries: Of the tables that Spark reads.
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
    """Contenders that take turns, and what is concluded from them.

    Attributes:
        title: The heading of its table.
        text: What is done, for the report.
        contenders: In the order of the table.
        base: The name of the contender whose time is 1 in the table.
        figures: For the summary.
        rounds: How often it is repeated where others are repeated once: more if it is short.
    """

    title: str
    text: str
    contenders: Sequence[Contender]
    base: str
    figures: Sequence[Figure] = ()
    rounds: int = 1
