"""compare(): the whole of a comparison, its verdict and its warnings."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import ComparisonError, Rules, Scores, parse_measure
from gainful.stats.compare import compare, compare_scores
from gainful.stats.paired_tests import benjamini_hochberg, holm
from stats import sakai_table

A, B, C = sakai_table.VALUES.tolist()


def scored(measure="nDCG@10", rules=None, **runs):
    """Scores with these values, as if the runs had them."""
    return [
        Scores(
            run=name,
            queries=tuple(f"q{i}" for i in range(len(values))),
            measures=(parse_measure(measure),),
            values=np.array(values, dtype=np.float64)[:, np.newaxis],
            rules=rules or Rules(),
            notices=(),
        )
        for name, values in runs.items()
    ]


def codes(comparison):
    return [notice.code for notice in comparison.notices]


def test_two_systems_of_sakai_are_told_as_in_his_book():
    comparison = compare_scores(scored(B=B, A=A))
    pair = comparison.pair("A", "B")
    assert pair.difference == pytest.approx(0.075, abs=1e-12)
    assert pair.deviation**2 == pytest.approx(0.0251, abs=5e-5)
    assert (pair.t, pair.p_t) == pytest.approx((2.11576, 0.04780), abs=5e-6)
    assert pair.t_interval == pytest.approx((0.000806, 0.149194), abs=5e-7)
    assert pair.effect == pytest.approx(0.47310, abs=5e-6)
    assert pair.effect_interval == pytest.approx((0.00452, 0.93057), abs=5e-6)
    assert pair.p_randomized == 2160 / 32768
    assert pair.p_better == pytest.approx(0.97610, abs=5e-6)
    assert (pair.wins, pair.ties, pair.losses) == (10, 5, 5)
    assert pair.superiority == 12.5 / 20
    assert pair.relative == pytest.approx(0.075 / np.mean(B))
    assert comparison.correction == "none"
    assert pair.p_adjusted == pair.p_t
    assert pair.verdict == "better"


def test_three_systems_of_sakai_are_adjusted_by_randomized_tukey():
    comparison = compare_scores(scored(A=A, B=B, C=C), resamples=100_000)
    adjusted = [pair.p_adjusted for pair in comparison.pairs]
    assert [(pair.system, pair.baseline) for pair in comparison.pairs] == [
        ("B", "A"),
        ("C", "A"),
        ("C", "B"),
    ]
    assert adjusted == pytest.approx([0.3048, 0.107, 0.891], abs=0.006)
    pooled = [abs(pair.pooled_effect) for pair in comparison.pairs]
    assert pooled == pytest.approx([0.50697, 0.67595, 0.16899], abs=5e-6)
    assert comparison.correction == "tukey"
    assert comparison.resamples["permutations"] == 100_000


def test_a_baseline_is_adjusted_by_holm():
    comparison = compare_scores(scored(A=A, B=B, C=C), baseline="A")
    p_values = [scipy.stats.ttest_rel(other, A).pvalue for other in (B, C)]
    assert [pair.p_t for pair in comparison.pairs] == pytest.approx(p_values, abs=1e-12)
    expected = holm(np.array(p_values))
    assert [pair.p_adjusted for pair in comparison.pairs] == pytest.approx(expected, abs=1e-12)
    assert comparison.correction == "holm"


@pytest.mark.parametrize(("correction", "adjusted"), [("holm", holm), ("bh", benjamini_hochberg)])
def test_all_pairs_may_be_adjusted_otherwise(correction, adjusted):
    comparison = compare_scores(scored(A=A, B=B, C=C), correction=correction)
    expected = adjusted(np.array([pair.p_t for pair in comparison.pairs]))
    assert [pair.p_adjusted for pair in comparison.pairs] == pytest.approx(expected, abs=1e-12)


def test_intervals_of_means_are_those_of_scipy():
    comparison = compare_scores(scored(A=A, B=B))
    (system, _) = comparison.systems
    expected = scipy.stats.bootstrap(
        (A,), np.mean, method="BCa", n_resamples=9_999, rng=np.random.default_rng(1)
    ).confidence_interval
    assert system.interval == pytest.approx(expected, abs=0.01)
    assert system.mean == pytest.approx(0.345)


def test_queries_that_all_differ_alike_prove_little_if_they_are_few():
    comparison = compare_scores(scored(one=[0.1, 0.2], two=[0.6, 0.7]))
    pair = comparison.pairs[0]
    assert (pair.p_t, pair.p_randomized, pair.p_adjusted) == (0.5, 0.5, 0.5)
    assert pair.verdict == "cannot tell"
    assert pair.sentence == (
        "cannot tell two and one apart on nDCG@10: the difference is +0.5000 on every query, "
        "p = 0.5000 (sign flips, 2 queries)."
    )


def test_the_test_that_gave_p_is_named_where_all_queries_differ_alike():
    all_scores = scored(one=[0.1, 0.2] * 10, two=[0.6, 0.7] * 10, three=[0.2, 0.2] * 10)
    holm = compare_scores(all_scores, baseline="one")
    assert [pair.sentence for pair in holm.pairs] == [
        "two beats one on nDCG@10: +0.5000 on every query, p < 0.0001 "
        "(sign flips, Holm, 20 queries).",
        f"three beats one on nDCG@10: +0.0500 {holm.pairs[1].t_interval}, p = 0.0003 "
        "(paired t, Holm, 20 queries).",
    ]


def test_one_query_shows_nothing():
    comparison = compare_scores(scored(one=[0.1], two=[0.6], three=[0.0]))
    pair = comparison.pair("two", "one")
    assert (pair.verdict, pair.p_t, pair.p_adjusted) == ("cannot tell", 1.0, 1.0)
    assert pair.sentence == "cannot tell two and one apart on nDCG@10: one query shows nothing."
    numbers = [value for pair in comparison.pairs for value in (pair.t, pair.effect)]
    assert [math.copysign(1, value) for value in numbers] == [1] * 6


def test_one_query_may_have_the_same_value():
    comparison = compare_scores(scored(one=[0.5], two=[0.5]))
    assert comparison.verdict == "two and one are identical on nDCG@10: same value on the 1 query."


def test_a_measure_without_any_value_is_refused():
    empty = scored(rules=Rules(empty="nan"), one=[math.nan, 0.5], two=[0.5, math.nan])
    with pytest.raises(ComparisonError) as caught:
        compare_scores(empty)
    assert str(caught.value) == (
        "compare: nDCG@10 has no value for any query; there is nothing to compare. "
        "Choose another measure, or another rule for queries with nothing relevant."
    )


@pytest.mark.parametrize("large", [1e200, 1e308, math.inf])
def test_values_whose_squares_are_no_numbers_are_refused(large):
    with pytest.raises(ComparisonError) as caught:
        compare_scores(scored("DCG@10", one=[1.0, 2.0], two=[1.0, large]))
    assert str(caught.value) == (
        f"compare: values of DCG@10 must be numbers below 1e+150, got {large!r}. "
        "Choose another measure, such as nDCG@10."
    )


def test_what_a_large_tie_calls_the_same_is_not_identical():
    higher = [value + 0.01 * (i % 3) for i, value in enumerate(B)]
    pair = compare_scores(scored(B=B, A=higher), tie=0.1).pairs[0]
    assert (pair.wins, pair.ties, pair.losses) == (0, 20, 0)
    assert pair.p_adjusted < 0.001
    assert pair.verdict == "better"


def test_queries_without_a_value_are_left_out_for_all():
    nan = math.nan
    rules = Rules(empty="nan")
    comparison = compare_scores(scored(rules=rules, A=[*A, 0.5], B=[*B, nan]))
    same = compare_scores(scored(rules=rules, A=A, B=B))
    assert comparison.pairs[0].n_queries == 20
    assert comparison.pairs[0] == same.pairs[0]
    assert len(comparison.queries) == 21


def test_the_same_seed_gives_the_same_comparison_and_another_another():
    all_scores = scored(A=A * 2, B=B * 2, C=C * 2)
    first, again = compare_scores(all_scores), compare_scores(all_scores)
    assert first.pairs == again.pairs
    assert first.systems == again.systems
    other = compare_scores(all_scores, seed=1)
    assert other.seed == 1
    assert [p.interval for p in other.pairs] != [p.interval for p in first.pairs]


@given(st.lists(st.tuples(*[st.integers(0, 10)] * 2), min_size=2, max_size=12))
def test_exchanging_the_runs_exchanges_the_signs(values):
    ours, theirs = ([value[i] / 10 for value in values] for i in (0, 1))
    ahead = compare_scores(scored(a=theirs, b=ours), resamples=500).pair("b", "a")
    behind = compare_scores(scored(b=ours, a=theirs), resamples=500).pair("a", "b")
    assert ahead.difference == -behind.difference
    assert ahead.p_t == pytest.approx(behind.p_t, abs=1e-12)
    assert ahead.p_randomized == pytest.approx(behind.p_randomized, abs=1e-12)
    assert (ahead.wins, ahead.losses) == (behind.losses, behind.wins)
    assert ahead.p_better == pytest.approx(1 - behind.p_better, abs=1e-12)
    exchanged = {"better": "worse", "worse": "better"}
    assert ahead.verdict == exchanged.get(behind.verdict, behind.verdict)
    assert 0 <= ahead.p_t <= 1
    assert 0 < ahead.p_randomized <= 1


def test_runs_are_read_evaluated_and_compared():
    qrels = {f"q{i}": {"d1": 1} for i in range(30)}
    first = {query: ["d1", "d2"] for query in qrels}
    second = {query: ["d2", "d1"] for query in qrels}
    comparison = gainful.compare(qrels, {"first": first, "second": second}, ["nDCG@10", "P@1"])
    assert comparison.runs == ("first", "second")
    assert [str(pair.measure) for pair in comparison.pairs] == ["nDCG@10", "P@1"]
    assert [pair.verdict for pair in comparison.pairs] == ["worse", "worse"]
    assert comparison.pair("second", "first", "P@1").difference == -1.0
    assert comparison.systems[0].judged == 0.5
    assert "exploratory" in codes(comparison)


def test_runs_of_one_name_do_not_overwrite_each_other():
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    comparison = compare(qrels, [{"q1": ["d1"]}, {"q2": ["d1"]}])
    assert comparison.runs == ("run-1", "run-2")


def test_tests_on_request_come_with_their_warning():
    comparison = compare_scores(scored(B=B, A=A), tests=["wilcoxon", "sign", "bootstrap-shift"])
    more = comparison.pairs[0].more
    assert more["wilcoxon"] == pytest.approx(0.03723, abs=5e-6)
    assert more["sign"] == pytest.approx(0.30176, abs=5e-6)
    assert 0.01 < more["bootstrap-shift"] < 0.1
    assert codes(comparison).count("doubtful-test") == 3


def test_differences_stand_from_the_largest_loss_on():
    comparison = compare_scores(scored(one=[0.5, 0.5, 0.5], two=[0.75, 0.25, 0.5]))
    assert comparison.differences("two", "one") == {"q1": -0.25, "q2": 0.0, "q0": 0.25}


def refusal(call, *arguments, **options):
    with pytest.raises(ComparisonError) as error:
        call(*arguments, **options)
    return str(error.value)


def test_what_cannot_be_compared_is_refused():
    all_scores = scored(A=A, B=B)
    assert refusal(compare_scores, all_scores[:1]) == (
        "compare: must be given two runs or more, got 1. Pass them in a list, or as {name: run}."
    )
    assert refusal(compare, {"q1": {"d1": 1}}, [{"q1": ["d1"]}]) == (
        "compare: must be given two runs or more, got 1. Pass them in a list, or as {name: run}."
    )
    assert refusal(compare_scores, all_scores, baseline="C") == (
        "baseline: must be one of A, B, got 'C'."
    )
    assert refusal(compare_scores, all_scores, correction="bonferroni") == (
        "correction: must be one of tukey, holm, max-t, bh, none, got 'bonferroni'."
    )
    assert refusal(compare_scores, all_scores, correction="max-t") == (
        "correction: max-t compares runs with a baseline, got none. Name a baseline."
    )
    assert refusal(compare_scores, all_scores, tests="anova") == (
        "tests: must be one of wilcoxon, sign, bootstrap-shift, got 'anova'."
    )
    assert refusal(compare_scores, all_scores, alpha=5) == (
        "compare: alpha must be a number > 0 and < 1, got 5."
    )
    assert refusal(compare_scores, [*all_scores, scored("P@5", C=C)[0]]) == (
        "compare: all scores must have the same measures, got (P@5,) for run 'C'."
    )
    assert refusal(compare_scores, scored("GMAP", A=A, B=B)) == (
        "compare: GMAP is a geometric mean, and means over queries are compared. "
        "Choose another measure."
    )
    assert (
        refusal(compare_scores(all_scores).pair, "C") == "pair: must name one of 'B - A', got 'C'."
    )
    three = compare_scores([*all_scores, *scored(C=C)])
    assert refusal(three.pair, "C") == "pair: must name one of 'C - A', 'C - B', got 'C'."
    assert refusal(three.pair, "A", "B") == (
        "pair: must name one of 'B - A', 'C - A', 'C - B', got 'A' with 'B'."
    )
    assert compare_scores(all_scores).pair("B").baseline == "A"
    assert refusal(compare_scores(all_scores).values_of, "P@5") == (
        "P@5 was not compared; there are nDCG@10."
    )


def test_differences_whatever_the_labels_of_unjudged_items_are_those_of_bounds():
    qrels = {f"q{i}": {"d1": 1, "d2": 2} for i in range(5)}
    old, new = ({q: items for q in qrels} for items in (["d1", "d2"], ["x", "d2"]))
    comparison = compare(qrels, {"old": old, "new": new}, ["nDCG@10", "P@5"], bounds=True)
    bounds = gainful.unjudged(qrels, {"old": old, "new": new}, "nDCG@10").bounds
    assert comparison.pair("new", "old").possible == bounds.difference("new", "old")
    assert comparison.pair("new", "old", "P@5").possible is None
    with pytest.raises(gainful.MeasureError, match="P@5: what unjudged items could change"):
        compare(qrels, [old, new], "P@5", bounds=True)


def test_what_is_possible_is_of_the_queries_that_are_compared():
    qrels = {query: {"a": 1} for query in ("q1", "q2", "q3")}
    full = {query: ["b", "a"] for query in qrels}
    runs = {"one": full, "two": full | {"q1": ["a"]}, "three": {"q1": ["a"], "q3": ["a"]}}
    options = {"rules": Rules(missing="skip"), "bounds": True}
    pair = gainful.compare(qrels, runs, **options).pair("two", "one")
    fewer = {query: labels for query, labels in qrels.items() if query != "q2"}
    assert pair.n_queries == 2
    assert pair.possible == gainful.compare(fewer, runs, **options).pair("two", "one").possible
    assert pair.possible.low <= pair.difference <= pair.possible.high


QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0}, "q3": {"z": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}, "q2": {"a": 3.0, "b": 2.0}}


def test_scores_of_other_dialects_are_not_compared():
    scores = [gainful.evaluate(QRELS, RUN, "nDCG", dialect=name) for name in ("burges", "jk")]
    with pytest.raises(ComparisonError) as error:
        gainful.compare_scores(scores)
    assert str(error.value) == (
        "compare: all scores must have the same dialect, got jarvelin-kekalainen for run 'run'."
    )


def test_a_comparison_says_in_which_dialect_its_values_are():
    scores = [gainful.evaluate(QRELS, RUN, "nDCG", dialect="lightgbm") for _ in range(2)]
    assert str(gainful.compare_scores(scores).notices[0]) == (
        "values are as the dialect lightgbm (as in LightGBM 4.7.0) defines them; "
        "see gainful dialects."
    )
