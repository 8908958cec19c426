"""Contenders in turns: what slows the machine for a while slows them all."""

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from bench.contenders import Contender
from bench.data import Collection
from bench.process import Sample, sample

_SLOW = 15.0  # seconds; a contender that takes longer is run twice at most
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Outcome:
    """All samples of one contender."""

    contender: Contender
    samples: tuple[Sample, ...]

    @property
    def times(self) -> list[float]:
        """The seconds of every run, ascending."""
        return sorted(one.seconds for one in self.samples)

    @property
    def seconds(self) -> float:
        """The median."""
        return statistics.median(self.times)

    @property
    def cpu_seconds(self) -> float:
        """The median."""
        return statistics.median(one.cpu_seconds for one in self.samples)

    @property
    def peak_mb(self) -> float:
        """The median."""
        return statistics.median(one.peak_mb for one in self.samples)

    @property
    def value(self) -> float | None:
        """What it computed, if it computes anything."""
        read = self.contender.value
        return read(self.samples[0].output) if read else None


def outcomes(
    contenders: Sequence[Contender], collection: Collection, *, repeat: int
) -> dict[str, Outcome]:
    """The outcome of every contender by name, after ``repeat`` rounds in which each runs once."""
    samples: dict[str, list[Sample]] = {one.name: [] for one in contenders}
    for number in range(1, repeat + 1):
        for one in contenders:
            before = samples[one.name]
            if len(before) >= 2 and before[0].seconds > _SLOW:
                continue
            before.append(sample(one.on(collection)))
            _say(f"  {one.name} {before[-1].seconds:.3f} s")
        _say(f"  (round {number} of {repeat})\n")
    found = {one.name: Outcome(one, tuple(samples[one.name])) for one in contenders}
    _check(found)
    return found


def _check(found: dict[str, Outcome]) -> None:
    """End the benchmark where contenders computed different values: they did different things."""
    values = {name: one.value for name, one in found.items()}
    known = {name: value for name, value in values.items() if value is not None}
    if known and max(known.values()) - min(known.values()) > _TOLERANCE:
        listed = "".join(f"\n  {name}: {value!r}" for name, value in known.items())
        sys.exit(f"mean nDCG@10: must agree within {_TOLERANCE}, got{listed}")


def _say(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
