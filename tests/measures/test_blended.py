"""Q-measure and O-measure, worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import MeasureError, Rules, evaluate

# One query: labels 3, 2, 1, 0 judged; the run returns 2, unjudged, 3 in this order.
# Relevant are 3, best gains sum to 3, 5, 6, 6, ...
QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
RUN = {"q": ["b", "x", "a"]}


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values.item()


def compute_value_in_order(measure, labels):
    """Compute the value of a run that returns all items, with labels in this order."""
    items = [f"d{i}" for i in range(len(labels))]
    return compute_value(measure, {"q": dict(zip(items, labels, strict=True))}, {"q": items})


def test_q_is_the_mean_blended_ratio_at_relevant_items():
    ratio_1, ratio_3 = (1 + 2) / (1 + 3), (2 + 2 + 3) / (3 + 3 + 2 + 1)
    assert compute_value("Q") == (ratio_1 + ratio_3) / 3


def test_q_weighs_gain_by_beta():
    ratio_1, ratio_3 = (1 + 10 * 2) / (1 + 10 * 3), (2 + 10 * 5) / (3 + 10 * 6)
    assert compute_value("Q(beta=10)") == (ratio_1 + ratio_3) / 3


def test_q_without_gain_is_average_precision():
    assert compute_value("Q(beta=0)") == (1 / 1 + 2 / 3) / 3


def test_q_at_a_cutoff_divides_by_the_relevant_items_that_fit():
    assert compute_value("Q@2") == (1 + 2) / (1 + 3) / 2
    assert compute_value("Q@1") == (1 + 2) / (1 + 3) / 1
    assert compute_value("Q@1000") == compute_value("Q")


def test_q_takes_other_gains():
    ratio_1, ratio_3 = (1 + 5) / (1 + 9), (2 + 5 + 9) / (3 + 9 + 5 + 1)
    assert compute_value("Q(gain={1: 1, 2: 5, 3: 9})") == (ratio_1 + ratio_3) / 3
    # The best ranking is ordered by gain: 9, 5, 1 here too.
    assert (
        compute_value("Q(gain={1: 9, 2: 5, 3: 1})") == (6 / 10 + (2 + 5 + 1) / (3 + 9 + 5 + 1)) / 3
    )


def test_items_below_rel_gain_nothing():
    # 3 and 2 are relevant, best gains 3, 5, 5.
    assert compute_value("Q(rel=2)") == ((1 + 2) / (1 + 3) + (2 + 5) / (3 + 5)) / 2
    assert compute_value("Q(rel=3)") == (1 + 3) / (3 + 3)


def test_o_is_the_blended_ratio_at_the_first_relevant_item():
    assert compute_value("O") == (1 + 2) / (1 + 3)
    assert compute_value("O(rel=3)") == (1 + 3) / (3 + 3)
    assert compute_value("O(beta=0)", run={"q": ["x", "d", "b", "a"]}) == 1 / 3
    # The second relevant item changes nothing, wherever it stands.
    assert compute_value("O", run={"q": ["b", "a"]}) == compute_value("O")


def test_o_sees_nothing_below_its_cutoff():
    deep_run = {"q": ["x", "d", "b", "a"]}
    assert compute_value("O@3", run=deep_run) == (1 + 2) / (3 + 6)
    assert compute_value("O@2", run=deep_run) == 0.0


@pytest.mark.parametrize("measure", ["Q", "O", "Q@2", "O@2"])
def test_nothing_found_scores_zero_and_nothing_relevant_follows_the_rules(measure):
    assert compute_value(measure, run={"q": []}) == 0.0
    assert compute_value(measure, run={"q": ["x", "y"]}) == 0.0
    irrelevant = {"q": {"a": 0, "b": -1}}
    assert compute_value(measure, irrelevant) == 0.0
    assert compute_value(measure, irrelevant, empty="one") == 1.0
    assert compute_value(measure, run={"q": []}, empty="one") == 0.0
    # Negative labels count as not relevant, and a perfect ranking scores 1.
    assert compute_value(measure, {"q": {"b": 2, "x": -3}}, {"q": ["b", "x"]}) == 1.0


def test_a_relevant_label_must_not_be_worth_less_than_nothing():
    with pytest.raises(MeasureError) as error:
        compute_value("Q(gain={1: -2, 2: 1, 3: 3})")
    assert str(error.value) == (
        "gain {1: -2, 2: 1, 3: 3}: must be at least 0 for every relevant label, got -2."
    )


def test_gains_must_add_up_to_finite_numbers():
    with pytest.raises(MeasureError) as error:
        compute_value_in_order("Q(gain={1: 1e308, 2: 1})", [1, 1, 2])
    assert str(error.value) == (
        "gain {1: 1e+308, 2: 1}: must add up to finite numbers, got infinity."
    )
    with pytest.raises(MeasureError) as error:
        compute_value_in_order(
            "Q(gain={1: 10}, beta=1e308)".replace("1e308", "1" + "0" * 308 + "."), [1]
        )
    assert str(error.value) == (
        "beta: times the gain of the best ranking must be finite, got infinity."
    )


LABELS = st.lists(st.integers(0, 3), min_size=2, max_size=8)


@given(labels=LABELS, data=st.data())
def test_moving_a_better_item_up_by_one_never_lowers_them(labels, data):
    i = data.draw(st.integers(0, len(labels) - 2))
    worse, better = sorted(labels[i : i + 2])
    worse_order, better_order = list(labels), list(labels)
    worse_order[i : i + 2], better_order[i : i + 2] = [worse, better], [better, worse]
    for measure in (gainful.Q, gainful.O, gainful.NCUrbBR, gainful.NCUrbP, gainful.binG):
        assert (
            compute_value_in_order(measure, better_order)
            >= compute_value_in_order(measure, worse_order) - 1e-15
        )


def test_moving_an_item_past_a_better_one_can_lower_q():
    # From 0, 5, 1 to 1, 5, 0; best gains sum to 5, 6.
    assert compute_value_in_order("Q", [0, 5, 1]) == ((1 + 5) / (2 + 6) + (2 + 6) / (3 + 6)) / 2
    assert compute_value_in_order("Q", [1, 5, 0]) == ((1 + 1) / (1 + 5) + (2 + 6) / (2 + 6)) / 2
    assert compute_value_in_order("Q", [1, 5, 0]) < compute_value_in_order("Q", [0, 5, 1])


@given(labels=LABELS)
def test_a_perfect_ranking_scores_1(labels):
    best = sorted(labels, reverse=True)
    for measure in (gainful.Q, gainful.O, gainful.Pmeasure, gainful.Pplus, gainful.NCUrbBR):
        assert compute_value_in_order(measure, best) == (1.0 if any(labels) else 0.0)
