"""How alike two measures rank systems, and how alike the rankings of two runs are."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from gainful.interval import Interval
from gainful.measures import Measure
from gainful.records import Record
from gainful.wording import count

_SHOWN = 3  # swaps that a sentence names


class Swap(NamedTuple):
    """Two systems that two measures order differently: the first likes ``better`` better."""

    better: str
    worse: str


@dataclass(eq=False, repr=False)
class MeasureAgreement(Record):
    """How alike two measures rank the systems.

    Attributes:
        first: One measure.
        second: The other.
        tau: Kendall's tau-b of the means of the systems; NaN if a measure ties them all.
        interval: Where it lies, were the queries drawn anew: bootstrap, percentiles.
        tau_ap: The AP correlation, the mean of both directions, ties as in tau_ap,b.
        weighted_tau: The weighted tau.
        rbo: The rank-biased overlap of the two orders of systems, those that a measure ties in
            the order they were given.
        n_pairs: How many pairs of systems there are.
        n_alike: How many of them both measures order alike, or both tie.
        swaps: The pairs that they order differently.
    """

    first: Measure
    second: Measure
    tau: float
    interval: Interval
    tau_ap: float
    weighted_tau: float
    rbo: float
    n_pairs: int
    n_alike: int
    swaps: tuple[Swap, ...]

    @property
    def sentence(self) -> str:
        """What it says, in plain words."""
        both = f"{self.first} and {self.second}"
        if math.isnan(self.tau):
            return f"{both} cannot be compared: one of them ties all systems."
        alike = f"{self.n_alike} of {self.n_pairs} pairs of systems alike"
        if self.n_alike == self.n_pairs:
            alike = (
                f"all {self.n_pairs} pairs of systems alike"
                if self.n_pairs > 1
                else "both systems alike"
            )
        said = f"{both} order {alike}: tau {self.tau:.2f}{in_short(self.interval)}"
        tied = self.n_pairs - self.n_alike - len(self.swaps)
        ties = f"; {count(tied, 'pair is', 'pairs are')} tied by one of them" if tied else ""
        return f"{said}{self._swapped()}{ties}."

    def _swapped(self) -> str:
        if not self.swaps:
            return ""
        named = ", ".join(f"{swap.better} and {swap.worse}" for swap in self.swaps[:_SHOWN])
        more = len(self.swaps) - _SHOWN
        rest = f", and {count(more, 'more pair', 'more pairs')}" if more > 0 else ""
        return f"; they disagree on {named}{rest}"


@dataclass(eq=False, repr=False)
class RunAgreement(Record):
    """How alike the rankings of two runs are, on average over queries.

    Attributes:
        first: The name of one run.
        second: The name of the other.
        rbo: The mean rank-biased overlap, extrapolated; a query that only one run has counts as 0.
        interval: Where the mean lies, were the queries drawn anew: Student's t.
        bounds: Means of what the overlap lies between, whatever stands below.
        shared: The mean share of the items of either that both have: Jaccard's index.
        shared_interval: Where it lies.
        tau: The mean of Kendall's tau of the items that both have; NaN if they never share two.
        tau_interval: Where it lies.
        n_queries: How many queries at least one of them has.
        n_tau: For how many queries they share two items or more.
    """

    first: str
    second: str
    rbo: float
    interval: Interval
    bounds: Interval
    shared: float
    shared_interval: Interval
    tau: float
    tau_interval: Interval
    n_queries: int
    n_tau: int


def in_short(interval: Interval) -> str:
    """An interval as it follows a number in a sentence; nothing where there is none."""
    return "" if math.isnan(interval.low) else f" [{interval.low:.2f}, {interval.high:.2f}]"
