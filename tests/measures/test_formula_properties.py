"""Ideal rankings against a plain computation, and averages over ties against every order."""

import math
from itertools import groupby, permutations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation import plain_pipeline
from evaluation.strategies import (
    IDEAL_DEPTHS,
    IDEALS,
    ITEMS,
    TIES,
    Mention,
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
from example_counts import max_examples


@pytest.mark.parametrize("ideal", IDEALS)
@pytest.mark.parametrize("ideal_depth", IDEAL_DEPTHS)
@given(
    queries(),
    cutoffs,
    discounts,
    gains,
    st.sampled_from([gainful.IDCG, gainful.nDCG, gainful.nCG]),
    st.sampled_from(["zero", "one", "nan"]),
)
@max_examples(60)
def test_ideal_and_ideal_depth_are_what_they_say(
    ideal, ideal_depth, query, k, discount, gain, measure, empty
):
    judged, retrieved = query
    settings = {"gain": gain, "ideal": ideal, "ideal_depth": ideal_depth, "discount": discount}
    if measure.name == "nCG":
        del settings["discount"]
    measure, rules = measure(**settings, cutoff=k), gainful.Rules(empty=empty)
    run = [Mention(item, 0, score) for item, score in retrieved.items()]
    expected = plain_pipeline.compute_value(
        measure, plain_pipeline.rank_items(run, judged, rules), judged, rules
    )
    result = gainful.evaluate({"q": judged}, {"q": retrieved}, measure, rules=rules)[measure]
    # A share is capped at 1 unless it is of ones: negative gains aside, only rounding lifts it.
    if measure.name != "IDCG" and ideal != "ones":
        expected = min(expected, 1.0) if expected == expected else expected
    assert result == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), cutoffs)
@max_examples(50)
def test_from_arrays_the_judged_items_are_those_of_the_list(labels, k):
    assert gainful.ndcg(labels, k=k) == gainful.ndcg(labels, k=k, ideal="list")


@given(queries(), cutoffs)
@max_examples(50)
def test_an_ideal_of_more_is_never_lower(query, k):
    judged, retrieved = query
    measures = {
        name: gainful.IDCG(cutoff=k, **options)
        for name, options in {
            "judged": {},
            "list": {"ideal": "list"},
            "all": {"ideal_depth": "all"},
            "retrieved": {"ideal_depth": "retrieved"},
        }.items()
    }
    scores = gainful.evaluate({"q": judged}, {"q": retrieved}, measures.values())
    best = {name: scores[measure] for name, measure in measures.items()}
    assert best["list"] <= best["judged"] <= best["all"]
    assert best["retrieved"] <= best["judged"]


@given(queries(), cutoffs)
@max_examples(50)
def test_the_ideal_does_not_depend_on_the_run(query, k):
    judged, retrieved = query
    measure = gainful.IDCG(cutoff=k)
    values = [
        gainful.evaluate({"q": judged}, {"q": run}, measure)[measure]
        for run in (retrieved, {}, {"unjudged": 1.0})
    ]
    assert len(set(values)) == 1


@given(
    rankings(labels=signed_labels, scores=few_scores, max_items=6),
    cutoffs,
    discounts,
    gains,
)
@max_examples(100)
def test_the_average_is_the_mean_over_all_orders_of_tied_items(ranking, k, discount, gain):
    labels, scores = ranking
    for function in (gainful.dcg, gainful.ndcg):
        values = [
            function(order, k=k, discount=discount, gain=gain) for order in list_orders(*ranking)
        ]
        mean = math.fsum(values) / len(values)
        average = function(labels, scores, k=k, discount=discount, gain=gain)
        assert average == pytest.approx(mean, rel=1e-12, abs=1e-12)


def list_orders(labels: list[float], scores: list[float]) -> list[list[float]]:
    """Return the labels in every order that the scores allow."""
    ranked = sorted(zip(scores, labels, strict=True), reverse=True)
    blocks = [[label for _, label in block] for _, block in groupby(ranked, key=lambda x: x[0])]
    block_orders = product(*(permutations(block) for block in blocks))
    return [
        [label for block in blocks_in_order for label in block] for blocks_in_order in block_orders
    ]


@given(queries(scores=few_scores), cutoffs, discounts, rising_gains | st.just("signed_exp2"))
@max_examples(150)
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
@max_examples(150)
def test_the_average_depends_neither_on_the_order_of_the_input_nor_on_ids(
    data, query, k, discount, gain
):
    judged, retrieved = query
    new_ids = dict(zip(ITEMS, data.draw(st.permutations(ITEMS)), strict=True))
    shuffled_items = data.draw(st.permutations(sorted(retrieved)))
    renamed_judged = {new_ids[item]: judged[item] for item in sorted(judged)}
    renamed_retrieved = {new_ids[item]: retrieved[item] for item in shuffled_items}
    cutoff = {} if k is None else {"cutoff": k}
    measures = [
        gainful.DCG(discount=discount, gain=gain, **cutoff),
        gainful.nDCG(gain=gain, **cutoff),
    ]
    rules = gainful.Rules(ties="average")
    scores = gainful.evaluate({"q": judged}, {"q": retrieved}, measures, rules=rules)
    renamed_scores = gainful.evaluate(
        {"q": renamed_judged}, {"q": renamed_retrieved}, measures, rules=rules
    )
    assert scores.values.tolist() == renamed_scores.values.tolist()


@given(st.data(), rankings(scores=few_scores), cutoffs)
@max_examples(100)
def test_the_average_of_arrays_does_not_depend_on_their_order(data, ranking, k):
    pairs = list(zip(*ranking, strict=True))
    labels, scores = zip(*data.draw(st.permutations(pairs)), strict=True)
    for function in (gainful.cg, gainful.dcg, gainful.ndcg):
        assert function(labels, scores, k=k) == function(*ranking, k=k)


@given(queries(), cutoffs, discounts, gains)
@max_examples(100)
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
@max_examples(50)
def test_without_ties_every_rule_for_them_gives_the_same_from_arrays(labels, scores, k):
    scores = scores[: len(labels)]
    ranked = [label for _, label in sorted(zip(scores, labels, strict=True), reverse=True)]
    expected = gainful.ndcg(ranked, k=k)
    for ties in ("average", "input", "best", "worst"):
        assert gainful.ndcg(labels, scores, k=k, ties=ties) == expected


@given(st.data(), queries(scores=few_scores), cutoffs, gains)
@max_examples(150)
def test_scores_on_another_scale_that_keeps_their_order_change_nothing(data, query, k, gain):
    judged, retrieved = query
    levels = sorted(set(retrieved.values()))
    scale = st.lists(any_scores, min_size=len(levels), max_size=len(levels), unique=True)
    new_scores = dict(zip(levels, sorted(data.draw(scale)), strict=True))
    rescaled_run = {item: new_scores[score] for item, score in retrieved.items()}
    measure = gainful.nDCG(gain=gain, **({} if k is None else {"cutoff": k}))
    for ties in TIES:
        rules = gainful.Rules(ties=ties)
        scores = gainful.evaluate({"q": judged}, {"q": retrieved}, measure, rules=rules)
        rescaled_scores = gainful.evaluate({"q": judged}, {"q": rescaled_run}, measure, rules=rules)
        assert scores[measure] == rescaled_scores[measure]
