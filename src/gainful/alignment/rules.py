"""Rules: the choices, beside the formula, that decide what a number is."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any

from gainful.base import (
    Argument,
    Setting,
    cached_property,
    collect_arguments,
    format_setting,
    suggest_name,
)
from gainful.errors import AlignError, RuleError
from gainful.sources import CollapsePattern, Duplicates

Ties = Annotated[
    str,
    Setting(
        "what orders items of equal score",
        choices={
            "item-desc": "item ids in descending byte order, as trec_eval does",
            "item-asc": "item ids in ascending byte order",
            "input": "the order in which the run lists them",
            "input-reversed": "the order in which the run lists them, backwards",
            "rank-column": "the rank column of the run, ascending",
            "average": "no order: the expected value over all orders, exactly",
            "best": "the highest label first: the highest DCG if gains rise with labels",
            "worst": "the lowest label first: the lowest DCG if gains rise with labels",
            "middle": "no order: all stand on the middle rank of their block, rounded down",
        },
        phrases={
            "item-desc": "ties by item id, descending",
            "item-asc": "ties by item id, ascending",
            "input": "ties as the run lists them",
            "input-reversed": "ties as the run lists them, backwards",
            "rank-column": "ties by the rank column",
            "average": "ties averaged",
            "best": "ties with the highest label first",
            "worst": "ties with the lowest label first",
            "middle": "ties share their middle rank",
        },
    ),
]
Order = Annotated[
    str,
    Setting(
        "what orders a run",
        choices={
            "score": "the score column, descending",
            "rank": "the rank column, ascending",
            "file": "the order in which the run lists the items",
        },
        phrases={
            "score": "ordered by score",
            "rank": "ordered by the rank column",
            "file": "ordered as the run lists items",
        },
    ),
]
Missing = Annotated[
    str,
    Setting(
        "how to score a judged query that is missing from the run",
        choices={
            "zero": "it is scored as an empty ranking",
            "skip": "it is left out, and counted in a notice",
            "error": "it is an error",
        },
        phrases={
            "zero": "queries without results count",
            "skip": "queries without results left out",
            "error": "queries without results refused",
        },
    ),
]
Unjudged = Annotated[
    str,
    Setting(
        "how to treat retrieved items without a judgment",
        choices={
            "nonrelevant": "they keep their rank and gain nothing",
            "condense": "they are taken out of the ranking before it is cut and scored",
            "undefined": "a query that has one above the cutoff has no value",
        },
        phrases={
            "nonrelevant": "unjudged items gain nothing",
            "condense": "unjudged items taken out",
            "undefined": "no value for a query with unjudged items",
        },
    ),
]
Empty = Annotated[
    str,
    Setting(
        "the value of a query with nothing relevant, where a measure divides by zero",
        choices={
            "zero": "0",
            "one": "1",
            "one-if-missing": "1 if the run returned nothing for it either, else 0",
            "nan": "NaN, which means leave out and count in a notice",
            "skip": "the query is left out, and counted in a notice",
            "error": "it is an error",
        },
        phrases={
            "zero": "a query with nothing relevant scores 0",
            "one": "a query with nothing relevant scores 1",
            "one-if-missing": "a query with nothing relevant and no results scores 1",
            "nan": "a query with nothing relevant has no value",
            "skip": "a query with nothing relevant left out",
            "error": "a query with nothing relevant refused",
        },
    ),
]
Depth = Annotated[
    int | None,
    Setting(
        "keep only the first N items of every ranking",
        at_least=1,
        phrases={"none": "rankings of any depth", "...": "only the first {} items of a ranking"},
    ),
]
Precision = Annotated[
    str,
    Setting(
        "how scores are compared",
        choices={
            "float64": "in double precision",
            "float32": "in single precision, as trec_eval 9 does: closer scores are tied",
        },
        phrases={"float64": "scores in double precision", "float32": "scores in single precision"},
    ),
]


UnjudgedLabel = Annotated[
    float | None,
    Setting(
        "label that unjudged items have in the ranking, and not in the best possible one",
        phrases={"none": "unjudged items without a label", "...": "unjudged items have label {}"},
        rare=True,
    ),
]
Padding = Annotated[
    str | None,
    Setting(
        "which items are padding: they are taken out of ranking and judgments",
        choices={
            "negative": "those with a label below 0",
            "minus-one": "those with the label -1",
        },
        phrases={
            "none": "no label is padding",
            "negative": "items with negative labels taken out",
            "minus-one": "items with label -1 taken out",
        },
        rare=True,
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
        rare=True,
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
        rare=True,
    ),
]
MinLabel = Annotated[
    float | None,
    Setting(
        "count labels below X as 0",
        phrases={"none": "low labels kept", "...": "labels below {} count as 0"},
        rare=True,
    ),
]
MaxLabel = Annotated[
    float | None,
    Setting(
        "refuse labels above X",
        phrases={"none": "labels of any height", "...": "labels above {} refused"},
        rare=True,
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
        rare=True,
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
        rare=True,
    ),
]
EmptyWeight = Annotated[
    str | None,
    Setting(
        "what a query with nothing relevant adds to a weighted mean (if not set: by its weight)",
        choices={"one": "its value once, while its weight counts in the divisor"},
        phrases={"none": "empty queries weighted as others", "one": "empty queries not weighted"},
        rare=True,
    ),
]
Decimals = Annotated[
    int | None,
    Setting(
        "round values and means, each for itself, to N decimals",
        at_least=0,
        at_most=15,
        phrases={"none": "not rounded", "...": "rounded to {} decimals"},
        rare=True,
    ),
]


# Rules, maybe with some of their values, that exclude others, and why.
_EXCLUSIVE: tuple[tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], str], ...] = (
    (
        {"unjudged_label": ()},
        {"unjudged": ("condense", "undefined")},
        "either leaves no unjudged item in the ranking to have a label",
    ),
    (
        {"unjudged_label": ()},
        {"ties": ("best", "worst", "middle")},
        "unjudged items have a place among tied ones, but only judged ones were put in order",
    ),
    (
        {"unjudged": ("undefined",)},
        {"ties": ("average", "middle")},
        "without an order it is not known what stands above a cutoff",
    ),
    (
        {"duplicates": ("once",)},
        {"unjudged_label": (), "unjudged": ("undefined",)},
        "a later mention of an item is a rank without a judged item, as an unjudged item is",
    ),
    (
        {"duplicates": ("once",)},
        {"ties": ("average",)},
        "without an order it is not known which mention is the first",
    ),
    (
        {"duplicates": ("once", "count")},
        {"collapse": ()},
        "of the parts of an item only the best one has a rank",
    ),
    ({"padding": ()}, {"depth": ()}, "the depth would count the padding"),
)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Rules by which qrels and run are joined, ranked and averaged.

    They travel with every result and are printed with it.

    >>> print(Rules(ties="average", depth=100))
    ties=average order=score missing=zero duplicates=error unjudged=nonrelevant empty=zero \
depth=100 precision=float64
    """

    ties: Ties = "item-desc"
    order: Order = "score"
    missing: Missing = "zero"
    duplicates: Duplicates = "error"
    unjudged: Unjudged = "nonrelevant"
    empty: Empty = "zero"
    depth: Depth = None
    precision: Precision = "float64"
    collapse: CollapsePattern = None
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
        for name, argument in list_rule_arguments().items():
            value = argument.check("rules", getattr(self, name), RuleError, "bad-rule")
            object.__setattr__(self, name, value)
        if self.order == "file" and self.ties == "rank-column":
            message = "rules: ties=rank-column orders equal scores, but order=file has none."
            raise RuleError(message, code="conflicting-rules")
        for left_rules, right_rules, reason in _EXCLUSIVE:
            if (first := self.find_set_rule(left_rules)) and (
                second := self.find_set_rule(right_rules)
            ):
                message = f"rules: {first} and {second} cannot hold together: {reason}."
                raise RuleError(message, code="conflicting-rules")

    def find_set_rule(self, rules: Mapping[str, tuple[str, ...]]) -> str | None:
        """Return the first of some rules that is set, or is set to one of some values, as text.

        >>> Rules(padding="negative").find_set_rule({"ties": ("best", "worst"), "padding": ()})
        'padding=negative'
        """
        for name, values in rules.items():
            value = getattr(self, name)
            if value in values if values else value is not None:
                return f"{name}={format_setting(value)}"
        return None

    @property
    def duplicate_rule(self) -> str:
        """The mention of an item that counts, as in ``duplicates``; of parts it is the best."""
        return self.duplicates if self.collapse is None else "max"

    @property
    def keeps_mentions(self) -> bool:
        """True if an item that is retrieved twice keeps both ranks."""
        return self.duplicate_rule in ("once", "count")

    @cached_property
    def reads_labels(self) -> bool:
        """True if a rule refuses or changes labels, or detects padding by them."""
        of_labels = (self.padding, self.label_type, self.min_label, self.max_label)
        return of_labels != (None, None, None, None)

    @property
    def reading_ranks(self) -> str | None:
        """The rule that reads the rank column, if one does."""
        if self.order == "rank":
            return "order=rank"
        return "ties=rank-column" if self.ties == "rank-column" else None

    def to_dict(self) -> dict[str, str | float | None]:
        """All rules by name.

        >>> Rules().to_dict()["ties"]
        'item-desc'
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        values = self.to_dict().items()
        return " ".join(
            f"{name}={format_setting(value)}" for name, value in values if value is not None
        )


def check_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return some rules by name with canonical values; raise an error for an unknown rule.

    >>> check_rules({"min_label": 0})
    {'min_label': 0.0}
    """
    arguments = list_rule_arguments()
    if (unknown := next((name for name in rules if name not in arguments), None)) is not None:
        way_out = suggest_name(unknown, [*arguments]) or f" They are {', '.join(arguments)}."
        message = f"rules: there is no rule {unknown!r}.{way_out}"
        raise RuleError(message, code="unknown-rule")
    return {
        name: arguments[name].check("rules", value, RuleError, "bad-rule")
        for name, value in rules.items()
    }


@cache
def list_rule_arguments() -> dict[str, Argument]:
    """Return the declaration of every rule, by name.

    >>> list(list_rule_arguments())[:3]
    ['ties', 'order', 'missing']
    """
    return collect_arguments(Rules)


# By the name of the rule: the values in question; empty for any value.
Named = Mapping[str, tuple[str, ...]]

# Rules that take items out of rankings by their label, or give a rank to several or a label to
# unjudged ones: code that reads the items that the native core keeps ignores these rules.
RANK_SHIFTING_RULES: Named = {"padding": (), "unjudged_label": (), "ties": ("middle",)}
# Rules that go by the one label that an item has.
SINGLE_LABEL_RULES: Named = {
    **RANK_SHIFTING_RULES,
    "label_type": (),
    "min_label": (),
    "max_label": (),
    "empty_test": (),
    "unjudged": ("undefined",),
    "duplicates": ("once", "count"),
}


def refuse_rules(rules: Rules, ignored: Named, reason: str) -> None:
    """Refuse rules that would be ignored: those that are set, or set to one of some values."""
    if refused := rules.find_set_rule(ignored):
        message = f"{refused} {reason}. Pass rules without it."
        raise AlignError(message, code="refused-rule")
