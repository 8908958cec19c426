"""The figures of the benchmark's summary, each with its target."""

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

    def format_row(self, found: Outcomes) -> list[str]:
        """Return what it is, its target, its value, and whether the target is met."""
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


def get_seconds(name: str) -> Measured:
    """Return a function that gives the seconds of one contender."""
    return lambda found: found[name].seconds


def get_time_ratio(upper: str, lower: str) -> Measured:
    """Return a function that gives one contender's seconds divided by another's."""
    return lambda found: found[upper].seconds / found[lower].seconds


def get_peak_mb(name: str) -> Measured:
    """Return a function that gives the memory of one contender."""
    return lambda found: found[name].peak_mb


def get_added_mb(name: str, start: str) -> Measured:
    """Return a function that gives the memory of one contender above that of another."""
    return lambda found: found[name].peak_mb - found[start].peak_mb


def get_printed_mb(name: str) -> Measured:
    """Return a function that gives the median memory that a timed task took beside its data."""
    return lambda found: statistics.median(
        float(one.output.split()[2]) for one in found[name].samples
    )


def get_printed(name: str, what: str) -> Measured:
    """Return a function that gives a further number that a contender printed."""
    return lambda found: found[name].further[what]


def get_printed_ratio(upper: str, lower: str, what: str) -> Measured:
    """Return a function that gives one contender's further number divided by another's."""
    return lambda found: found[upper].further[what] / found[lower].further[what]
