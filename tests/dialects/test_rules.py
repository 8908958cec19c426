"""DialectRules: rules that only dialects set, and what they exclude."""

import pytest

from gainful.alignment import list_rule_arguments
from gainful.dialects import DialectRules, find_dialect
from gainful.errors import RuleError


def test_every_rule_rejects_a_wrong_value_with_the_values_it_takes():
    for name, argument in list_rule_arguments(DialectRules).items():
        with pytest.raises(RuleError) as error:
            DialectRules(**{name: "no such value"})
        assert error.value.code == "bad-rule"
        assert argument.expected in str(error.value)


def test_depth_would_count_padding():
    with pytest.raises(RuleError) as error:
        find_dialect("tensorflow-ranking").with_rules(depth=3)
    assert str(error.value) == (
        "rules: padding=negative and depth=3 cannot hold together: the depth would count the "
        "padding."
    )


def test_all_rules_are_printed_and_written():
    rules = DialectRules(min_label=1)
    assert str(rules).endswith(" min_label=1")
    assert rules.to_dict()["decimals"] is None
