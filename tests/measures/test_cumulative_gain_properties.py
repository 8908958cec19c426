"""Properties of CG, DCG and nDCG that hold for every ranking."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation.strategies import (
    collections,
    cutoffs,
    discounts,
    logarithms,
    measures,
    quarter_labels,
    rankings,
    real_labels,
    rising_gains,
    signed_labels,
    whole_labels,
)
from example_counts import max_examples

# Discounts that make every rank worth less than the one before.
falling_discounts = logarithms | st.just("reciprocal")
label_lists = st.lists(whole_labels, min_size=1, max_size=12)


@given(
    collections(labels=signed_labels | real_labels),
    measures(gain=rising_gains, kinds=("nCG", "nDCG")),
    st.sampled_from(["item-desc", "input", "average", "best", "worst"]),
    st.none() | st.integers(1, 5),
)
@max_examples(200)
def test_a_share_of_gains_that_are_not_negative_lies_between_0_and_1(
    collection, measure, ties, depth
):
    assume(measure.all_settings["ideal"] != "ones" and measure.all_settings["negatives"] == "zero")
    # An averaged tie that depth cuts through has no list of its own: that is refused.
    assume(measure.all_settings["ideal"] != "list" or ties != "average" or depth is None)
    qrels, run = collection
    scores = gainful.evaluate(qrels, run, measure, rules=gainful.Rules(ties=ties, depth=depth))
    assert all(0 <= value <= 1 for value in scores.values[:, 0])


@given(label_lists, cutoffs, falling_discounts, rising_gains)
@max_examples(200)
def test_ndcg_is_exactly_1_if_and_only_if_the_first_k_stand_in_the_best_order(
    labels, k, discount, gain
):
    assume(max(labels) > 0)
    worth = {"linear": float, "exp2": lambda x: 2**x - 1, "binary": lambda x: x >= 1}[gain]
    gains = [worth(label) for label in labels]
    ideal = gains[:k] == sorted(gains, reverse=True)[:k]
    assert (gainful.ndcg(labels, k=k, discount=discount, gain=gain) == 1) == ideal


@given(st.lists(real_labels, min_size=1, max_size=40), cutoffs, discounts, rising_gains)
@max_examples(100)
def test_the_best_order_scores_exactly_1(labels, k, discount, gain):
    best = sorted(labels, reverse=True)
    assume(gainful.idcg(best, k=k, discount=discount, gain=gain) > 0)
    assert gainful.ndcg(best, k=k, discount=discount, gain=gain) == 1


@given(st.lists(st.tuples(whole_labels, st.integers(1, 9)), min_size=1, max_size=4), cutoffs)
@max_examples(100)
def test_ties_among_equal_gains_leave_the_best_order_at_exactly_1(blocks, k):
    blocks = sorted(blocks, reverse=True)
    assume(blocks[0][0] > 0)
    labels = [label for label, size in blocks for _ in range(size)]
    scores = [-block for block, (_, size) in enumerate(blocks) for _ in range(size)]
    assert gainful.ndcg(labels, scores, k=k) == 1


@given(st.data(), st.lists(quarter_labels, min_size=2, max_size=12))
@max_examples(100)
def test_cg_does_not_change_when_items_above_the_cutoff_change_places(data, labels):
    k = data.draw(st.integers(2, len(labels)))
    head = data.draw(st.permutations(labels[:k]))
    assert gainful.cg([*head, *labels[k:]], k=k) == gainful.cg(labels, k=k)


def test_dcg_does_change_when_items_above_the_cutoff_change_places():
    assert gainful.dcg([2, 1, 0], k=3) != gainful.dcg([1, 2, 0], k=3)


@given(st.data(), st.lists(signed_labels, min_size=2, max_size=12), cutoffs, discounts)
@max_examples(200)
def test_moving_a_better_item_up_never_lowers_dcg(data, labels, k, discount):
    gain = data.draw(rising_gains | st.just("signed_exp2"))
    high = data.draw(st.integers(0, len(labels) - 2))
    low = data.draw(st.integers(high + 1, len(labels) - 1))
    swapped_labels = list(labels)
    swapped_labels[high], swapped_labels[low] = (
        max(labels[high], labels[low]),
        min(labels[high], labels[low]),
    )
    value, swapped_value = (
        gainful.dcg(x, k=k, discount=discount, gain=gain) for x in (labels, swapped_labels)
    )
    # Where the two ranks are worth the same, the order of addition is all that changes.
    assert swapped_value >= value or swapped_value == pytest.approx(value, rel=1e-14, abs=1e-14)


@given(rankings(), cutoffs, logarithms, rising_gains)
@max_examples(100)
def test_the_base_of_the_logarithm_cancels_in_ndcg(ranking, k, discount, gain):
    labels, scores = ranking
    value = gainful.ndcg(labels, scores, k=k, gain=gain, discount=discount)
    assert value == pytest.approx(gainful.ndcg(labels, scores, k=k, gain=gain), rel=1e-12)


@given(rankings(), st.floats(1.5, 20))
@max_examples(50)
def test_the_base_of_the_logarithm_is_a_factor_of_dcg(ranking, base):
    labels, scores = ranking
    natural = gainful.dcg(labels, scores, discount="ln")
    value = gainful.dcg(labels, scores, discount=f"log({base!r})")
    assert value == pytest.approx(natural * math.log(base), rel=1e-12)


def test_the_base_does_not_cancel_with_the_discount_of_jarvelin_and_kekalainen():
    labels = [1, 2, 3, 0, 3]
    assert gainful.ndcg(labels, discount="jk(2)") != pytest.approx(
        gainful.ndcg(labels, discount="jk(4)"), rel=1e-3
    )


@given(rankings(labels=real_labels), st.integers(0, 10**6), discounts, rising_gains)
@max_examples(100)
def test_a_cutoff_beyond_the_list_changes_nothing(ranking, beyond, discount, gain):
    labels, scores = ranking
    for function in (gainful.dcg, gainful.idcg, gainful.ndcg):
        value = function(labels, scores, discount=discount, gain=gain)
        deep = len(labels) + beyond
        assert function(labels, scores, k=deep, discount=discount, gain=gain) == value


@given(rankings(labels=quarter_labels), cutoffs, discounts)
@max_examples(100)
def test_ndcg_is_dcg_over_idcg(ranking, k, discount):
    labels, scores = ranking
    best = gainful.idcg(labels, scores, k=k, discount=discount)
    share = gainful.dcg(labels, scores, k=k, discount=discount) / best if best else 0.0
    assert gainful.ndcg(labels, scores, k=k, discount=discount) == min(share, 1.0)


@given(rankings(), cutoffs)
@max_examples(50)
def test_dcg_without_a_discount_is_cg(ranking, k):
    labels, scores = ranking
    assert gainful.dcg(labels, scores, k=k, discount="none") == gainful.cg(labels, scores, k=k)


@given(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=12), cutoffs, discounts)
@max_examples(50)
def test_all_gains_agree_on_binary_labels(labels, k, discount):
    values = {
        gainful.ndcg(labels, k=k, discount=discount, gain=gain)
        for gain in ("linear", "exp2", "binary", "signed_exp2", {0: 0, 1: 1})
    }
    assert len(values) == 1


@pytest.mark.parametrize("k", [10**12, 2**63 - 1, 2**63, 10**30])
def test_a_cutoff_is_never_too_large(k):
    assert gainful.ndcg([0, 1], k=k) == gainful.ndcg([0, 1])
    measure = gainful.nDCG @ k
    assert gainful.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, measure)[measure] == 1


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        ([1.7e308, 1.7e308], {}),
        ([1023.9, 1023.9], {"gain": "exp2"}),
        ([1, 1], {"gain": {1: 1.7e308}}),
    ],
    ids=["labels", "powers", "table"],
)
def test_gains_whose_sum_is_too_large_for_a_float_are_an_error_or_a_number(labels, options):
    try:
        value = gainful.ndcg(labels, **options)
    except gainful.GainfulError:
        return
    assert value == 1
