"""Definition: all that a value depends on beside the data, and the choices it is made of."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from gainful.alignment import (
    JudgedRankings,
    Rules,
    list_rule_arguments,
    select_queries,
)
from gainful.base import format_setting
from gainful.diagnostics import Notice, check_joined_run, find_join_notices
from gainful.dialects import Dialect, DialectRules
from gainful.errors import GainfulError
from gainful.evaluation.collection import Collection
from gainful.evaluation.partition import score_queries
from gainful.evaluation.scores import Scores
from gainful.measures import Measure


@dataclass(frozen=True)
class Choice:
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
        return f"{self.name}={_format_value(self.after)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as plain values, as users write them; None for what is not set."""
        values = {"from": _to_jsonable(self.before), "to": _to_jsonable(self.after)}
        return {"name": self.name, "kind": self.kind, **values, "meaning": self.meaning}


@dataclass(frozen=True)
class Definition:
    """A measure with all its settings, and the rules that it is worked out by.

    >>> from gainful.measures import nDCG
    >>> from gainful.dialects import DialectRules
    >>> ours = Definition(nDCG @ 5, DialectRules())
    >>> theirs = Definition(nDCG(gain="exp2") @ 5, DialectRules(missing="skip"))
    >>> [str(choice) for choice in ours.choices(theirs)]
    ['gain=exp2', 'missing=skip']
    >>> ours.apply_choices(ours.choices(theirs)) == theirs
    True
    """

    measure: Measure
    rules: DialectRules

    def choices(self, other: "Definition") -> tuple[Choice, ...]:
        """Return the choices that turn this definition into another of the same measure."""
        base_settings, other_settings = self.measure.all_settings, other.measure.all_settings
        setting_choices = (
            Choice(
                "setting",
                name,
                base_settings[name],
                other_settings[name],
                argument.phrase(other_settings[name]),
            )
            for name, argument in self.measure.arguments.items()
            if name in base_settings and base_settings[name] != other_settings[name]
        )
        base_rules, other_rules = self.rules.to_dict(), other.rules.to_dict()
        rule_choices = (
            Choice(
                "rule",
                name,
                base_rules[name],
                other_rules[name],
                argument.phrase(other_rules[name]),
            )
            for name, argument in list_rule_arguments(DialectRules).items()
            if base_rules[name] != other_rules[name]
        )
        return (*setting_choices, *rule_choices)

    def apply_choices(self, choices: Iterable[Choice]) -> "Definition":
        """Return the definition after some choices; raise if they exclude each other."""
        chosen = tuple(choices)
        settings = {choice.name: choice.after for choice in chosen if choice.kind == "setting"}
        rules = {choice.name: choice.after for choice in chosen if choice.kind == "rule"}
        return Definition(self.measure(**settings), replace(self.rules, **rules))


def define_in_dialect(dialect: Dialect, measure: Measure, rules: Mapping[str, Any]) -> Definition:
    """Return the definition of a measure in a dialect; rules that are set replace its own."""
    return Definition(dialect.resolve(measure), replace(dialect.rules, **rules))


def _format_value(value: object) -> str:
    return "none" if value is None else format_setting(value)


def _to_jsonable(value: object) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


# Rules that are applied after the values are computed.
_VALUE_RULES: dict[str, Any] = {"decimals": None, "empty_weight": None}
_SELECTING = ("skip", "error")


K = TypeVar("K")
T = TypeVar("T")


def _memoize(memo: dict[K, T | GainfulError], key: K, compute: Callable[[], T]) -> T:
    """Return or raise what was computed before; else compute and remember it."""
    if key not in memo:
        try:
            memo[key] = compute()
        except GainfulError as error:
            memo[key] = error
    result = memo[key]
    if isinstance(result, GainfulError):
        raise result.with_traceback(None)
    return result


class ValueCache:
    """Values of a run, computed once for each definition.

    Refusals name the measure as it was asked for, not all that a dialect makes of it.
    """

    def __init__(self, collection: Collection, measure: Measure) -> None:
        self._collection, self._measure = collection, measure
        self._run = collection.require_one_run("reconcile")
        self._ranked: dict[Rules, JudgedRankings | GainfulError] = {}
        self._values: dict[Definition, float | GainfulError] = {}

    def value(self, definition: Definition) -> float:
        """Return the mean over queries; NaN if no query has a value; raise what was refused."""
        return _memoize(
            self._values, definition, lambda: self.scores(definition)[definition.measure]
        )

    def get_value(self, definition: Definition) -> float | None:
        """Return the mean over queries; None if there is no value."""
        try:
            value = self.value(definition)
        except GainfulError:
            return None
        return None if math.isnan(value) else value

    def scores(self, definition: Definition) -> Scores:
        """Return the values of all queries."""
        measure, rules = definition.measure, definition.rules
        ranked = self._rankings(rules)
        values = score_queries(measure, ranked, rules, self._measure)[:, np.newaxis]
        return Scores(self._run.name, ranked.queries, (measure,), values, rules, ())

    def notices(self, rules: Rules) -> tuple[Notice, ...]:
        """Return the notices about the run under some rules."""
        return tuple(find_join_notices(self._collection.join(self._run, rules)))

    def _rankings(self, rules: Rules) -> JudgedRankings:
        empty = rules.empty if rules.empty in _SELECTING else "zero"
        key = replace(rules, empty=empty, **_VALUE_RULES)
        return _memoize(self._ranked, key, partial(self._select, rules))

    def _select(self, rules: Rules) -> JudgedRankings:
        joined = self._collection.join(self._run, rules)
        check_joined_run(joined)
        return select_queries(joined)


