"""Rules: accepted values, text form, and refused combinations."""

import pytest

from gainful import RuleError, Rules
from gainful.alignment.rules import list_rule_arguments


def test_every_rule_rejects_a_wrong_value_with_the_values_it_takes():
    for name, argument in list_rule_arguments().items():
        with pytest.raises(RuleError) as error:
            Rules(**{name: "no such value"})
        assert (
            str(error.value) == f"rules: {name} must be {argument.expected}, got 'no such value'."
        )


def test_rules_print_all_that_is_set():
    assert str(Rules()) == (
        "ties=item-desc order=score missing=zero duplicates=error unjudged=nonrelevant empty=zero "
        "precision=float64"
    )
    assert "depth=7" in str(Rules(depth=7))


def test_ties_by_rank_column_need_an_order_that_has_ties():
    with pytest.raises(RuleError) as error:
        Rules(order="file", ties="rank-column")
    assert str(error.value) == (
        "rules: ties=rank-column orders equal scores, but order=file has none."
    )


def test_native_and_declared_names_are_the_same():
    from gainful.base import _native

    for name, enum in (
        ("ties", _native.Ties),
        ("order", _native.Order),
        ("duplicates", _native.Duplicates),
    ):
        declared = [v.replace("-", "_") for v in list_rule_arguments()[name].setting.choices]
        assert declared == [member.name for member in enum]


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (
            {"unjudged_label": 1, "unjudged": "condense"},
            "rules: unjudged_label=1 and unjudged=condense cannot hold together: either leaves no "
            "unjudged item in the ranking to have a label.",
        ),
        (
            {"unjudged_label": 0.5, "ties": "middle"},
            "rules: unjudged_label=0.5 and ties=middle cannot hold together: unjudged items have a "
            "place among tied ones, but only judged ones were put in order.",
        ),
        (
            {"unjudged": "undefined", "ties": "average"},
            "rules: unjudged=undefined and ties=average cannot hold together: without an order it "
            "is not known what stands above a cutoff.",
        ),
        (
            {"duplicates": "once", "unjudged": "undefined"},
            "rules: duplicates=once and unjudged=undefined cannot hold together: a later mention "
            "of an item is a rank without a judged item, as an unjudged item is.",
        ),
        (
            {"duplicates": "once", "ties": "average"},
            "rules: duplicates=once and ties=average cannot hold together: without an order it is "
            "not known which mention is the first.",
        ),
        (
            {"duplicates": "count", "collapse": "(.*)-.*"},
            "rules: duplicates=count and collapse=(.*)-.* cannot hold together: of the parts of "
            "an item only the best one has a rank.",
        ),
        (
            {"padding": "negative", "depth": 3},
            "rules: padding=negative and depth=3 cannot hold together: the depth would count the "
            "padding.",
        ),
    ],
)
def test_rules_that_cannot_hold_together_are_refused(rules, sentence):
    with pytest.raises(RuleError) as error:
        Rules(**rules)
    assert str(error.value) == sentence
