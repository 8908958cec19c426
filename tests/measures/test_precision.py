"""Precision, recall and measures based on them, worked out by hand: P to Hits, R and F."""

import pytest

from gainful import IPrec, MeasureError, P, Rules, evaluate, parse_measure

# Relevant: a, b, c, d. The run returns a, x (unjudged), b, n (label 0), m (label -1), c.
QRELS = {"q": {"a": 1, "b": 2, "c": 3, "d": 1, "n": 0, "m": -1}}
RUN = {"q": ["a", "x", "b", "n", "m", "c"]}


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    scores = evaluate(qrels, run, measure, rules=Rules(**rules))
    return scores.values[0, 0]


def test_precision_divides_by_the_cutoff():
    assert compute_value("P@1") == 1 / 1
    assert compute_value("P@2") == 1 / 2
    assert compute_value("P@6") == 3 / 6


def test_a_short_ranking_is_filled_up_with_items_that_are_not_relevant():
    assert compute_value("P@10") == 3 / 10
    assert compute_value(f"P@{10**30}") == pytest.approx(0, abs=1e-18)


def test_labels_below_rel_are_not_relevant():
    assert compute_value("P(rel=2)@3") == 1 / 3
    assert compute_value("P(rel=2.5)@6") == 1 / 6


def test_precision_is_known_by_other_names():
    assert parse_measure("Precision@10") == parse_measure("P_10") == parse_measure("p.10") == P @ 10


def test_precision_needs_a_cutoff():
    with pytest.raises(MeasureError) as error:
        compute_value("P")
    assert str(error.value) == "P needs a cutoff, for example P@10."
    with pytest.raises(MeasureError) as error:
        P(cutoff=None)
    assert str(error.value) == "P: cutoff must be an integer >= 1, got None."


def test_relative_precision_divides_by_what_could_be_found():
    assert compute_value("RelP@2") == 1 / 2
    assert compute_value("RelP@6") == 3 / 4
    assert parse_measure("R_cap@6") == parse_measure("relative_P_6") == parse_measure("RelP@6")


def test_r_precision_looks_at_as_many_ranks_as_there_are_relevant_items():
    assert compute_value("Rprec") == 2 / 4
    assert compute_value("Rprec(rel=3)") == 0 / 1


def test_r_precision_of_a_short_ranking_divides_by_the_relevant_items():
    assert compute_value("Rprec", run={"q": ["a"]}) == 1 / 4


def test_multiples_of_r_precision_round_up():
    # 0.5 * 4 + 0.9 = 2.9: two ranks; 0.8 * 4 + 0.9 = 4.1: four; 2 * 4 + 0.9: eight.
    assert compute_value("RprecMult(times=0.5)") == 1 / 2
    assert compute_value("RprecMult(times=0.8)") == 2 / 4
    assert compute_value("RprecMult(times=2)") == 3 / 8
    assert parse_measure("Rprec_mult_0.20") == parse_measure("RprecMult(times=0.2)")


def test_a_multiple_that_looks_at_no_rank_is_undefined():
    # 0.02 * 4 + 0.9 = 0.98
    assert compute_value("RprecMult(times=0.02)", empty="one") == 1.0


def test_interpolated_precision_is_the_highest_from_there_on():
    # Precision at the relevant items: 1/1, 2/3, 3/6.
    assert compute_value("IPrec@0") == 1 / 1
    assert compute_value("IPrec@0.25") == 1 / 1
    assert compute_value("IPrec@0.5") == 2 / 3
    assert compute_value("IPrec@0.75") == 3 / 6
    assert compute_value("IPrec@1") == 0
    # x, a, b: precision 1/2, then 2/3, which counts for the first one too.
    assert compute_value("IPrec@0.25", run={"q": ["x", "a", "b"]}) == 2 / 3


def test_versions_of_trec_eval_count_relevant_items_differently():
    # 0.3 * 4 = 1.2: 2.1 cut to 2 relevant items, or 1 as the nearest.
    assert compute_value("IPrec@0.3") == 2 / 3
    assert compute_value("IPrec(count=nearest)@0.3") == 1 / 1
    # Half an item is rounded up: 0.125 * 4 = 0.5, 0.375 * 4 = 1.5.
    assert compute_value("IPrec(count=nearest)@0.375") == 2 / 3


def test_interpolated_precision_reads_and_prints_its_recall_after_the_sign():
    assert str(IPrec @ 0.1) == "IPrec@0.1"
    assert parse_measure("IPrec@0.1") == parse_measure("iprec_at_recall_0.10") == IPrec(recall=0.1)
    with pytest.raises(MeasureError) as error:
        IPrec @ 1.5
    assert str(error.value) == "IPrec: recall must be a number >= 0 and <= 1, got 1.5."
    with pytest.raises(MeasureError) as error:
        compute_value("IPrec")
    assert str(error.value) == "IPrec needs a recall, for example IPrec@0.5."


