"""AP-IA, P-IA, subtopic recall, D-nDCG and D#-nDCG, worked out by hand."""

from itertools import permutations
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import MeasureError, Rules, evaluate

QRELS = {"q": {"s": {"a": 1, "b": 2, "c": 0}, "t": {"a": 3, "c": -1}, "u": {"c": 1}, "v": {"a": 0}}}
RUN = {"q": ["b", "x", "a"]}
MEASURES = ("AP_IA", "P_IA@5", "StRecall@5", "D_nDCG@5", "Dsharp_nDCG@5")


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def approximate(number):
    return pytest.approx(number, rel=1e-14)


def test_ap_ia_averages_over_subtopics_with_relevant_items():
    # s: b at 1 and a at 3; t: a at 3; u: c is not found; v has nothing relevant.
    assert compute_value("AP_IA") == approximate(((1 / 1 + 2 / 3) / 2 + (1 / 3) / 1 + 0) / 3)
    assert compute_value("AP_IA(rel=2)") == approximate((1 / 1 + 1 / 3) / 2)
    assert compute_value("MAP_IA") == compute_value("AP_IA")


def test_p_ia_averages_over_subtopics_with_relevant_items():
    assert compute_value("P_IA@3") == approximate((2 / 3 + 1 / 3 + 0) / 3)
    assert compute_value("P_IA@2") == approximate((1 / 2 + 0 + 0) / 3)
    assert compute_value("P_IA@100") == approximate((2 / 100 + 1 / 100) / 3)
    assert compute_value("P_IA(rel=3)@3") == approximate(1 / 3)


def test_subtopic_recall_is_the_share_of_subtopics_that_are_covered():
    assert compute_value("StRecall@1") == 1 / 3
    assert (
        compute_value("StRecall@3")
        == compute_value("StRecall")
        == compute_value("StRecall@99")
        == 2 / 3
    )
    assert compute_value("strec@3") == compute_value("I_rec@3") == compute_value("STREC@3") == 2 / 3
    assert compute_value("StRecall(rel=2)") == 2 / 2


def test_d_ndcg_adds_gains_over_subtopics():
    # a gains 1 + 3, b 2, c 1 for u, the negative label nothing.
    best = 4 / log2(2) + 2 / log2(3) + 1 / log2(4)
    assert (
        compute_value("D_nDCG@3")
        == compute_value("D_nDCG")
        == approximate((2 / log2(2) + 4 / log2(4)) / best)
    )
    assert compute_value("D_nDCG@1") == approximate(2 / 4)


def test_d_ndcg_takes_the_gain_and_the_discount():
    # 2^label - 1: a gains 1 + 7, b 3, c 1.
    best = 8 / log2(2) + 3 / log2(3) + 1 / log2(4)
    assert compute_value("D_nDCG(gain=exp2)") == approximate((3 / log2(2) + 8 / log2(4)) / best)
    assert compute_value("D_nDCG(gain=binary)@1") == approximate(1 / 2)
    assert compute_value("D_nDCG(gain=binary, rel=3)") == approximate(1 / log2(4))
    assert compute_value("D_nDCG(discount=none)") == approximate(6 / 7)


def test_d_ndcg_can_keep_negative_labels():
    # c gains 1 for u and loses 1 for t.
    measure = "D_nDCG(discount=none, negatives=keep)"
    assert compute_value(measure, {"q": ["c", "b"]}) == approximate((0 + 2) / (4 + 2))


def test_d_sharp_ndcg_mixes_recall_and_gain():
    recall, gains = compute_value("StRecall@3"), compute_value("D_nDCG@3")
    assert compute_value("Dsharp_nDCG@3") == approximate(0.5 * recall + 0.5 * gains)
    assert compute_value("Dsharp_nDCG(gamma=0.2)@3") == approximate(0.2 * recall + 0.8 * gains)
    assert compute_value("Dsharp_nDCG(gamma=1)@3") == recall
    assert compute_value("Dsharp_nDCG(gamma=0)@3") == gains


