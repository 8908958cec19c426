"""Rosetta: the values of all dialects, in groups of equal value, and what sets them apart."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gainful.dialects import Dialect, find_dialect
from gainful.errors import RuleError
from gainful.notices import Notice
from gainful.plain import plain, to_json
from gainful.records import Frozen
from gainful.translation.attributing import Step
from gainful.translation.definition import Choice, Definition

TOLERANCE = 5e-7


@dataclass(eq=False, repr=False)
class Attribution(Frozen):
    """What a dialect makes of the data, and which choices set it apart from the reference.

    Attributes:
        dialect: The dialect.
        definition: What it means by the measure.
        value: The mean over queries; NaN where it has none.
        steps: What turns the value of the reference into this one, to the last bit: the choices
            that matter on these data, none that could be left out. Empty where it has no value.
        refusal: Why it has no value, in a sentence; empty if it has one.
    """

    dialect: Dialect
    definition: Definition
    value: float
    steps: tuple[Step, ...] = ()
    refusal: str = ""

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All choices of its steps."""
        return tuple(choice for step in self.steps for choice in step.choices)

    def applied(self, reference: Definition) -> Definition:
        """The reference with the choices made: a definition that gives this value exactly."""
        return reference.applied(self.choices)

    def to_dict(self) -> dict[str, Any]:
        """All of it, as plain values; a dialect without a value has None."""
        return {
            "dialect": self.dialect.name,
            "tool": self.dialect.tool,
            "function": self.dialect.function,
            "value": plain(self.value),
            "measure": str(self.definition.measure),
            "rules": self.definition.rules.to_dict(),
            "steps": [step.to_dict() for step in self.steps],
            "refusal": self.refusal or None,
        }


@dataclass(eq=False, repr=False)
class Group(Frozen):
    """Dialects of equal value, or with the same reason to have none.

    Attributes:
        members: What each of them makes of the data.
        value: The value of the one that the fewest choices explain; NaN where they have none.
        difference: That value less the value of the reference; NaN where they have none.
        has_reference: Whether the reference is one of them.
    """

    members: tuple[Attribution, ...]
    value: float
    difference: float
    has_reference: bool

    @property
    def simplest(self) -> Attribution:
        """The member that the fewest choices set apart from the reference."""
        return min(self.members, key=_simplicity)

    @property
    def steps(self) -> tuple[Step, ...]:
        """What sets it apart from the reference: the steps of its simplest member."""
        return self.simplest.steps

    @property
    def refusal(self) -> str:
        """Why they have no value; empty if they have one."""
        return self.members[0].refusal

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its dialects."""
        return tuple(member.dialect.name for member in self.members)

    def to_dict(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {
            "value": plain(self.value),
            "difference": plain(self.difference),
            "dialects": list(self.names),
            "simplest": self.simplest.dialect.name,
            "steps": [step.to_dict() for step in self.steps],
            "refusal": self.refusal or None,
        }


def _simplicity(member: Attribution) -> tuple[int, int]:
    """How much there is to say: what can be seen first, then the last bits."""
    seen = [step for step in member.steps if not is_last_bits(step, member.value)]
    return sum(len(step.choices) for step in seen), len(member.choices)


def is_last_bits(step: Step, value: float) -> bool:
    """Whether what a step changes is too little to set groups apart."""
    return abs(step.effect) <= tolerance(value)


def tolerance(value: float) -> float:
    """How far values of a group may lie apart: as far as single precision and rounding put them.

    >>> tolerance(0.5), tolerance(2.0)
    (5e-07, 1e-06)
    """
    return TOLERANCE * max(1.0, abs(value))


@dataclass(eq=False, repr=False)
class Rosetta(Frozen):
    """What every dialect makes of one run, and why they disagree.

    Attributes:
        run: The name of the run.
        measure: The measure, as it was asked for.
        rules: The rules that were set, and hold in every dialect.
        reference: The dialect that the others are compared with.
        attributions: What each dialect makes of the data, by its name.
        groups: The dialects in groups of equal value, the highest first; then those without one.
        older: Older versions of tools, whose values are not those of the newest; tables have them
            in a note, unless all versions were asked for.
        n_queries: How many queries the reference averages over.
        left_out: The dialects of tools that do not report the measure.
        notices: What a reader of the value of the reference should know.

    >>> import gainful
    >>> found = gainful.rosetta({"q1": {"a": 3, "b": 1}}, {"q1": ["b", "a"]}, dialects=["lightgbm"])
    >>> print(found)
    <Rosetta of 'run': nDCG@10 in 2 dialects, 1 query>
    0.796708  +0.000000  gainful: the reference
    0.709810  -0.086898  lightgbm: exponential gain (-0.0869)
    """

    run: str
    measure: str
    rules: Mapping[str, Any]
    reference: Dialect
    attributions: Mapping[str, Attribution]
    groups: tuple[Group, ...]
    older: tuple[str, ...]
    n_queries: int
    left_out: tuple[str, ...]
    notices: tuple[Notice, ...]

    def __getitem__(self, dialect: str) -> Attribution:
        """What a dialect makes of the data.

        >>> import gainful
        >>> found = gainful.rosetta({"q1": {"a": 1}}, {"q1": ["a"]}, dialects=["lightgbm"])
        >>> found["lightgbm"].value
        1.0
        """
        name = dialect if dialect in self.attributions else find_dialect(dialect).name
        if name not in self.attributions:
            message = f"dialect {name} was not asked for; there are {', '.join(self.attributions)}."
            raise RuleError(message, code="not-in-result")
        return self.attributions[name]

    __iter__ = None  # its items are dialects by name, not by number

    @property
    def values(self) -> dict[str, float]:
        """The value of every dialect by its name; NaN where it has none."""
        return {name: found.value for name, found in self.attributions.items()}

    @property
    def value(self) -> float:
        """The value of the reference."""
        return self.attributions[self.reference.name].value

    @property
    def refused(self) -> tuple[Attribution, ...]:
        """The dialects that have no value."""
        return tuple(a for a in self.attributions.values() if math.isnan(a.value))

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values; a dialect without a value has None."""
        place = {name: i for i, group in enumerate(self.groups, 1) for name in group.names}
        return {
            "run": self.run,
            "measure": self.measure,
            "rules": dict(self.rules),
            "n_queries": self.n_queries,
            "reference": self.attributions[self.reference.name].to_dict(),
            "tolerance": TOLERANCE,
            "groups": [group.to_dict() for group in self.groups],
            "dialects": [
                {**found.to_dict(), "group": place[name]}
                for name, found in self.attributions.items()
            ],
            "left_out": list(self.left_out),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Everything there is, as JSON; floats at full precision."""
        return to_json(self.to_dict(), indent=indent)

    def to_markdown(self) -> str:
        """The groups as a Markdown table, followed by what is to be said of them."""
        from gainful.translation import text

        return text.markdown(self)

    def __repr__(self) -> str:
        from gainful.translation import text

        return text.shown(self)

    def _repr_html_(self) -> str:
        from gainful.translation import text

        return text.notebook_html(self)
