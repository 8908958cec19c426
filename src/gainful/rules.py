"""Rules: the choices, beside the formula, that decide what a number is."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from gainful import rule_settings as s
from gainful.errors import RuleError
from gainful.records import Record
from gainful.settings import Argument, arguments_of, text_of
from gainful.wording import meant

# Rules, maybe with some of their values, that cannot hold with others, and why.
_APART: tuple[tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], str], ...] = (
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


@dataclass(eq=False, repr=False, kw_only=True)
class Rules(Record):
    """How qrels and run are joined, ranked and averaged.

    They travel with every result and are printed with it.

    >>> print(Rules(ties="average", depth=100))
    ties=average order=score missing=zero duplicates=error unjudged=nonrelevant empty=zero \
depth=100 precision=float64
    """

    ties: s.Ties = "item-desc"
    order: s.Order = "score"
    missing: s.Missing = "zero"
    duplicates: s.Duplicates = "error"
    unjudged: s.Unjudged = "nonrelevant"
    empty: s.Empty = "zero"
    depth: s.Depth = None
    precision: s.Precision = "float64"
    collapse: s.Collapse = None
    unjudged_label: s.UnjudgedLabel = None
    padding: s.Padding = None
    own_items: s.OwnItems = None
    label_type: s.LabelType = None
    min_label: s.MinLabel = None
    max_label: s.MaxLabel = None
    min_items: s.MinItems = None
    empty_test: s.EmptyTest = None
    empty_weight: s.EmptyWeight = None
    averaging: s.Averaging = None
    decimals: s.Decimals = None

    def __post_init__(self) -> None:
        for name, argument in rule_arguments().items():
            value = argument.check("rules", getattr(self, name), RuleError, "bad-rule")
            object.__setattr__(self, name, value)
        if self.order == "file" and self.ties == "rank-column":
            message = "rules: ties=rank-column orders equal scores, but order=file has none."
            raise RuleError(message, code="conflicting-rules")
        for one, other, reason in _APART:
            if (first := self.held(one)) and (second := self.held(other)):
                message = f"rules: {first} and {second} cannot hold together: {reason}."
                raise RuleError(message, code="conflicting-rules")

    def held(self, rules: Mapping[str, tuple[str, ...]]) -> str | None:
        """The first of some rules that is set, or is set to one of some values, as text.

        >>> Rules(padding="negative").held({"ties": ("best", "worst"), "padding": ()})
        'padding=negative'
        """
        for name, values in rules.items():
            value = getattr(self, name)
            if value in values if values else value is not None:
                return f"{name}={text_of(value)}"
        return None

    @property
    def kept(self) -> str:
        """Which mention of an item counts, as ``duplicates``; of its parts it is the best."""
        return self.duplicates if self.collapse is None else "max"

    @property
    def keeps_mentions(self) -> bool:
        """Whether an item that is retrieved twice keeps both ranks."""
        return self.kept in ("once", "count")

    @property
    def reads_labels(self) -> bool:
        """Whether a rule refuses or changes labels, or tells padding by them."""
        of_labels = (self.padding, self.label_type, self.min_label, self.max_label)
        return any(rule is not None for rule in of_labels)

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
        named = self.to_dict().items()
        return " ".join(f"{name}={text_of(value)}" for name, value in named if value is not None)


def checked_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Some rules by name, each with its canonical value; an error where there is none of a name.

    >>> checked_rules({"min_label": 0})
    {'min_label': 0.0}
    """
    known = rule_arguments()
    if (unknown := next((name for name in rules if name not in known), None)) is not None:
        way_out = meant(unknown, [*known]) or f" They are {', '.join(known)}."
        message = f"rules: there is no rule {unknown!r}.{way_out}"
        raise RuleError(message, code="unknown-rule")
    return {
        name: known[name].check("rules", value, RuleError, "bad-rule")
        for name, value in rules.items()
    }


@cache
def rule_arguments() -> dict[str, Argument]:
    """The declaration of every rule, by name.

    >>> list(rule_arguments())[:3]
    ['ties', 'order', 'missing']
    """
    return arguments_of(Rules)
