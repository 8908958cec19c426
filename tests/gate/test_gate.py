"""gate(): modes, limits, degenerate data, what it refuses, and its JSON."""

import json

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from gainful import ComparisonError, Rules, gate
from gainful.cli.demo import COLLECTION
from gate.runs_with_values import MEASURE, find_check, gate_values, make_runs
from stats.sakai_table import VALUES

VALUE = st.floats(0, 1).map(lambda x: round(x, 3))
PAIRS = st.lists(st.tuples(VALUE, VALUE), min_size=2, max_size=30)
LIMITS = st.floats(0.001, 0.5).map(lambda x: round(x, 3))


def test_the_default_limit_is_one_point():
    assert gate_values([0.5], [0.49]).passed
    assert not gate_values([0.5], [0.489]).passed


def test_all_three_modes_are_worked_out_and_one_decides():
    result = gate_values([0.5, 0.6, 0.7, 0.8], [0.5, 0.6, 0.7, 0.79])
    assert [(c.name, c.passed, c.decides) for c in result.checks] == [
        ("point", True, True),
        ("regression", True, False),
        ("noninferior", True, False),
    ]
    assert [c.name for c in result.deciding] == ["point"]


def test_the_numbers_of_sakais_table():
    a, b, _ = VALUES
    result = gate_values(list(b), list(a), max_drop=0.02)
    (numbers,) = result.evidence
    assert round(numbers.difference, 12) == 0.075
    assert round(numbers.p_noninferior, 5) == 0.00741
    differences = np.array(a) - np.array(b)
    assert numbers.p_regression == pytest.approx(
        scipy.stats.ttest_rel(a, b, alternative="less").pvalue, rel=1e-12
    )
    test = scipy.stats.ttest_1samp(differences, 0, alternative="greater")
    assert numbers.lower == pytest.approx(test.confidence_interval(0.95).low, rel=1e-9)


def test_the_detectable_drop_is_that_of_statsmodels_by_a_one_sided_test():
    a, b, _ = VALUES
    (numbers,) = gate_values(list(b), list(a)).evidence
    effect = 0.5769171133190018  # TTestPower().solve_power(...) of statsmodels 0.15
    deviation = np.std(np.array(a) - np.array(b), ddof=1)
    assert numbers.detectable == pytest.approx(effect * deviation, rel=1e-4)
    assert "20 queries cannot see drops under 0.0915." in repr(gate_values(list(b), list(a)))


@given(PAIRS, LIMITS)
def test_modes_agree_with_scipy(pairs, limit):
    old_values, new_values = map(np.array, zip(*pairs, strict=True))
    differences = new_values - old_values
    assume(np.ptp(differences) > 1e-9)
    (numbers,) = gate_values(old_values.tolist(), new_values.tolist(), max_drop=limit).evidence
    p_regression = scipy.stats.ttest_rel(new_values, old_values, alternative="less").pvalue
    p_noninferior = scipy.stats.ttest_1samp(differences, -limit, alternative="greater").pvalue
    assert numbers.p_regression == pytest.approx(p_regression, rel=1e-6, abs=1e-12)
    assert numbers.p_noninferior == pytest.approx(p_noninferior, rel=1e-6, abs=1e-12)


@given(PAIRS, st.randoms())
def test_the_order_of_queries_changes_nothing(pairs, random):
    shuffled = random.sample(pairs, len(pairs))
    first, second = (gate_values(*map(list, zip(*p, strict=True))) for p in (pairs, shuffled))
    assert first.evidence[0].difference == second.evidence[0].difference
    assert first.verdict == second.verdict


@given(PAIRS, LIMITS)
def test_a_run_never_fails_against_itself(pairs, limit):
    values = [value for value, _ in pairs]
    for mode in ("point", "regression", "noninferior"):
        result = gate_values(values, values, max_drop=limit, mode=mode, query_max_drop=0)
        assert result.passed
        assert result.worst() == ()


def test_identical_runs_are_said_to_stay():
    result = gate_values([0.5, 0.7], [0.5, 0.7])
    assert (
        find_check(result, "point").sentence == "CG@1 stays at 0.6000; a drop of 0.01 is allowed."
    )
    assert "No query drops." in repr(result)
    assert "cannot see" not in repr(result)


