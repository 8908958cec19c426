"""Rules: the choices, beside the formula, that decide what a number is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, Self

from gainful.base import (
    Argument,
    Setting,
    cached_property,
    collect_arguments,
    format_setting,
)
from gainful.errors import AlignError, RuleError
from gainful.sources import CollapsePattern, Duplicates

Ties = Annotated[
    str,
    Setting(
        "what orders items of equal score",
        choices={
            "auto": "item-desc where items have ids, average where they have none",
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
            "auto": "ties by item id, descending, or averaged without ids",
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
        "how to score judged queries that the run lacks",
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
        "how retrieved items without a judgment count",
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
        "value of a query with nothing relevant, if a measure has none",
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


# By the name of the rule: the values in question; empty for any value.
Named = Mapping[str, tuple[str, ...]]

# Rules that exclude each other, and why.
_CONFLICTS: tuple[tuple[Named, str], ...] = (
    (
        {"ties": ("rank-column",), "order": ("file",)},
        "the order of the file has no equal scores",
    ),
    (
        {"unjudged": ("undefined",), "ties": ("average", "middle")},
        "without an order it is not known what stands above a cutoff",
    ),
    (
        {"duplicates": ("once",), "unjudged": ("undefined",)},
        "a later mention of an item is a rank without a judged item, as an unjudged item is",
    ),
    (
        {"duplicates": ("once",), "ties": ("average",)},
        "without an order it is not known which mention is the first",
    ),
    (
        {"duplicates": ("once", "count"), "collapse": ()},
        "of the parts of an item only the best one has a rank",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Rules by which qrels and run are joined, ranked and averaged.

    They travel with every result and are printed with it.

    >>> print(Rules(ties="average", depth=100))
    ties=average order=score missing=zero duplicates=error unjudged=nonrelevant empty=zero \
depth=100 precision=float64
    """

    ties: Ties = "auto"
    order: Order = "score"
    missing: Missing = "zero"
    duplicates: Duplicates = "error"
    unjudged: Unjudged = "nonrelevant"
    empty: Empty = "zero"
    depth: Depth = None
    collapse: CollapsePattern = None
    precision: Precision = "float64"
    # Neutral here: only dialects set these, see dialects.DialectRules.
    unjudged_label: float | None = field(default=None, init=False, repr=False)
    padding: str | None = field(default=None, init=False, repr=False)
    own_items: str | None = field(default=None, init=False, repr=False)
    label_type: str | None = field(default=None, init=False, repr=False)
    min_label: float | None = field(default=None, init=False, repr=False)
    max_label: float | None = field(default=None, init=False, repr=False)
    min_items: int | None = field(default=None, init=False, repr=False)
    empty_test: str | None = field(default=None, init=False, repr=False)
    empty_weight: str | None = field(default=None, init=False, repr=False)
    decimals: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, argument in list_rule_arguments(type(self)).items():
            value = argument.check("rules", getattr(self, name), RuleError, "bad-rule")
            object.__setattr__(self, name, value)
        for conflict, reason in _CONFLICTS:
            found = [self.find_set_rule({name: values}) for name, values in conflict.items()]
            if all(found):
                message = f"rules: {' and '.join(map(str, found))} cannot hold together: {reason}."
                raise RuleError(message, code="conflicting-rules")

    def find_set_rule(self, rules: "Named") -> str | None:
        """Return the first of some rules that is set, or is set to one of some values, as text.

        >>> Rules(ties="best").find_set_rule({"collapse": (), "ties": ("best", "worst")})
        'ties=best'
        """
        for name, values in rules.items():
            value = getattr(self, name)
            if value in values if values else value is not None:
                return f"{name}={format_setting(value)}"
        return None

    def resolve_ties(self, *, has_ids: bool) -> Self:
        """Return the rules with what ``ties=auto`` means where items have ids, or have none.

        >>> Rules().resolve_ties(has_ids=False).ties
        'average'
        """
        if self.ties != "auto":
            return self
        return replace(self, ties=choose_default_ties(has_ids=has_ids))

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

    def to_dict(self) -> dict[str, Any]:
        """All rules by name.

        >>> Rules().to_dict()["missing"]
        'zero'
        """
        return {name: getattr(self, name) for name in list_rule_arguments(type(self))}

    def __str__(self) -> str:
        values = self.to_dict().items()
        return " ".join(
            f"{name}={format_setting(value)}" for name, value in values if value is not None
        )


def choose_default_ties(*, has_ids: bool) -> str:
    """Return what ``ties=auto`` means where items have ids, or have none."""
    return "item-desc" if has_ids else "average"


_collect_arguments = cache(collect_arguments)


def list_rule_arguments(rules_type: Callable[..., Rules] = Rules) -> dict[str, Argument]:
    """Return the declaration of every rule, by name.

    >>> list(list_rule_arguments())[:3]
    ['ties', 'order', 'missing']
    """
    return _collect_arguments(rules_type)


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
