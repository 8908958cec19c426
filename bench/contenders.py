"""The processes that can be measured, and the parsers of their output."""

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
        name: Name in the tables.
        command: Arguments of the process.
        package: Package that must be installed, and whose version is printed.
        collection: Files that the process reads.
        value: Function from the output to the computed value, if there is one.
        answer: Meaning of the value. Contenders of a group with equal answers must agree on it.
        clock: Function from the output to the seconds, if the time is taken inside the process.
        trial: Contender with tiny input, to find out whether this one can run on the machine.
        extra_numbers: Names of the numbers that are printed after seconds and value.
    """

    name: str
    command: tuple[str, ...]
    package: str | None = None
    collection: Collection | None = None
    value: Callable[[str], float] | None = None
    answer: str = "mean nDCG@10"
    clock: Callable[[str], float] | None = None
    trial: "Contender | None" = None
    extra_numbers: tuple[str, ...] = ()

    @property
    def version(self) -> str | None:
        """Version of the package, if it is installed."""
        try:
            return metadata.version(self.package) if self.package else None
        except metadata.PackageNotFoundError:
            return None

    @property
    def is_installed(self) -> bool:
        """Whether the required package is installed."""
        return self.package is None or self.version is not None

    def with_name(self, name: str) -> "Contender":
        """Return a copy with another name."""
        return replace(self, name=name)

    def with_extra_numbers(self, *names: str) -> "Contender":
        """Return a copy whose process prints extra numbers of these names."""
        return replace(self, extra_numbers=names)

    def with_trial(self, trial: "Contender") -> "Contender":
        """Return a copy that is skipped unless the trial runs."""
        return replace(self, trial=trial)

    def with_answer(self, answer: str) -> "Contender":
        """Return a copy whose value has another meaning."""
        return replace(self, answer=answer)


def make_gainful_eval(
    collection: Collection, *options: str, measures: Sequence[str] = ("nDCG@10",)
) -> Contender:
    """Return ``gainful eval`` on the runs of the collection."""
    flags = [word for measure in measures for word in ("-m", measure)]
    command = (COMMAND, "eval", collection.qrels, *collection.run_paths, *options, *flags)
    return Contender("gainful", command, "gainful", collection, _parse_mean)


def make_trec_eval(collection: Collection) -> Contender:
    """Return ``gainful trec_eval`` on the run of the collection, with all measures."""
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
    """Return ``gainful eval`` on ten lines, which measures start-up only."""
    return (
        make_gainful_eval(TINY)
        .with_name("gainful, ten lines")
        .with_answer("mean nDCG@10 of ten lines")
    )


def make_peer(name: str, collection: Collection) -> Contender:
    """Return the computation of mean nDCG@10 by another package."""
    command = (sys.executable, "-m", "bench.peers", name, collection.qrels, *collection.run_paths)
    return Contender(name, command, PEERS[name].package, collection, float)


def make_task(name: str, *arguments: str, collection: Collection | None = None) -> Contender:
    """Return a task timed inside its process; its first arguments are the collection's paths."""
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
    """Return a process that only reads the run of the collection."""
    return Contender("wc -l", ("wc", "-l", *collection.run_paths), collection=collection)


def make_import(package: str) -> Contender:
    """Return a Python process that imports the package and exits."""
    command = (sys.executable, "-c", f"import {package}")
    return Contender(f"import {package}", command, package)


def _parse_mean(output: str) -> float:
    """Return the first measure's mean, over the runs if there are several."""
    lines = [line.split("\t") for line in output.splitlines()]
    means = [line[1] for line in lines[1:]] if lines[0][0] == "run" else [lines[0][1]]
    return statistics.mean(map(float, means))
