"""Rounds in which contenders take turns, so that a slowdown of the machine affects them all."""

import math
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.contenders import Contender
from bench.data import prepare_files
from bench.process import Sample, find_error, run_sample

_SLOW = 15.0  # seconds; a slower contender is run twice at most
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Outcome:
    """All samples of one contender."""

    contender: Contender
    samples: tuple[Sample, ...]

    @property
    def times(self) -> list[float]:
        """Seconds of every run, ascending."""
        clock = self.contender.clock
        return sorted(clock(item.output) if clock else item.seconds for item in self.samples)

    @property
    def seconds(self) -> float:
        """Median of the seconds."""
        return statistics.median(self.times)

    @property
    def cpu_seconds(self) -> float:
        """Median of the CPU seconds."""
        return statistics.median(sample.cpu_seconds for sample in self.samples)

    @property
    def least_cpu_seconds(self) -> float:
        """Least of the CPU seconds, which a busy machine affects least."""
        return min(sample.cpu_seconds for sample in self.samples)

    @property
    def peak_mb(self) -> float:
        """Median of the peaks."""
        return statistics.median(sample.peak_mb for sample in self.samples)

    @property
    def extra_numbers(self) -> dict[str, float]:
        """Medians of the extra numbers that the contender printed, by name."""
        names = self.contender.extra_numbers
        rows = (sample.output.split()[2 : 2 + len(names)] for sample in self.samples)
        columns = zip(*(map(float, row) for row in rows), strict=True)
        return dict(zip(names, map(statistics.median, columns), strict=True))

    @property
    def value(self) -> float:
        """Value that the contender computed; nan if it computes none."""
        read = self.contender.value
        return read(self.samples[0].output) if read else math.nan


Outcomes = dict[str, Outcome]


def run_rounds(contenders: Sequence[Contender], *, repeat: int) -> Outcomes:
    """Return the outcome of every contender by name, after ``repeat`` rounds of one run each."""
    for collection in dict.fromkeys(item.collection for item in contenders if item.collection):
        prepare_files(collection)
    samples: dict[str, list[Sample]] = {contender.name: [] for contender in contenders}
    for number in range(1, repeat + 1):
        for contender in contenders:
            previous = samples[contender.name]
            if len(previous) >= 2 and previous[0].seconds > _SLOW:
                continue
            previous.append(run_sample(contender.command))
            _print_progress(f"  {contender.name} {previous[-1].seconds:.3f} s")
        _print_progress(f"  (round {number} of {repeat})\n")
    outcomes = {item.name: Outcome(item, tuple(samples[item.name])) for item in contenders}
    for answer in {contender.answer for contender in contenders}:
        _check_values(
            answer, [item for item in outcomes.values() if item.contender.answer == answer]
        )
    return outcomes


def find_obstacle(contender: Contender) -> str | None:
    """Return a message if the contender cannot run on this machine, else None."""
    if not contender.is_installed:
        return f"{contender.name} was skipped: {contender.package} is not installed."
    if (trial := contender.trial) is None:
        return None
    if trial.collection:
        prepare_files(trial.collection)
    if (error := find_error(trial.command)) is None:
        return None
    _print_progress(f"  {contender.name} fails on next to nothing: {error}\n")
    return f"{contender.name} was skipped: it fails on next to nothing."


def _check_values(answer: str, outcomes: Iterable[Outcome]) -> None:
    """Exit with an error if the contenders computed different values."""
    values = {item.contender.name: item.value for item in outcomes if not math.isnan(item.value)}
    if values and max(values.values()) - min(values.values()) > _TOLERANCE:
        listed = "".join(f"\n  {name}: {value!r}" for name, value in values.items())
        sys.exit(f"{answer}: must agree within {_TOLERANCE}, got{listed}")


def _print_progress(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
