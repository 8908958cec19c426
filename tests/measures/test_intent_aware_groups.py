"""Averages over judges, worked out by hand."""

import pytest

from gainful import Rules, evaluate, parse_measure

# Judge j finds a and b relevant, k only c, and l nothing.
QRELS = {"q": {"j": {"a": 1, "b": 2, "c": 0}, "k": {"c": 1, "a": -1}, "l": {"a": 0}}}
RUN = {"q": ["b", "x", "a", "y", "c"]}
MEASURES = ("APgroups", "Pgroups@5", "RprecMultGroups")


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def approximate(number):
    return pytest.approx(number, rel=1e-14)


def test_average_precision_is_averaged_over_all_judges():
    # j: b at 1, a at 3; k: c at 5; l finds nothing relevant, and counts.
    assert compute_value("APgroups") == approximate(((1 / 1 + 2 / 3) / 2 + 1 / 5 + 0) / 3)
    assert compute_value("APgroups(rel=2)") == approximate(1 / 3)


def test_precision_is_averaged_over_all_judges():
    assert compute_value("Pgroups@3") == approximate((2 / 3 + 0 + 0) / 3)
    assert compute_value("Pgroups@10") == approximate((2 / 10 + 1 / 10 + 0) / 3)


def test_r_precision_is_averaged_over_all_judges():
    # j has two relevant items, one of them within 2; k has one, not at rank 1.
    assert compute_value("RprecMultGroups") == approximate((1 / 2 + 0 + 0) / 3)
    # times=1.6: the depth is 1.6 * 2 + 0.9 = 4 for j, and 1.6 + 0.9 = 2 for k.
    assert compute_value("RprecMultGroups@1.6") == approximate((2 / 4 + 0 / 2) / 3)
    # times=0.2: 1 for j, 1 for k.
    assert compute_value("RprecMultGroups(times=0.2)") == approximate((1 / 1 + 0) / 3)
    # times=0.01: 0 for either, as trec_eval has it.
    assert compute_value("RprecMultGroups@0.01") == 0.0


def test_trec_eval_names():
    assert str(parse_measure("map_avgjg")) == "APgroups"
    assert str(parse_measure("P_avgjg_10")) == "Pgroups@10"
    assert str(parse_measure("Rprec_mult_avgjg_0.20")) == "RprecMultGroups@0.2"


@pytest.mark.parametrize("measure", MEASURES)
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(
        QRELS | {"p": {"j": {"a": 1}}}, {"p": ["a"]}, measure, rules=Rules(empty="nan")
    )
    assert scores.per_query()["q"][measure] == 0.0


def test_without_relevant_items_the_rules_say_what_a_query_scores():
    qrels = {"q": {"j": {"a": 0}, "k": {"a": -1}}}
    for measure in ("APgroups", "RprecMultGroups"):
        assert compute_value(measure, {"q": ["a"]}, qrels) == 0.0
        assert compute_value(measure, {"q": ["a"]}, qrels, empty="one") == 1.0
    # Precision divides by the cutoff, which is never zero.
    assert compute_value("Pgroups@1", {"q": ["a"]}, qrels, empty="one") == 0.0


def test_tied_items_share_the_ranks_within_the_cutoff():
    # a and two unjudged items tied over ranks 1 to 3: a is within the first two 2/3 of the time.
    run, qrels = {"q": {"a": 1, "x": 1, "y": 1}}, {"q": {"j": {"a": 1}, "k": {"a": 0}}}
    assert compute_value("Pgroups@2", run, qrels, ties="average") == approximate(2 / 3 / 2 / 2)
    assert compute_value("Pgroups@2", run, qrels, ties="average", depth=1) == approximate(
        1 / 3 / 2 / 2
    )
