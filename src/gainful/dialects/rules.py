"""DialectRules: the public rules, and those that only other tools have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from gainful.alignment import Rules, Ties, list_rule_arguments
from gainful.base import Setting, suggest_name
from gainful.errors import RuleError

UnjudgedLabel = Annotated[
    float | None,
    Setting(
        "label that unjudged items have in the ranking, and not in the best possible one",
        phrases={"none": "unjudged items without a label", "...": "unjudged items have label {}"},
    ),
]
Padding = Annotated[
    str | None,
    Setting(
        "which items are padding: they are taken out of ranking and judgments",
        choices={"negative": "those with a label below 0", "minus-one": "those with the label -1"},
        phrases={
            "none": "no label is padding",
            "negative": "items with negative labels taken out",
            "minus-one": "items with label -1 taken out",
        },
    ),
]
OwnItems = Annotated[
    str | None,
    Setting(
        "how to treat a retrieved item whose id is that of its query",
        choices={"drop": "it is taken out of the ranking"},
        phrases={
            "none": "items with the id of their query kept",
            "drop": "items with the id of their query taken out",
        },
    ),
]
LabelType = Annotated[
    str | None,
    Setting(
        "what a label may be",
        choices={
            "whole": "a whole number; others are an error",
            "truncated": "a whole number; of others the fraction is cut off",
            "float32": "a number in single precision; others are rounded",
        },
        phrases={
            "none": "labels of any kind",
            "whole": "fractional labels refused",
            "truncated": "labels cut to whole numbers",
            "float32": "labels in single precision",
        },
    ),
]
MinLabel = Annotated[
    float | None,
    Setting(
        "count labels below X as 0",
        phrases={"none": "low labels kept", "...": "labels below {} count as 0"},
    ),
]
MaxLabel = Annotated[
    float | None,
    Setting(
        "refuse labels above X",
        phrases={"none": "labels of any height", "...": "labels above {} refused"},
    ),
]
MinItems = Annotated[
    int | None,
    Setting(
        "refuse rankings of fewer than N items",
        at_least=1,
        phrases={
            "none": "rankings of any length",
            "...": "rankings of fewer than {} items refused",
        },
    ),
]
EmptyTest = Annotated[
    str | None,
    Setting(
        "which queries have nothing relevant (if not set: whose best ranking gains 0)",
        choices={
            "no-gain": "those whose best ranking gains 0 or less",
            "no-label": "those without a label above 0",
            "zero-sum": "those whose labels add up to 0",
        },
        phrases={
            "none": "nothing relevant where the ideal gains 0",
            "no-gain": "nothing relevant where the ideal gains 0 or less",
            "no-label": "nothing relevant where no label is above 0",
            "zero-sum": "nothing relevant where labels add up to 0",
        },
    ),
]
EmptyWeight = Annotated[
    str | None,
    Setting(
        "what a query with nothing relevant adds to a weighted mean (if not set: by its weight)",
        choices={"one": "its value once, while its weight counts in the divisor"},
        phrases={"none": "empty queries weighted as others", "one": "empty queries not weighted"},
    ),
]
Decimals = Annotated[
    int | None,
    Setting(
        "round values and means, each for itself, to N decimals",
        at_least=0,
        at_most=15,
        phrases={"none": "not rounded", "...": "rounded to {} decimals"},
    ),
]


@dataclass(frozen=True, kw_only=True)
class DialectRules(Rules):
    """The rules of a dialect.

    >>> print(DialectRules(ties="input", padding="negative"))
    ties=input order=score missing=zero duplicates=error unjudged=nonrelevant empty=zero \
precision=float64 padding=negative
    """

    ties: Ties = "item-desc"
    unjudged_label: UnjudgedLabel = None
    padding: Padding = None
    own_items: OwnItems = None
    label_type: LabelType = None
    min_label: MinLabel = None
    max_label: MaxLabel = None
    min_items: MinItems = None
    empty_test: EmptyTest = None
    empty_weight: EmptyWeight = None
    decimals: Decimals = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.padding is not None and self.depth is not None:
            message = (
                f"rules: padding={self.padding} and depth={self.depth} cannot hold together: "
                "the depth would count the padding."
            )
            raise RuleError(message, code="conflicting-rules")


def check_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return some rules by name with canonical values; raise an error for an unknown rule.

    >>> check_rules({"min_label": 0})
    {'min_label': 0.0}
    """
    arguments = list_rule_arguments(DialectRules)
    if (unknown := next((name for name in rules if name not in arguments), None)) is not None:
        way_out = suggest_name(unknown, [*arguments]) or f" They are {', '.join(arguments)}."
        message = f"rules: there is no rule {unknown!r}.{way_out}"
        raise RuleError(message, code="unknown-rule")
    return {
        name: arguments[name].check("rules", value, RuleError, "bad-rule")
        for name, value in rules.items()
    }
