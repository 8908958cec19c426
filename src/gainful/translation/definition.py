"""Definition: all that a value depends on beside the data, and the choices it is made of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gainful.dialects import Dialect
from gainful.measures import Measure
from gainful.records import Record
from gainful.rules import Rules, rule_arguments
from gainful.settings import text_of


@dataclass(eq=False, repr=False)
class Choice(Record):
    """One setting or rule that two definitions have another value for.

    Attributes:
        kind: ``setting`` of the measure, or ``rule``.
        name: What it is called: ``gain``, ``empty``.
        before: Its value in the one definition.
        after: Its value in the other.
        meaning: What the other amounts to, in a few words.
    """

    kind: str
    name: str
    before: Any
    after: Any
    meaning: str

    def __str__(self) -> str:
        return f"{self.name}={_text(self.after)}"

    def to_dict(self) -> dict[str, Any]:
        """All of it, values as users write them; None for what is not set."""
        ends = {"from": _plain(self.before), "to": _plain(self.after)}
        return {"name": self.name, "kind": self.kind, **ends, "meaning": self.meaning}


@dataclass(eq=False, repr=False)
class Definition(Record):
    """A measure with all its settings, and the rules that it is worked out by.

    >>> from gainful.measures import nDCG
    >>> ours = Definition(nDCG @ 5, Rules())
    >>> theirs = Definition(nDCG(gain="exp2") @ 5, Rules(missing="skip"))
    >>> [str(choice) for choice in ours.choices(theirs)]
    ['gain=exp2', 'missing=skip']
    >>> ours.applied(ours.choices(theirs)) == theirs
    True
    """

    measure: Measure
    rules: Rules

    def choices(self, other: "Definition") -> tuple[Choice, ...]:
        """What makes another definition of the same measure of this one."""
        mine, theirs = self.measure.all_settings, other.measure.all_settings
        settings = (
            Choice("setting", name, mine[name], theirs[name], argument.phrase(theirs[name]))
            for name, argument in self.measure.arguments.items()
            if name in mine and mine[name] != theirs[name]
        )
        ours, rules = self.rules.to_dict(), other.rules.to_dict()
        ruled = (
            Choice("rule", name, ours[name], rules[name], argument.phrase(rules[name]))
            for name, argument in rule_arguments().items()
            if ours[name] != rules[name]
        )
        return (*settings, *ruled)

    def applied(self, choices: Iterable[Choice]) -> "Definition":
        """The definition that some choices make of it; an error where they exclude each other."""
        chosen = tuple(choices)
        settings = {choice.name: choice.after for choice in chosen if choice.kind == "setting"}
        rules = {choice.name: choice.after for choice in chosen if choice.kind == "rule"}
        return Definition(self.measure(**settings), replace(self.rules, **rules))


def in_dialect(dialect: Dialect, measure: Measure, rules: Mapping[str, Any]) -> Definition:
    """What a dialect means by a measure; rules that are set win over its own."""
    return Definition(dialect.settled(measure), replace(dialect.rules, **rules))


def _text(value: Any) -> str:
    return "none" if value is None else text_of(value)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
