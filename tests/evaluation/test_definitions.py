"""Choices that explain the difference of two dialects: each is needed, together they suffice."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import DIALECTS, Columns, GainfulError, RuleError, Rules, evaluate, reconcile
from gainful.dialects import Dialect
from gainful.evaluation.definitions import define_in_dialect
from gainful.measures import parse_measure

# Many tools refuse some labels, and have much to say about others.
LABELS = [st.sampled_from([0, 0, 1, 2, 3]), st.sampled_from([-2, -1, 0, 1, 3, 0.5, 40])]
SCORES = st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.0, 3.0])
ITEMS = [f"d{i}" for i in range(6)]
QUERIES = ["q1", "q2", "q3", "d1"]
QRELS = st.sampled_from(LABELS).flatmap(
    lambda labels: st.dictionaries(
        st.sampled_from(QUERIES),
        st.dictionaries(st.sampled_from(ITEMS), labels, min_size=1, max_size=5),
        min_size=1,
    )
)
ROWS = st.lists(
    st.tuples(st.sampled_from([*QUERIES, "q9"]), st.sampled_from(ITEMS), SCORES),
    min_size=1,
    max_size=14,
)


@st.composite
def runs(draw):
    """Rows in any order, now and then an item twice."""
    rows = draw(ROWS)
    if draw(st.integers(0, 3)):
        rows = list({row[:2]: row for row in rows}.values())
    query, item, score = map(list, zip(*rows, strict=True))
    return Columns(query=query, item=item, score=score)


def reconcile_or_none(qrels, run, **how):
    """All dialects; None where the reference itself has no value."""
    try:
        return reconcile(qrels, run, **how)
    except GainfulError:
        return None


def mean(qrels, run, definition):
    """What evaluate gives, in which nothing is kept from one value to the next."""
    own = Dialect(name="own", tool="", function="", summary="", rules=definition.rules)
    try:
        return evaluate(qrels, run, definition.measure, dialect=own)[definition.measure]
    except GainfulError:
        return None


def mean_with_choices(qrels, run, ours, choices):
    """The value with some of the choices made; None where they exclude each other."""
    try:
        return mean(qrels, run, ours.apply_choices(choices))
    except RuleError:
        return None


@pytest.mark.parametrize(
    "reference", ["gainful", "lightgbm", "trec_eval@9", "sklearn@1.1", "mlflow"]
)
@given(qrels=QRELS, run=runs(), k=st.sampled_from([1, 3, 10, None]))
@max_examples(15)
def test_the_named_choices_turn_the_value_of_the_reference_into_that_of_a_dialect(
    reference, qrels, run, k
):
    found = reconcile_or_none(qrels, run, k=k, reference=reference)
    if found is None:
        return
    ours = found.attributions[reference].definition
    for one in found.attributions.values():
        if one.refusal:
            assert math.isnan(one.value)
            continue
        assert mean(qrels, run, one.apply_to(ours)) == one.value
        for choice in one.choices:
            fewer = [other for other in one.choices if other != choice]
            assert mean_with_choices(qrels, run, ours, fewer) != one.value


@given(qrels=QRELS, run=runs(), measure=st.sampled_from(["nDCG", "DCG", "nDCG(gain=exp2)@2", "CG"]))
@max_examples(15)
def test_effects_add_up_to_the_difference_and_groups_hold_every_dialect_once(qrels, run, measure):
    found = reconcile_or_none(qrels, run, measure=measure)
    if found is None:
        return
    for one in found.attributions.values():
        if not one.refusal:
            effects = math.fsum(step.effect for step in one.steps)
            assert effects == pytest.approx(one.value - found.value, abs=1e-12)
    members = [name for group in found.groups for name in group.names]
    assert sorted([*members, *found.left_out]) == sorted(DIALECTS)
    valued = [group.value for group in found.groups if not group.refusal]
    assert valued == sorted(valued, reverse=True)
    assert all(group.refusal for group in found.groups[len(valued) :])


@given(qrels=QRELS, run=runs())
@max_examples(15)
def test_values_are_those_of_evaluate(qrels, run):
    found = reconcile_or_none(qrels, run)
    if found is None:
        return
    for name, one in found.attributions.items():
        expected = mean(qrels, run, define_in_dialect(DIALECTS[name], parse_measure("nDCG@10"), {}))
        assert one.value == expected or (one.refusal and (expected is None or math.isnan(expected)))


def test_the_largest_effect_comes_first():
    qrels = {"q1": {"a": 3, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
    found = reconcile(qrels, {"q1": ["b", "a"], "q2": ["c"]}, dialects=["lightgbm"])["lightgbm"]
    effects = [abs(step.effect) for step in found.steps]
    assert effects == sorted(effects, reverse=True)


def test_one_choice_that_does_it_is_preferred_to_two():
    # Without the query that has nothing relevant, and without the one that has no results, the
    # mean is the same: each of the two alone leaves out the only such query.
    qrels, run = {"q1": {"a": 1}, "q2": {"c": 0}}, {"q1": ["a"]}
    rules = Rules(missing="skip", empty="skip")
    both = Dialect(name="both", tool="", function="", summary="", rules=rules)
    found = reconcile(qrels, run, dialects=[both]).attributions["both"]
    assert len(found.choices) == 1
    assert found.value == 1.0


def test_a_choice_that_excludes_another_is_made_with_it():
    rules = Rules(order="rank", ties="rank-column")
    ours = Dialect(name="file", tool="", function="", summary="", rules=Rules(order="file"))
    theirs = replace(ours, name="rank", rules=rules)
    run = Columns(query=["q", "q"], item=["a", "b"], score=[1.0, 1.0], rank=[2, 1])
    found = reconcile({"q": {"b": 1}}, run, reference=ours, dialects=[theirs])
    assert [str(choice) for choice in found.attributions["rank"].choices] == ["order=rank"]
