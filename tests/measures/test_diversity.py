"""alpha-DCG, ERR-IA, NRBP and their normalized forms, worked out by hand."""

from itertools import permutations
from math import e, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from example_counts import max_examples
from gainful import MeasureError, Rules, evaluate

# Three subtopics with relevant items: a covers s and t, b covers s, c covers u.
QRELS = {"q": {"s": {"a": 1, "b": 2, "c": 0}, "t": {"a": 1, "c": -1}, "u": {"c": 1}, "v": {"a": 0}}}
RUN = {"q": ["b", "x", "a"]}
NORMALIZED = ("alpha_nDCG@5", "nERR_IA@5", "nNRBP")
MEASURES = (*NORMALIZED, "alpha_DCG@5", "ERR_IA@5", "NRBP")


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def approximate(number):
    return pytest.approx(number, rel=1e-14)


def test_alpha_dcg_halves_what_a_subtopic_is_worth_with_every_item():
    # b gains 1 for s; a gains 1/2 for s and 1 for t, at rank 3. The most: 3, 3/2, 3/4 by rank.
    total = 1 / log2(2) + 1.5 / log2(4)
    maximum = 3 / log2(2) + 1.5 / log2(3) + 0.75 / log2(4)
    assert compute_value("alpha_DCG@3") == approximate(total / maximum)
    assert compute_value("alpha_DCG(scale=none)@3") == approximate(total)
    assert compute_value("alpha_DCG@2") == approximate(1 / (3 + 1.5 / log2(3)))


def test_alpha_is_the_share_that_is_lost():
    assert compute_value("alpha_DCG(scale=none, alpha=0)@3") == approximate(1 + 2 / log2(4))
    assert compute_value("alpha_DCG(scale=none, alpha=1)@3") == approximate(1 + 1 / log2(4))
    assert compute_value("alpha_DCG(scale=none, alpha=0.25)@3") == approximate(1 + 1.75 / log2(4))


def test_alpha_ndcg_divides_by_the_greedy_ranking():
    # Greedily: a gains 2 for s and t; then c gains 1 for u; then b gains 1/2 for s.
    total = 1 / log2(2) + 1.5 / log2(4)
    ideal = 2 / log2(2) + 1 / log2(3) + 0.5 / log2(4)
    assert compute_value("alpha_nDCG@3") == approximate(total / ideal)
    assert compute_value("alpha_nDCG@2") == approximate(1 / (2 + 1 / log2(3)))
    assert (
        compute_value("alpha_nDCG")
        == compute_value("alpha_nDCG@50")
        == compute_value("alpha_nDCG@3")
    )


def test_err_ia_divides_by_the_rank():
    maximum = 3 / 1 + 1.5 / 2 + 0.75 / 3
    assert compute_value("ERR_IA@3") == approximate((1 / 1 + 1.5 / 3) / maximum)
    assert compute_value("nERR_IA@3") == approximate((1 / 1 + 1.5 / 3) / (2 / 1 + 1 / 2 + 0.5 / 3))


def test_err_ia_is_that_of_chapelle_but_for_its_scale():
    # A reader of s stops at b with 1/2, or at a with 1/2 of 1/2; a reader of t stops at a with 1/2.
    expected = (1 / 2 / 1 + 1 / 4 / 3 + 1 / 2 / 3) / 3
    maximum = 1 / 1 + 1 / 2 / 2 + 1 / 4 / 3
    assert compute_value("ERR_IA@3") * maximum * 0.5 == approximate(expected)


def test_nrbp_multiplies_by_beta_at_every_rank():
    scale = (1 - (1 - 0.5) * 0.8) / 3
    assert compute_value("NRBP(beta=0.8)") == approximate(scale * (1 + 0.8**2 * 1.5))
    ideal = 2 + 0.8 * 1 + 0.8**2 * 0.5
    assert compute_value("nNRBP(beta=0.8)") == approximate((1 + 0.8**2 * 1.5) / ideal)
    assert compute_value("NRBP(beta=0)") == approximate(1 / 3)


def test_rel_says_which_labels_count():
    # Only b, for s, has a label of 2.
    assert compute_value("alpha_nDCG(rel=2)@3") == 1.0
    assert compute_value("alpha_DCG(rel=2)@1") == 1.0
    assert compute_value("NRBP(rel=2)") == approximate(1 - 0.25)


def test_ranks_below_the_last_item_gain_nothing():
    assert compute_value("alpha_DCG(scale=none)@1000000") == compute_value(
        "alpha_DCG(scale=none)@3"
    )
    assert compute_value("alpha_DCG@1000") < compute_value("alpha_DCG@3")


def test_the_greedy_ranking_scores_1():
    for measure in NORMALIZED:
        assert compute_value(measure, {"q": ["a", "c", "b"]}) == 1.0


