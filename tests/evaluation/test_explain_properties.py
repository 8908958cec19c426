"""An explanation adds up to the value it explains, and the swap it names gains what it says."""

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
def explained(draw, gain=gains, kinds=KINDS, ideals=("judged", "list"), depths=cutoffs):
    """A query, and what is asked about it."""
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


def explanation(asked) -> gainful.Explanation:
    """What explain() says about it."""
    judged, retrieved, measure, rules = asked
    return gainful.explain({"q": judged}, {"q": retrieved}, "q", measure, rules=rules)


@given(explained(ideals=("judged", "list", "ones")))
@max_examples(200)
def test_the_value_is_the_one_that_evaluate_gives(asked):
    judged, retrieved, measure, rules = asked
    scores = gainful.evaluate({"q": judged}, {"q": retrieved}, measure, rules=rules)
    assert explanation(asked).value == scores[measure]


@given(explained(ideals=("judged", "list", "ones")))
@max_examples(200)
def test_the_products_add_up_to_the_total(asked):
    why, running = explanation(asked), 0.0
    for position in why.positions:
        running += position.product
        assert position.running == running
        assert position.product == pytest.approx(position.gain * position.discount, rel=1e-14)
    # A tie is added as a whole, and shown item by item.
    averaged = why.rules.ties == "average"
    assert why.total == (pytest.approx(running, rel=1e-14, abs=1e-14) if averaged else running)
    if why.measure.name in ("CG", "DCG"):
        assert why.value == why.total
    elif why.best:
        assert why.value == pytest.approx(why.total / why.best, rel=1e-15)


@given(explained())
@max_examples(200)
def test_the_ideal_adds_up_to_the_best(asked):
    why, running = explanation(asked), 0.0
    for place in why.ideal:
        running += place.product
        assert place.running == running
    assert why.best == running


@given(explained(kinds=(gainful.nDCG,), ideals=("judged", "list", "ones")))
@max_examples(100)
def test_the_best_is_the_idcg(asked):
    judged, retrieved, measure, rules = asked
    idcg = gainful.IDCG(**dict(measure.settings))
    scores = gainful.evaluate({"q": judged}, {"q": retrieved}, idcg, rules=rules)
    assert explanation(asked).best == scores[idcg]


@given(explained(kinds=(gainful.nDCG, gainful.nCG)))
@max_examples(200)
def test_the_losses_of_all_items_add_up_to_what_is_missing_to_1(asked):
    why = explanation(asked)
    assume(why.best > 0)
    wanted = {place.item: place.product for place in why.ideal}
    gained = {position.item: position.product for position in why.positions}
    losses = [wanted.get(i, 0.0) - gained.get(i, 0.0) for i in wanted | gained]
    assert sum(losses) / why.best == pytest.approx(1 - why.value, abs=1e-12)


@given(explained(gain=rising_gains, kinds=(gainful.nDCG, gainful.nCG)))
@max_examples(200)
def test_the_reading_names_the_largest_loss(asked):
    why = explanation(asked)
    named = re.search(r"the largest loss is (\S+) \(label", why.reading)
    gained = {position.item: position.product for position in why.positions}
    losses = {i.item: (i.product - gained.get(i.item, 0.0)) / why.best for i in why.ideal}
    if named:
        assert losses[named[1]] == pytest.approx(max(losses.values()), abs=1e-12)
    elif losses and why.positions:
        assert max(losses.values()) <= 1e-12


def test_a_perfect_value_with_averaged_ties_has_no_loss_to_name():
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 0.5, "b": 0.5}}
    why = gainful.explain(qrels, run, "q", "nDCG", rules=gainful.Rules(ties="average"))
    assert why.value == 1
    assert "loss" not in why.reading


def test_the_ideal_of_a_list_stops_where_the_list_is_cut():
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    why = gainful.explain(qrels, run, "q", "nDCG(ideal=list)", rules=gainful.Rules(depth=1))
    assert why.best == 1
    assert [place.item for place in why.ideal] == ["a"]


