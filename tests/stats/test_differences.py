"""Differences of two runs: verdicts, and the sentences that say them."""

from gainful.report.views.comparison import find_runs_below
from gainful.stats.compare import compare_scores
from stats.test_compare import A, B, C, scored


def test_systems_that_are_the_same_are_identical_and_not_unknown():
    comparison = compare_scores(scored(one=A, two=A))
    pair = comparison.pairs[0]
    assert (pair.difference, pair.t, pair.p_t, pair.p_randomized) == (0, 0, 1, 1)
    assert (pair.interval, pair.t_interval) == ((0, 0), (0, 0))
    assert (pair.verdict, pair.ties) == ("identical", 20)
    assert pair.sentence == "two and one are identical on nDCG@10: same value on all 20 queries."


def test_what_cannot_be_told_apart_is_not_called_equal():
    comparison = compare_scores(scored(B=B, C=C))
    pair = comparison.pairs[0]
    assert pair.verdict == "cannot tell"
    assert pair.sentence == (
        "cannot tell C and B apart on nDCG@10: the difference is -0.0250 "
        f"{pair.t_interval}, p = {pair.p_t:.4f} (paired t, 20 queries). So many queries reliably "
        f"show differences of {pair.detectable:.4f} or more; one of this size takes about 371."
    )
    assert "equal" not in pair.sentence
    assert "same" not in pair.sentence


def test_a_margin_lets_systems_be_practically_equal():
    nearly = [value + 0.001 * (-1) ** i for i, value in enumerate(A)]
    comparison = compare_scores(scored(A=A, nearly=nearly), margin=0.01)
    pair = comparison.pairs[0]
    assert pair.verdict == "practically equal"
    assert pair.p_equal > 0.999
    assert pair.p_equivalent < 0.0001
    assert pair.sentence == (
        "nearly and A are practically equal on nDCG@10: the difference, "
        f"0.0000 {pair.t_interval}, is shown to be smaller than 0.01 "
        "(p < 0.0001, two one-sided t-tests, 20 queries)."
    )


def test_a_measure_that_is_not_better_when_higher_is_not_won():
    high, low = [0.9, 0.8, 0.9, 0.7, 0.9, 0.8], [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]
    comparison = compare_scores(scored("Judged@10", low=low, high=high))
    assert comparison.verdict.startswith("high scores higher than low on Judged@10: +0.6333 [")


def test_a_p_value_has_the_digits_that_show_on_which_side_of_alpha_it_is():
    p = compare_scores(scored(B=B, A=A)).pairs[0].p_t
    lower, higher = (compare_scores(scored(B=B, A=A), alpha=p * by) for by in (1 + 1e-7, 1 - 1e-7))
    assert (lower.pairs[0].verdict, higher.pairs[0].verdict) == ("better", "cannot tell")
    for comparison in (lower, higher):
        printed_p = float(comparison.verdict.split("p = ")[1].split(" ")[0])
        assert (printed_p < comparison.alpha) == (p < comparison.alpha)


def test_no_number_of_a_sentence_looks_like_0_unless_it_is_0():
    nearly = [value - 1e-6 * (1 + i % 3) for i, value in enumerate(B)]
    assert compare_scores(scored(B=B, nearly=nearly)).verdict == (
        "nearly is worse than B on nDCG@10: -2.0e-06 [-2.3e-06, -1.6e-06], p < 0.0001 "
        "(paired t, 20 queries)."
    )
    turned = compare_scores(scored(one=[0.1, 0.2, 0.3, 0.4], two=[0.2, 0.1, 0.4, 0.3])).verdict
    assert turned.startswith("cannot tell two and one apart on nDCG@10: the difference is 0.0000 [")


def test_where_alpha_is_as_large_as_the_power_nothing_is_said_of_what_shows():
    comparison = compare_scores(scored(one=[0.1, 0.2, 0.4], two=[0.2, 0.1, 0.4]), alpha=0.9)
    assert comparison.verdict.endswith("(paired t, 3 queries).")


def test_what_is_identical_but_for_rounding_is_above_nothing():
    comparison = compare_scores(scored(one=A, two=[value + 1e-13 + 1e-14 * value for value in A]))
    assert comparison.pairs[0].verdict == "identical"
    assert find_runs_below(comparison, comparison.measures[0]) == {"one": [], "two": []}
