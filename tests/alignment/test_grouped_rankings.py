"""A run joined with judgments in groups: one ranking for every group, and the notices."""

import numpy as np
import pytest

from gainful import (
    AlignError,
    Rules,
    evaluate,
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


def test_every_group_is_a_ranking_of_its_own():
    ranked, *_ = align_groups(read_subtopics(TOPICS), read_run(RUN), Rules())
    assert ranked.groups.queries == ("a", "b", "x")
    assert ranked.group_offsets.tolist() == [0, 2, 3]
    assert ranked.groups.hit_rank.tolist() == [3, 4, 1, 3, 1]
    assert ranked.groups.hit_label.tolist() == [1, 0, 2, 1, 1]
    assert ranked.groups.n_retrieved.tolist() == [4, 4, 1]


def test_selected_queries_keep_their_groups_items_and_judgments():
    ranked, *_ = align_groups(read_subtopics(TOPICS), read_run(RUN), Rules())
    selected = ranked.select(np.array([1, 0]))
    assert selected.queries == ("q2", "q1")
    assert selected.groups.queries == ("x", "a", "b")
    assert selected.groups.hit_rank.tolist() == [1, 3, 4, 1, 3]
    back = selected.select(np.array([1, 0]))
    for name in ("hit_item", "row_item", "row_group", "row_label", "item_offsets"):
        assert np.array_equal(getattr(back, name), getattr(ranked, name))


def test_what_is_odd_is_said(file):
    scores = evaluate(file, {"q1": ["d1"]}, "StRecall@1")
    assert [notice.code for notice in scores.notices] == ["missing-queries", "comment-lines"]
    irrelevant_qrels = {"q1": {"a": {"d1": 0}}, "q2": {"a": {"d1": -1, "d2": 1}}}
    codes = [
        n.code
        for n in evaluate(irrelevant_qrels, {"q1": ["d1"], "q2": ["d2"]}, "StRecall@1").notices
    ]
    assert codes == ["empty-queries", "one-subtopic", "negative-labels"]


def test_ties_cannot_be_broken_by_labels_that_differ_by_subtopic():
    with pytest.raises(AlignError, match="ties=best orders by label, but an item has one for"):
        evaluate(TOPICS, RUN, "StRecall@1", rules=Rules(ties="best"))
