"""evaluate(), compare() and gate(), given DataFrames of Spark."""

import pyarrow as pa
import pytest

import gainful
from gainful import Rules
from gainful.errors import SparkError
from gainful.spark import evaluate, evaluate_runs
from spark.score_equality import assert_alike

pytestmark = pytest.mark.spark
QRELS = {f"q{i}": {"d1": 2, "d2": 1} for i in range(6)}
OLD = [(query, item, score) for query in QRELS for item, score in (("d2", 2.0), ("d1", 1.0))]
NEW = [(query, item, score) for query in QRELS for item, score in (("d1", 2.0), ("d3", 1.0))]
MEASURES = ["nDCG(gain=exp2)@3", "P(rel=2)@2", "AP", "GMAP", "num_rel", "JudgedShare@2"]
ODD = "q.\U0001f600`x"  # an id that stands after \uffee, and not before, as in UTF-16
ODD_QRELS = pa.table(
    {
        "query": ["a", "a", "b", "b", "c", "q.\uffee", ODD, ODD],
        "item": ["x", "y", "x", "z", "y", "x", "y", "z"],
        "label": [2, 1, 1, 3, 0, 2, 1, 0],
    }
)
ODD_RUN = pa.table(
    {
        "query": [ODD, ODD, "q.\uffee", "b", "b", "b", "a", "a", "a", "stranger"],
        "item": ["z", "y", "y", "z", "u", "x", "y", "x", "v", "x"],
        "score": [2.0, 1.0, 1.0, 3.0, 2.0, -0.0, 3.0, 3.0, 0.5, 1.0],
    }
)
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


def test_scores_are_those_of_one_machine(spark):
    rules = Rules(empty="nan")
    scores = evaluate(*map(spark.createDataFrame, (ODD_QRELS, ODD_RUN)), MEASURES, rules=rules)
    assert scores.queries == ("a", "b", "c", "q.\uffee", ODD)
    assert_alike(scores, gainful.evaluate(ODD_QRELS, ODD_RUN, MEASURES, rules=rules))


def test_all_values_can_be_written_to_a_table(spark, frames):
    scores = gainful.evaluate(QRELS, frames[0], "nDCG@10")
    table = spark.createDataFrame(scores.to_arrow()).orderBy("query").toArrow()
    assert table.column_names == ["system", "query", "measure", "value"]
    assert table.column("value").to_pylist() == scores.column("nDCG@10").tolist()


def test_names_are_as_many_as_runs():
    with pytest.raises(SparkError) as error:
        evaluate_runs({}, ["first", "second"], names=["a"])
    assert str(error.value) == "names: must be as many as there are runs (2), got 1."


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
