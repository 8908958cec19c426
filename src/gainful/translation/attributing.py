"""Which choices turn one value into another, and by how much: none that could be left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from gainful.errors import GainfulError
from gainful.records import Record
from gainful.translation.definition import Choice, Definition
from gainful.translation.valuing import Valuing


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


def steps_between(valuing: Valuing, ours: Definition, theirs: Definition) -> tuple[Step, ...]:
    """The steps from the value of one definition to that of another, to the last bit.

    None of their choices can be left out. The step that changes most comes first, then the one
    that changes most of what is left; so their effects add up to the difference.
    """
    return _Search(valuing, ours, theirs).steps()


class _Search:
    """The choices between two definitions, and what some of them make of the value."""

    def __init__(self, valuing: Valuing, ours: Definition, theirs: Definition) -> None:
        self._valuing, self._ours = valuing, ours
        self._all = ours.choices(theirs)
        self._start, self._target = valuing.value(ours), valuing.value(theirs)

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
        return self._valuing.known(definition)

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
