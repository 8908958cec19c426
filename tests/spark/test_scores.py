"""SparkScores can do all that Scores can, and collects no values before they are needed."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import gainful
from gainful import Rules
from gainful.errors import OutputError, SparkError
from gainful.evaluation.scores import Scores
from gainful.spark import evaluate
from spark.score_equality import assert_alike

pytestmark = pytest.mark.spark
MEASURES = [
    "nDCG(gain=exp2)@3",
    "P(rel=2)@2",
    "AP",
    "GMAP",
    "num_rel",
    "JudgedShare@2",
    "IPrec@0.5",
]
ODD = "q.\U0001f600`x"  # an id that stands after \uffee, and not before, as in UTF-16
QRELS = pa.table(
    {
        "query": ["a", "a", "b", "b", "c", "q.\uffee", ODD, ODD],
        "item": ["x", "y", "x", "z", "y", "x", "y", "z"],
        "label": [2, 1, 1, 3, 0, 2, 1, 0],
    }
)
RUN = pa.table(
    {
        "query": [ODD, ODD, "q.\uffee", "b", "b", "b", "a", "a", "a", "stranger"],
        "item": ["z", "y", "y", "z", "u", "x", "y", "x", "v", "x"],
        "score": [2.0, 1.0, 1.0, 3.0, 2.0, -0.0, 3.0, 3.0, 0.5, 1.0],
    }
)
OTHER = RUN.set_column(2, "score", pa.array([float(i % 4) for i in range(10)]))
RULES = Rules(empty="nan")
PEOPLE = {"a": {"lang": "en", "n": 3}, "b": {"lang": "fr", "n": 1}, "c": {"lang": "en", "n": 2}}


PEOPLE |= {"q.\uffee": {"lang": "en", "n": 5}, ODD: {"lang": "fr", "n": 7}}


def frames(spark, *tables):
    return [spark.createDataFrame(table) for table in tables]


def evaluate_on_spark(spark, run=RUN, **options):
    options = {"rules": RULES, "partitions": 3} | options
    return evaluate(*frames(spark, QRELS, run), MEASURES, **options)


@pytest.fixture(scope="module")
def spark_scores(spark):
    return evaluate_on_spark(spark)


@pytest.fixture
def local_scores():
    return gainful.evaluate(QRELS, RUN, MEASURES, rules=RULES)


def sort_rows(table):
    rows = [tuple(row.values()) for row in table.to_pylist()]
    return sorted(rows, key=repr)


def test_means_and_shares_are_there_without_collecting_values(spark, local_scores):
    assert_alike(evaluate_on_spark(spark), local_scores)


def test_queries_stand_in_the_order_of_their_ids(spark_scores):
    assert spark_scores.queries == ("a", "b", "c", "q.\uffee", ODD)


def test_values_are_shown_as_scores_show_them(spark_scores, local_scores):
    assert str(spark_scores.per_query()) == str(local_scores.per_query())
    assert str(spark_scores.worst(3)) == str(local_scores.worst(3))
    assert str(spark_scores.worst(9, "AP")) == str(local_scores.worst(9, "AP"))
    assert spark_scores.column("AP").tolist()[:2] == local_scores.column("AP").tolist()[:2]
    assert spark_scores.plot().to_dict() == local_scores.plot().to_dict()
    assert spark_scores.to_json() == local_scores.to_json()
    for shape in ("tidy", "wide"):
        assert spark_scores.to_csv(shape=shape) == local_scores.to_csv(shape=shape)
        assert spark_scores.to_polars(shape=shape).equals(local_scores.to_polars(shape=shape))
        assert spark_scores.to_pandas(shape=shape).equals(local_scores.to_pandas(shape=shape))
        assert spark_scores.to_arrow(shape=shape).equals(local_scores.to_arrow(shape=shape))
    for shape in ("means", "tidy", "wide"):
        assert spark_scores.to_markdown(shape=shape) == local_scores.to_markdown(shape=shape)
        assert spark_scores.to_latex(shape=shape) == local_scores.to_latex(shape=shape)
    assert pa.table(spark_scores).equals(pa.table(local_scores))


@pytest.mark.parametrize("shape", ["tidy", "wide"])
def test_a_frame_has_the_rows_of_the_table(spark_scores, local_scores, shape):
    table, expected = (
        spark_scores.to_spark(shape=shape).toArrow(),
        local_scores.to_arrow(shape=shape),
    )
    assert table.column_names == expected.column_names
    assert sort_rows(table) == sort_rows(expected)


def test_the_frame_is_wide(spark_scores):
    assert spark_scores.frame.columns == ["query", *map(str, spark_scores.measures)]
    assert spark_scores.frame.select("`P(rel=2)@2`").count() == 6


def test_a_shape_that_there_is_not_is_refused(spark_scores):
    with pytest.raises(OutputError) as error:
        spark_scores.to_spark(shape="long")
    assert str(error.value) == "to_spark: shape must be one of tidy, wide, got 'long'."


def test_slices_are_those_of_scores(spark_scores, local_scores):
    result, expected = (
        scores.by("lang", queries=PEOPLE) for scores in (spark_scores, local_scores)
    )
    assert result.notices == expected.notices
    for value in ("en", "fr"):
        assert type(result[value]) is Scores
        assert repr(result[value]) == repr(expected[value])
        assert result[value].to_csv() == expected[value].to_csv()


def test_values_that_spark_does_not_have_are_refused(spark_scores):
    with pytest.raises(SparkError) as error:
        replace(spark_scores, values=np.zeros((5, 7)))
    assert str(error.value) == "values: Spark has others. Change those of collect()."


def test_collected_scores_need_spark_no_more(spark_scores, local_scores):
    scores = spark_scores.collect()
    assert type(scores) is Scores
    assert scores.to_json() == local_scores.to_json()


def test_an_attribute_that_there_is_not_is_refused_as_usual(spark_scores):
    with pytest.raises(AttributeError, match=r"^'SparkScores' object has no attribute 'nothing'$"):
        spark_scores.nothing  # noqa: B018


def test_comparisons_are_those_of_one_machine(spark):
    local_runs, options = (RUN, OTHER), {"rules": RULES}
    judged, *runs = frames(spark, QRELS, *local_runs)
    ours = [evaluate(judged, run, MEASURES[:3], partitions=3, **options) for run in runs]
    local = [gainful.evaluate(QRELS, run, MEASURES[:3], **options) for run in local_runs]
    expected = gainful.compare_scores(local).to_json()
    assert gainful.compare_scores(ours).to_json() == expected
    assert gainful.compare_scores([ours[0], local[1]]).to_json() == expected
