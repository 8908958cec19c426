"""Judgments in groups: how they are read, joined, and what is said of them."""

import numpy as np
import pytest

import gainful
from gainful import (
    AlignError,
    Columns,
    MeasureError,
    Rules,
    SourceError,
    evaluate,
    read_qrels,
    read_run,
    read_subtopics,
)
from gainful.alignment.grouped_rankings import align_groups

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
    each = [evaluate(source, RUN, ["alpha_nDCG@3", "StRecall@1"]).values for source in sources]
    assert all(np.array_equal(values, each[0]) for values in each)


def test_every_group_is_a_ranking_of_its_own():
    ranked, *_ = align_groups(read_subtopics(TOPICS), read_run(RUN), Rules())
    assert ranked.groups.queries == ("a", "b", "x")
    assert ranked.group_offsets.tolist() == [0, 2, 3]
    assert ranked.groups.hit_rank.tolist() == [3, 4, 1, 3, 1]
    assert ranked.groups.hit_label.tolist() == [1, 0, 2, 1, 1]
    assert ranked.groups.n_retrieved.tolist() == [4, 4, 1]


def test_selected_queries_keep_their_groups_items_and_judgments():
    ranked, *_ = align_groups(read_subtopics(TOPICS), read_run(RUN), Rules())
    other = ranked.select(np.array([1, 0]))
    assert other.queries == ("q2", "q1")
    assert other.groups.queries == ("x", "a", "b")
    assert other.groups.hit_rank.tolist() == [1, 3, 4, 1, 3]
    back = other.select(np.array([1, 0]))
    for name in ("hit_item", "row_item", "row_group", "row_label", "item_offsets"):
        assert np.array_equal(getattr(back, name), getattr(ranked, name))


def test_what_is_odd_is_said(file):
    scores = evaluate(file, {"q1": ["d1"]}, "StRecall@1")
    assert [notice.code for notice in scores.notices] == ["missing-queries", "comment-lines"]
    nothing = {"q1": {"a": {"d1": 0}}, "q2": {"a": {"d1": -1, "d2": 1}}}
    codes = [n.code for n in evaluate(nothing, {"q1": ["d1"], "q2": ["d2"]}, "StRecall@1").notices]
    assert codes == ["empty-queries", "one-subtopic", "negative-labels"]


def test_measures_of_labels_and_of_subtopics_need_qrels_that_both_can_read(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("q1 a d1 1\nq1 b d2 1\n")
    scores = evaluate(path, {"q1": ["d2", "d1"]}, ["StRecall@1", "nDCG", "P@1"])
    assert scores.mean() == {"StRecall@1": 0.5, "nDCG": 1.0, "P@1": 1.0}
    assert [str(m) for m in scores.measures] == ["StRecall@1", "nDCG", "P@1"]


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


def test_judgments_of_another_kind_are_refused():
    with pytest.raises(AlignError) as error:
        evaluate(read_qrels({"q": {"d": 1}}), {"q": ["d"]}, "alpha_nDCG@5")
    sentence = (
        "alpha_nDCG@5 needs judgments from read_subtopics(), "
        "got <Judgments 'qrels': 1 query, 1 judgment>."
    )
    assert str(error.value) == sentence


def test_ties_cannot_be_broken_by_labels_that_differ_by_subtopic():
    with pytest.raises(AlignError, match="ties=best orders by label, but an item has one for"):
        evaluate(TOPICS, RUN, "StRecall@1", rules=Rules(ties="best"))


def test_a_measure_given_other_rankings_says_which_it_needs():
    ranked, *_ = align_groups(read_subtopics(TOPICS), read_run(RUN), Rules())
    with pytest.raises(MeasureError) as error:
        gainful.nDCG.score(ranked)
    assert str(error.value) == "nDCG: must be given JudgedRankings, got GroupedRankings."


@pytest.mark.parametrize("ids", [(1, 2), (b"\xff", "é")])
def test_ids_are_strings_integers_or_bytes(ids):
    topics = {ids[0]: {ids[1]: {ids[1]: 1}}}
    assert evaluate(topics, {ids[0]: [ids[1]]}, "StRecall@1")["StRecall@1"] == 1.0