def test_the_mean_over_eleven_levels():
    # r * 4 + 0.9 for r = 0, 0.1 ... 1: 0 1 1 2 2 2 3 3 4 4 4 relevant items.
    expected = (3 * 1 + 3 * 2 / 3 + 2 * 3 / 6) / 11
    assert compute_value("IPrecAvg") == pytest.approx(expected, rel=1e-15)
    # To the nearest: 0 0 1 1 2 2 2 3 3 4 4.
    expected = (4 * 1 + 3 * 2 / 3 + 2 * 3 / 6) / 11
    assert compute_value("IPrecAvg(count=nearest)") == pytest.approx(expected, rel=1e-15)


def test_success_is_whether_anything_relevant_was_found():
    assert compute_value("Success@1") == 1
    assert compute_value("Success(rel=2)@2") == 0
    assert compute_value("Success(rel=2)@3") == 1
    assert (
        parse_measure("HitRate@3")
        == parse_measure("Hit@3")
        == parse_measure("success_3")
        == parse_measure("Success@3")
    )


def test_hits_are_counted():
    assert compute_value("Hits") == 3
    assert compute_value("Hits@3") == 2


@pytest.mark.parametrize("measure", ["P@5", "Success@5", "Hits", "Hits@5"])
def test_with_nothing_relevant_counts_are_zero_whatever_the_rules_say(measure):
    assert compute_value(measure, qrels={"q": {"a": 0}}, empty="one") == 0


@pytest.mark.parametrize(
    "measure", ["RelP@5", "Rprec", "RprecMult(times=2)", "IPrec@0", "IPrecAvg"]
)
def test_with_nothing_relevant_shares_of_it_are_what_the_rules_say(measure):
    assert compute_value(measure, qrels={"q": {"a": 0}}, empty="one") == 1
    assert compute_value(measure, qrels={"q": {"a": 0}}) == 0


@pytest.mark.parametrize(
    "measure",
    ["P@5", "RelP@5", "Rprec", "RprecMult(times=2)", "IPrec@0", "IPrecAvg", "Success@5", "Hits"],
)
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(
        QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one")
    ).per_query()
    assert list(scores["q"].values()) == [0.0]


def test_a_tie_that_the_cutoff_cuts_adds_a_share():
    # a and x tied on ranks 1 and 2: a is first half of the time.
    run = {"q": {"a": 2.0, "x": 2.0, "b": 1.0}}
    assert compute_value("P@1", run=run, ties="average") == 1 / 2
    assert compute_value("P@2", run=run, ties="average") == 1 / 2
    assert compute_value("Success@1", run=run, ties="average") == 1 / 2
    # a, b and x tied: neither a nor b is first once in three times.
    run = {"q": {"a": 2.0, "x": 2.0, "b": 2.0}}
    assert compute_value("Success@1", run=run, ties="average") == pytest.approx(2 / 3, rel=1e-15)
    assert compute_value("Hits@2", run=run, ties="average") == 4 / 3


SHORT_RUN = {"q": ["a", "x", "b"]}


def compute_short_value(measure, qrels=QRELS, run=SHORT_RUN, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules)).values[0, 0]


def test_recall_divides_by_all_relevant_items():
    assert compute_short_value("R@1") == 1 / 4
    assert compute_short_value("R@2") == 1 / 4
    assert (
        compute_short_value("R@3")
        == compute_short_value("R")
        == compute_short_value("R@100")
        == 2 / 4
    )
    assert compute_short_value("R(rel=2)@3") == 1 / 2
    assert parse_measure("Recall@3") == parse_measure("recall_3") == parse_measure("R@3")


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    precision, recall = 2 / 3, 2 / 4
    assert compute_short_value("F@3") == pytest.approx(
        2 * precision * recall / (precision + recall), rel=1e-15
    )
    assert compute_short_value("F@3") == 2 * 2 / (4 + 3)


def test_beta_counts_squared():
    precision, recall = 1 / 2, 1 / 4
    expected = 5 * precision * recall / (4 * precision + recall)
    assert compute_short_value("F(beta=2)@2") == pytest.approx(expected, rel=1e-15)
    assert compute_short_value("F(beta=0)@2") == precision


def test_f_of_a_short_ranking_divides_by_the_cutoff():
    assert compute_short_value("F@10") == 2 * 2 / (4 + 10)


def test_f_is_zero_where_nothing_was_found():
    assert compute_short_value("F@3", run={"q": ["x", "n", "m"]}) == 0


@pytest.mark.parametrize("measure", ["R@3", "R", "F@3"])
def test_with_nothing_relevant_the_rules_say_what_recall_is(measure):
    assert compute_short_value(measure, qrels={"q": {"a": 0}}, empty="one") == 1
    assert compute_short_value(measure, qrels={"q": {"a": 0}}) == 0


@pytest.mark.parametrize("measure", ["R@3", "R", "F@3"])
def test_recall_of_a_query_without_results_is_zero(measure):
    scores = evaluate(QRELS | {"p": {"a": 1}}, {"p": ["a"]}, measure, rules=Rules(empty="one"))
    assert scores.values[0, 0] == 0


def test_recall_takes_a_share_of_a_tie_that_the_cutoff_cuts():
    run = {"q": {"a": 2.0, "x": 2.0, "b": 1.0}}
    assert compute_short_value("R@1", run=run, ties="average") == 0.5 / 4
    assert compute_short_value("F@1", run=run, ties="average") == 2 * 0.5 / (4 + 1)