def test_one_query_shows_nothing_but_its_difference():
    result = gate_values([0.5], [0.4], mode="regression")
    assert result.passed
    (numbers,) = result.evidence
    assert (numbers.lower, numbers.p_regression, numbers.detectable) == (None, None, None)
    assert [c.sentence for c in result.checks] == [
        "CG@1 drops by 0.1000, from 0.5000 to 0.4000; no more than 0.01 is allowed.",
        "one query cannot show that CG@1 drops.",
        "one query cannot rule out that CG@1 drops by 0.01 or more.",
    ]
    assert not gate_values([0.5], [0.5], mode="noninferior").passed


def test_all_queries_dropping_alike_is_no_chance():
    result = gate_values([0.5] * 5, [0.4] * 5, mode="regression")
    assert find_check(result, "regression").numbers["p"] == 0
    assert result.verdict == "fail"


def test_every_measure_is_gated_by_thresholds_of_its_own():
    qrels, old, new = make_runs([0.5, 0.5], [0.5, 0.4])
    result = gate(qrels, old, new, ["CG@1", "CG@2"], per_measure={"CG@2": {"max_drop": 0.1}})
    assert [(str(c.measure), c.passed) for c in result.deciding] == [
        ("CG@1", False),
        ("CG@2", True),
    ]
    assert result.verdict == "fail"


def test_missing_queries_score_zero_and_are_said():
    qrels, old, new = make_runs([0.5, 0.5], [0.5, 0.5])
    del new["q1"]
    result = gate(qrels, old, new, MEASURE)
    assert result.verdict == "fail"
    assert [n.code for n in result.notices] == ["fractional-labels", "missing-queries"]


def test_a_lack_of_results_is_no_lack_of_judgments():
    qrels = {f"q{i}": {"d": 1} for i in range(10)}
    old = {query: ["d"] for query in qrels}
    new = {query: ["d"] for query in list(qrels)[:7]}
    for measure in ("P@1", "nDCG@10"):
        result = gate(qrels, old, new, measure)
        assert result.verdict == "fail"
        assert result.evidence[0].judged == 1


def test_runs_of_other_queries_are_refused():
    qrels, old, new = make_runs([0.5, 0.5], [0.5, 0.5])
    del new["q1"]
    with pytest.raises(ComparisonError) as error:
        gate(qrels, old, new, MEASURE, rules=Rules(missing="skip"))
    assert str(error.value) == (
        "gate: both runs must have the same queries, got nothing for query 'q1' in run "
        "'candidate', which missing=skip leaves out. Pass --missing zero."
    )


def test_queries_without_a_value_are_left_out():
    qrels = {"q1": {"d": 1, "e": 0}, "q2": {"d": 0, "e": 0}}
    result = gate(
        qrels,
        {"q1": ["d"], "q2": ["d"]},
        {"q1": ["e", "d"], "q2": ["d"]},
        "nDCG@10",
        rules=Rules(empty="nan"),
        query_max_drop=0.5,
    )
    assert result.evidence[0].n_queries == 1
    assert [d.query for d in result.worst()] == ["q1"]
    assert find_check(result, "query-max-drop").passed
    assert '"verdict": "fail"' in result.to_json()


def test_no_value_at_all_is_an_error():
    with pytest.raises(ComparisonError) as error:
        gate({"q": {"d": 0}}, {"q": ["d"]}, {"q": ["d"]}, "nDCG", rules=Rules(empty="nan"))
    assert str(error.value) == (
        "gate: nDCG has no value for any query; there is nothing to decide on."
    )


