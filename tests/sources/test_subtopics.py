"""Judgments for subtopics, read from files, dicts and columns."""

import numpy as np
import pytest

from gainful import (
    Columns,
    SourceError,
    evaluate,
    read_subtopics,
)

TOPICS = {"q1": {"a": {"d1": 1, "d2": 0}, "b": {"d1": 1, "d3": 2}}, "q2": {"x": {"e1": 1}}}
TEXT = "q1 a d1 1\nq1 a d2 0\n# a note\n\nq1 b d1 1\nq1\tb  d3 2\nq2 x e1 1\n"
RUN = {"q1": ["d3", "u", "d1", "d2"], "q2": ["e1"]}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "topics.txt"
    path.write_text(TEXT)
    return path


def columns():
    rows = [
        (query, topic, item, label)
        for query, topics in TOPICS.items()
        for topic, items in topics.items()
        for item, label in items.items()
    ]
    query, topic, item, label = zip(*rows, strict=True)
    return Columns(query=query, subtopic=topic, item=item, label=label)


def test_a_file_a_dict_and_columns_give_the_same(file):
    sources = [file, str(file), TOPICS, columns(), read_subtopics(TOPICS)]
    all_values = [
        evaluate(source, RUN, ["alpha_nDCG@3", "StRecall@1"]).values for source in sources
    ]
    assert all(np.array_equal(values, all_values[0]) for values in all_values)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("q1 a d1\n", "line 1: expected 4 fields, found 3: 'q1 a d1'. "
         "A line of qrels with subtopics is: query subtopic item label."),
        ("q1 a d1 1\n\nq1 a d2 high\n", "line 3: label must be a finite number, got 'high'."),
        ("q1 a d1 inf\n", "line 1: label must be a finite number, got 'inf'."),
        ("q1 a d1 1_0\n", "line 1: label must be a finite number, got '1_0'."),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(tmp_path, text, sentence):
    path = tmp_path / "topics.txt"
    path.write_text(text)
    with pytest.raises(SourceError) as error:
        read_subtopics(path)
    assert str(error.value) == f"{path}, {sentence}"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ({}, "qrels: there are no judgments in it."),
        ({"q1": {"d1": 1}}, "qrels: query 'q1' must hold a dict of subtopics and each of them a "
         "dict of items, got {'d1': 1}."),
        ({"q1": {"a": {1.5: 1}}},
         "qrels: an id must be a string, an integer, bytes or a UUID, got 1.5."),
        (Columns(query=["q"], item=["d"], label=[1]), "qrels: columns must hold labels and "
         "subtopics, got neither or one. Pass Columns(..., subtopic=..., label=...)."),
    ],
)  # fmt: skip
def test_a_bad_object_is_refused(source, sentence):
    with pytest.raises(SourceError) as error:
        read_subtopics(source)
    assert str(error.value) == sentence


@pytest.mark.parametrize(("rule", "label"), [("first", 1), ("last", 0), ("max", 2)])
def test_an_item_judged_twice_in_a_group_counts_once(tmp_path, rule, label):
    path = tmp_path / "topics.txt"
    path.write_text("q a d 1\nq a d 2\nq a d 0\nq b d 5\n")
    with pytest.raises(SourceError, match=r"judged twice for 'a' \(labels 1 and 2\)"):
        read_subtopics(path)
    judgments = read_subtopics(path, duplicates=rule)
    assert judgments.label.tolist() == [label, 5]
    assert judgments.n_duplicates == 2


@pytest.mark.parametrize("ids", [(1, 2), (b"\xff", "é")])
def test_ids_are_strings_integers_or_bytes(ids):
    topics = {ids[0]: {ids[1]: {ids[1]: 1}}}
    assert evaluate(topics, {ids[0]: [ids[1]]}, "StRecall@1")["StRecall@1"] == 1.0
