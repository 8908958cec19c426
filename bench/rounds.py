"""Rounds in which contenders take turns: what slows the machine slows them all."""

import math
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.contenders import Contender
from bench.data import prepare_files
from bench.process import Sample, find_complaint, run_sample

_SLOW = 15.0  # seconds; a contender that takes longer is run twice at most
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Outcome:
    """All samples of one contender."""

    contender: Contender
    samples: tuple[Sample, ...]

    @property
    def times(self) -> list[float]:
        """Return the seconds of every run, ascending."""
        clock = self.contender.clock
        return sorted(clock(one.output) if clock else one.seconds for one in self.samples)

    @property
    def seconds(self) -> float:
        """Return the median of the seconds."""
        return statistics.median(self.times)

    @property
    def cpu_seconds(self) -> float:
        """Return the median of the CPU seconds."""
        return statistics.median(one.cpu_seconds for one in self.samples)

    @property
    def peak_mb(self) -> float:
        """Return the median of the peaks."""
        return statistics.median(one.peak_mb for one in self.samples)

    @property
    def further(self) -> dict[str, float]:
        """Return the medians of the other numbers that it printed, by name."""
        names = self.contender.further
        printed = (one.output.split()[2 : 2 + len(names)] for one in self.samples)
        several = zip(*(map(float, numbers) for numbers in printed), strict=True)
        return dict(zip(names, map(statistics.median, several), strict=True))

    @property
    def value(self) -> float:
        """Return what it computed; nan if it computes nothing."""
        read = self.contender.value
        return read(self.samples[0].output) if read else math.nan


Outcomes = dict[str, Outcome]


def run_rounds(contenders: Sequence[Contender], *, repeat: int) -> Outcomes:
    """Return every contender's outcome by name, after ``repeat`` rounds in which each runs once."""
    for collection in dict.fromkeys(one.collection for one in contenders if one.collection):
        prepare_files(collection)
    samples: dict[str, list[Sample]] = {one.name: [] for one in contenders}
    for number in range(1, repeat + 1):
        for one in contenders:
            before = samples[one.name]
            if len(before) >= 2 and before[0].seconds > _SLOW:
                continue
            before.append(run_sample(one.command))
            _print_progress(f"  {one.name} {before[-1].seconds:.3f} s")
        _print_progress(f"  (round {number} of {repeat})\n")
    found = {one.name: Outcome(one, tuple(samples[one.name])) for one in contenders}
    for answer in {one.answer for one in contenders}:
        _check_values(answer, [one for one in found.values() if one.contender.answer == answer])
    return found


def find_obstacle(contender: Contender) -> str | None:
    """Return a sentence on why the contender cannot run here, if it cannot."""
    if not contender.installed:
        return f"{contender.name} was skipped: {contender.package} is not installed."
    if (trial := contender.trial) is None:
        return None
    if trial.collection:
        prepare_files(trial.collection)
    if (said := find_complaint(trial.command)) is None:
        return None
    _print_progress(f"  {contender.name} fails on next to nothing: {said}\n")
    return f"{contender.name} was skipped: it fails on next to nothing."


def _check_values(answer: str, several: Iterable[Outcome]) -> None:
    """End the benchmark where contenders computed different values: they did different things."""
    values = {one.contender.name: one.value for one in several if not math.isnan(one.value)}
    if values and max(values.values()) - min(values.values()) > _TOLERANCE:
        listed = "".join(f"\n  {name}: {value!r}" for name, value in values.items())
        sys.exit(f"{answer}: must agree within {_TOLERANCE}, got{listed}")


def _print_progress(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
