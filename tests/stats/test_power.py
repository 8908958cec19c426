"""Power analyses, from given numbers and from a pilot; two values are those of statsmodels 0.15."""

import json
import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import AlignError, ComparisonError, Power, Rules, power
from gainful.stats.paired_tests import paired_t
from gainful.stats.power import Point
from stats.sakai_table import TENTHS

# P@10 of these runs is what Sakai's table holds.
QRELS = {f"q{i}": {f"d{j}": 1 for j in range(10)} for i in range(20)}
A, B = (
    {f"q{i}": [*(f"d{j}" for j in range(n)), "none"] for i, n in enumerate(row)}
    for row in TENTHS[:2]
)


def test_given_numbers():
    plan = power(difference=0.05, variance=0.0251, queries=50)
    assert plan.needed == 81
    assert plan.effect == 0.05 / math.sqrt(0.0251)
    assert plan.chance == pytest.approx(0.5901030710600053)
    assert plan.detectable == pytest.approx(0.4042 * math.sqrt(0.0251), abs=1e-5)
    assert (plan.pilot, plan.rules, plan.notices) == (None, None, ())


def test_without_a_difference_the_plan_is_for_the_smallest_that_the_queries_show():
    plan = power(queries=50, deviation=0.2)
    assert plan.difference == plan.detectable
    assert plan.needed == 50
    assert plan.chance == pytest.approx(0.8)
    assert repr(plan) == (
        "50 queries show a difference of 0.0808 or more in 80% of experiments.\n"
        "paired t-test, two-sided, alpha 0.05, deviation 0.2000"
    )


def test_a_pilot_is_the_baseline_then_the_system():
    plan = power(QRELS, [B, A], "P@10", difference=0.05)
    pilot = plan.pilot
    assert round(pilot.difference, 12) == 0.075
    assert round(pilot.deviation**2, 4) == 0.0251
    assert (pilot.n_queries, pilot.system, pilot.baseline) == (20, "run-2", "run-1")
    assert plan.queries == 20
    # As with variance 0.0251, which is rounded.
    assert plan.needed == 81
    assert plan.rules == Rules(ties="item-desc")


def test_a_pilot_without_a_difference_plans_for_its_own_and_says_that_this_is_optimistic():
    plan = power(QRELS, [B, A], "P@10")
    assert plan.difference == plan.pilot.difference
    assert round(plan.chance, 4) == 0.5193
    (notice,) = [n for n in plan.notices if n.code == "observed-difference"]
    assert str(notice) == (
        "the plan is for the difference that the pilot showed, 0.0750; such plans are optimistic, "
        "since a difference that caught the eye is often smaller in truth. Pass --difference with "
        "the smallest one that matters."
    )
    notices = power(QRELS, [B, A], "P@10", difference=0.05).notices
    assert "observed-difference" not in [notice.code for notice in notices]


def test_a_pilot_of_few_queries_says_that_its_deviation_is_uncertain():
    (notice,) = [n for n in power(QRELS, [B, A], "P@10").notices if n.code == "uncertain-deviation"]
    assert str(notice) == (
        "the deviation, 0.1585, comes from 20 queries and may lie anywhere from 0.1206 to 0.2315; "
        "at the upper end it takes 2.1 times as many queries."
    )


def test_a_pilot_that_shows_no_difference_plans_for_what_it_could_show():
    qrels = {f"q{i}": {"d": 1} for i in range(4)}
    first = {"q0": ["d"], "q1": ["x"], "q2": ["d"], "q3": ["x"]}
    second = {"q0": ["x"], "q1": ["d"], "q2": ["d"], "q3": ["x"]}
    plan = power(qrels, [first, second], "P@1")
    assert plan.pilot.difference == 0
    assert plan.difference == plan.detectable


