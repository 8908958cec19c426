"""Rank queries that are too large for a worker, with Spark's window functions.

Only their judged items leave Spark, with their ranks. Spark sorts and counts; it computes no value.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gainful.alignment import JudgedRankings, Rules
from gainful.errors import SourceError, SparkError
from gainful.spark.failures import translate_errors
from gainful.spark.inputs import SparkInput
from gainful.spark.task import Task

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# The rules that windows cannot follow, with the values that they can.
_RANKED_BY_WINDOWS = {
    "ties": (
        *("item-desc", "item-asc", "input", "input-reversed", "rank-column"),
        *("average", "best", "worst"),
    ),
    "duplicates": ("error",),
    "unjudged": ("nonrelevant", "undefined"),
    "collapse": (None,),
    "own_items": (None,),
}


def rank_large_queries(
    qrels: SparkInput, run: SparkInput, queries: Sequence[str], task: Task
) -> "DataFrame":
    """Return the judgments of some queries, their hits with ranks, and their sizes.

    Raises an error for rules and measures that windows cannot serve.
    """
    from pyspark.sql import functions as F

    _check_task(queries, task)
    judged = qrels.frame.where(F.col("query").isin(*queries))
    rows = _add_key(run.frame.where(F.col("query").isin(*queries)), task.rules)
    with translate_errors():
        _check_rows(rows, run.place)
        label = F.max(F.col("label").try_cast("double")).alias("label")
        labels = judged.groupBy("query", "item").agg(label).withColumn("is_judged", F.lit(True))
        hits = _rank(rows.join(labels, ["query", "item"], "left"), task.rules)
        sizes = rows.groupBy("query").agg(F.count("*").alias("n_rows"))
        ranked = hits.unionByName(sizes, allowMissingColumns=True).withColumns(
            {"is_run": F.lit(True), "position": F.lit(0)}
        )
        is_qrels = judged.withColumn("is_run", F.lit(False))
        return is_qrels.unionByName(ranked, allowMissingColumns=True)


def _check_task(queries: Sequence[str], task: Task) -> None:
    """Raise an error for a measure or a rule that needs all rows of a query in one place."""
    reason = None
    for kind in task.ranking_types:
        if kind is not JudgedRankings:
            reason = f"{task.find_first_measure(kind)} needs them all in one place"
    for name, values in _RANKED_BY_WINDOWS.items():
        if (value := getattr(task.rules, name)) not in values:
            reason = f"Spark's windows cannot rank them by {name}={value}"
    if reason is not None:
        message = (
            f"{task.run_place}: query {queries[0]!r} has more than {task.max_query_rows:,} rows, "
            f"and {reason}. Leave it out, or evaluate it on one machine: gainful.evaluate()."
        )
        raise SparkError(message, code="too-large")


def _add_key(rows: "DataFrame", rules: Rules) -> "DataFrame":
    """Return the rows with the key that orders them, ascending."""
    from pyspark.sql import functions as F

    if rules.order == "file":
        key = F.col("position").cast("double")
    elif rules.order == "score" and "score" in rows.columns:
        score = F.col("score").try_cast("double")
        if rules.precision == "float32":
            score = score.cast("float").cast("double")
        key = F.when(score == 0, 0.0).otherwise(-score)  # zeros of both signs are tied
    else:
        key = F.col("rank").try_cast("double")
    return rows.withColumn("key", key)


def _check_rows(rows: "DataFrame", place: str) -> None:
    """Raise an error that names a row without an order, or an item that is there twice."""
    from pyspark.sql import functions as F

    bad = rows.where("key is null or isnan(key) or item is null").head()
    if bad is not None:
        number = bad.asDict().get("score", bad.asDict().get("rank"))
        message = (
            f"{place}: query {bad['query']!r} item {bad['item']!r}: must have an id, and a number "
            f"to order it by, got {number!r}."
        )
        raise SourceError(message, code="bad-score")
    twice = rows.groupBy("query", "item").agg(F.count("*").alias("times")).where("times > 1").head()
    if twice is not None:
        message = (
            f"{place}: query {twice['query']!r} item {twice['item']!r} is retrieved twice. Drop "
            "one of the rows."
        )
        raise SourceError(message, code="retrieved-twice")


def _rank(rows: "DataFrame", rules: Rules) -> "DataFrame":
    """Return the judged items with their ranks and the blocks of equal keys that they are in."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    query = Window.partitionBy("query")
    block = Window.partitionBy("query", "key")
    ranked = rows.select(
        "query",
        "item",
        "is_judged",
        F.row_number().over(query.orderBy("key", *_break_ties(rules))).alias("hit_rank"),
        F.rank().over(query.orderBy("key")).alias("tie_first"),
        F.count("*").over(block).alias("tie_size"),
    )
    hits = ranked.where("is_judged").drop("is_judged")
    if rules.depth is not None:
        # An averaged tie that reaches above the cut counts with the part that does.
        shallowest = "tie_first" if rules.ties == "average" else "hit_rank"
        hits = hits.where(F.col(shallowest) <= rules.depth)
    return hits


def _break_ties(rules: Rules) -> "list[Column]":
    """Return what orders rows of equal keys, as the native core does."""
    from pyspark.sql import functions as F

    label = F.coalesce("label", F.lit(0.0))
    item_last = F.col("item").desc()
    by_rule = {
        "item-asc": [F.col("item").asc()],
        "input": [F.col("position").asc()],
        "input-reversed": [F.col("position").desc()],
        "rank-column": [F.col("rank").try_cast("double").asc(), F.col("position").asc()],
        "average": [label.desc(), item_last],
        "best": [label.desc(), item_last],
        "worst": [label.asc(), item_last],
    }
    return by_rule.get(rules.ties, [item_last])
