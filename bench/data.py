"""The files that are read by contenders: made once, kept in bench/.cache."""

import os
import shutil
import subprocess
import sys
import zlib
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

ROOT = Path(__file__).parent.parent
CACHE = Path("bench", ".cache")  # below ROOT, where every process is started


@dataclass(frozen=True)
class Collection:
    """Synthetic runs and their judgments.

    Attributes:
        queries: How many there are, all of them judged and retrieved for.
        items: Retrieved per query.
        judgments: Per query; a third of them for items that are not retrieved.
        runs: How many there are.
        shape: What is particular about the lines; the generator lists the shapes.
        seed: What the files are drawn from.
        suffix: How the runs are compressed, if they are: ``.gz`` and so on.
    """

    queries: int
    items: int = 1000
    judgments: int = 60
    runs: int = 1
    shape: str = "sorted"
    seed: int = 20240229
    suffix: str = ""

    modules: ClassVar[tuple[str, ...]] = ("synthetic", "lines")  # the first of them is run

    @property
    def parameters(self) -> dict[str, object]:
        """Return the arguments of the generator."""
        return {name: value for name, value in asdict(self).items() if name != "suffix"}

    @cached_property
    def folder(self) -> Path:
        """Return where the files are; other parameters or another generator give another folder."""
        paths = [Path(__file__).with_name(f"{name}.py") for name in self.modules]
        generator = zlib.crc32(b"".join(path.read_bytes() for path in paths))
        return CACHE / f"{'x'.join(map(str, self.parameters.values()))}-{generator:08x}"

    @property
    def qrels(self) -> str:
        """Return the path of the judgments, relative to ROOT."""
        return str(self.folder / "qrels.txt")

    @property
    def run_paths(self) -> list[str]:
        """Return the paths of the runs, relative to ROOT."""
        numbers = range(1, self.runs + 1)
        return [str(self.folder / f"run-{number}.txt{self.suffix}") for number in numbers]

    @property
    def lines(self) -> int:
        """Return the number of lines of all runs."""
        return self.queries * self.items * self.runs

    @property
    def run_mb(self) -> float:
        """Return the size of all runs."""
        return sum(os.path.getsize(ROOT / path) for path in self.run_paths) / 1e6

    def __str__(self) -> str:
        runs = "a run" if self.runs == 1 else f"{self.runs:,} runs"
        judged = self.queries * self.judgments
        return (
            f"{runs} of {self.queries:,} queries x {self.items:,} items ({self.lines:,} lines), "
            f"qrels of {self.judgments} judgments a query ({judged:,} lines)"
        )


@dataclass(frozen=True)
class Tables(Collection):
    """The same as Parquet, with fewer judgments and more ties; a shape is an order of rows.

    A hundredth of the queries stands in a folder of its own, to warm up with.
    """

    judgments: int = 50
    shape: str = "together"

    modules: ClassVar[tuple[str, ...]] = ("tables", "synthetic")

    @property
    def qrels(self) -> str:
        """Return the path of the judgments, relative to ROOT."""
        return str(self.folder / "qrels.parquet")

    @property
    def run_paths(self) -> list[str]:
        """Return the path of the run, relative to ROOT."""
        return [str(self.folder / "run.parquet")]

    @property
    def few(self) -> list[str]:
        """Return the paths of qrels and run of a hundredth of the queries."""
        return [str(self.folder / "few" / name) for name in ("qrels.parquet", "run.parquet")]

    def __str__(self) -> str:
        return (
            f"{self.queries:,} queries x {self.items:,} items ({self.lines:,} rows), "
            f"{self.judgments} judgments a query, as Parquet"
        )


TINY = Collection(queries=2, items=5, judgments=5)  # ten lines each: all that remains is start-up


def prepare_files(collection: Collection) -> None:
    """Make the files unless they exist, and read them once, so that all find them in memory."""
    if not (ROOT / collection.folder).exists():
        _generate_files(collection)
    for path in collection.run_paths:
        if not (ROOT / path).exists():
            _run_module("bench.compress", path.removesuffix(collection.suffix), path)
    for path in (collection.qrels, *collection.run_paths):
        with open(ROOT / path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def _generate_files(collection: Collection) -> None:
    """Write into a folder of another name first, so that what is in place is complete."""
    unfinished = ROOT / CACHE / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    options = [f"--{name}={value}" for name, value in collection.parameters.items()]
    _run_module(f"bench.{collection.modules[0]}", str(unfinished), *options)
    unfinished.rename(ROOT / collection.folder)
    os.sync()  # what is still to be written to disk would disturb what is measured next


def _run_module(module: str, *arguments: str) -> None:
    """Run the module in a process of its own: see the package's docstring."""
    subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, check=True)
