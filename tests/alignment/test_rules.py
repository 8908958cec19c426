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
    assert str(Rules(ties="item-desc")) == (
        "ties=item-desc order=score missing=zero duplicates=error unjudged=nonrelevant empty=zero "
        "precision=float64"
    )
    assert "depth=7" in str(Rules(depth=7))


def test_rules_of_dialects_are_no_arguments():
    with pytest.raises(TypeError):
        Rules(padding="negative")
    assert Rules().padding is None
    assert "padding" not in Rules().to_dict()


def test_native_and_declared_names_are_the_same():
    from gainful.base import _native

    for name, enum in (
        ("ties", _native.Ties),
        ("order", _native.Order),
        ("duplicates", _native.Duplicates),
    ):
        choices = list_rule_arguments()[name].setting.choices
        declared = [choice.replace("-", "_") for choice in choices if choice != "auto"]
        assert declared == [member.name for member in enum]


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (
            {"order": "file", "ties": "rank-column"},
            "rules: ties=rank-column and order=file cannot hold together: the order of the file "
            "has no equal scores.",
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
    ],
)
def test_rules_that_cannot_hold_together_are_refused(rules, sentence):
    with pytest.raises(RuleError) as error:
        Rules(**rules)
    assert str(error.value) == sentence
