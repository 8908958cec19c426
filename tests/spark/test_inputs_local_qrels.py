"""Qrels of this machine: how they are read, and what rows of them cannot hold."""

import pytest

import gainful
from gainful import Rules
from gainful.errors import SparkError
from gainful.evaluation.arguments import resolve_measures
from gainful.sources import ItemData
from gainful.spark.inputs import SourceOptions, convert_judgments, read_local_qrels
from gainful.spark.task import Task

SUBTOPICS = {"q1": {"price": {"d1": 1}, "size": {"d2": 1}}}
LABELS = {"q1": {"d1": 1}}


def read_qrels_for(qrels, measure="nDCG", *, columns=None, format=None):
    task = Task(resolve_measures(measure, None), Rules(), ItemData())
    return read_local_qrels(qrels, task, SourceOptions(columns, format))


def read_error(*arguments, **options):
    with pytest.raises(SparkError) as error:
        read_qrels_for(*arguments, **options)
    return str(error.value)


def conversion_error(judgments):
    with pytest.raises(SparkError) as error:
        convert_judgments(judgments)
    return str(error.value)


def test_every_judgment_is_a_row():
    rows = convert_judgments(
        gainful.read_qrels({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}})
    ).to_pylist()
    assert sorted((row["query"], row["item"], row["label"]) for row in rows) == [
        ("q1", "d1", 2.0),
        ("q1", "d2", 0.0),
        ("q2", "d1", 1.0),
    ]


def test_the_first_query_without_items_is_named():
    qrels = gainful.read_qrels({"q1": {"d1": 1}, "q2": {}, "q3": {}})
    assert conversion_error(qrels) == (
        "qrels: query 'q2' has no judged items, and Spark knows of queries by their items. Leave "
        "it out, or evaluate without Spark."
    )


@pytest.mark.parametrize("qrels", [{"q1": {"d1": 1, "d\udcff": 1}}, {"d\udcff": {"d1": 1}}])
def test_an_id_that_is_not_utf8_is_named(qrels):
    sentence = (
        "qrels: the id 'd\\udcff' is not UTF-8, and all text on Spark is. Change the id, or "
        "evaluate without Spark."
    )
    assert conversion_error(gainful.read_qrels(qrels)) == sentence
    assert conversion_error(gainful.read_subtopics({"q1": qrels})) == sentence


def test_columns_of_the_qrels_alone_are_refused_where_they_are_not_looked_at():
    assert read_error(SUBTOPICS, "alpha-nDCG", columns={"subtopic": "aspect"}) == (
        "qrels: are judged in groups and read here, and columns= names 'subtopic'. Leave that out."
    )
    assert read_error(gainful.read_qrels(LABELS), columns={"qrels.query": "qid"}) == (
        "qrels: were read before, and columns= names 'qrels.query'. Leave that out."
    )


def test_a_format_of_the_qrels_is_refused_where_it_is_not_looked_at(tmp_path):
    path = tmp_path / "subtopics.txt"
    path.write_text("q1 price d1 1\n")
    ways_out = "Leave it out, or name that of the run alone: format={'run': NAME}."
    assert read_error(path, "alpha-nDCG", format="trec") == (
        f"qrels: are judged in groups and read here, and format= names 'trec'. {ways_out}"
    )
    assert read_error(gainful.read_qrels(LABELS), format={"qrels": "csv"}) == (
        f"qrels: were read before, and format= names 'csv'. {ways_out}"
    )


def test_columns_and_a_format_may_be_those_of_the_run():
    both = {"columns": {"query": "qid", "score": "s"}, "format": "csv"}
    assert read_qrels_for(SUBTOPICS, "alpha-nDCG", **both).item == ["d1", "d2"]
    assert read_qrels_for(LABELS, **both).queries == ("q1",)
    judgments = gainful.read_qrels(LABELS)
    assert read_qrels_for(judgments, **both) is judgments


def test_columns_of_labels_are_looked_at():
    rows = [{"qid": "q1", "item": "d1", "label": 0, "grade": 3}]
    assert read_qrels_for(rows, columns={"qrels.label": "grade"}).labels("q1") == {"d1": 3.0}
