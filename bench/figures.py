"""The figures in the summary of the benchmark, with their targets."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from bench.rounds import Outcomes

Statistic = Callable[[Outcomes], float]


@dataclass(frozen=True)
class Figure:
    """A number computed from the outcomes of a group.

    Attributes:
        title: Title of the row in the table.
        compute: Function from the outcomes to the number; a missing outcome is a KeyError.
        at_most: Largest number that meets the target, if there is one.
        at_least: Smallest number that meets the target, if there is one.
        unit: Text after the number.
    """

    title: str
    compute: Statistic
    at_most: float | None = None
    at_least: float | None = None
    unit: str = "x"

    def format_row(self, outcomes: Outcomes) -> list[str]:
        """Return title, target, number, and whether the target is met."""
        try:
            value = self.compute(outcomes)
        except KeyError:
            return [self.title, self._target, "not measured", "-"]
        return [self.title, self._target, f"{value:.2f}{self.unit}", self._format_verdict(value)]

    @property
    def _target(self) -> str:
        if self.at_most is not None:
            return f"at most {self.at_most:g}{self.unit}"
        return "-" if self.at_least is None else f"at least {self.at_least:g}{self.unit}"

    def _format_verdict(self, value: float) -> str:
        if self.at_most is None and self.at_least is None:
            return "-"
        low = self.at_least is None or value >= self.at_least
        return "yes" if low and (self.at_most is None or value <= self.at_most) else "**no**"


def get_seconds(name: str) -> Statistic:
    """Return a function that looks up the seconds of a contender."""
    return lambda outcomes: outcomes[name].seconds


def get_time_ratio(upper: str, lower: str) -> Statistic:
    """Return a function that divides the seconds of one contender by those of another."""
    return lambda outcomes: outcomes[upper].seconds / outcomes[lower].seconds


def get_cpu_ratio(upper: str, lower: str) -> Statistic:
    """Return a function that divides the least CPU seconds of one contender by those of another."""
    return lambda outcomes: outcomes[upper].least_cpu_seconds / outcomes[lower].least_cpu_seconds


def get_peak_mb(name: str) -> Statistic:
    """Return a function that looks up the peak memory of a contender."""
    return lambda outcomes: outcomes[name].peak_mb


def get_added_mb(name: str, start: str) -> Statistic:
    """Return a function that subtracts the peak memory of one contender from that of another."""
    return lambda outcomes: outcomes[name].peak_mb - outcomes[start].peak_mb


def get_printed_mb(name: str) -> Statistic:
    """Return a function that computes the median of the memory that a timed task printed."""
    return lambda outcomes: statistics.median(
        float(sample.output.split()[2]) for sample in outcomes[name].samples
    )


def get_printed_number(name: str, number: str) -> Statistic:
    """Return a function that looks up an extra number that a contender printed."""
    return lambda outcomes: outcomes[name].extra_numbers[number]


def get_printed_ratio(upper: str, lower: str, number: str) -> Statistic:
    """Return a function that divides an extra number of one contender by that of another."""
    return lambda outcomes: (
        outcomes[upper].extra_numbers[number] / outcomes[lower].extra_numbers[number]
    )