@pytest.mark.parametrize(
    ("thresholds", "sentence"),
    [
        ({"max_drop": -0.1}, "gate: max_drop must be a number >= 0, got -0.1."),
        ({"max_drop": "0.1"}, "gate: max_drop must be a number >= 0, got '0.1'."),
        (
            {"mode": "strict"},
            "gate: mode must be one of point, regression, noninferior, got 'strict'.",
        ),
        ({"alpha": 0.5}, "gate: alpha must be a number > 0 and < 0.5, got 0.5."),
        ({"min_judged": 80}, "gate: min_judged must be a number >= 0 and <= 1, got 80."),
        ({"min": float("nan")}, "gate: min must be a number, got nan."),
        (
            {"mode": "noninferior", "max_drop": 0},
            "gate: max_drop must be > 0 in mode noninferior, got 0: no test rules out every drop.",
        ),
        (
            {"min_judged": 0.5, "rules": Rules(unjudged="condense")},
            "gate: min_judged asks for judged items, but unjudged=condense leaves no others.",
        ),
        (
            {"per_measure": {"CG@1": 0.1}},
            "gate: per_measure must map measures to thresholds, got {'CG@1': 0.1}.",
        ),
        (
            {"per_measure": ["CG@1"]},
            "gate: per_measure must map measures to thresholds, got ['CG@1'].",
        ),
        ({"pinned": 7}, "pinned: must be ids of queries, or the path of a file, got 7."),
        (
            {"per_measure": {"P@5": {"min": 0}}},
            "gate: P@5 has thresholds but is not gated; there are CG@1.",
        ),
        (
            {"per_measure": {"CG@1": {"maxdrop": 0}}},
            "gate: 'maxdrop' is no threshold; there are max_drop, mode, min, query_max_drop, "
            "min_judged, alpha.",
        ),
    ],
)
def test_what_no_gate_can_hold_a_candidate_to_is_refused(thresholds, sentence):
    with pytest.raises(ComparisonError) as error:
        gate_values([0.5], [0.5], **thresholds)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("thresholds", "sentence"),
    [
        (
            {},
            "gate: without a baseline there is nothing to hold a candidate to. Give one, or min.",
        ),
        (
            {"min": 0.1, "max_drop": 0.1},
            "gate: max_drop holds a candidate against a baseline, got no baseline.",
        ),
        (
            {"min": 0.1, "pinned": ["q0"]},
            "gate: pinned queries are held against a baseline, got no baseline.",
        ),
    ],
)
def test_without_a_baseline_only_a_minimum_means_anything(thresholds, sentence):
    qrels, _, run = make_runs([0.5], [0.5])
    with pytest.raises(ComparisonError) as error:
        gate(qrels, None, run, MEASURE, **thresholds)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        ("GMAP", "gate: GMAP is no mean over queries. Gate another measure, such as nDCG@10."),
        (
            "NumRelRet",
            "gate: NumRelRet is no mean over queries. Gate another measure, such as nDCG@10.",
        ),
        (
            "Judged@10",
            "gate: Judged@10 is not better when it is higher. Gate another measure, such as "
            "nDCG@10; --min-judged asks for judged items.",
        ),
    ],
)
def test_measures_whose_drop_says_nothing_are_refused(measure, sentence):
    with pytest.raises(ComparisonError) as error:
        gate(*make_runs([0.5], [0.5]), measure)
    assert str(error.value) == sentence


def test_runs_are_told_apart_by_their_paths(tmp_path):
    qrels = {"q0": {"old": 1}}
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.run").write_text("q0 Q0 old 1 1 t\n")
    result = gate(qrels, tmp_path / "a/x.run", tmp_path / "b/x.run", MEASURE)
    assert (result.baseline, result.candidate) == (
        str(tmp_path / "a/x.run"),
        str(tmp_path / "b/x.run"),
    )
    result = gate(qrels, {"q0": ["old"]}, {"q0": ["old"]}, MEASURE)
    assert (result.baseline, result.candidate) == ("baseline", "candidate")


def test_a_run_does_not_replace_itself():
    with pytest.raises(ComparisonError) as error:
        gate({"q0": {"old": 1}}, "x.run", "x.run", MEASURE)
    assert str(error.value) == (
        "gate: baseline and candidate must be two runs, got x.run for both. Pass the run in use, "
        "and the one that would replace it."
    )


