"""AUC, Accuracy, Bpref and GMBpref, worked out by hand."""

from math import sqrt

import pytest

from gainful import MeasureError, Rules, evaluate

# Relevant: a, b. Judged and not relevant: n, m. x has no judgment.
QRELS = {"q": {"a": 1, "b": 2, "c": 1, "n": 0, "m": -1}}
RUN = {"q": ["a", "x", "n", "b", "m"]}


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_auc_is_the_share_of_pairs_in_the_right_order():
    # a is above x, n, m; b is above m: 4 of 6 pairs.
    assert compute_value("AUC") == pytest.approx(4 / 6, rel=1e-15)
    # Without x: 3 of 4 pairs.
    assert compute_value("AUC(unjudged=leave_out)") == 3 / 4
    # b alone is relevant: above m, below a, x, n.
    assert compute_value("AUC(rel=2)") == 1 / 4


def test_leaving_out_unjudged_items_is_what_condensing_does():
    assert compute_value("AUC(unjudged=leave_out)") == compute_value("AUC", unjudged="condense")


def test_a_tied_pair_counts_one_half_where_ties_are_averaged():
    run = {"q": {"a": 2.0, "n": 2.0, "x": 1.0}}
    assert compute_value("AUC", run=run, ties="average") == (0.5 + 1) / 2
    assert compute_value("AUC(unjudged=leave_out)", run=run, ties="average") == 0.5
    # Else the rule for ties decides: by descending ids n is above a.
    assert compute_value("AUC", run=run) == (0 + 1) / 2


def test_a_tie_that_the_depth_cuts_is_refused_unless_its_items_are_alike():
    run = {"q": {"a": 2.0, "n": 2.0, "x": 1.0}}
    with pytest.raises(MeasureError) as error:
        compute_value("AUC", run=run, ties="average", depth=1)
    assert str(error.value) == (
        "AUC: has no exact average where depth cuts through a tie, got ties=average. "
        "Pass another --ties, or no --depth."
    )
    run = {"q": {"n": 3.0, "a": 2.0, "b": 2.0, "x": 1.0}}
    assert compute_value("AUC", run=run, ties="average", depth=2) == 0
    run = {"q": {"a": 3.0, "x": 2.0, "n": 2.0}}
    assert compute_value("AUC", run=run, ties="average", depth=2) == 1


def test_accuracy_looks_at_the_first_ranks_only():
    assert compute_value("Accuracy") == pytest.approx(4 / 6, rel=1e-15)
    assert compute_value("Accuracy@2") == 1
    # a above x and n; b below both.
    assert compute_value("Accuracy@4") == 2 / 4


@pytest.mark.parametrize("measure", ["AUC", "AUC(unjudged=leave_out)", "Accuracy", "Accuracy@1"])
def test_without_a_pair_the_rules_say_what_it_is(measure):
    assert compute_value(measure, run={"q": ["a", "b"]}, empty="one") == 1
    assert compute_value(measure, qrels={"q": {"n": 0}}, run={"q": ["n"]}, empty="one") == 1


@pytest.mark.parametrize("measure", ["AUC", "AUC(unjudged=leave_out)", "Accuracy", "Accuracy@1"])
def test_returning_nothing_relevant_is_never_rewarded(measure):
    assert compute_value(measure, run={"q": ["x", "n"]}, empty="one") == 0
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


# Relevant: a, b, c. Judged and not relevant: k, l, n. m has a negative label, x none.
BPREF_QRELS = {"q": {"a": 1, "b": 2, "c": 1, "k": 0, "l": 0, "n": 0, "m": -1}}
BPREF_RUN = {"q": ["x", "a", "k", "m", "b", "l"]}


def compute_bpref(measure, qrels=BPREF_QRELS, run=BPREF_RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_each_relevant_item_loses_a_share_for_every_judged_other_above():
    # Above a nothing judged, above b one of min(3, 3); c was not returned.
    assert compute_bpref("Bpref") == pytest.approx((1 + (1 - 1 / 3)) / 3, rel=1e-15)


def test_labels_below_rel_are_judged_others():
    # Relevant: b alone; others: a, c, k, l, n, of which min(5, 1) counts.
    assert compute_bpref("Bpref(rel=2)") == 0
    assert compute_bpref("Bpref(rel=2)", run={"q": ["x", "m", "b"]}) == 1


def test_only_as_many_others_as_relevant_items_count():
    qrels = {"q": {"a": 1, "b": 1, "k": 0}}
    # Above b: one other of min(1, 2).
    assert compute_bpref("Bpref", qrels, {"q": ["a", "k", "b"]}) == (1 + 0) / 2


def test_without_judged_others_every_returned_relevant_item_counts():
    assert compute_bpref("Bpref", {"q": {"a": 1, "b": 1}}, {"q": ["x", "b"]}) == 1 / 2


def test_the_geometric_mean_over_queries():
    qrels = {"q": {"a": 1}, "p": {"a": 1, "b": 1, "k": 0}}
    run = {"q": ["a"], "p": ["a", "k", "b"]}
    scores = evaluate(qrels, run, "gm_bpref")
    assert scores.column("GMBpref").tolist() == [1.0, 0.5]
    assert scores.mean()["GMBpref"] == pytest.approx(sqrt(0.5), rel=1e-15)


@pytest.mark.parametrize("measure", ["Bpref", "GMBpref"])
def test_bpref_without_relevant_or_returned_items(measure):
    assert compute_bpref(measure, qrels={"q": {"a": 0}}, empty="one") == 1
    scores = evaluate(
        BPREF_QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one")
    )
    assert scores.values[0, 0] == 0


def test_averaged_ties_are_refused():
    with pytest.raises(MeasureError) as error:
        compute_bpref("Bpref", run={"q": {"a": 1.0, "k": 1.0}}, ties="average")
    assert str(error.value) == (
        "Bpref: no exact average over ties is known for it, got ties=average. "
        "Pass another --ties, for example item-desc."
    )
