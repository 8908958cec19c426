"""What can be measured: a process, and how to read what it prints."""

import statistics
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import metadata

from bench.data import TINY, Collection
from bench.inside import TASKS
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
        """The version of its package, if it is installed."""
        try:
            return metadata.version(self.package) if self.package else None
        except metadata.PackageNotFoundError:
            return None

    @property
    def installed(self) -> bool:
        """Whether all that it needs is installed."""
        return self.package is None or self.version is not None

    def called(self, name: str) -> "Contender":
        """The same under another name."""
        return replace(self, name=name)

    def printing(self, *further: str) -> "Contender":
        """The same where it prints further numbers."""
        return replace(self, further=further)

    def if_it_runs(self, trial: "Contender") -> "Contender":
        """The same where it is skipped unless it runs on next to nothing."""
        return replace(self, trial=trial)

    def answering(self, answer: str) -> "Contender":
        """The same where its value is that of something else."""
        return replace(self, answer=answer)


def gainful(
    collection: Collection, *options: str, measures: Sequence[str] = ("nDCG@10",)
) -> Contender:
    """``gainful eval`` of the collection's runs."""
    chosen = [word for measure in measures for word in ("-m", measure)]
    command = (COMMAND, "eval", collection.qrels, *collection.run_paths, *options, *chosen)
    return Contender("gainful", command, "gainful", collection, _printed_mean)


def drop_in(collection: Collection) -> Contender:
    """``gainful trec_eval`` of the collection's run, all measures."""
    command = (COMMAND, "trec_eval", "-m", "all_trec", collection.qrels, *collection.run_paths)
    return Contender(
        "gainful trec_eval",
        command,
        "gainful",
        collection,
        lambda output: float(output.split("map ")[1].split()[1]),
        "MAP, four decimals",
    )


def ten_lines() -> Contender:
    """``gainful eval`` where next to nothing is to be read."""
    return gainful(TINY).called("gainful, ten lines").answering("mean nDCG@10 of ten lines")


def peer(name: str, collection: Collection) -> Contender:
    """Another package's way from the collection's files to the same number."""
    command = (sys.executable, "-m", "bench.peers", name, collection.qrels, *collection.run_paths)
    return Contender(name, command, PEERS[name].package, collection, float)


def inside(name: str, *arguments: str, collection: Collection | None = None) -> Contender:
    """A task that is timed inside its process; the collection's files are its first arguments."""
    files = [collection.qrels, *collection.run_paths] if collection else []
    return Contender(
        name=name,
        command=(sys.executable, "-m", "bench.inside", name, *files, *arguments),
        package=TASKS[name].package,
        collection=collection,
        value=lambda output: float(output.split()[1]),
        clock=lambda output: float(output.split()[0]),
    )


def wc(collection: Collection) -> Contender:
    """What only reads the collection's run."""
    return Contender("wc -l", ("wc", "-l", *collection.run_paths), collection=collection)


def importing(package: str) -> Contender:
    """A Python process that imports the package and ends."""
    command = (sys.executable, "-c", f"import {package}")
    return Contender(f"import {package}", command, package)


def _printed_mean(output: str) -> float:
    """The first measure's mean, over the runs if there are several."""
    lines = [line.split("\t") for line in output.splitlines()]
    means = [line[1] for line in lines[1:]] if lines[0][0] == "run" else [lines[0][1]]
    return statistics.mean(map(float, means))
