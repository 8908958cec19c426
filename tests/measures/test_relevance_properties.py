"""Measures built on relevant items: binary ones under swaps, graded ones under other labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from example_counts import max_examples
from gainful import Rules, evaluate
from gainful.measures import REGISTRY, blended, normalized_utility, trec_gains

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


# The measures of NTCIREVAL, and the graded ones of trec_eval.
MODULES = {module.__name__ for module in (blended, normalized_utility, trec_gains)}
GRADED = [m for m in REGISTRY.values() if m.compute.__module__ in MODULES]
NORMALIZED = ("Q", "O", "Pmeasure", "Pplus", "NCUguP", "NCUguBR", "NCUrbP", "NCUrbBR", "binG")
LABELS = st.lists(st.sampled_from([-2, -1, 0, 0, 0.25, 1, 1.5, 2, 3]), min_size=1, max_size=10)


def compute_values(labels, missed=(), unjudged_below=0):
    """Compute the values of a run that returns the labels in this order, without those missed."""
    items = [f"d{i}" for i in range(len(labels))]
    judged = {item: label for item, label in zip(items, labels, strict=True) if label is not None}
    judged |= {f"m{i}": label for i, label in enumerate(missed)}
    ranking = [*items, *(f"u{i}" for i in range(unjudged_below))]
    return evaluate({"q": judged}, {"q": ranking}, GRADED, rules=Rules()).mean()


def test_the_graded_measures_are_complete():
    assert {m.name for m in GRADED} == {*NORMALIZED, "nDCGrel", "Rndcg", "G"}


@given(labels=LABELS, missed=LABELS)
def test_values_are_within_bounds(labels, missed):
    for value in compute_values(labels, missed).values():
        assert 0.0 <= value <= 1.0


@given(labels=LABELS, missed=LABELS)
def test_negative_labels_count_as_0_and_0_as_unjudged(labels, missed):
    expected = compute_values(labels, missed)
    assert compute_values([max(label, 0) for label in labels], missed) == expected
    assert compute_values([label if label > 0 else None for label in labels], missed) == expected


@given(labels=LABELS, missed=LABELS, n_more=st.integers(1, 5))
def test_unjudged_items_at_the_end_change_nothing_but_the_end_of_rndcg(labels, missed, n_more):
    values, longer_values = compute_values(labels, missed), compute_values(labels, missed, n_more)
    for name in values.keys() - {"Rndcg"}:
        assert longer_values[name] == values[name]


@given(labels=LABELS, missed=LABELS)
def test_what_was_missed_lowers_what_is_normalized_by_all_relevant_items(labels, missed):
    values, lower_values = compute_values(labels), compute_values(labels, missed)
    for name in NORMALIZED:
        if values[name]:
            assert lower_values[name] <= values[name] + 1e-15


@pytest.mark.parametrize("measure", GRADED, ids=str)
def test_many_queries_score_as_they_do_one_by_one(measure):
    qrels = {f"q{i}": {f"d{j}": (i * j) % 4 for j in range(i)} for i in range(1, 60)}
    run = {f"q{i}": [f"d{(j * 7) % 61}" for j in range(i)] for i in range(1, 60)}
    values = evaluate(qrels, run, measure).column(measure).tolist()
    single_values = [evaluate({q: qrels[q]}, {q: run[q]}, measure)[measure] for q in qrels]
    assert values == single_values
