"""The type of judgments that a measure needs, and the error for another type."""

import pytest

import gainful
from gainful import (
    AlignError,
    evaluate,
    read_qrels,
)


def test_measures_of_labels_and_of_subtopics_need_qrels_that_both_can_read(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("q1 a d1 1\nq1 b d2 1\n")
    scores = evaluate(path, {"q1": ["d2", "d1"]}, ["StRecall@1", "nDCG", "P@1"])
    assert scores.mean() == {"StRecall@1": 0.5, "nDCG": 1.0, "P@1": 1.0}
    assert [str(m) for m in scores.measures] == ["StRecall@1", "nDCG", "P@1"]


def test_judgments_of_another_kind_are_refused():
    with pytest.raises(AlignError) as error:
        evaluate(read_qrels({"q": {"d": 1}}), {"q": ["d"]}, "alpha_nDCG@5")
    sentence = (
        "alpha_nDCG@5 needs judgments from read_subtopics(), "
        "got <Judgments 'qrels': 1 query, 1 judgment>."
    )
    assert str(error.value) == sentence


def test_a_preference_measure_asks_for_preferences():
    qrels = gainful.read_qrels({"q": {"a": 1}})
    with pytest.raises(AlignError) as error:
        gainful.evaluate(qrels, {"q": ["a"]}, "PrefsSimp")
    assert str(error.value) == (
        "PrefsSimp needs judgments from read_preferences(), "
        "got <Judgments 'qrels': 1 query, 1 judgment>."
    )
