"""What ties are averaged to, and that nothing but the scores decides."""

import math
from itertools import groupby, permutations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation.properties.strategies import (
    ITEMS,
    TIES,
    any_scores,
    cutoffs,
    discounts,
    few_scores,
    gains,
    queries,
    rankings,
    rising_gains,
    signed_labels,
    whole_labels,
)
from tries import tried


@given(
    rankings(labels=signed_labels, scores=few_scores, longest=6),
    cutoffs,
    discounts,
    gains,
)
@tried(100)
def test_the_average_is_the_mean_over_all_orders_of_tied_items(ranking, k, discount, gain):
    labels, scores = ranking
    for function in (gainful.dcg, gainful.ndcg):
        values = [function(order, k=k, discount=discount, gain=gain) for order in orders(*ranking)]
        mean = math.fsum(values) / len(values)
        average = function(labels, scores, k=k, discount=discount, gain=gain)
        assert average == pytest.approx(mean, rel=1e-12, abs=1e-12)


def orders(labels: list[float], scores: list[float]) -> list[list[float]]:
    """The labels in every order that the scores allow."""
    ranked = sorted(zip(scores, labels, strict=True), reverse=True)
    blocks = [[label for _, label in block] for _, block in groupby(ranked, key=lambda x: x[0])]
    chosen = product(*(permutations(block) for block in blocks))
    return [[label for block in one for label in block] for one in chosen]


@given(queries(scores=few_scores), cutoffs, discounts, rising_gains | st.just("signed_exp2"))
@tried(150)
def test_the_average_lies_between_the_worst_and_the_best(query, k, discount, gain):
    judged, retrieved = query
    measure = gainful.nDCG(discount=discount, gain=gain, **({} if k is None else {"cutoff": k}))
    values = {
        ties: gainful.evaluate(
            {"q": judged}, {"q": retrieved}, measure, rules=gainful.Rules(ties=ties)
        )[measure]
        for ties in TIES
    }
    slack = 1e-14
    for ties in TIES:
        assert values["worst"] - slack <= values[ties] <= values["best"] + slack


@given(st.data(), queries(scores=few_scores), cutoffs, discounts, gains)
@tried(150)
def test_the_average_depends_neither_on_the_order_of_the_input_nor_on_ids(
    data, query, k, discount, gain
):
    judged, retrieved = query
    renamed = dict(zip(ITEMS, data.draw(st.permutations(ITEMS)), strict=True))
    shuffled = data.draw(st.permutations(sorted(retrieved)))
    other_judged = {renamed[item]: judged[item] for item in sorted(judged)}
    other_retrieved = {renamed[item]: retrieved[item] for item in shuffled}
    cut = {} if k is None else {"cutoff": k}
    chosen = [gainful.DCG(discount=discount, gain=gain, **cut), gainful.nDCG(gain=gain, **cut)]
    rules = gainful.Rules(ties="average")
    one = gainful.evaluate({"q": judged}, {"q": retrieved}, chosen, rules=rules)
    other = gainful.evaluate({"q": other_judged}, {"q": other_retrieved}, chosen, rules=rules)
    assert one.values.tolist() == other.values.tolist()


@given(st.data(), rankings(scores=few_scores), cutoffs)
@tried(100)
def test_the_average_of_arrays_does_not_depend_on_their_order(data, ranking, k):
    pairs = list(zip(*ranking, strict=True))
    labels, scores = zip(*data.draw(st.permutations(pairs)), strict=True)
    for function in (gainful.cg, gainful.dcg, gainful.ndcg):
        assert function(labels, scores, k=k) == function(*ranking, k=k)


@given(queries(), cutoffs, discounts, gains)
@tried(100)
def test_without_ties_every_rule_for_them_gives_the_same(query, k, discount, gain):
    judged, retrieved = query
    assume(len(set(retrieved.values())) == len(retrieved))
    measure = gainful.DCG(discount=discount, gain=gain, **({} if k is None else {"cutoff": k}))
    values = [
        gainful.evaluate({"q": judged}, {"q": retrieved}, measure, rules=gainful.Rules(ties=ties))
        for ties in TIES
    ]
    assert len({scores[measure] for scores in values}) == 1


@given(
    st.lists(whole_labels, min_size=1, max_size=12),
    st.lists(any_scores, min_size=12, max_size=12, unique=True),
    cutoffs,
)
@tried(50)
def test_without_ties_every_rule_for_them_gives_the_same_from_arrays(labels, scores, k):
    scores = scores[: len(labels)]
    ranked = [label for _, label in sorted(zip(scores, labels, strict=True), reverse=True)]
    expected = gainful.ndcg(ranked, k=k)
    for ties in ("average", "input", "best", "worst"):
        assert gainful.ndcg(labels, scores, k=k, ties=ties) == expected


@given(st.data(), queries(scores=few_scores), cutoffs, gains)
@tried(150)
def test_scores_on_another_scale_that_keeps_their_order_change_nothing(data, query, k, gain):
    judged, retrieved = query
    levels = sorted(set(retrieved.values()))
    scale = st.lists(any_scores, min_size=len(levels), max_size=len(levels), unique=True)
    to = dict(zip(levels, sorted(data.draw(scale)), strict=True))
    rescaled = {item: to[score] for item, score in retrieved.items()}
    measure = gainful.nDCG(gain=gain, **({} if k is None else {"cutoff": k}))
    for ties in TIES:
        rules = gainful.Rules(ties=ties)
        one = gainful.evaluate({"q": judged}, {"q": retrieved}, measure, rules=rules)
        other = gainful.evaluate({"q": judged}, {"q": rescaled}, measure, rules=rules)
        assert one[measure] == other[measure]
