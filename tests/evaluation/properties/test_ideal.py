"""What the best possible ranking is made of, and how deep it goes: against a plain computation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from evaluation.properties import naive
from evaluation.properties.strategies import (
    IDEAL_DEPTHS,
    IDEALS,
    Mention,
    cutoffs,
    discounts,
    gains,
    queries,
)
from tries import tried


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
@tried(60)
def test_ideal_and_ideal_depth_are_what_they_say(
    ideal, ideal_depth, query, k, discount, gain, measure, empty
):
    judged, retrieved = query
    named = {"gain": gain, "ideal": ideal, "ideal_depth": ideal_depth, "discount": discount}
    if measure.name == "nCG":
        del named["discount"]
    measure, rules = measure(**named, cutoff=k), gainful.Rules(empty=empty)
    run = [Mention(item, 0, score) for item, score in retrieved.items()]
    expected = naive.value(measure, naive.ranking(run, judged, rules), judged, rules)
    found = gainful.evaluate({"q": judged}, {"q": retrieved}, measure, rules=rules)[measure]
    # A share is capped at 1 unless it is of ones: negative gains aside, only rounding lifts it.
    if measure.name != "IDCG" and ideal != "ones":
        expected = min(expected, 1.0) if expected == expected else expected
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), cutoffs)
@tried(50)
def test_from_arrays_the_judged_items_are_those_of_the_list(labels, k):
    assert gainful.ndcg(labels, k=k) == gainful.ndcg(labels, k=k, ideal="list")


@given(queries(), cutoffs)
@tried(50)
def test_an_ideal_of_more_is_never_lower(query, k):
    judged, retrieved = query
    made_of = {
        name: gainful.IDCG(cutoff=k, **options)
        for name, options in {
            "judged": {},
            "list": {"ideal": "list"},
            "all": {"ideal_depth": "all"},
            "retrieved": {"ideal_depth": "retrieved"},
        }.items()
    }
    scores = gainful.evaluate({"q": judged}, {"q": retrieved}, made_of.values())
    best = {name: scores[measure] for name, measure in made_of.items()}
    assert best["list"] <= best["judged"] <= best["all"]
    assert best["retrieved"] <= best["judged"]


@given(queries(), cutoffs)
@tried(50)
def test_the_ideal_does_not_depend_on_the_run(query, k):
    judged, retrieved = query
    measure = gainful.IDCG(cutoff=k)
    values = [
        gainful.evaluate({"q": judged}, {"q": run}, measure)[measure]
        for run in (retrieved, {}, {"unjudged": 1.0})
    ]
    assert len(set(values)) == 1
