"""P-measure, P-plus and the four NCU measures, worked out by hand."""

import pytest

from gainful import MeasureError, Rules, evaluate

# One query: labels 3, 2, 1, 0 judged; the run returns 2, unjudged, 3 in this order.
# Relevant are 3, best gains sum to 3, 5, 6, 6, ...
QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
RUN = {"q": ["b", "x", "a"]}
AT_1, AT_3 = (1 + 2) / (1 + 3), (2 + 2 + 3) / (3 + 3 + 2 + 1)
ALL = ["Pmeasure", "Pplus", "NCUguP", "NCUguBR", "NCUrbP", "NCUrbBR"]


def value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values.item()


def test_pmeasure_is_the_blended_ratio_at_the_first_of_the_best_returned_items():
    assert value("Pmeasure") == AT_3
    assert value("Pmeasure", run={"q": ["b", "x", "c"]}) == AT_1
    # Of several that are best, the first.
    tied = {"q": {"a": 2, "b": 2, "c": 1}}
    assert value("Pmeasure", tied, {"q": ["c", "b", "x", "a"]}) == (2 + 1 + 2) / (2 + 2 + 2)


def test_pplus_is_the_mean_down_to_that_item():
    assert value("Pplus") == (AT_1 + AT_3) / 2
    assert value("Pplus", run={"q": ["b", "x", "c"]}) == AT_1
    # What stands below is not looked at.
    assert value("Pplus", run={"q": ["a", "x", "y", "b", "c"]}) == 1.0


def test_beta_weighs_the_gain():
    assert value("Pmeasure(beta=0)") == 2 / 3
    assert value("Pplus(beta=0)") == (1 / 1 + 2 / 3) / 2
    assert value("Pmeasure(beta=10)") == (2 + 10 * 5) / (3 + 10 * 6)


def test_the_preferred_rank_is_above_the_cutoff():
    assert value("Pmeasure@2") == value("Pplus@2") == AT_1
    assert value("Pmeasure@3") == value("Pmeasure@1000") == AT_3
    assert value("Pplus@2", run={"q": ["x", "y", "a"]}) == 0.0


def test_returning_a_better_item_further_down_can_lower_pmeasure():
    assert value("Pmeasure", run={"q": ["b", "x", "y", "z"]}) == AT_1
    assert value("Pmeasure", run={"q": ["b", "x", "y", "a"]}) == (2 + 5) / (4 + 6) < AT_1


def test_graded_uniform_users_stop_as_the_labels_say():
    assert value("NCUguP") == pytest.approx((2 * 1 / 1 + 3 * 2 / 3) / (3 + 2 + 1), rel=1e-15)
    assert value("NCUguBR") == pytest.approx((2 * AT_1 + 3 * AT_3) / (3 + 2 + 1), rel=1e-15)


def test_stop_values_may_be_others_than_the_gains():
    stop = "stop={1: 1, 2: 1, 3: 8}"
    assert value(f"NCUguP({stop})") == pytest.approx((1 + 8 * 2 / 3) / 10, rel=1e-15)
    assert value(f"NCUguBR({stop})") == pytest.approx((AT_1 + 8 * AT_3) / 10, rel=1e-15)
    gain = "gain={1: 1, 2: 5, 3: 9}"
    at_1, at_3 = (1 + 5) / (1 + 9), (2 + 14) / (3 + 15)
    expected = pytest.approx((5 * at_1 + 9 * at_3) / 15, rel=1e-15)
    assert value(f"NCUguBR({gain})") == expected


def test_rank_biased_users_stop_early():
    assert value("NCUrbP(gamma=0.5)") == (1 + 0.5 * 2 / 3) / (1 + 0.5 + 0.25)
    assert value("NCUrbBR(gamma=0.5)") == (AT_1 + 0.5 * AT_3) / (1 + 0.5 + 0.25)


def test_some_are_others_in_disguise():
    assert value("NCUguP(stop=binary)") == value("NCUrbP(gamma=1)") == value("Q(beta=0)")
    assert value("NCUguBR(stop=binary)") == value("NCUrbBR(gamma=1)") == value("Q")
    assert value("NCUrbBR(gamma=0)") == value("O")
    assert value("NCUrbP(gamma=0)") == value("O(beta=0)")
    assert value("NCUguBR(beta=0)") == value("NCUguP")
    assert value("NCUrbBR(beta=0)") == value("NCUrbP")


def test_items_below_rel_are_not_relevant():
    # Relevant are 3 and 2, best gains sum to 3, 5, 5; then 3 alone.
    at_3 = (2 + 5) / (3 + 5)
    assert value("Pmeasure(rel=2)") == at_3
    assert value("NCUguBR(rel=2)") == pytest.approx((2 * AT_1 + 3 * at_3) / 5, rel=1e-15)
    assert value("NCUrbP(rel=3)") == 1 / 3


@pytest.mark.parametrize("measure", ALL)
def test_nothing_found_scores_zero_and_nothing_relevant_follows_the_rules(measure):
    assert value(measure, run={"q": []}) == 0.0
    assert value(measure, run={"q": ["x", "y"]}) == 0.0
    nothing = {"q": {"a": 0, "b": -1}}
    assert value(measure, nothing) == 0.0
    assert value(measure, nothing, empty="one") == 1.0
    assert value(measure, run={"q": []}, empty="one") == 0.0
    # Negative labels count as not relevant, and a perfect ranking scores 1.
    assert value(measure, {"q": {"b": 2, "x": -3}}, {"q": ["b", "x"]}) == 1.0


def test_labels_may_be_fractions():
    qrels, run = {"q": {"a": 1.5, "b": 2.5}}, {"q": ["a", "b"]}
    assert value("Pmeasure", qrels, run) == (2 + 4) / (2 + 4)
    assert value("Pplus", qrels, run) == ((1 + 1.5) / (1 + 2.5) + 1) / 2


def test_stop_values_must_not_be_negative():
    with pytest.raises(MeasureError) as error:
        value("NCUguP(stop={1: 1, 2: -0.5, 3: 3})")
    assert str(error.value) == (
        "stop {1: 1, 2: -0.5, 3: 3}: must be at least 0 for every relevant label, got -0.5."
    )
