"""Definition: all that a value depends on beside the data, and the choices it is made of."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from gainful.alignment import (
    KEEP_SAMPLE,
    READING_RULES,
    Joined,
    JudgedRankings,
    Rules,
    join,
    rejoin,
    rule_arguments,
    select_queries,
)
from gainful.base import Reading, Record, text_of
from gainful.diagnostics import Notice, check_joined_run, find_join_notices
from gainful.dialects import Dialect
from gainful.errors import GainfulError
from gainful.evaluation.partition import score_queries
from gainful.evaluation.scores import Scores
from gainful.measures import Measure
from gainful.sources import Judgments, Run, Source, read_judgments


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
        return f"{self.name}={_format_value(self.after)}"

    def to_dict(self) -> dict[str, Any]:
        """All of it, values as users write them; None for what is not set."""
        ends = {"from": _to_jsonable(self.before), "to": _to_jsonable(self.after)}
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
        differing = (
            Choice("rule", name, ours[name], rules[name], argument.phrase(rules[name]))
            for name, argument in rule_arguments().items()
            if ours[name] != rules[name]
        )
        return (*settings, *differing)

    def applied(self, choices: Iterable[Choice]) -> "Definition":
        """The definition that some choices make of it; an error where they exclude each other."""
        chosen = tuple(choices)
        settings = {choice.name: choice.after for choice in chosen if choice.kind == "setting"}
        rules = {choice.name: choice.after for choice in chosen if choice.kind == "rule"}
        return Definition(self.measure(**settings), replace(self.rules, **rules))


def define_in_dialect(dialect: Dialect, measure: Measure, rules: Mapping[str, Any]) -> Definition:
    """Return the definition of a measure in a dialect; rules that are set replace its own."""
    return Definition(dialect.resolve(measure), replace(dialect.rules, **rules))


def _format_value(value: object) -> str:
    return "none" if value is None else text_of(value)


def _to_jsonable(value: object) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


K = TypeVar("K")
T = TypeVar("T")

# What has its say once the values are there.
_VALUE_RULES: dict[str, Any] = {"averaging": None, "decimals": None, "empty_weight": None}
_SELECTING = ("skip", "error")


class ValueCache:
    """Values of a run, computed once for each definition.

    Refusals name the measure as it was asked for, not all that a dialect makes of it.
    """

    def __init__(
        self, qrels: Source | Judgments, run: Run, reading: Reading, asked: Measure
    ) -> None:
        self._qrels, self._run, self._reading, self._asked = qrels, run, reading, asked
        self._judgments: dict[tuple[Any, ...], Judgments | GainfulError] = {}
        self._joined: dict[Rules, Joined | GainfulError] = {}
        self._ranked: dict[Rules, JudgedRankings | GainfulError] = {}
        self._values: dict[Definition, float | GainfulError] = {}

    def value(self, definition: Definition) -> float:
        """The mean over queries; NaN where no query has a value, and an error where it refuses."""
        return _memoize(
            self._values, definition, lambda: self.scores(definition)[definition.measure]
        )

    def known(self, definition: Definition) -> float | None:
        """The same, None where there is no value."""
        try:
            value = self.value(definition)
        except GainfulError:
            return None
        return None if math.isnan(value) else value

    def scores(self, definition: Definition) -> Scores:
        """The values of all queries."""
        measure, rules = definition.measure, definition.rules
        ranked = self._rankings(rules)
        values = score_queries(measure, ranked, rules, self._asked)[:, np.newaxis]
        return Scores(self._run.name, ranked.queries, (measure,), values, rules, ())

    def notices(self, rules: Rules) -> tuple[Notice, ...]:
        """Return the notices about the run under some rules."""
        return tuple(find_join_notices(self._judged(rules), self._run, rules, self._join(rules)))

    def _rankings(self, rules: Rules) -> JudgedRankings:
        empty = rules.empty if rules.empty in _SELECTING else "zero"
        key = replace(rules, empty=empty, **_VALUE_RULES)
        return _memoize(self._ranked, key, partial(self._selected, rules))

    def _selected(self, rules: Rules) -> JudgedRankings:
        joined = self._join(rules)
        check_joined_run(self._judged(rules), self._run, rules, joined)
        return select_queries(joined, rules)

    def _join(self, rules: Rules) -> Joined:
        # The rest may refuse what others take: it must not decide how the run is read.
        reading_alone = Rules(**{name: getattr(rules, name) for name in READING_RULES})
        read = _memoize(self._joined, reading_alone, partial(self._read, reading_alone))
        return rejoin(self._judged(rules), read, rules)

    def _read(self, rules: Rules) -> Joined:
        return join(self._judged(rules), self._run, rules, self._reading, **KEEP_SAMPLE)

    def _judged(self, rules: Rules) -> Judgments:
        key = rules.duplicates, rules.collapse
        read = partial(read_judgments, self._qrels, rules, self._reading)
        return _memoize(self._judgments, key, read)


def _memoize(known: dict[K, T | GainfulError], key: K, compute: Callable[[], T]) -> T:
    """Return or raise what was computed before; else compute and remember it."""
    if key not in known:
        try:
            known[key] = compute()
        except GainfulError as error:
            known[key] = error
    found = known[key]
    if isinstance(found, GainfulError):
        raise found
    return found


@dataclass(eq=False, repr=False)
class Step(Record):
    """Choices that are made together, and by how much they change the value.

    Mostly it is one; those that change nothing alone are made together.
    """

    choices: tuple[Choice, ...]
    effect: float

    def to_dict(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {"effect": self.effect, "choices": [choice.to_dict() for choice in self.choices]}


def find_steps(cache: ValueCache, ours: Definition, theirs: Definition) -> tuple[Step, ...]:
    """Find the steps from the value of one definition to that of another, to the last bit.

    None of their choices can be left out. The step that changes most comes first, then the one
    that changes most of what is left; so their effects add up to the difference.
    """
    return _Search(cache, ours, theirs).steps()


class _Search:
    """The choices between two definitions, and what some of them make of the value."""

    def __init__(self, cache: ValueCache, ours: Definition, theirs: Definition) -> None:
        self._cache, self._ours = cache, ours
        self._all = ours.choices(theirs)
        self._start, self._target = cache.value(ours), cache.value(theirs)

    def steps(self) -> tuple[Step, ...]:
        return () if self._start == self._target else self._explained(self._candidates())

    def _explained(self, choices: Sequence[Choice]) -> tuple[Step, ...]:
        needed = self._pruned(choices)
        steps = self._ordered(needed)
        made = [choice for step in steps for choice in step.choices]
        # Without any one of them it is another value, but with some of them it may be there.
        return steps if len(made) == len(needed) else self._explained(made)

    def _value(self, choices: Iterable[Choice]) -> float | None:
        """What some of the choices give, in whichever order they are made."""
        made = set(choices)
        try:
            definition = self._ours.applied(c for c in self._all if c in made)
        except GainfulError:  # they exclude each other
            return None
        return self._cache.known(definition)

    def _effect(self, choice: Choice) -> float:
        """By how much a choice alone changes the value."""
        value = self._value([choice])
        return 0.0 if value is None else abs(value - self._start)

    def _candidates(self) -> list[Choice]:
        """Choices that give the value: one alone, those that matter alone, or all."""
        effects = {choice: self._effect(choice) for choice in self._all}
        by_effect = sorted(self._all, key=lambda choice: effects[choice])
        for choice in reversed(by_effect):
            if self._value([choice]) == self._target:
                return [choice]
        moving = [choice for choice in by_effect if effects[choice]]
        return moving if self._value(moving) == self._target else by_effect

    def _pruned(self, choices: Sequence[Choice]) -> list[Choice]:
        """Those that are needed, tried from the first on, until none can be left out."""
        kept = list(choices)
        for choice in choices:
            rest = [other for other in kept if other != choice]
            if self._value(rest) == self._target:
                kept = rest
        return kept if len(kept) == len(choices) else self._pruned(kept)

    def _ordered(self, choices: Sequence[Choice]) -> tuple[Step, ...]:
        made: list[Choice] = []
        steps: list[Step] = []
        value = self._start
        while value != self._target:
            left = [choice for choice in choices if choice not in made]
            some, new = self._largest(made, value, left)
            steps.append(Step(some, new - value))
            made, value = [*made, *some], new
        return tuple(steps)

    def _largest(
        self, made: Sequence[Choice], value: float, left: Sequence[Choice]
    ) -> tuple[tuple[Choice, ...], float]:
        """The fewest choices that change the value, of those the ones that change it most."""
        for size in range(1, len(left)):
            tried = {some: self._value([*made, *some]) for some in combinations(left, size)}
            known = {some: new for some, new in tried.items() if new not in (None, value)}
            if known:
                return max(known.items(), key=lambda found: abs(found[1] - value))
        return tuple(left), self._target