@pytest.mark.parametrize("measure", MEASURES)
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(
        QRELS | {"p": {"s": {"a": 1}}}, {"p": ["a"]}, measure, rules=Rules(empty="nan")
    )
    assert scores.per_query()["q"][measure] == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_unjudged_items_and_negative_labels_gain_nothing(measure):
    qrels = {"q": {"s": {"a": 1, "b": -2}}}
    assert compute_value(measure, {"q": ["x", "b"]}, qrels, empty="nan") == 0.0
    assert compute_value(measure, {"q": ["b", "a"]}, qrels) == compute_value(
        measure, {"q": ["x", "a"]}, qrels
    )


@pytest.mark.parametrize("measure", [*MEASURES, "alpha_DCG(scale=none)@5"])
def test_without_relevant_items_the_rules_say_what_a_query_scores(measure):
    qrels = {"q": {"s": {"a": 0}, "t": {"a": -1}}}
    assert compute_value(measure, {"q": ["a"]}, qrels) == 0.0
    assert compute_value(measure, {"q": ["a"]}, qrels, empty="one") == 1.0


@pytest.mark.parametrize(("name", "second"), [("z", 3), ("é", 3), ("0", 4), ("B", 4)])
def test_the_ideal_takes_the_highest_id_among_equals(name, second):
    # Three items gain 4 each. If the ideal begins with the one whose name varies, the others gain 3
    # after it; if it begins with b, which has no subtopic in common with a, then a gains 4.
    subtopics_of_items = {"a": "1256", name: "1234", "b": "3478"}
    qrels = {
        "q": {
            g: {i: 1 for i, digits in subtopics_of_items.items() if g in digits} for g in "12345678"
        }
    }
    ideal = 4 / log2(2) + second / log2(3)
    assert compute_value("alpha_nDCG@2", {"q": ["a", "b"]}, qrels) == approximate(
        (4 + 4 / log2(3)) / ideal
    )


def test_the_order_of_judgments_does_not_matter():
    reversed_qrels = {
        "q": {g: dict(reversed(labels.items())) for g, labels in reversed(QRELS["q"].items())}
    }
    for measure in MEASURES:
        assert compute_value(measure, qrels=reversed_qrels) == compute_value(measure)


def test_a_cutoff_is_needed_where_the_divisor_has_one():
    with pytest.raises(MeasureError) as error:
        compute_value("ERR_IA")
    assert str(error.value) == "ERR_IA needs a cutoff, for example ERR_IA@10."


def test_a_setting_out_of_range_is_refused():
    with pytest.raises(MeasureError) as error:
        compute_value("alpha_nDCG(alpha=1.5)@3")
    assert str(error.value) == "alpha_nDCG: alpha must be a number >= 0 and <= 1, got 1.5."
    with pytest.raises(MeasureError) as error:
        compute_value("NRBP(beta=1)")
    assert str(error.value) == "NRBP: beta must be a number >= 0 and < 1, got 1."


subtopics = st.dictionaries(
    st.sampled_from("stuv"),
    st.dictionaries(st.sampled_from("abcde"), st.integers(-1, 2), min_size=1),
    min_size=1,
)


@max_examples(60)
@given(subtopics, st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_no_order_beats_the_greedy_one_by_more_than_e_to_e_minus_1(groups, alpha):
    runs = {str(n): list(order) for n, order in enumerate(permutations("abcde", 3))}
    qrels = {query: groups for query in runs}
    for name in ("alpha_nDCG@3", "nERR_IA@3", "nNRBP"):
        m = gainful.parse_measure(name)(alpha=alpha)
        assert evaluate(qrels, runs, m).column(m).max() <= e / (e - 1)


@max_examples(60)
@given(subtopics, st.permutations("abcdex"), st.integers(1, 6))
def test_a_further_item_never_lowers_what_is_gained(groups, order, n):
    runs = {"more": list(order[:n]), "less": list(order[: n - 1]) or ["x"]}
    qrels = {query: groups for query in runs}
    for m in MEASURES:
        more, less = evaluate(qrels, runs, m).column(m)[[list(qrels).index(r) for r in runs]]
        assert more >= less


def test_measures_share_one_greedy_ranking_whatever_is_asked_first():
    rng = np.random.default_rng(7)
    qrels = {
        f"q{q}": {f"s{s}": {f"d{i}": int(rng.integers(0, 2)) for i in range(30)} for s in range(5)}
        for q in range(20)
    }
    run = {query: [f"d{i}" for i in rng.permutation(30)] for query in qrels}
    measures = ["alpha_nDCG@2", "nNRBP", "nERR_IA@30", "alpha_nDCG@9", "alpha_nDCG(alpha=0.1)@9"]
    scores = evaluate(qrels, run, measures)
    for m in measures:
        assert scores.column(m).tolist() == evaluate(qrels, run, m).column(m).tolist()
