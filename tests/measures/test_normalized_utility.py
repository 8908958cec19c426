"""P-measure, P-plus and the four NCU measures, worked out by hand."""

import pytest

from gainful import MeasureError, Rules, evaluate

# One query: labels 3, 2, 1, 0 judged; the run returns 2, unjudged, 3 in this order.
# Relevant are 3, best gains sum to 3, 5, 6, 6, ...
QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
RUN = {"q": ["b", "x", "a"]}
RATIO_1, RATIO_3 = (1 + 2) / (1 + 3), (2 + 2 + 3) / (3 + 3 + 2 + 1)
MEASURES = ["Pmeasure", "Pplus", "NCUguP", "NCUguBR", "NCUrbP", "NCUrbBR"]


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values.item()


def test_pmeasure_is_the_blended_ratio_at_the_first_of_the_best_returned_items():
    assert compute_value("Pmeasure") == RATIO_3
    assert compute_value("Pmeasure", run={"q": ["b", "x", "c"]}) == RATIO_1
    # Of several that are best, the first.
    qrels = {"q": {"a": 2, "b": 2, "c": 1}}
    assert compute_value("Pmeasure", qrels, {"q": ["c", "b", "x", "a"]}) == (2 + 1 + 2) / (
        2 + 2 + 2
    )


def test_pplus_is_the_mean_down_to_that_item():
    assert compute_value("Pplus") == (RATIO_1 + RATIO_3) / 2
    assert compute_value("Pplus", run={"q": ["b", "x", "c"]}) == RATIO_1
    # What stands below is not looked at.
    assert compute_value("Pplus", run={"q": ["a", "x", "y", "b", "c"]}) == 1.0


def test_beta_weighs_the_gain():
    assert compute_value("Pmeasure(beta=0)") == 2 / 3
    assert compute_value("Pplus(beta=0)") == (1 / 1 + 2 / 3) / 2
    assert compute_value("Pmeasure(beta=10)") == (2 + 10 * 5) / (3 + 10 * 6)


def test_the_preferred_rank_is_above_the_cutoff():
    assert compute_value("Pmeasure@2") == compute_value("Pplus@2") == RATIO_1
    assert compute_value("Pmeasure@3") == compute_value("Pmeasure@1000") == RATIO_3
    assert compute_value("Pplus@2", run={"q": ["x", "y", "a"]}) == 0.0


def test_returning_a_better_item_further_down_can_lower_pmeasure():
    assert compute_value("Pmeasure", run={"q": ["b", "x", "y", "z"]}) == RATIO_1
    assert compute_value("Pmeasure", run={"q": ["b", "x", "y", "a"]}) == (2 + 5) / (4 + 6) < RATIO_1


def test_graded_uniform_users_stop_as_the_labels_say():
    assert compute_value("NCUguP") == pytest.approx(
        (2 * 1 / 1 + 3 * 2 / 3) / (3 + 2 + 1), rel=1e-15
    )
    assert compute_value("NCUguBR") == pytest.approx(
        (2 * RATIO_1 + 3 * RATIO_3) / (3 + 2 + 1), rel=1e-15
    )


def test_stop_values_may_be_others_than_the_gains():
    stop = "stop={1: 1, 2: 1, 3: 8}"
    assert compute_value(f"NCUguP({stop})") == pytest.approx((1 + 8 * 2 / 3) / 10, rel=1e-15)
    assert compute_value(f"NCUguBR({stop})") == pytest.approx(
        (RATIO_1 + 8 * RATIO_3) / 10, rel=1e-15
    )
    gain = "gain={1: 1, 2: 5, 3: 9}"
    ratio_1, ratio_3 = (1 + 5) / (1 + 9), (2 + 14) / (3 + 15)
    expected = pytest.approx((5 * ratio_1 + 9 * ratio_3) / 15, rel=1e-15)
    assert compute_value(f"NCUguBR({gain})") == expected


def test_rank_biased_users_stop_early():
    assert compute_value("NCUrbP(gamma=0.5)") == (1 + 0.5 * 2 / 3) / (1 + 0.5 + 0.25)
    assert compute_value("NCUrbBR(gamma=0.5)") == (RATIO_1 + 0.5 * RATIO_3) / (1 + 0.5 + 0.25)


def test_some_are_others_in_disguise():
    assert (
        compute_value("NCUguP(stop=binary)")
        == compute_value("NCUrbP(gamma=1)")
        == compute_value("Q(beta=0)")
    )
    assert (
        compute_value("NCUguBR(stop=binary)")
        == compute_value("NCUrbBR(gamma=1)")
        == compute_value("Q")
    )
    assert compute_value("NCUrbBR(gamma=0)") == compute_value("O")
    assert compute_value("NCUrbP(gamma=0)") == compute_value("O(beta=0)")
    assert compute_value("NCUguBR(beta=0)") == compute_value("NCUguP")
    assert compute_value("NCUrbBR(beta=0)") == compute_value("NCUrbP")


def test_items_below_rel_are_not_relevant():
    # Relevant are 3 and 2, best gains sum to 3, 5, 5; then 3 alone.
    ratio_3 = (2 + 5) / (3 + 5)
    assert compute_value("Pmeasure(rel=2)") == ratio_3
    assert compute_value("NCUguBR(rel=2)") == pytest.approx(
        (2 * RATIO_1 + 3 * ratio_3) / 5, rel=1e-15
    )
    assert compute_value("NCUrbP(rel=3)") == 1 / 3


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_found_scores_zero_and_nothing_relevant_follows_the_rules(measure):
    assert compute_value(measure, run={"q": []}) == 0.0
    assert compute_value(measure, run={"q": ["x", "y"]}) == 0.0
    irrelevant = {"q": {"a": 0, "b": -1}}
    assert compute_value(measure, irrelevant) == 0.0
    assert compute_value(measure, irrelevant, empty="one") == 1.0
    assert compute_value(measure, run={"q": []}, empty="one") == 0.0
    # Negative labels count as not relevant, and a perfect ranking scores 1.
    assert compute_value(measure, {"q": {"b": 2, "x": -3}}, {"q": ["b", "x"]}) == 1.0


def test_labels_may_be_fractions():
    qrels, run = {"q": {"a": 1.5, "b": 2.5}}, {"q": ["a", "b"]}
    assert compute_value("Pmeasure", qrels, run) == (2 + 4) / (2 + 4)
    assert compute_value("Pplus", qrels, run) == ((1 + 1.5) / (1 + 2.5) + 1) / 2


def test_stop_values_must_not_be_negative():
    with pytest.raises(MeasureError) as error:
        compute_value("NCUguP(stop={1: 1, 2: -0.5, 3: 3})")
    assert str(error.value) == (
        "stop {1: 1, 2: -0.5, 3: 3}: must be at least 0 for every relevant label, got -0.5."
    )
