"""The checks of a gate: outcome and sentence of every mode, of minimums and of pinned queries."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gainful import ComparisonError, gate
from gate.runs_with_values import MEASURE, find_check, gate_values, make_runs
from gate.test_gate import LIMITS, PAIRS


def test_a_drop_within_the_limit_passes():
    result = gate_values([0.5, 0.5], [0.5, 0.49])
    assert (result.verdict, result.passed) == ("pass", True)
    assert find_check(result, "point").sentence == (
        "CG@1 drops by 0.0050, from 0.5000 to 0.4950; a drop of 0.01 is allowed."
    )


def test_a_drop_beyond_the_limit_fails():
    result = gate_values([0.5, 0.5], [0.5, 0.4], max_drop=0.02)
    assert (result.verdict, result.passed) == ("fail", False)
    assert find_check(result, "point").sentence == (
        "CG@1 drops by 0.0500, from 0.5000 to 0.4500; no more than 0.02 is allowed."
    )
    assert result.sentence == (
        "FAIL: run 'candidate' against 'baseline': 1 check on 2 queries, 1 failed."
    )


@pytest.mark.parametrize(
    ("old_value", "new_value"), [(0.31, 0.3), (0.01, 0.0), (1.0, 0.99), (0.7 + 0.01, 0.7)]
)
def test_a_drop_of_exactly_the_limit_passes_whatever_the_rounding(old_value, new_value):
    assert gate_values([old_value] * 3, [new_value] * 3, max_drop=0.01).passed


def test_a_drop_just_beyond_the_limit_shows_the_digits_that_tell():
    result = gate_values([0.5, 0.5], [0.5, 0.5 - 0.020001], max_drop=0.01)
    assert find_check(result, "point").sentence == (
        "CG@1 drops by 0.0100005, from 0.5000 to 0.4900; no more than 0.01 is allowed."
    )


def test_no_drop_may_be_allowed_at_all():
    assert gate_values([0.5, 0.5], [0.5, 0.5], max_drop=0).passed
    assert not gate_values([0.5, 0.5], [0.5, 0.499], max_drop=0).passed


def test_regression_fails_what_chance_does_not_explain_however_small():
    old_values = np.linspace(0.4, 0.6, 50)
    new_values = old_values - 0.002 - 0.001 * (np.arange(50) % 2)
    result = gate_values(old_values.tolist(), new_values.tolist(), mode="regression", max_drop=0.1)
    assert result.verdict == "fail"
    assert find_check(result, "point").passed
    assert find_check(result, "regression").sentence.startswith(
        "CG@1 drops by 0.0025, from 0.5000 to 0.4975, more than chance explains: p = "
    )


def test_regression_lets_pass_what_chance_explains_however_large():
    result = gate_values([0.9, 0.1, 0.5], [0.1, 0.2, 0.5], mode="regression")
    assert result.verdict == "pass"
    assert not find_check(result, "point").passed
    assert find_check(result, "regression").sentence == (
        "chance may explain that CG@1 drops by 0.2333, from 0.5000 to 0.2667: p = 0.25, "
        "not below 0.05."
    )


def test_regression_lets_pass_what_does_not_drop():
    result = gate_values([0.1, 0.2, 0.3], [0.2, 0.3, 0.5], mode="regression")
    assert result.passed
    assert find_check(result, "regression").sentence.startswith("CG@1 does not drop: p = 0.9")


def test_noninferior_fails_what_few_queries_cannot_rule_out():
    result = gate_values([0.9, 0.1, 0.5], [0.8, 0.2, 0.5], mode="noninferior", max_drop=0.05)
    assert result.verdict == "fail"
    assert find_check(result, "point").passed
    assert find_check(result, "noninferior").sentence == (
        "that CG@1 drops by 0.05 or more is not ruled out: with 95% confidence the difference is "
        "above -0.1686."
    )


def test_noninferior_passes_what_is_ruled_out():
    old_values = np.linspace(0.4, 0.6, 40)
    new_values = old_values + 0.01 * ((np.arange(40) % 3) - 1)
    result = gate_values(
        old_values.tolist(), new_values.tolist(), mode="noninferior", max_drop=0.01
    )
    assert result.passed
    assert "is ruled out" in find_check(result, "noninferior").sentence


def test_noninferior_fails_a_drop_by_what_is_allowed_whatever_rounding_says():
    old_values, new_values = [0.1, 0.3, 0.5, 0.6], [0.0, 0.2, 0.4, 0.5]
    assert gate_values(old_values, new_values, max_drop=0.1).passed
    assert gate_values(old_values, new_values, mode="noninferior", max_drop=0.1).verdict == "fail"


def test_a_p_value_is_told_with_the_digits_that_show_on_which_side_of_alpha_it_is():
    old_values, new_values = [0.5, 0.6, 0.7, 0.8], [0.4, 0.6, 0.5, 0.6]
    p = gate_values(old_values, new_values).evidence[0].p_regression
    failure, pass_result = (
        gate_values(old_values, new_values, mode="regression", alpha=p + step)
        for step in (1e-5, -1e-5)
    )
    assert find_check(failure, "regression").sentence == (
        "CG@1 drops by 0.1250, from 0.6500 to 0.5250, more than chance explains: p = 0.0398, "
        f"below {p + 1e-5!r}."
    )
    assert find_check(pass_result, "regression").sentence.endswith(
        f": p = 0.04, not below {p - 1e-5!r}."
    )


def test_a_share_is_told_with_the_digits_that_show_that_it_is_too_small():
    qrels = {f"q{i}": {"a": 1} for i in range(2001)}
    ranked = {query: ["a"] if i < 1600 else ["b"] for i, query in enumerate(qrels)}
    result = gate(qrels, ranked, ranked, "P@1", min_judged=0.8)
    assert find_check(result, "min-judged").sentence.startswith(
        "79.96% of the first items are judged, below 80.0%."
    )


@given(PAIRS, LIMITS)
def test_point_passes_if_and_only_if_the_mean_drops_by_no_more(pairs, limit):
    old_values, new_values = map(list, zip(*pairs, strict=True))
    difference = math.fsum(new_values) / len(new_values) - math.fsum(old_values) / len(old_values)
    assume(abs(difference + limit) > 1e-11)
    assert gate_values(old_values, new_values, max_drop=limit).passed == (difference >= -limit)


@given(PAIRS, LIMITS, st.floats(0.001, 0.49))
def test_what_is_ruled_out_did_not_happen(pairs, limit, alpha):
    old_values, new_values = map(list, zip(*pairs, strict=True))
    result = gate_values(old_values, new_values, max_drop=limit, mode="noninferior", alpha=alpha)
    if result.passed:
        assert find_check(result, "point").passed
        assert result.evidence[0].lower > -limit - 1e-12
    else:
        assert result.evidence[0].lower < -limit + 1e-12


def test_the_mean_of_the_candidate_must_be_high_enough():
    assert gate_values([0.4, 0.4], [0.4, 0.5], min=0.45).passed
    result = gate_values([0.4, 0.4], [0.4, 0.49], min=0.45)
    assert result.verdict == "fail"
    assert find_check(result, "min").sentence == "CG@1 is 0.4450, below 0.45."


def test_a_candidate_alone_is_held_to_a_minimum():
    qrels, _, run = make_runs([0.1, 0.2], [0.4, 0.6])
    result = gate(qrels, None, run, MEASURE, min=0.5)
    assert result.passed
    assert result.sentence == "pass: run 'run': 1 check on 2 queries, 1 passed."
    assert [c.name for c in result.checks] == ["min"]
    assert [drop.query for drop in result.worst()] == ["q0", "q1"]
    assert result.worst(1)[0]._asdict() == {
        "query": "q0",
        "candidate": 0.4,
        "baseline": None,
        "difference": None,
    }


def test_no_query_may_drop_by_more():
    result = gate_values([0.5] * 5, [0.9, 0.45, 0.2, 0.1, 0.3], query_max_drop=0.1, max_drop=1)
    assert result.verdict == "fail"
    assert find_check(result, "query-max-drop").sentence == (
        "3 queries drop by more than 0.1 ('q3' by 0.4000, 'q2' by 0.3000, 'q4' by 0.2000)."
    )
    assert gate_values([0.5] * 5, [0.9, 0.45, 0.2, 0.1, 0.3], query_max_drop=0.4, max_drop=1).passed
    result = gate_values([0.5, 0.5], [0.9, 0.45], query_max_drop=0.1)
    assert find_check(result, "query-max-drop").sentence == (
        "no query drops by more than 0.1; the largest drop is 0.0500, of 'q1'."
    )


def test_pinned_queries_alone_are_held_to_the_limit_of_queries():
    old_values, new_values = [0.5, 0.5, 0.5], [0.5, 0.45, 0.1]
    result = gate_values(
        old_values, new_values, max_drop=1, pinned=["q0", "q1"], query_max_drop=0.1
    )
    assert result.passed
    assert [(c.name, c.query) for c in result.deciding] == [
        ("point", None),
        ("pinned", "q0"),
        ("pinned", "q1"),
    ]
    result = gate_values(old_values, new_values, max_drop=1, pinned=["q2"], query_max_drop=0.1)
    assert find_check(result, "pinned").sentence == (
        "query 'q2' drops by 0.4000, from 0.5000 to 0.1000; no more than 0.1 is allowed."
    )


def test_pinned_queries_may_not_drop_at_all_without_a_limit():
    result = gate_values([0.5, 0.5], [0.6, 0.45], max_drop=1, pinned=["q0", "q1"])
    assert [(c.query, c.passed, c.sentence) for c in result.checks[3:]] == [
        ("q0", True, "query 'q0' rises by 0.1000, from 0.5000 to 0.6000."),
        (
            "q1",
            False,
            "query 'q1' drops by 0.0500, from 0.5000 to 0.4500; a pinned query may not drop.",
        ),
    ]


def test_an_unknown_pinned_query_is_an_error_that_names_those_like_it():
    with pytest.raises(ComparisonError) as error:
        gate_values([0.5] * 3, [0.5] * 3, pinned=["q1", "Q2", "zebra"])
    assert str(error.value) == (
        "pinned: query 'Q2' has no judgments, and 1 more. Did you mean 'q2'?"
    )
    with pytest.raises(ComparisonError) as error:
        gate_values([0.5] * 3, [0.5] * 3, pinned=["zebra"])
    assert str(error.value) == (
        "pinned: query 'zebra' has no judgments. The first of the qrels is 'q0'."
    )
