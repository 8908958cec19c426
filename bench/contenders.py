"""The processes that can be measured, and how to read what they print."""

import statistics
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import metadata

from bench.all_tasks import TASKS
from bench.data import TINY, Collection
from bench.peers import PEERS

COMMAND = f"{sysconfig.get_path('scripts')}/gainful"


@dataclass(frozen=True)
class Contender:
    """A process that is measured.

    Attributes:
        name: What the tables call it.
        command: Its arguments.
        package: What it needs installed, and whose version is printed.
        collection: The files that it reads.
        value: From what it prints to the value that it computed, if it computes one.
        answer: What the value is: all of a group that name the same must agree on it.
        clock: From what it prints to its seconds, if it is timed inside the process.
        trial: The same on ten lines, if it is not certain that it can run here.
        further: What the numbers are that it prints after its seconds and its value.
    """

    name: str
    command: tuple[str, ...]
    package: str | None = None
    collection: Collection | None = None
    value: Callable[[str], float] | None = None
    answer: str = "mean nDCG@10"
    clock: Callable[[str], float] | None = None
    trial: "Contender | None" = None
    further: tuple[str, ...] = ()

    @property
    def version(self) -> str | None:
        """Return the version of its package, if it is installed."""
        try:
            return metadata.version(self.package) if self.package else None
        except metadata.PackageNotFoundError:
            return None

    @property
    def installed(self) -> bool:
        """Return whether all that it needs is installed."""
        return self.package is None or self.version is not None

    def with_name(self, name: str) -> "Contender":
        """Return the same contender under another name."""
        return replace(self, name=name)

    def with_further(self, *further: str) -> "Contender":
        """Return the same contender, whose process prints further numbers."""
        return replace(self, further=further)

    def with_trial(self, trial: "Contender") -> "Contender":
        """Return the same contender, which is skipped unless the trial runs."""
        return replace(self, trial=trial)

    def with_answer(self, answer: str) -> "Contender":
        """Return the same contender, whose value is that of something else."""
        return replace(self, answer=answer)


def make_gainful_eval(
    collection: Collection, *options: str, measures: Sequence[str] = ("nDCG@10",)
) -> Contender:
    """Return ``gainful eval`` of the collection's runs."""
    chosen = [word for measure in measures for word in ("-m", measure)]
    command = (COMMAND, "eval", collection.qrels, *collection.run_paths, *options, *chosen)
    return Contender("gainful", command, "gainful", collection, _parse_mean)


def make_trec_eval(collection: Collection) -> Contender:
    """Return ``gainful trec_eval`` of the collection's run, all measures."""
    command = (COMMAND, "trec_eval", "-m", "all_trec", collection.qrels, *collection.run_paths)
    return Contender(
        "gainful trec_eval",
        command,
        "gainful",
        collection,
        lambda output: float(output.split("map ")[1].split()[1]),
        "MAP, four decimals",
    )


def make_ten_lines() -> Contender:
    """Return ``gainful eval`` of ten lines, where start-up is all there is to measure."""
    return (
        make_gainful_eval(TINY)
        .with_name("gainful, ten lines")
        .with_answer("mean nDCG@10 of ten lines")
    )


def make_peer(name: str, collection: Collection) -> Contender:
    """Return another package's way from the collection's files to the same number."""
    command = (sys.executable, "-m", "bench.peers", name, collection.qrels, *collection.run_paths)
    return Contender(name, command, PEERS[name].package, collection, float)


def make_task(name: str, *arguments: str, collection: Collection | None = None) -> Contender:
    """Return a task timed inside its process; the collection's files are its first arguments."""
    files = [collection.qrels, *collection.run_paths] if collection else []
    return Contender(
        name=name,
        command=(sys.executable, "-m", "bench.all_tasks", name, *files, *arguments),
        package=TASKS[name].package,
        collection=collection,
        value=lambda output: float(output.split()[1]),
        clock=lambda output: float(output.split()[0]),
    )


def make_wc(collection: Collection) -> Contender:
    """Return a process that only reads the collection's run."""
    return Contender("wc -l", ("wc", "-l", *collection.run_paths), collection=collection)


def make_import(package: str) -> Contender:
    """Return a Python process that imports the package and ends."""
    command = (sys.executable, "-c", f"import {package}")
    return Contender(f"import {package}", command, package)


def _parse_mean(output: str) -> float:
    """Return the first measure's mean, over the runs if there are several."""
    lines = [line.split("\t") for line in output.splitlines()]
    means = [line[1] for line in lines[1:]] if lines[0][0] == "run" else [lines[0][1]]
    return statistics.mean(map(float, means))
