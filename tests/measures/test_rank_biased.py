"""RBP and RBPResidual, worked out by hand."""

from itertools import chain, groupby, permutations, product
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.strategies import few_scores, rankings, signed_labels
from example_counts import max_examples
from gainful import MeasureError, Rules, evaluate

QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0, "e": -1}}
RUN = {"q": ["b", "x", "e", "a", "d"]}


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def test_rbp_weighs_rank_i_by_p_to_the_i_minus_1():
    assert compute_value("RBP") == pytest.approx(0.2 * (1 + 0.8**3), rel=1e-15)
    assert compute_value("RBP(p=0.5)") == 0.5 * (1 + 0.5**3)
    assert compute_value("RBP(p=0.5, rel=3)") == 0.5 * 0.5**3
    assert compute_value("RBP(p=0.5)@3") == 0.5
    assert compute_value("RBP(p=0.5)@100") == compute_value("RBP(p=0.5)")


def test_graded_gains_are_scaled_by_the_highest_label():
    measure = "RBP(p=0.5, gain=linear, scale=max_label, max_label=4)"
    assert compute_value(measure) == 0.5 * (2 / 4 + 3 / 4 * 0.5**3)
    measure = "RBP(p=0.5, gain=exp2, scale=max_label, max_label=3)"
    assert compute_value(measure) == pytest.approx(0.5 * (3 / 7 + 0.5**3), rel=1e-15)


def test_graded_gains_are_scaled_by_the_highest_of_the_query_as_in_trec_eval_10():
    # trec_eval 10.0 -m rbp prints 0.1396 for this query.
    measure = "RBP(p=0.9, gain=linear, scale=query)"
    assert compute_value(measure) == pytest.approx(0.1 * (2 / 3 + 0.9**3), rel=1e-14)
    assert f"{compute_value(measure):.4f}" == "0.1396"
    # Where the highest is 1 at most, nothing is scaled.
    qrels = {"q": {"a": 0.5}}
    assert compute_value("RBP(p=0.5, gain=linear, scale=query)", {"q": ["a"]}, qrels) == 0.25


def test_gains_above_1_are_an_error():
    with pytest.raises(MeasureError) as error:
        compute_value("RBP(gain=linear)")
    assert str(error.value) == (
        "RBP: gains must be from 0 to 1, got 3. "
        "Pass scale=max_label with the highest label there may be, or scale=query."
    )


def test_the_residual_is_what_unjudged_items_and_the_ranks_below_may_add():
    # x is unjudged, and e as its label is negative: ranks 2 and 3; then all from rank 6 on.
    assert compute_value("RBPResidual(p=0.5)") == 0.5 * (0.5 + 0.5**2) + 0.5**5
    assert compute_value("RBPResidual(p=0.5)@2") == 0.5 * 0.5 + 0.5**2
    assert compute_value("RBPResidual(p=0.5)", run={"q": ["a", "b"]}) == 0.5**2


def test_the_residual_agrees_with_trec_eval_10_unless_all_is_judged():
    # trec_eval 10.0 -m rbp_resid prints 0.7615 for RUN, and 0.0000 for the ranking a, b.
    assert f"{compute_value('RBPResidual(p=0.9)'):.4f}" == "0.7615"
    assert f"{compute_value('RBPResidual(p=0.9)', run={'q': ['a', 'b']}):.4f}" == "0.8100"


def test_a_query_without_results_scores_0_and_may_yet_score_1():
    assert compute_value("RBP", run={"q": []}, empty="one") == 0
    assert compute_value("RBPResidual", run={"q": []}) == 1


def test_nothing_relevant_scores_0():
    assert compute_value("RBP", qrels={"q": {"b": 0}}, empty="one") == 0


@given(
    rankings(labels=signed_labels, scores=few_scores, max_items=6),
    st.none() | st.integers(1, 7),
    st.none() | st.integers(1, 7),
    st.sampled_from([0.1, 0.8, 0.99]),
    st.sets(st.integers(0, 5)),
)
@max_examples(150)
def test_the_average_over_ties_is_the_mean_over_all_orders(ranking, cutoff, depth, p, unjudged):
    labels, scores = ranking
    judged = {f"d{i}": label for i, label in enumerate(labels) if i not in unjudged}
    run = {"q": {f"d{i}": score for i, score in enumerate(scores)}}
    ranked = sorted(((s, i) for i, s in enumerate(scores)), reverse=True)
    blocks = [[i for _, i in block] for _, block in groupby(ranked, key=lambda x: x[0])]
    orders = [[*chain(*o)] for o in product(*(permutations(b) for b in blocks))]
    cut_orders = [order[:depth][:cutoff] for order in orders]
    gain = {i: judged.get(f"d{i}", 0) >= 1 for i in range(len(labels))}
    unknown = {i: judged.get(f"d{i}", -1) < 0 for i in range(len(labels))}

    def compute_mean(worth, below):
        sums = [
            (1 - p) * fsum(worth[i] * p**r for r, i in enumerate(items)) + below * p ** len(items)
            for items in cut_orders
        ]
        return fsum(sums) / len(sums)

    suffix = "" if cutoff is None else f"@{cutoff}"
    qrels = {"q": judged | {"never returned": 1}}
    rules = {"ties": "average", "depth": depth}
    assert compute_value(f"RBP(p={p}){suffix}", run, qrels, **rules) == pytest.approx(
        compute_mean(gain, 0), abs=1e-14
    )
    residual = compute_value(f"RBPResidual(p={p}){suffix}", run, qrels, **rules)
    assert residual == pytest.approx(compute_mean(unknown, 1), abs=1e-14)