@dataclass(frozen=True)
class Step:
    """Choices that are made together, and by how much they change the value.

    Mostly it is one; those that change nothing alone are made together.
    """

    choices: tuple[Choice, ...]
    effect: float

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain values."""
        return {"effect": self.effect, "choices": [choice.to_dict() for choice in self.choices]}


def find_steps(cache: ValueCache, start: Definition, target: Definition) -> tuple[Step, ...]:
    """Find the steps from the value of one definition to that of another, to the last bit.

    None of their choices can be left out. The step that changes most comes first, then the one
    that changes most of what is left; so their effects add up to the difference.
    """
    return _Search(cache, start, target).steps()


class _Search:
    """The choices between two definitions, and what some of them make of the value."""

    def __init__(self, cache: ValueCache, start: Definition, target: Definition) -> None:
        self._cache, self._base = cache, start
        self._all = start.choices(target)
        self._start, self._target = cache.value(start), cache.value(target)

    def steps(self) -> tuple[Step, ...]:
        return () if self._start == self._target else self._find_steps(self._candidates())

    def _find_steps(self, choices: Sequence[Choice]) -> tuple[Step, ...]:
        needed = self._prune(choices)
        steps = self._order_steps(needed)
        explained = [choice for step in steps for choice in step.choices]
        # Without any one of them it is another value, but with some of them it may be there.
        return steps if len(explained) == len(needed) else self._find_steps(explained)

    def _compute_value(self, choices: Iterable[Choice]) -> float | None:
        """Return the value with some of the choices, in any order; None if there is none."""
        members = set(choices)
        try:
            definition = self._base.apply_choices(c for c in self._all if c in members)
        except GainfulError:  # they exclude each other
            return None
        return self._cache.get_value(definition)

    def _measure_effect(self, choice: Choice) -> float:
        """Return by how much a choice alone changes the value."""
        value = self._compute_value([choice])
        return 0.0 if value is None else abs(value - self._start)

    def _candidates(self) -> list[Choice]:
        """Return choices that give the value: one alone, those that matter alone, or all."""
        effects = {choice: self._measure_effect(choice) for choice in self._all}
        by_effect = sorted(self._all, key=lambda choice: effects[choice])
        for choice in reversed(by_effect):
            if self._compute_value([choice]) == self._target:
                return [choice]
        moving = [choice for choice in by_effect if effects[choice]]
        return moving if self._compute_value(moving) == self._target else by_effect

    def _prune(self, choices: Sequence[Choice]) -> list[Choice]:
        """Return the choices that are needed; try to remove each, from the first on."""
        needed = list(choices)
        for choice in choices:
            remaining = [member for member in needed if member != choice]
            if self._compute_value(remaining) == self._target:
                needed = remaining
        return needed if len(needed) == len(choices) else self._prune(needed)

    def _order_steps(self, choices: Sequence[Choice]) -> tuple[Step, ...]:
        applied: list[Choice] = []
        steps: list[Step] = []
        value = self._start
        while value != self._target:
            remaining = [choice for choice in choices if choice not in applied]
            changes, new = self._find_largest_change(applied, value, remaining)
            steps.append(Step(changes, new - value))
            applied, value = [*applied, *changes], new
        return tuple(steps)

    def _find_largest_change(
        self, applied: Sequence[Choice], value: float, remaining: Sequence[Choice]
    ) -> tuple[tuple[Choice, ...], float]:
        """Return the fewest choices that change the value: of those, the largest change."""
        for size in range(1, len(remaining)):
            tried = {
                group: self._compute_value([*applied, *group])
                for group in combinations(remaining, size)
            }
            effective = {group: new for group, new in tried.items() if new not in (None, value)}
            if effective:
                return max(effective.items(), key=lambda item: abs(item[1] - value))
        return tuple(remaining), self._target
