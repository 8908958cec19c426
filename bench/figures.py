"""The figures that the benchmark is run for, each with what is wanted of it."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from bench.rounds import Outcomes

Measured = Callable[[Outcomes], float]


@dataclass(frozen=True)
class Figure:
    """A number made of the outcomes of a group.

    Attributes:
        what: What it is, for the table.
        measured: From the outcomes to the number; a missing outcome is a KeyError.
        at_most: The target, if there is one.
        at_least: The target, if there is one.
        unit: What follows the number.
    """

    what: str
    measured: Measured
    at_most: float | None = None
    at_least: float | None = None
    unit: str = "x"

    def row(self, found: Outcomes) -> list[str]:
        """What, target, measured, and whether it is met."""
        try:
            value = self.measured(found)
        except KeyError:
            return [self.what, self._target, "not measured", "-"]
        return [self.what, self._target, f"{value:.2f}{self.unit}", self._met(value)]

    @property
    def _target(self) -> str:
        if self.at_most is not None:
            return f"at most {self.at_most:g}{self.unit}"
        return "-" if self.at_least is None else f"at least {self.at_least:g}{self.unit}"

    def _met(self, value: float) -> str:
        if self.at_most is None and self.at_least is None:
            return "-"
        low = self.at_least is None or value >= self.at_least
        return "yes" if low and (self.at_most is None or value <= self.at_most) else "**no**"


def seconds(name: str) -> Measured:
    """The seconds of one contender."""
    return lambda found: found[name].seconds


def time_ratio(upper: str, lower: str) -> Measured:
    """The seconds of one contender, in those of another."""
    return lambda found: found[upper].seconds / found[lower].seconds


def peak_mb(name: str) -> Measured:
    """The memory of one contender."""
    return lambda found: found[name].peak_mb


def added_mb(name: str, start: str) -> Measured:
    """The memory of one contender above that of another."""
    return lambda found: found[name].peak_mb - found[start].peak_mb


def printed_mb(name: str) -> Measured:
    """The memory that a contender, timed inside its process, took beside its data: the median."""
    return lambda found: statistics.median(
        float(one.output.split()[2]) for one in found[name].samples
    )


def printed(name: str, what: str) -> Measured:
    """A further number that a contender printed."""
    return lambda found: found[name].further[what]


def printed_ratio(upper: str, lower: str, what: str) -> Measured:
    """A further number of one contender, in that of another."""
    return lambda found: found[upper].further[what] / found[lower].further[what]