def test_the_best_ranking_scores_exactly_1():
    for measure in ("D_nDCG", "D_nDCG@2", "D_nDCG(gain=exp2)", "Dsharp_nDCG"):
        assert compute_value(measure, {"q": ["a", "b", "c"]}) == 1.0


@pytest.mark.parametrize("measure", MEASURES)
def test_a_query_without_results_scores_zero(measure):
    scores = evaluate(
        QRELS | {"p": {"s": {"a": 1}}}, {"p": ["a"]}, measure, rules=Rules(empty="nan")
    )
    assert scores.per_query()["q"][measure] == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_without_relevant_items_the_rules_say_what_a_query_scores(measure):
    qrels = {"q": {"s": {"a": 0}, "t": {"a": -1}}}
    assert compute_value(measure, {"q": ["a"]}, qrels) == 0.0
    assert compute_value(measure, {"q": ["a"]}, qrels, empty="one") == 1.0


@pytest.mark.parametrize("measure", MEASURES)
def test_unjudged_items_and_negative_labels_gain_nothing(measure):
    qrels = {"q": {"s": {"a": 1, "b": -2}}}
    assert compute_value(measure, {"q": ["x", "b"]}, qrels, empty="nan") == 0.0
    assert compute_value(measure, {"q": ["b", "a"]}, qrels) == compute_value(
        measure, {"q": ["x", "a"]}, qrels
    )


def test_ties_are_not_averaged_where_no_exact_average_is_known():
    for measure in ("StRecall@5", "Dsharp_nDCG@5"):
        with pytest.raises(MeasureError) as error:
            compute_value(measure, ties="average")
        assert str(error.value).startswith(f"{measure.split('@')[0]}: no exact average over ties")


subtopics = st.dictionaries(
    st.sampled_from("stu"),
    st.dictionaries(st.sampled_from("abcd"), st.integers(-1, 3), min_size=1),
    min_size=1,
)
AVERAGED = (
    *("P_IA@1", "P_IA@3", "P_IA(rel=2)@9", "D_nDCG@1", "D_nDCG@3", "D_nDCG(gain=exp2)"),
    *("AP_IA", "AP_IA(rel=2)", "APgroups", "Pgroups@2", "RprecMultGroups@0.5", "RprecMultGroups@2"),
)


@max_examples(60)
@given(
    subtopics,
    st.dictionaries(st.sampled_from("abcdxy"), st.integers(0, 2), min_size=1, max_size=5),
    st.sampled_from([None, 1, 2, 4]),
)
def test_the_average_over_ties_is_that_over_all_orders(groups, scores, depth):
    orders = [
        o
        for o in permutations(scores)
        if all(scores[o[i]] >= scores[o[i + 1]] for i in range(len(o) - 1))
    ]
    runs = {str(n): list(order) for n, order in enumerate(orders)}
    means = evaluate({query: groups for query in runs}, runs, AVERAGED, rules=Rules(depth=depth))
    rules = Rules(ties="average", depth=depth)
    average_scores = evaluate({"q": groups}, {"q": scores}, AVERAGED, rules=rules)
    for m in AVERAGED:
        assert average_scores[m] == pytest.approx(means[m], rel=1e-12, abs=1e-15)


@max_examples(60)
@given(subtopics, st.permutations("abcdx"), st.integers(0, 3), st.integers(1, 6))
def test_moving_a_better_item_up_never_lowers_d_ndcg(groups, order, rank, cutoff):
    gains = {i: sum(max(labels.get(i, 0), 0) for labels in groups.values()) for i in order}
    better_order = list(order)
    better_order[rank], better_order[rank + 1] = better_order[rank + 1], better_order[rank]
    if gains[better_order[rank]] < gains[order[rank]]:
        better_order, order = list(order), better_order
    values = evaluate(
        {"after": groups, "before": groups},
        {"after": better_order, "before": list(order)},
        f"D_nDCG@{cutoff}",
    ).column(f"D_nDCG@{cutoff}")
    assert values[0] >= values[1] - 1e-15
