"""Choices that explain the difference of two dialects: each is needed, together they suffice."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import DIALECTS, Columns, GainfulError, RuleError, evaluate, reconcile
from gainful.dialects import Dialect, DialectRules
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
    """Draw rows in any order, sometimes with an item twice."""
    rows = draw(ROWS)
    if draw(st.integers(0, 3)):
        rows = list({row[:2]: row for row in rows}.values())
    query, item, score = map(list, zip(*rows, strict=True))
    return Columns(query=query, item=item, score=score)


def reconcile_or_none(qrels, run, **options):
    """Reconcile all dialects; return None where the reference itself has no value."""
    try:
        return reconcile(qrels, run, **options)
    except GainfulError:
        return None


def compute_mean(qrels, run, definition):
    """Compute the mean with evaluate, which caches nothing between values."""
    dialect = Dialect(name="own", tool="", function="", summary="", rules=definition.rules)
    try:
        return evaluate(qrels, run, definition.measure, dialect=dialect)[definition.measure]
    except GainfulError:
        return None


def compute_mean_with_choices(qrels, run, definition, choices):
    """Compute the mean with some of the choices; return None where they exclude each other."""
    try:
        return compute_mean(qrels, run, definition.apply_choices(choices))
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
    result = reconcile_or_none(qrels, run, k=k, reference=reference)
    if result is None:
        return
    definition = result.attributions[reference].definition
    for attribution in result.attributions.values():
        if attribution.refusal:
            assert math.isnan(attribution.value)
            continue
        assert compute_mean(qrels, run, attribution.apply_to(definition)) == attribution.value
        for choice in attribution.choices:
            fewer = [c for c in attribution.choices if c != choice]
            assert compute_mean_with_choices(qrels, run, definition, fewer) != attribution.value


@given(qrels=QRELS, run=runs(), measure=st.sampled_from(["nDCG", "DCG", "nDCG(gain=exp2)@2", "CG"]))
@max_examples(15)
def test_effects_add_up_to_the_difference_and_groups_hold_every_dialect_once(qrels, run, measure):
    result = reconcile_or_none(qrels, run, measure=measure)
    if result is None:
        return
    for attribution in result.attributions.values():
        if not attribution.refusal:
            effects = math.fsum(step.effect for step in attribution.steps)
            assert effects == pytest.approx(attribution.value - result.value, abs=1e-12)
    members = [name for group in result.groups for name in group.names]
    assert sorted([*members, *result.left_out]) == sorted(DIALECTS)
    values = [group.value for group in result.groups if not group.refusal]
    assert values == sorted(values, reverse=True)
    assert all(group.refusal for group in result.groups[len(values) :])


@given(qrels=QRELS, run=runs())
@max_examples(15)
def test_values_are_those_of_evaluate(qrels, run):
    result = reconcile_or_none(qrels, run)
    if result is None:
        return
    for name, attribution in result.attributions.items():
        expected = compute_mean(
            qrels, run, define_in_dialect(DIALECTS[name], parse_measure("nDCG@10"), {})
        )
        assert attribution.value == expected or (
            attribution.refusal and (expected is None or math.isnan(expected))
        )


def test_the_largest_effect_comes_first():
    qrels = {"q1": {"a": 3, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
    attribution = reconcile(qrels, {"q1": ["b", "a"], "q2": ["c"]}, dialects=["lightgbm"])[
        "lightgbm"
    ]
    effects = [abs(step.effect) for step in attribution.steps]
    assert effects == sorted(effects, reverse=True)


def test_one_choice_that_does_it_is_preferred_to_two():
    # Without the query that has nothing relevant, and without the one that has no results, the
    # mean is the same: each of the two alone leaves out the only such query.
    qrels, run = {"q1": {"a": 1}, "q2": {"c": 0}}, {"q1": ["a"]}
    rules = DialectRules(missing="skip", empty="skip")
    dialect = Dialect(name="both", tool="", function="", summary="", rules=rules)
    attribution = reconcile(qrels, run, dialects=[dialect]).attributions["both"]
    assert len(attribution.choices) == 1
    assert attribution.value == 1.0


def test_a_choice_that_excludes_another_is_made_with_it():
    rules = DialectRules(order="rank", ties="rank-column")
    file_dialect = Dialect(
        name="file", tool="", function="", summary="", rules=DialectRules(order="file")
    )
    rank_dialect = replace(file_dialect, name="rank", rules=rules)
    run = Columns(query=["q", "q"], item=["a", "b"], score=[1.0, 1.0], rank=[2, 1])
    result = reconcile({"q": {"b": 1}}, run, reference=file_dialect, dialects=[rank_dialect])
    assert [str(choice) for choice in result.attributions["rank"].choices] == ["order=rank"]
