"""evaluate(), compare() and gate(), given DataFrames of Spark."""

import pytest

import gainful
from gainful.errors import SparkError
from gainful.spark import SparkScores

pytestmark = pytest.mark.spark
QRELS = {f"q{i}": {"d1": 2, "d2": 1} for i in range(6)}
OLD = [(query, item, score) for query in QRELS for item, score in (("d2", 2.0), ("d1", 1.0))]
NEW = [(query, item, score) for query in QRELS for item, score in (("d1", 2.0), ("d3", 1.0))]
REFUSED = (
    "run 'run': is a DataFrame of Spark, whose rows are not here; evaluate(), compare() and gate() "
    "take it. Collect it for anything else, with df.toArrow(), if it fits in memory."
)


@pytest.fixture(scope="module")
def frames(spark):
    columns = "query string, item string, score double"
    return [spark.createDataFrame(rows, columns).coalesce(1) for rows in (OLD, NEW)]


def test_evaluate_goes_where_the_rows_are(frames):
    scores = gainful.evaluate(QRELS, frames[0], "nDCG@10", weights=dict.fromkeys(QRELS, 2))
    local = gainful.evaluate(QRELS, frames[0].toArrow(), "nDCG@10", weights=dict.fromkeys(QRELS, 2))
    assert isinstance(scores, SparkScores)
    assert (scores.mean(), scores.notices) == (local.mean(), local.notices)


def test_runs_here_and_there_are_compared(frames):
    old, new = frames
    far = gainful.compare(QRELS, {"old": old, "new": new.toArrow()}, "nDCG@10")
    near = gainful.compare(QRELS, {"old": old.toArrow(), "new": new.toArrow()}, "nDCG@10")
    assert far.verdict == near.verdict


def test_a_gate_decides_the_same(frames):
    old, new = frames
    far = gainful.gate(QRELS, old, new, "nDCG@10", max_drop=0.01)
    near = gainful.gate(QRELS, old.toArrow(), new.toArrow(), "nDCG@10", max_drop=0.01)
    assert far.passed is near.passed is False


@pytest.mark.parametrize(
    "other",
    [
        lambda run: gainful.explain(QRELS, run, "q1"),
        lambda run: gainful.unjudged(QRELS, [run]),
    ],
    ids=["explain", "unjudged"],
)
def test_who_needs_the_rows_says_what_to_do(frames, other):
    with pytest.raises(SparkError) as error:
        other(frames[0])
    assert str(error.value) == REFUSED


def test_qrels_on_spark_are_not_read_here(frames):
    with pytest.raises(SparkError) as error:
        gainful.read_qrels(frames[0])
    assert str(error.value) == REFUSED.replace("run 'run'", "qrels")


def test_a_check_finds_that_the_rows_are_not_here(frames):
    assert REFUSED in str(gainful.check(QRELS, frames[0]))
