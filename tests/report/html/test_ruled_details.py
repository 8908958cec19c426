"""The items of a report under rules about labels."""

import pytest

from gainful import AlignError, Rules, evaluate
from report.html.rankings import details_of


def test_labels_are_shown_as_they_count():
    qrels, run = {"q": {"a": 2.7, "b": 1.2}}, {"q": {"b": 2, "a": 1}}
    rules = Rules(label_type="truncated")
    found = details_of(qrels, [run], "nDCG@10", rules)
    assert found.values.tolist() == evaluate(qrels, run, "nDCG@10", rules=rules).values.tolist()


def test_ranks_that_are_shared_are_refused():
    with pytest.raises(AlignError) as error:
        details_of({"q": {"a": 1}}, [{"q": {"a": 1}}], "nDCG@10", Rules(ties="middle"))
    assert str(error.value) == (
        "ties=middle has no place in a report, which shows items rank by rank. "
        "Pass rules without it."
    )
