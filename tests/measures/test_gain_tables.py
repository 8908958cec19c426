"""What a table of gains says of labels that it does not name."""

import pytest

import gainful


def test_the_first_label_without_a_gain_is_that_of_the_ranking() -> None:
    qrels, run = {"q1": {"a": 3, "b": 2, "c": 1}}, {"q1": ["b", "c"]}
    with pytest.raises(gainful.MeasureError) as refused:
        gainful.evaluate(qrels, run, "nDCG(gain={1: 1})")
    assert str(refused.value) == "gain {1: 1}: must name every label above 0, got 2."