def test_a_pair_of_numbers_from_a_comparison_gives_the_same_plan():
    differences = (TENTHS[0] - TENTHS[1]) / 10
    estimates = {"difference": differences.mean(), "deviation": differences.std(ddof=1)}
    plan = power(**estimates, queries=20)
    assert plan.needed == power(QRELS, [B, A], "P@10").needed


def test_tables_have_the_power_that_is_wanted_and_customary_ones():
    plan = power(difference=0.05, variance=0.0251, power=0.95, queries=2)
    assert plan.powers == [0.5, 0.8, 0.9, 0.95]
    assert [point.difference for point in plan.table()[::4]] == [0.01, 0.02, 0.05, 0.1]
    assert plan.table([0.05])[1] == Point(0.05, plan.effect, 81, 0.8)
    assert [point.queries for point in plan.detectable_table()[::4]] == [2, 5, 10]
    assert plan.detectable_table([50])[1].difference == pytest.approx(0.0640, abs=1e-4)
    assert power(difference=0.05, deviation=0.1).detectable_table() == []


def test_the_curve_rises_to_twice_the_number_needed():
    plan = power(difference=0.05, variance=0.0251)
    curve = plan.curve()
    assert [point.queries for point in curve] == list(range(20, 181, 20))
    assert (np.diff([point.power for point in curve]) > 0).all()
    assert curve[3].power == pytest.approx(0.7962657956669235)


@given(st.floats(1e-8, 1e8), st.floats(0.001, 1e4), st.none() | st.integers(2, 10**6))
def test_any_plan_can_be_written(effect, deviation, queries):
    plan = power(difference=effect * deviation, deviation=deviation, queries=queries)
    data = json.loads(plan.to_json())
    assert data["needed"] == plan.needed >= 2
    assert data["curve"][-1]["power"] >= 0.8 - 1e-9
    assert data["text"] == plan.sentences
    assert all(sentence in repr(plan) for sentence in plan.sentences)


def test_a_drop_takes_as_many_queries_as_a_gain():
    gain, drop = (power(difference=d, deviation=0.2) for d in (0.05, -0.05))
    assert gain.to_dict() == drop.to_dict()


def test_a_plan_is_frozen_and_public():
    plan = power(difference=0.05, deviation=0.2)
    assert isinstance(plan, Power)
    with pytest.raises(FrozenInstanceError):
        plan.power = 0.9


