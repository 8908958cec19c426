"""Everything that is measured, declared once."""

import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

from bench.data import Collection
from bench.peers import PEERS


@dataclass(frozen=True)
class Contender:
    """A command that is measured as a whole process.

    Attributes:
        name: What the tables call it.
        command: The arguments of the process; ``{qrels}`` and ``{run}`` stand for the files.
        package: What it needs installed, and whose version is printed.
        value: From what it prints to mean nDCG@10, if it computes that.
    """

    name: str
    command: tuple[str, ...]
    package: str | None = None
    value: Callable[[str], float] | None = None

    def on(self, collection: Collection) -> list[str]:
        """The command for these files."""
        return [part.format(qrels=collection.qrels, run=collection.run) for part in self.command]

    @property
    def version(self) -> str | None:
        """The version of its package, if it is installed."""
        try:
            return metadata.version(self.package) if self.package else None
        except metadata.PackageNotFoundError:
            return None

    @property
    def available(self) -> bool:
        """Whether it can run here."""
        return self.package is None or self.version is not None


GAINFUL = Contender(
    name="gainful",
    command=(
        f"{sysconfig.get_path('scripts')}/gainful",
        *("eval", "{qrels}", "{run}", "-m", "nDCG@10"),
    ),
    package="gainful",
    value=lambda output: float(output.split("\t")[1]),
)
OTHERS = tuple(
    Contender(
        name=name,
        command=(sys.executable, "-m", "bench.peers", name, "{qrels}", "{run}"),
        package=peer.package,
        value=float,
    )
    for name, peer in PEERS.items()
)
WC = Contender(name="wc -l", command=("wc", "-l", "{run}"))


def importing(package: str) -> Contender:
    """A Python process that imports the package and ends."""
    command = (sys.executable, "-c", f"import {package}")
    return Contender(f"import {package}", command, package)


IMPORT_GAINFUL = importing("gainful")
IMPORT_NUMPY = importing("numpy")