def test_a_swap_with_an_item_that_was_cut_off_gains_all_it_is_worth():
    qrels, run = {"q": {"a": -1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    measure, rules = gainful.DCG(gain="signed_exp2"), gainful.Rules(depth=1)
    swap = gainful.explain(qrels, run, "q", measure, rules=rules).swap
    assert swap is None or swap.gains == pytest.approx(4)


def test_no_swap_is_said_to_lift_a_list_that_is_ideal():
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    why = gainful.explain(qrels, run, "q", "nDCG(ideal=list)", rules=gainful.Rules(depth=1))
    # With b in the place of a, the list would have another ideal and score 1 again.
    assert why.value == 1
    assert why.swap is None


def test_no_swap_is_said_to_lift_a_share_of_nothing():
    qrels, run = {"q": {"a": -1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}
    why = gainful.explain(qrels, run, "q", gainful.nDCG(gain="signed_exp2"))
    # There is nothing to gain, so the value is 0 in any order.
    assert why.best == 0
    assert why.swap is None


def test_a_swap_with_one_of_several_tied_items_gains_what_the_average_does():
    qrels, run = {"q": {"b": 1, "c": 1}}, {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}
    rules, other = gainful.Rules(ties="average"), {"q": {"b": 2.0, "a": 1.0, "c": 1.0}}
    swap = gainful.explain(qrels, run, "q", "DCG", rules=rules).swap
    before, after = (gainful.evaluate(qrels, r, "DCG", rules=rules)["DCG"] for r in (run, other))
    assert swap.gains == pytest.approx(after - before)


@given(explained(ideals=("ones",), gain=st.just("linear"), kinds=(gainful.nDCG,)))
@max_examples(50)
def test_nothing_is_relevant_is_said_only_where_that_is_so(asked):
    judged, *_ = asked
    says_so = "nothing is relevant" in explanation(asked).reading
    assert says_so == (max(judged.values(), default=0) <= 0)


@given(explained(gain=rising_gains, depths=st.none()))
@max_examples(200)
def test_what_was_missed_is_what_gains_something_and_was_not_counted(asked):
    judged, retrieved, measure, _ = asked
    why = explanation(asked)
    of = {"discount": "none", "ideal": "judged"} | measure.all_settings
    pool = judged if of["ideal"] == "judged" else [item for item in judged if item in retrieved]
    counted = {position.item for position in why.positions}
    missed = {i for i in pool if plain_pipeline.gain_of(of, judged[i]) > 0 and i not in counted}
    assert {missed.item for missed in why.missed} == missed
    unit = why.best if measure.name in ("nCG", "nDCG") else 1.0
    costs = {place.item: place.product / unit for place in why.ideal}
    for one in why.missed:
        assert one.cost == costs.get(one.item, 0.0)
        assert (one.found_at is None) == (one.item not in retrieved)


@given(explained())
@max_examples(300)
def test_the_swap_gains_what_it_says_and_no_other_gains_more(asked):
    judged, _, _, rules = asked
    # Which items of an averaged tie are above the depth is left to chance.
    assume(not rules.depth or rules.ties != "average")
    swap, order = explanation(asked).swap, ranked_items(asked)
    within = order[: rules.depth or len(order)]
    before = value_of(asked, order)
    gained = {
        frozenset((a, b)): value_of(asked, swapped(order, a, b)) - before
        for i, a in enumerate(within)
        for b in within[i + 1 :]
        if a in judged or b in judged
    }
    most = max(gained.values(), default=0.0)
    if swap is None:
        assert most <= 1e-12
        return
    assert order[swap.from_rank - 1] == swap.item
    assert order[swap.to_rank - 1] == swap.other
    assert gained[frozenset((swap.item, swap.other))] == pytest.approx(swap.gains, abs=1e-12)
    assert swap.gains == pytest.approx(most, abs=1e-12)


def ranked_items(asked) -> list[str]:
    """The items that were ranked, best first."""
    judged, retrieved, _, rules = asked
    run = [Mention(item, 0, score) for item, score in retrieved.items()]
    if rules.ties == "average":
        # Which of the tied items comes first does not matter; explain() shows the best one first.
        shown = gainful.Rules(ties="best", unjudged=rules.unjudged)
        return [place.item for place in plain_pipeline.ranking(run, judged, shown)]
    return [place.item for place in plain_pipeline.ranking(run, judged, rules)]


def swapped(order: list[str], a: str, b: str) -> list[str]:
    """The same order with two items in each other's place."""
    return [{a: b, b: a}.get(item, item) for item in order]


def value_of(asked, order: list[str]) -> float:
    """The value if the items stood in this order, tied as the run ties its ranks."""
    judged, retrieved, measure, rules = asked
    ranks = ranked_items(asked)
    if rules.ties == "average":
        run = {item: retrieved[rank] for item, rank in zip(order, ranks, strict=True)}
        return gainful.evaluate({"q": judged}, {"q": run}, measure, rules=rules)[measure]
    return gainful.evaluate(
        {"q": judged}, {"q": order}, measure, rules=gainful.Rules(depth=rules.depth)
    )[measure]