def test_the_plan_holds_by_simulation():
    plan = power(difference=0.1, deviation=0.25, power=0.8)
    draws = np.random.default_rng(0).normal(0.1, 0.25, (1000, plan.needed))
    observed_power = np.mean([paired_t(differences).p < 0.05 for differences in draws])
    assert abs(observed_power - 0.8) < 3 * math.sqrt(0.16 / 1000)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {},
            "power: must know by how much queries differ, got no pilot, no deviation and no "
            "variance. Pass qrels and two runs, or deviation, or variance.",
        ),
        (
            {"difference": 0.05, "queries": 50},
            "power: must know by how much queries differ, got no pilot, no deviation and no "
            "variance. Pass qrels and two runs, or deviation, or variance.",
        ),
        (
            {"deviation": 0.2},
            "power: must be asked about a difference or a number of queries, got neither. "
            "Pass difference, or queries, or both.",
        ),
        (
            {"difference": 0.05, "deviation": 0.2, "variance": 0.04},
            "power: must be given deviation or variance, got both (0.2 and 0.04). The variance is "
            "the square of the deviation.",
        ),
        (
            {"difference": 0, "deviation": 0.2},
            "power: difference must not be 0, which no number of queries can show.",
        ),
        (
            {"difference": math.nan, "deviation": 0.2},
            "power: difference must be a number, got nan.",
        ),
        (
            {"difference": 0.05, "variance": -1},
            "power: variance must be a number > 0, got -1.",
        ),
        (
            {"difference": 0.05, "deviation": 0.0},
            "power: deviation must be a number > 0, got 0.0.",
        ),
        (
            {"difference": 0.05, "deviation": 0.2, "power": 1.5},
            "power: power must be a number > 0 and < 1, got 1.5.",
        ),
        (
            {"difference": 0.05, "deviation": 0.2, "power": 0.01},
            "power: power must be above alpha, got 0.01 and 0.05.",
        ),
        (
            {"difference": 0.05, "deviation": 0.2, "alpha": 5},
            "power: alpha must be a number > 0 and < 1, got 5.",
        ),
        (
            {"queries": 1, "deviation": 0.2},
            "power: queries must be an integer >= 2, got 1.",
        ),
        (
            {"difference": 1e-20, "deviation": 0.2},
            "power: difference and deviation must be of about a size, got 1e-20 and 0.2.",
        ),
        (
            {"runs": [A, B]},
            "power: a pilot is the qrels and two runs, got no qrels.",
        ),
        (
            {"qrels": QRELS, "runs": [A]},
            "power: a pilot is the qrels and two runs, got 1 run. Name the baseline, then the "
            "system.",
        ),
        (
            {"qrels": QRELS, "runs": [A, B], "deviation": 0.2},
            "power: the deviation comes from the pilot, got another (0.2). Leave out one of them.",
        ),
        (
            {"qrels": QRELS, "runs": [A, A], "measure": "P@10"},
            "power: runs 'run-1' and 'run-2' differ by 0 on every query, so that there is no "
            "deviation to plan with. Pass deviation, or compare other runs.",
        ),
        (
            {"qrels": {"q1": {"d": 1}}, "runs": [{"q1": ["d"]}, {"q1": ["x"]}]},
            "power: a pilot needs 2 queries or more, got 1 for runs 'run-1' and 'run-2'.",
        ),
        (
            {"qrels": QRELS, "runs": [A, B], "measure": "nDCG@5,10"},
            "power: measure must be one with values of queries, got several.",
        ),
        (
            {"qrels": QRELS, "runs": [A, B], "measure": "Coverage@10"},
            "power: measure must be one with values of queries, Coverage@10 has no values of "
            "queries.",
        ),
    ],
)
def test_what_cannot_be_planned_is_said_in_a_sentence(arguments, sentence):
    with pytest.raises(ComparisonError) as refused:
        power(**arguments)
    assert str(refused.value) == sentence


def test_runs_with_other_queries_are_no_pilot():
    short = {query: items for query, items in A.items() if query != "q3"}
    with pytest.raises(AlignError) as refused:
        power(QRELS, [B, short], "P@10", rules=Rules(missing="skip"))
    assert str(refused.value) == (
        "power: both runs must have the same queries, got 20 for run 'run-1' and 19 for run "
        "'run-2'. Evaluate them with missing=zero."
    )


def test_queries_without_a_value_are_left_out():
    qrels = {**QRELS, "empty": {"d1": 0}}
    plan = power(qrels, [B, A], "nDCG@10", rules=Rules(empty="nan"))
    assert plan.pilot.n_queries == 20
    assert "empty-queries" in [notice.code for notice in plan.notices]


def test_runs_keep_their_names():
    runs = [gainful.read_run(B, name="bm25"), gainful.read_run(A, name="dense")]
    plan = power(QRELS, runs, "P@10")
    assert plan.sentences[0] == (
        "dense differs from bm25 by +0.0750 on P@10: 20 queries, deviation 0.1585, d_z 0.4731."
    )


def test_a_collection_is_a_pilot():
    collection = gainful.Collection(QRELS, {"bm25": B, "dense": A})
    named = power(collection, ["bm25", "dense"], "P@10")
    assert named.pilot == power(collection, measure="P@10").pilot
    assert named.pilot.difference == power(QRELS, [B, A], "P@10").pilot.difference


def test_percent_signs_are_escaped_in_latex():
    lines = power(queries=50, deviation=0.2).to_latex().splitlines()
    shares = [line for line in lines if "%" in line and not line.startswith("%")]
    assert shares
    assert all("%" not in line.replace(r"\%", "") for line in shares)
