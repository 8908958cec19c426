"""SetP, SetR, SetF, SetAP, SetRelP and Utility, worked out by hand."""

import pytest

from gainful import Rules, evaluate, parse_measure

# Relevant: a, b, c, d. The run returns five items, two of them relevant.
QRELS = {"q": {"a": 1, "b": 2, "c": 3, "d": 1, "n": 0, "m": -1}}
RUN = {"q": ["n", "a", "x", "b", "m"]}
MEASURES = ("SetP", "SetR", "SetF", "SetAP", "SetRelP")


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_shares_of_the_set():
    assert compute_value("SetP") == 2 / 5
    assert compute_value("SetR") == 2 / 4
    assert compute_value("SetAP") == 2 / 5 * 2 / 4
    assert compute_value("SetRelP") == 2 / 4
    assert compute_value("SetRelP", run={"q": ["a", "x"]}) == 1 / 2
    assert compute_value("SetF") == pytest.approx(
        2 * (2 / 5) * (2 / 4) / (2 / 5 + 2 / 4), rel=1e-15
    )


def test_beta_counts_squared_unlike_in_trec_eval():
    expected = 5 * (2 / 5) * (2 / 4) / (4 * 2 / 5 + 2 / 4)
    assert compute_value("SetF(beta=2)") == pytest.approx(expected, rel=1e-15)
    assert compute_value("SetF(beta=0)") == pytest.approx(2 / 5, rel=1e-15)
    assert parse_measure("set_F") == parse_measure("SetF")


def test_rel_decides_what_is_relevant():
    assert compute_value("SetP(rel=2)") == 1 / 5
    assert compute_value("SetR(rel=2)") == 1 / 2


def test_the_depth_cuts_the_set():
    assert compute_value("SetP", depth=2) == 1 / 2


def test_the_square_of_a_cut_tie_has_its_own_mean():
    # a, b and x tied, two of them kept: a and b once in three times, else one of them.
    run = {"q": {"a": 1.0, "b": 1.0, "x": 1.0}}
    expected = (1 * 2**2 + 2 * 1**2) / 3 / (2 * 4)
    assert compute_value("SetAP", run=run, ties="average", depth=2) == pytest.approx(
        expected, rel=1e-15
    )


def test_utility_weighs_four_kinds_of_items():
    assert compute_value("Utility") == 2 - 3
    # Of 100 items, 93 were neither returned nor relevant: 100 - 5 - 2.
    measure = "Utility(a=3, b=-0.5, c=-2, d=0.25, collection=100)"
    assert compute_value(measure) == 3 * 2 - 0.5 * 3 - 2 * 2 + 0.25 * 93


def test_utility_of_a_query_without_results_is_what_it_missed():
    qrels = QRELS | {"p": {"a": 1}}
    assert evaluate(qrels, {"p": ["a"]}, "Utility(c=-2)").values[0, 0] == -2 * 4


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_relevant_among_what_was_returned_scores_zero(measure):
    assert compute_value(measure, run={"q": ["x"]}, empty="one") == 0


@pytest.mark.parametrize("measure", MEASURES)
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


@pytest.mark.parametrize("measure", MEASURES[1:])
def test_with_nothing_relevant_the_rules_say_what_it_is(measure):
    assert compute_value(measure, qrels={"q": {"a": 0}}, empty="one") == 1


def test_precision_with_nothing_relevant_is_zero_unless_nothing_was_returned_either():
    assert compute_value("SetP", qrels={"q": {"a": 0}}, empty="one") == 0
    qrels = {"q": {"a": 0}, "p": {"a": 1}}
    assert evaluate(qrels, {"p": ["a"]}, "SetP", rules=Rules(empty="one")).values[0, 0] == 1
