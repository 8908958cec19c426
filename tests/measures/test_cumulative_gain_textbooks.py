"""Worked examples from textbooks and tutorials, recomputed.

Expected values follow the stated definition; where the source printed something else, a comment
says why.
"""

import pytest

import gainful
from gainful import cg, dcg, idcg, mean_ndcg, ndcg

RELEVANCE = {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}


def approximate(value):
    return pytest.approx(value, rel=1e-15, abs=0)


def test_study_notes_with_five_items():
    # The source prints nDCG 0.973, from the rounded 6.15 / 6.32; the true value rounds to 0.972.
    labels = [3, 2, 3, 0, 1]
    assert cg(labels, k=5) == 9
    assert dcg(labels, k=5) == approximate(6.148712314377456)
    assert idcg(labels, k=5) == approximate(6.323465818787765)
    assert ndcg(labels, k=5) == approximate(0.9723642841729142)


def test_encyclopedia_with_six_items_and_the_discount_of_2002():
    # Rank 1 is not discounted, rank i >= 2 is divided by log2(i).
    labels = [3, 2, 3, 0, 1, 2]
    assert cg(labels, k=6) == 11
    assert dcg(labels, k=6, discount="jk(2)") == approximate(8.097171433256849)
    assert idcg(labels, k=6, discount="jk(2)") == approximate(8.69253606521631)
    assert ndcg(labels, k=6, discount="jk(2)") == approximate(0.9315085232327253)


def test_the_two_discounts_differ_for_binary_labels_too():
    # They differ in the discount, not in the gain: one relevant item at rank 2.
    assert dcg([0, 1], discount="jk(2)") == approximate(1.0)
    assert dcg([0, 1]) == approximate(0.6309297535714574)


def test_tutorial_arrays_whose_tied_scores_are_averaged():
    # The text works out the ranked list [3, 2, 0, 0, 1], but the code passes labels and scores in
    # which two scores are tied: labels 1 and 0 are averaged over ranks 4 and 5.
    labels, scores = [3, 2, 1, 0, 0], [3, 2, 0, 0, 1]
    assert dcg(labels, scores) == approximate(4.670624189796882)
    assert idcg(labels, scores) == approximate(4.761859507142915)
    assert ndcg(labels, scores) == approximate(0.980840401274087)
    assert dcg([3, 2, 0, 0, 1]) == approximate(4.648712314377456)
    assert ndcg([3, 2, 0, 0, 1]) == approximate(0.9762388637052952)


def test_recommender_with_an_ideal_from_all_judged_items():
    # The source prints the IDCG over all five items, and the nDCG that divides by IDCG@3.
    ranking = ["A", "B", "C"]
    assert dcg(ranking, relevant=RELEVANCE, k=3) == approximate(0.7654648767857287)
    assert idcg(ranking, relevant=RELEVANCE) == approximate(1.347217813316522)
    assert idcg(ranking, relevant=RELEVANCE, k=3) == approximate(1.2654648767857286)
    assert ndcg(ranking, relevant=RELEVANCE, k=3) == approximate(0.6048882832133625)


def test_second_recommender_and_the_mean_of_both_at_their_own_length():
    ranking = ["D", "A", "C", "B", "E"]
    assert ndcg(ranking, relevant=RELEVANCE, k=5) == approximate(0.8663161395143223)
    # nDCG@3 of the first and nDCG@5 of the second: the ideal is cut at what each returned.
    recommendations = [["A", "B", "C"], ranking]
    mean = mean_ndcg(recommendations, relevant=RELEVANCE, ideal_depth="retrieved")
    assert mean == approximate(0.7356022113638424)


def test_ideal_of_four_items():
    assert idcg([3, 2, 2, 1], k=4) == approximate(5.6925360652163075)


def test_user_actions_become_labels_by_a_map():
    actions = {"none": 0, "click": 1, "basket": 2, "purchase": 3}
    labels = ["purchase", "basket", "purchase", "none", "click"]
    assert ndcg(labels, labels=actions) == ndcg([3, 2, 3, 0, 1])


def test_nothing_relevant_scores_zero():
    assert ndcg([0, 0, 0]) == 0.0
    assert ndcg(["A", "B"], relevant={}) == 0.0
    assert ndcg([]) == 0.0


def test_a_bad_item_costs_only_under_a_signed_gain():
    # Excellent 1, Fair 0, Bad -1. Plain nDCG does not see the difference.
    good_list, spoiled_list = [1, 1, 1], [1, 1, 1, -1]
    assert ndcg(good_list) == ndcg(spoiled_list) == 1.0
    # signed_exp2: 2^1 - 1 = 1 three times, then 1 - 2^1 = -1 at rank 4.
    best = dcg(good_list, gain="signed_exp2")
    assert dcg(spoiled_list, gain="signed_exp2") == approximate(best - 0.43067655807339306)
    assert ndcg(spoiled_list, gain="signed_exp2") < 1.0


def test_missing_items_cost_only_when_the_ideal_knows_of_them():
    # Both score 1 when the ideal is the list itself.
    assert ndcg([1, 1, 1]) == ndcg([1, 1, 1, 1, 1]) == 1.0
    # Against five relevant items: 2.1309297535714578 / 2.948459118879392.
    share = 2.1309297535714578 / 2.948459118879392
    relevant = {"a", "b", "c", "d", "e"}
    assert ndcg(["a", "b", "c"], relevant=relevant, k=5) == approximate(share)
    assert ndcg([1, 1, 1], ideal="ones", list_size=5) == approximate(share)
    assert ndcg([1, 1, 1], ideal="ones", k=5) == approximate(share)


def test_cg_ignores_a_swap_and_dcg_does_not():
    labels, swapped_labels = [3, 2, 3, 0, 1, 2], [3, 2, 0, 3, 1, 2]  # ranks 3 and 4 exchanged
    assert cg(labels) == cg(swapped_labels) == 11
    assert dcg(swapped_labels) < dcg(labels)


def test_tied_scores_all_equal_give_the_expected_value():
    # scikit-learn documents this one: the expected nDCG over all orders.
    assert ndcg([10, 0, 0, 1, 5], [1, 1, 1, 1, 1]) == pytest.approx(0.6909785, abs=5e-8)


def test_the_unjudged_example():
    # qrels a3 b0 c2 z1; run u1, a, u2, c, b; u1 and u2 are unjudged.
    qrels = {"q": {"a": 3, "b": 0, "c": 2, "z": 1}}
    run = {"q": ["u1", "a", "u2", "c", "b"]}
    assert gainful.evaluate(qrels, run, "nDCG@5")["nDCG@5"] == pytest.approx(
        0.5783753957, abs=5e-11
    )
    rules = gainful.Rules(unjudged="condense")
    assert gainful.evaluate(qrels, run, "nDCG@5", rules=rules)["nDCG@5"] == pytest.approx(
        0.8949990021, abs=5e-11
    )
    assert gainful.evaluate(qrels, run, "nDCG(gain=exp2)@5").mean() == {
        "nDCG(gain=exp2)@5": pytest.approx(0.6077574819, abs=5e-11)
    }
