"""A cluster gives the bits that one machine gives, whatever the partitions."""

import pytest

import gainful
from cluster.rows import MEASURES, describe_scores
from gainful.spark import evaluate


@pytest.mark.parametrize("partitions", [1, 3, 16, None])
def test_values_means_and_notices_are_those_of_one_machine(spark, qrels, run, partitions):
    judged, ranked = spark.createDataFrame(qrels), spark.createDataFrame(run)
    if partitions is not None:
        ranked = ranked.repartition(partitions, "item").sortWithinPartitions("query", "item")
    ours = evaluate(judged, ranked, MEASURES, partitions=partitions)
    assert describe_scores(ours) == describe_scores(gainful.evaluate(qrels, run, MEASURES))


def test_no_row_and_no_query_is_lost(spark, qrels, run):
    judged, ranked = spark.createDataFrame(qrels), spark.createDataFrame(run)
    measures = ["NumQ", "NumRet", "NumRel"]
    ours = evaluate(judged, ranked, measures)
    n_judged = len(qrels.column("query").unique())
    assert len(ours.queries) == n_judged
    judged_queries = set(qrels.column("query").to_pylist())
    n_rows = sum(query in judged_queries for query in run.column("query").to_pylist())
    assert sum(ours.values[:, 1]) == n_rows
