"""Rules: what they take, how they print, what they refuse."""

import pytest

from gainful import RuleError, Rules
from gainful.rules import rule_arguments


def test_every_rule_rejects_a_wrong_value_with_the_values_it_takes():
    for name, argument in rule_arguments().items():
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
    from gainful import _native

    for name, enum in (
        ("ties", _native.Ties),
        ("order", _native.Order),
        ("duplicates", _native.Duplicates),
    ):
        declared = [v.replace("-", "_") for v in rule_arguments()[name].setting.choices]
        assert declared == [member.name for member in enum]
