"""What the measures of NTCIREVAL and the other gains of trec_eval have in common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import Rules, evaluate
from gainful.measures import REGISTRY, blended, normalized_utility, trec_gains

MODULES = {module.__name__ for module in (blended, normalized_utility, trec_gains)}
FAMILY = [m for m in REGISTRY.values() if m.compute.__module__ in MODULES]
BY_RELEVANT = ("Q", "O", "Pmeasure", "Pplus", "NCUguP", "NCUguBR", "NCUrbP", "NCUrbBR", "binG")
LABELS = st.lists(st.sampled_from([-2, -1, 0, 0, 0.25, 1, 1.5, 2, 3]), min_size=1, max_size=10)


def values(labels, missed=(), unjudged_below=0):
    """The values of a run that returns the labels in this order, and does not return the missed."""
    items = [f"d{i}" for i in range(len(labels))]
    judged = {item: label for item, label in zip(items, labels, strict=True) if label is not None}
    judged |= {f"m{i}": label for i, label in enumerate(missed)}
    ranking = [*items, *(f"u{i}" for i in range(unjudged_below))]
    return evaluate({"q": judged}, {"q": ranking}, FAMILY, rules=Rules()).mean()


def test_the_family_is_complete():
    assert {m.name for m in FAMILY} == {*BY_RELEVANT, "nDCGrel", "Rndcg", "G"}


@given(labels=LABELS, missed=LABELS)
def test_values_are_within_bounds(labels, missed):
    for value in values(labels, missed).values():
        assert 0.0 <= value <= 1.0


@given(labels=LABELS, missed=LABELS)
def test_negative_labels_count_as_0_and_0_as_unjudged(labels, missed):
    found = values(labels, missed)
    assert values([max(label, 0) for label in labels], missed) == found
    assert values([label if label > 0 else None for label in labels], missed) == found


@given(labels=LABELS, missed=LABELS, more=st.integers(1, 5))
def test_unjudged_items_at_the_end_change_nothing_but_the_end_of_rndcg(labels, missed, more):
    before, after = values(labels, missed), values(labels, missed, more)
    for name in before.keys() - {"Rndcg"}:
        assert after[name] == before[name]


@given(labels=LABELS, missed=LABELS)
def test_what_was_missed_lowers_what_is_normalized_by_all_relevant_items(labels, missed):
    whole, part = values(labels), values(labels, missed)
    for name in BY_RELEVANT:
        if whole[name]:
            assert part[name] <= whole[name] + 1e-15


@pytest.mark.parametrize("measure", FAMILY, ids=str)
def test_many_queries_score_as_they_do_one_by_one(measure):
    qrels = {f"q{i}": {f"d{j}": (i * j) % 4 for j in range(i)} for i in range(1, 60)}
    run = {f"q{i}": [f"d{(j * 7) % 61}" for j in range(i)] for i in range(1, 60)}
    together = evaluate(qrels, run, measure).column(measure).tolist()
    alone = [evaluate({q: qrels[q]}, {q: run[q]}, measure)[measure] for q in qrels]
    assert together == alone
