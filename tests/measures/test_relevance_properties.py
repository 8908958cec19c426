"""Measures of binary relevance: moving a relevant item up never lowers them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from example_counts import max_examples

# Accuracy with a cutoff may fall: what comes in from below the cutoff makes new pairs.
MEASURES = (
    *("P@3", "RelP@3", "Rprec", "RprecMult(times=0.5)", "IPrec@0.3", "IPrec(count=nearest)@0.6"),
    *("IPrecAvg", "Success@3", "Hits@3", "R@3", "R", "F@3", "F(beta=3)@3", "SetP", "SetR", "SetF"),
    *("SetAP", "SetRelP", "Utility", "AP", "AP@3", "AP(divide=cutoff)@3", "GMAP", "YAAP", "RR"),
    *("RR@3", "Bpref", "AUC", "AUC(unjudged=leave_out)", "Accuracy"),
)


@given(
    st.lists(st.sampled_from([None, 0, 1, 2]), min_size=2, max_size=10),
    st.lists(st.sampled_from([0, 1, 2]), max_size=3),
)
@max_examples(200)
def test_moving_a_relevant_item_up_never_lowers_a_value(labels, missed):
    # Labels in rank order, None for an unjudged item; then those that were not returned.
    judged = {f"d{i}": label for i, label in enumerate(labels) if label is not None}
    judged |= {f"m{i}": label for i, label in enumerate(missed)}
    order = [f"d{i}" for i in range(len(labels))]
    better = [
        [*order[:i], order[i + 1], order[i], *order[i + 2 :]]
        for i in range(len(order) - 1)
        if (labels[i + 1] or 0) >= 1 > (labels[i] or 0)
    ]
    rankings = [order, *better]
    run = {f"q{i}": ranking for i, ranking in enumerate(rankings)}
    scores = gainful.evaluate({query: judged for query in run}, run, MEASURES)
    for name in MEASURES:
        values = scores.column(name)
        assert (values[1:] >= values[0] - 1e-15).all(), name


@pytest.mark.parametrize(
    "name", [name for name in MEASURES if name not in ("Hits@3", "Utility", "YAAP")]
)
def test_the_perfect_ranking_scores_one(name):
    # Three relevant items, so that the cutoffs fit.
    judged = {"a": 1, "b": 2, "c": 1, "n": 0}
    value = gainful.evaluate(
        {"q": judged}, {"q": ["a", "b", "c"]}, name, rules=gainful.Rules(empty="one")
    )
    assert value[name] == pytest.approx(1, rel=1e-15)
