"""Bpref and GMBpref, worked out by hand."""

from math import sqrt

import pytest

from gainful import MeasureError, Rules, evaluate

# Relevant: a, b, c. Judged and not relevant: k, l, n. m has a negative label, x none.
QRELS = {"q": {"a": 1, "b": 2, "c": 1, "k": 0, "l": 0, "n": 0, "m": -1}}
RUN = {"q": ["x", "a", "k", "m", "b", "l"]}


def value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_each_relevant_item_loses_a_share_for_every_judged_other_above():
    # Above a nothing judged, above b one of min(3, 3); c was not returned.
    assert value("Bpref") == pytest.approx((1 + (1 - 1 / 3)) / 3, rel=1e-15)


def test_labels_below_rel_are_judged_others():
    # Relevant: b alone; others: a, c, k, l, n, of which min(5, 1) counts.
    assert value("Bpref(rel=2)") == 0
    assert value("Bpref(rel=2)", run={"q": ["x", "m", "b"]}) == 1


def test_only_as_many_others_as_relevant_items_count():
    qrels = {"q": {"a": 1, "b": 1, "k": 0}}
    # Above b: one other of min(1, 2).
    assert value("Bpref", qrels, {"q": ["a", "k", "b"]}) == (1 + 0) / 2


def test_without_judged_others_every_returned_relevant_item_counts():
    assert value("Bpref", {"q": {"a": 1, "b": 1}}, {"q": ["x", "b"]}) == 1 / 2


def test_the_geometric_mean_over_queries():
    qrels = {"q": {"a": 1}, "p": {"a": 1, "b": 1, "k": 0}}
    run = {"q": ["a"], "p": ["a", "k", "b"]}
    scores = evaluate(qrels, run, "gm_bpref")
    assert scores.column("GMBpref").tolist() == [1.0, 0.5]
    assert scores.mean()["GMBpref"] == pytest.approx(sqrt(0.5), rel=1e-15)


@pytest.mark.parametrize("measure", ["Bpref", "GMBpref"])
def test_edges(measure):
    assert value(measure, qrels={"q": {"a": 0}}, empty="one") == 1
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


def test_averaged_ties_are_refused():
    with pytest.raises(MeasureError) as error:
        value("Bpref", ties="average")
    assert str(error.value) == (
        "Bpref: no exact average over ties is known for it, got ties=average. "
        "Pass another --ties, for example item-desc."
    )
