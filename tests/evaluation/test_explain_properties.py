"""Explanations: terms add up to the value, and swaps gain as much as stated."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation import plain_pipeline
from evaluation.strategies import (
    TIES,
    Mention,
    any_scores,
    cutoffs,
    discounts,
    few_scores,
    gains,
    queries,
    rising_gains,
)
from example_counts import max_examples

KINDS = (gainful.CG, gainful.nCG, gainful.DCG, gainful.nDCG)


@st.composite
def cases(draw, gain=gains, kinds=KINDS, ideals=("judged", "list"), depths=cutoffs):
    """Draw a query, with a measure and rules to explain it by."""
    judged, retrieved = draw(queries(scores=few_scores | any_scores))
    kind = draw(st.sampled_from(kinds))
    options = {
        "cutoff": draw(cutoffs),
        "gain": draw(gain),
        "discount": draw(discounts),
        "ideal": draw(st.sampled_from(ideals)),
        "ideal_depth": draw(st.sampled_from(["cutoff", "all", "retrieved"])),
    }
    measure = kind(**{name: option for name, option in options.items() if name in kind.arguments})
    rules = gainful.Rules(
        ties=draw(st.sampled_from(TIES)),
        unjudged=draw(st.sampled_from(["nonrelevant", "condense"])),
        depth=draw(depths),
    )
    # Averaged ties that depth cuts through have no ideal list, and are refused.
    assume(not (rules.ties == "average" and rules.depth and options["ideal"] == "list"))
    return judged, retrieved, measure, rules


def explain_case(case) -> gainful.Explanation:
    """Return the explanation of a case."""
    judged, retrieved, measure, rules = case
    return gainful.explain({"q": judged}, {"q": retrieved}, "q", measure, rules=rules)


@given(cases(ideals=("judged", "list", "ones")))
@max_examples(200)
def test_the_value_is_the_one_that_evaluate_gives(case):
    judged, retrieved, measure, rules = case
    scores = gainful.evaluate({"q": judged}, {"q": retrieved}, measure, rules=rules)
    assert explain_case(case).value == scores[measure]


@given(cases(ideals=("judged", "list", "ones")))
@max_examples(200)
def test_the_products_add_up_to_the_total(case):
    explanation, running = explain_case(case), 0.0
    for position in explanation.positions:
        running += position.product
        assert position.running == running
        assert position.product == pytest.approx(position.gain * position.discount, rel=1e-14)
    # A tie is added as a whole, and shown item by item.
    is_averaged = explanation.rules.ties == "average"
    assert explanation.total == (
        pytest.approx(running, rel=1e-14, abs=1e-14) if is_averaged else running
    )
    if explanation.measure.name in ("CG", "DCG"):
        assert explanation.value == explanation.total
    elif explanation.best:
        assert explanation.value == pytest.approx(explanation.total / explanation.best, rel=1e-15)


@given(cases())
@max_examples(200)
def test_the_ideal_adds_up_to_the_best(case):
    explanation, running = explain_case(case), 0.0
    for place in explanation.ideal:
        running += place.product
        assert place.running == running
    assert explanation.best == running


@given(cases(kinds=(gainful.nDCG,), ideals=("judged", "list", "ones")))
@max_examples(100)
def test_the_best_is_the_idcg(case):
    judged, retrieved, measure, rules = case
    idcg = gainful.IDCG(**dict(measure.settings))
    scores = gainful.evaluate({"q": judged}, {"q": retrieved}, idcg, rules=rules)
    assert explain_case(case).best == scores[idcg]


@given(cases(kinds=(gainful.nDCG, gainful.nCG)))
@max_examples(200)
def test_the_losses_of_all_items_add_up_to_what_is_missing_to_1(case):
    explanation = explain_case(case)
    assume(explanation.best > 0)
    ideal_products = {place.item: place.product for place in explanation.ideal}
    products = {position.item: position.product for position in explanation.positions}
    losses = [ideal_products.get(i, 0.0) - products.get(i, 0.0) for i in ideal_products | products]
    assert sum(losses) / explanation.best == pytest.approx(1 - explanation.value, abs=1e-12)


@given(cases(gain=rising_gains, kinds=(gainful.nDCG, gainful.nCG)))
@max_examples(200)
def test_the_reading_names_the_largest_loss(case):
    explanation = explain_case(case)
    match = re.search(r"the largest loss is (\S+) \(label", explanation.reading)
    products = {position.item: position.product for position in explanation.positions}
    losses = {
        i.item: (i.product - products.get(i.item, 0.0)) / explanation.best
        for i in explanation.ideal
    }
    if match:
        assert losses[match[1]] == pytest.approx(max(losses.values()), abs=1e-12)
    elif losses and explanation.positions:
        assert max(losses.values()) <= 1e-12


def test_a_perfect_value_with_averaged_ties_has_no_loss_to_name():
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 0.5, "b": 0.5}}
    explanation = gainful.explain(qrels, run, "q", "nDCG", rules=gainful.Rules(ties="average"))
    assert explanation.value == 1
    assert "loss" not in explanation.reading


def test_the_ideal_of_a_list_stops_where_the_list_is_cut():
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    explanation = gainful.explain(qrels, run, "q", "nDCG(ideal=list)", rules=gainful.Rules(depth=1))
    assert explanation.best == 1
    assert [place.item for place in explanation.ideal] == ["a"]


def test_a_swap_with_an_item_that_was_cut_off_gains_all_it_is_worth():
    qrels, run = {"q": {"a": -1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    measure, rules = gainful.DCG(gain="signed_exp2"), gainful.Rules(depth=1)
    swap = gainful.explain(qrels, run, "q", measure, rules=rules).swap
    assert swap is None or swap.gains == pytest.approx(4)


def test_no_swap_is_said_to_lift_a_list_that_is_ideal():
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    explanation = gainful.explain(qrels, run, "q", "nDCG(ideal=list)", rules=gainful.Rules(depth=1))
    # With b in the place of a, the list would have another ideal and score 1 again.
    assert explanation.value == 1
    assert explanation.swap is None


def test_no_swap_is_said_to_lift_a_share_of_nothing():
    qrels, run = {"q": {"a": -1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}
    explanation = gainful.explain(qrels, run, "q", gainful.nDCG(gain="signed_exp2"))
    # There is nothing to gain, so the value is 0 in any order.
    assert explanation.best == 0
    assert explanation.swap is None


def test_a_swap_with_one_of_several_tied_items_gains_what_the_average_does():
    qrels, run = {"q": {"b": 1, "c": 1}}, {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}
    rules, swapped_run = gainful.Rules(ties="average"), {"q": {"b": 2.0, "a": 1.0, "c": 1.0}}
    swap = gainful.explain(qrels, run, "q", "DCG", rules=rules).swap
    value, swapped_value = (
        gainful.evaluate(qrels, r, "DCG", rules=rules)["DCG"] for r in (run, swapped_run)
    )
    assert swap.gains == pytest.approx(swapped_value - value)


@given(cases(ideals=("ones",), gain=st.just("linear"), kinds=(gainful.nDCG,)))
@max_examples(50)
def test_nothing_is_relevant_is_said_only_where_that_is_so(case):
    judged, *_ = case
    says_so = "nothing is relevant" in explain_case(case).reading
    assert says_so == (max(judged.values(), default=0) <= 0)


@given(cases(gain=rising_gains, depths=st.none()))
@max_examples(200)
def test_what_was_missed_is_what_gains_something_and_was_not_counted(case):
    judged, retrieved, measure, _ = case
    explanation = explain_case(case)
    settings = {"discount": "none", "ideal": "judged"} | measure.all_settings
    pool = (
        judged if settings["ideal"] == "judged" else [item for item in judged if item in retrieved]
    )
    counted_items = {position.item for position in explanation.positions}
    gain_items = {i for i in pool if plain_pipeline.compute_gain(settings, judged[i]) > 0}
    assert {place.item for place in explanation.missed} == gain_items - counted_items
    unit = explanation.best if measure.name in ("nCG", "nDCG") else 1.0
    costs = {place.item: place.product / unit for place in explanation.ideal}
    for place in explanation.missed:
        assert place.cost == costs.get(place.item, 0.0)
        assert (place.found_at is None) == (place.item not in retrieved)


@given(cases())
@max_examples(300)
def test_the_swap_gains_what_it_says_and_no_other_gains_more(case):
    judged, _, _, rules = case
    # Which items of an averaged tie are above the depth is left to chance.
    assume(not rules.depth or rules.ties != "average")
    swap, order = explain_case(case).swap, rank_items(case)
    items = order[: rules.depth or len(order)]
    value = compute_value(case, order)
    differences = {
        frozenset((a, b)): compute_value(case, swap_items(order, a, b)) - value
        for i, a in enumerate(items)
        for b in items[i + 1 :]
        if a in judged or b in judged
    }
    largest = max(differences.values(), default=0.0)
    if swap is None:
        assert largest <= 1e-12
        return
    assert order[swap.from_rank - 1] == swap.item
    assert order[swap.to_rank - 1] == swap.other
    assert differences[frozenset((swap.item, swap.other))] == pytest.approx(swap.gains, abs=1e-12)
    assert swap.gains == pytest.approx(largest, abs=1e-12)


def rank_items(case) -> list[str]:
    """Return the ranked items, best first."""
    judged, retrieved, _, rules = case
    run = [Mention(item, 0, score) for item, score in retrieved.items()]
    if rules.ties == "average":
        # Which of the tied items comes first does not matter; explain() shows the best one first.
        rules = gainful.Rules(ties="best", unjudged=rules.unjudged)
    return [place.item for place in plain_pipeline.rank_items(run, judged, rules)]


def swap_items(order: list[str], a: str, b: str) -> list[str]:
    """Return the order with two items exchanged."""
    return [{a: b, b: a}.get(item, item) for item in order]


def compute_value(case, order: list[str]) -> float:
    """Compute the value for this order of the items, with the same ranks tied as in the run."""
    judged, retrieved, measure, rules = case
    ranks = rank_items(case)
    if rules.ties == "average":
        run = {item: retrieved[rank] for item, rank in zip(order, ranks, strict=True)}
        return gainful.evaluate({"q": judged}, {"q": run}, measure, rules=rules)[measure]
    return gainful.evaluate(
        {"q": judged}, {"q": order}, measure, rules=gainful.Rules(depth=rules.depth)
    )[measure]
