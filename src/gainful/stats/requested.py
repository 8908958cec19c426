"""Tests that are run on request only, each with the warning that goes with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gainful.ragged import FloatArray
from gainful.records import Record
from gainful.stats.effects import wins_ties_losses
from gainful.stats.spread import SAME

REQUESTED: dict[str, "Requested"] = {}


class PValue(Protocol):
    """Differences to a two-sided p-value; a test that draws nothing ignores the seed."""

    def __call__(self, differences: FloatArray, *, resamples: int, seed: int) -> float: ...


@dataclass(eq=False, repr=False)
class Requested(Record):
    """A test that users may ask for.

    Attributes:
        name: How users name it.
        summary: What it tests, in one sentence.
        warning: Why it is not run unless asked for, in one sentence.
        p: Differences to a two-sided p-value.
    """

    name: str
    summary: str
    warning: str
    p: PValue


def requested(name: str, *, warning: str) -> Callable[[PValue], Requested]:
    """Declare the decorated function as a test on request; its docstring is the summary."""

    def declare(p: PValue) -> Requested:
        REQUESTED[name] = Requested(name, str(p.__doc__), warning, p)
        return REQUESTED[name]

    return declare


def wilcoxon(differences: FloatArray) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test; 1 if all differences are 0.

    Differences that are equal but for rounding are tied, and zeros are dropped.

    >>> wilcoxon(np.array([0.7 - 0.5, 0.3 - 0.1, 0.1, 0.4, -0.3]))
    0.4375
    """
    import scipy.stats

    values = np.asarray(differences, np.float64)
    unit = SAME * float(np.abs(values).sum())
    whole = np.round(values / unit) if unit else values
    whole = whole[whole != 0]
    return float(scipy.stats.wilcoxon(whole).pvalue) if len(whole) else 1.0


def sign(differences: FloatArray, *, minimum: float = 0.0) -> float:
    """The two-sided p-value of the sign test: whether wins and losses are equally likely.

    Differences up to ``minimum`` are ties, and dropped; 1 if nothing else is left.

    >>> sign(np.array([0.5, 0.25, 0.25, 0.125, 0.25, -0.01]), minimum=0.01)
    0.0625
    """
    import scipy.stats

    wins, _, losses = wins_ties_losses(differences, tie=minimum)
    return float(scipy.stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


_GROWS = (
    "rejects too often as the number of queries grows, since it tests more than the mean "
    "(Urbano, Lima and Hanjalic, SIGIR 2019)"
)


@requested("wilcoxon", warning=f"the Wilcoxon test {_GROWS}.")
def _wilcoxon(differences: FloatArray, *, resamples: int, seed: int) -> float:
    """Wilcoxon's signed-rank test: whether gains and losses are ranked alike by size."""
    return wilcoxon(differences)


@requested("sign", warning=f"the sign test {_GROWS}.")
def _sign(differences: FloatArray, *, resamples: int, seed: int) -> float:
    """The sign test: whether more queries gain than lose, whatever they gain."""
    return sign(differences)


@requested(
    "bootstrap-shift",
    warning="the bootstrap-shift test rejects too often with few queries "
    "(Urbano, Lima and Hanjalic, SIGIR 2019).",
)
def _bootstrap_shift(differences: FloatArray, *, resamples: int, seed: int) -> float:
    """The bootstrap with shifted means: how often queries drawn anew differ as much by chance."""
    from gainful.stats.bootstrap import bootstrap_shift

    return bootstrap_shift(differences, resamples=resamples, seed=seed)
