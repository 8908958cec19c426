"""Query details: the values of a query can be added up again, to the last bit."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gainful import AlignError, Rules, evaluate, explain
from gainful.dialects import DialectRules
from gainful.report.html.query_details import add_up_run
from report.html.experiments import compute_value
from report.html.rankings import details_of, qrels, runs

MEASURES = [
    *("nDCG@3", "nDCG@10", "nDCG", "DCG@2", "DCG", "CG@4", "nCG@3", "nDCG(gain=exp2)@5"),
    *("nDCG(gain=signed_exp2)@4", "nDCG(negatives=keep)@4", "nDCG(gain=binary, rel=2)@5"),
    *("nDCG(discount=jk(2))@6", "DCG(discount=reciprocal)@3", "nDCG(discount=log(10))@7"),
    *("nDCG(gain={0.5: 2, 1: 1, 1.7: 3, 2: 0, 3: 9})@5", "nDCG(ideal=list)@3", "nDCG(ideal=list)"),
    *("nDCG(ideal=ones)@4", "nDCG(ideal=ones)", "nDCG(ideal_depth=all)@2"),
    *("nDCG(ideal_depth=retrieved)@5", "nDCG(ideal=list, gain=exp2)@2", "MSnDCG@4"),
]
RULES = st.builds(
    Rules,
    ties=st.sampled_from(["item-desc", "item-asc", "input", "best", "worst"]),
    order=st.sampled_from(["score", "file"]),
    unjudged=st.sampled_from(["nonrelevant", "condense"]),
    empty=st.sampled_from(["zero", "one", "nan"]),
    depth=st.sampled_from([None, 1, 2, 4]),
    precision=st.sampled_from(["float64", "float32"]),
)


def is_same_number(value, other):
    return value == other or (math.isnan(value) and math.isnan(other))


def check_values(judged, runs, measure, rules, *, exactly):
    details = details_of(judged, runs, measure, rules)
    for number, run in enumerate(runs):
        scores = evaluate(judged, run, measure, rules=rules)
        values = scores.column(measure).tolist()
        assert all(map(is_same_number, details.values[number].tolist(), values))
        for query, value in zip(scores.queries, values, strict=True):
            detail = details.by_query[query]
            total = add_up_run(details.terms, detail, number)
            if not exactly:
                # A tie that the depth cuts goes on below what is held.
                is_whole = rules.depth is None
                assert not is_whole or total == pytest.approx(detail.totals[number], abs=1e-12)
                total = detail.totals[number]
            assert total == detail.totals[number]
            assert is_same_number(
                compute_value(details.terms, total, detail.best[number], value), value
            )
            why = explain(judged, run, query, measure, rules=rules)
            assert (why.total, why.best) == (detail.totals[number], detail.best[number])
    return details


@given(qrels, runs, st.sampled_from(MEASURES), RULES)
def test_values_are_added_up_again_to_the_last_bit(judged, runs, measure, rules):
    details = check_values(judged, runs, measure, rules, exactly=True)
    assert details.terms.complete
    assert all(detail.weights is None for detail in details.by_query.values())


@given(qrels, runs, st.sampled_from(MEASURES), st.sampled_from([None, 1, 2, 4]))
def test_averaged_ties_have_weights_whose_products_add_up(judged, runs, measure, depth):
    cut = depth is not None and "ideal=list" in measure  # has no exact average
    assume(not cut)
    check_values(judged, runs, measure, Rules(ties="average", depth=depth), exactly=False)


@given(qrels, runs, st.sampled_from([m for m in MEASURES if "ideal=" not in m]))
def test_the_best_ranking_adds_up_to_the_best_sum(judged, runs, measure):
    details = details_of(judged, runs, measure)
    for detail in details.by_query.values():
        gains = [details.terms.gains[detail.labels[i]] for i in detail.ideal]
        assert gains == sorted(gains, reverse=True)
        for best, n_retrieved in zip(detail.best, detail.n_retrieved, strict=True):
            last = details.terms.ideal_cutoff
            if "retrieved" in measure:
                last = min(last, n_retrieved)
            total = 0.0
            for gain, divisor in zip(gains[:last], details.terms.divisors, strict=False):
                total += gain / divisor
            assert total == best


@given(qrels, runs, RULES)
def test_rankings_labels_and_ideal_are_those_that_explain_shows(judged, runs, rules):
    details = details_of(judged, runs, "nDCG", rules)
    for number, run in enumerate(runs):
        for query, detail in details.by_query.items():
            why = explain(judged, run, query, "nDCG", rules=rules)
            ranking = detail.rankings[number][: detail.n_retrieved[number]]
            assert [(detail.items[i], detail.labels[i]) for i in ranking] == [
                (place.item, place.label) for place in why.positions
            ]
            assert {detail.items[i] for i in detail.ideal} == {p.item for p in why.ideal}


@given(qrels, runs, RULES)
def test_every_item_is_held_once_and_all_are_referred_to(judged, runs, rules):
    for detail in details_of(judged, runs, "nDCG@5", rules).by_query.values():
        assert len(set(detail.items)) == len(detail.items) == len(detail.labels)
        used = {i for ranking in (*detail.rankings, detail.ideal) for i in ranking}
        assert used == set(range(len(detail.items)))


def test_a_ranking_that_goes_on_below_what_is_held_is_not_complete():
    judged, run = {"q": {"a": 1, "z": 3}}, {"q": ["a", "b", "c", "z"]}
    details = details_of(judged, [run], "nDCG", depth=2)
    detail = details.by_query["q"]
    assert not details.terms.complete
    assert detail.items == ("a", "b", "z")
    assert add_up_run(details.terms, detail, 0) == 1.0
    assert detail.totals == (1 + 3 / math.log2(5),)
    assert details_of(judged, [run], "nDCG@2", depth=2).terms.complete


def test_a_tie_that_reaches_below_the_cutoff_weighs_there_too():
    run = {"q": {"a": 1.0, "x": 1.0, "y": 1.0}}
    details = details_of({"q": {"a": 2}}, [run], "nDCG@2", Rules(ties="average"))
    weight = (1 + 1 / math.log2(3)) / 3
    assert details.by_query["q"].weights == (pytest.approx((weight,) * 3, rel=1e-15),)
    assert not details.terms.complete


def test_a_query_without_ties_has_no_weights_beside_one_that_has_some():
    judged = {"q1": {"a": 2}, "q2": {"a": 2}}
    run = {"q1": {"a": 1.0, "x": 1.0}, "q2": {"a": 1.0, "x": 2.0}}
    details = details_of(judged, [run, {"q1": ["a"], "q2": ["a"]}], "nDCG", Rules(ties="average"))
    assert len(details.by_query["q1"].weights) == 2
    assert details.by_query["q2"].weights is None


def test_equals_of_the_best_ranking_stand_as_the_first_run_has_them():
    judged = {"q": {"a": 1, "b": 1, "c": 2, "z": 1}}
    detail = details_of(judged, [{"q": ["b", "x", "a"]}, {"q": ["c"]}], "nDCG@3").by_query["q"]
    assert [detail.items[i] for i in detail.ideal] == ["c", "b", "a", "z"]


@pytest.mark.parametrize("ideal", ["list", "ones"])
def test_a_best_ranking_that_is_not_made_of_judged_items_is_not_listed(ideal):
    judged = {"q": {"a": 1, "b": 2}}
    details = details_of(judged, [{"q": ["a"]}, {"q": ["b", "a"]}], f"nDCG(ideal={ideal})")
    assert (details.by_query["q"].ideal, details.terms.ideal) == ((), ideal)
    assert len(set(details.by_query["q"].best)) == 2


def test_only_a_gain_of_one_at_every_rank_can_be_surpassed():
    details = details_of({"q": {"a": 3}}, [{"q": ["a"]}], "nDCG(ideal=ones)@1")
    assert (details.terms.normalized, details.terms.capped) == (True, False)
    assert details.values.tolist() == [[3.0]]


def test_parts_are_held_as_what_they_are_parts_of():
    rules = Rules(collapse="^(.*)#")
    details = details_of({"q": {"a#1": 1}}, [{"q": ["b#2", "a#7", "b#1"]}], "nDCG", rules)
    assert details.by_query["q"].items == ("b", "a")
    assert details.by_query["q"].labels == (None, 1.0)


def test_labels_are_shown_as_they_count():
    qrels, run = {"q": {"a": 2.7, "b": 1.2}}, {"q": {"b": 2, "a": 1}}
    rules = DialectRules(label_type="truncated")
    details = details_of(qrels, [run], "nDCG@10", rules)
    assert details.values.tolist() == evaluate(qrels, run, "nDCG@10", rules=rules).values.tolist()


def test_ranks_that_are_shared_are_refused():
    with pytest.raises(AlignError) as error:
        details_of({"q": {"a": 1}}, [{"q": {"a": 1}}], "nDCG@10", Rules(ties="middle"))
    assert str(error.value) == (
        "ties=middle has no place in a report, which shows items rank by rank. "
        "Pass rules without it."
    )