@pytest.mark.parametrize(
    ("thresholds", "sentence"),
    [
        (
            {"max_drop": 5},
            "gate: max_drop of nDCG@10 must lie from 0 to 1, got 5. Did you mean 0.05?",
        ),
        ({"min": 45}, "gate: min of nDCG@10 must lie from 0 to 1, got 45. Did you mean 0.45?"),
        ({"min": -0.3}, "gate: min of nDCG@10 must lie from 0 to 1, got -0.3."),
        ({"query_max_drop": 200}, "gate: query_max_drop of nDCG@10 must lie from 0 to 1, got 200."),
    ],
)
def test_thresholds_that_no_value_can_miss_or_meet_are_refused(thresholds, sentence):
    with pytest.raises(ComparisonError) as error:
        gate({"q0": {"old": 1}}, {"q0": ["old"]}, {"q0": ["old"]}, "nDCG@10", **thresholds)
    assert str(error.value) == sentence
    unbounded = gate({"q0": {"old": 1}}, {"q0": ["old"]}, {"q0": ["old"]}, "DCG@10", max_drop=5)
    assert unbounded.passed


def test_measures_of_subtopics_are_gated_too():
    rows = {"q1": {"s1": {"d1": 1}, "s2": {"d2": 1}}}
    subtopics = gainful.read_subtopics(rows)
    result = gate(subtopics, {"q1": ["d1", "d2"]}, {"q1": ["d1", "d3"]}, "StRecall@2")
    assert result.verdict == "fail"
    assert result.evidence[0].judged is None
    with pytest.raises(ComparisonError) as error:
        gate(subtopics, {"q1": ["d1"]}, {"q1": ["d1"]}, "StRecall@2", min_judged=0.5)
    assert str(error.value) == (
        "gate: min_judged asks for judged items, but StRecall@2 does not judge one by one."
    )


def test_measures_of_recommendations_are_gated_by_what_is_known_of_items():
    qrels = {"u1": {"a": 1}, "u2": {"a": 1}}
    items = gainful.ItemData(popularity={"a": 9, "b": 1}, n_users=10)
    common, rare = ({user: [item] for user in qrels} for item in "ab")
    result = gate(qrels, rare, common, "Novelty@1", items=items)
    assert result.verdict == "fail"
    assert result.evidence[0].judged is None


@pytest.mark.parametrize("empty", ["zero", "one", "nan", "skip"])
def test_queries_without_anything_relevant_follow_the_rules(empty):
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 0}, "q3": {"a": 1, "b": 0}}
    old, new = ({query: items for query in qrels} for items in (["a", "b"], ["x", "a"]))
    result = gate(qrels, old, new, "nDCG@2", rules=Rules(empty=empty), query_max_drop=0.1)
    assert result.verdict == "cannot tell"
    assert result.evidence[0].n_queries == (2 if empty in ("nan", "skip") else 3)
    assert result.evidence[0].possible is not None


def test_the_json_of_a_gate_holds_all_numbers():
    result = gate_values([0.5, 0.75], [0.5, 0.25], min=0.25, query_max_drop=1)
    plain = json.loads(result.to_json())
    assert (plain["verdict"], plain["passed"], plain["n_queries"]) == ("fail", False, 2)
    assert [c["name"] for c in plain["checks"]] == [
        "point",
        "regression",
        "noninferior",
        "min",
        "query-max-drop",
    ]
    assert plain["checks"][0] == {
        "name": "point",
        "measure": "CG@1",
        "outcome": "fail",
        "decides": True,
        "sentence": "CG@1 drops by 0.2500, from 0.6250 to 0.3750; no more than 0.01 is allowed.",
        "numbers": {"difference": -0.25, "max_drop": 0.01},
        "query": None,
    }
    assert plain["worst"]["CG@1"] == [
        {"query": "q1", "candidate": 0.25, "baseline": 0.75, "difference": -0.5}
    ]
    assert plain["measures"][0]["thresholds"]["mode"] == "point"
    assert plain["measures"][0]["detectable"] > 0
    assert json.loads(gate_values([0.5], [0.5]).to_json())["measures"][0]["lower"] is None


def test_the_demo_collection_passes_and_fails():
    qrels, keyword, hybrid = (COLLECTION / n for n in ("qrels.txt", "keyword.run", "hybrid.run"))
    assert gate(qrels, keyword, hybrid).passed
    assert not gate(qrels, hybrid, keyword).passed
