"""SparkScores can do all that Scores can, and collects no values before they are asked for."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import gainful
from gainful import Rules
from gainful.errors import EngineError, OutputError
from gainful.evaluation.scores import Scores
from gainful.spark import evaluate
from spark.alike import assert_alike

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


def evaluated(spark, run=RUN, **how):
    how = {"rules": RULES, "partitions": 3} | how
    return evaluate(*frames(spark, QRELS, run), MEASURES, **how)


@pytest.fixture(scope="module")
def ours(spark):
    return evaluated(spark)


@pytest.fixture
def local():
    return gainful.evaluate(QRELS, RUN, MEASURES, rules=RULES)


def in_order(table):
    rows = [tuple(row.values()) for row in table.to_pylist()]
    return sorted(rows, key=repr)


def test_means_and_shares_are_there_without_collecting_values(spark, local):
    assert_alike(evaluated(spark), local)


def test_queries_stand_in_the_order_of_their_ids(ours):
    assert ours.queries == ("a", "b", "c", "q.\uffee", ODD)


def test_values_are_shown_as_scores_show_them(ours, local):
    assert str(ours.per_query()) == str(local.per_query())
    assert str(ours.worst(3)) == str(local.worst(3))
    assert str(ours.worst(9, "AP")) == str(local.worst(9, "AP"))
    assert ours.column("AP").tolist()[:2] == local.column("AP").tolist()[:2]
    assert ours.plot().to_dict() == local.plot().to_dict()
    assert ours.to_json() == local.to_json()
    for shape in ("tidy", "wide"):
        assert ours.to_csv(shape=shape) == local.to_csv(shape=shape)
        assert ours.to_polars(shape=shape).equals(local.to_polars(shape=shape))
        assert ours.to_pandas(shape=shape).equals(local.to_pandas(shape=shape))
        assert ours.to_arrow(shape=shape).equals(local.to_arrow(shape=shape))
    for shape in ("means", "tidy", "wide"):
        assert ours.to_markdown(shape=shape) == local.to_markdown(shape=shape)
        assert ours.to_latex(shape=shape) == local.to_latex(shape=shape)
    assert pa.table(ours).equals(pa.table(local))


@pytest.mark.parametrize("shape", ["tidy", "wide"])
def test_a_frame_has_the_rows_of_the_table(ours, local, shape):
    found, wanted = ours.to_spark(shape=shape).toArrow(), local.to_arrow(shape=shape)
    assert found.column_names == wanted.column_names
    assert in_order(found) == in_order(wanted)


def test_the_frame_is_wide(ours):
    assert ours.frame.columns == ["query", *map(str, ours.measures)]
    assert ours.frame.select("`P(rel=2)@2`").count() == 6


def test_a_shape_that_there_is_not_is_refused(ours):
    with pytest.raises(OutputError) as error:
        ours.to_spark(shape="long")
    assert str(error.value) == "to_spark: shape must be one of tidy, wide, got 'long'."


def test_slices_are_those_of_scores(ours, local):
    found, wanted = (one.by("lang", queries=PEOPLE) for one in (ours, local))
    assert found.notices == wanted.notices
    for value in ("en", "fr"):
        assert type(found[value]) is Scores
        assert repr(found[value]) == repr(wanted[value])
        assert found[value].to_csv() == wanted[value].to_csv()


def test_values_that_spark_does_not_have_are_refused(ours):
    with pytest.raises(EngineError) as error:
        replace(ours, values=np.zeros((5, 7)))
    assert str(error.value) == "values: Spark has others. Change those of collect()."


def test_collected_scores_need_spark_no_more(ours, local):
    found = ours.collect()
    assert type(found) is Scores
    assert found.to_json() == local.to_json()


def test_an_attribute_that_there_is_not_is_refused_as_usual(ours):
    with pytest.raises(AttributeError, match=r"^'SparkScores' object has no attribute 'nothing'$"):
        ours.nothing  # noqa: B018


def test_comparisons_are_those_of_one_machine(spark):
    each, how = (RUN, OTHER), {"rules": RULES}
    judged, *runs = frames(spark, QRELS, *each)
    ours = [evaluate(judged, run, MEASURES[:3], partitions=3, **how) for run in runs]
    local = [gainful.evaluate(QRELS, run, MEASURES[:3], **how) for run in each]
    wanted = gainful.compare_scores(local).to_json()
    assert gainful.compare_scores(ours).to_json() == wanted
    assert gainful.compare_scores([ours[0], local[1]]).to_json() == wanted
