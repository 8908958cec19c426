"""The input files of the contenders: generated once, stored in bench/.cache."""

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
CACHE = Path("bench", ".cache")  # relative to ROOT, the working directory of every process


@dataclass(frozen=True)
class Collection:
    """Synthetic runs and their judgments.

    Attributes:
        queries: Number of queries, all of them judged and in the run.
        items: Number of retrieved items per query.
        judgments: Number of judgments per query; a third of them are of items not retrieved.
        runs: Number of runs.
        shape: Order and format of the lines; the generator lists the shapes.
        seed: Seed of the generator.
        suffix: Suffix of compressed runs, for example ``.gz``.
    """

    queries: int
    items: int = 1000
    judgments: int = 60
    runs: int = 1
    shape: str = "sorted"
    seed: int = 20240229
    suffix: str = ""

    modules: ClassVar[tuple[str, ...]] = ("synthetic", "lines")  # the first is the generator

    @property
    def parameters(self) -> dict[str, object]:
        """Arguments of the generator."""
        return {name: value for name, value in asdict(self).items() if name != "suffix"}

    @cached_property
    def folder(self) -> Path:
        """Folder of the files; it depends on the parameters and on the code of the generator."""
        paths = [Path(__file__).with_name(f"{name}.py") for name in self.modules]
        generator = zlib.crc32(b"".join(path.read_bytes() for path in paths))
        return CACHE / f"{'x'.join(map(str, self.parameters.values()))}-{generator:08x}"

    @property
    def qrels(self) -> str:
        """Path of the judgments, relative to ROOT."""
        return str(self.folder / "qrels.txt")

    @property
    def run_paths(self) -> list[str]:
        """Paths of the runs, relative to ROOT."""
        numbers = range(1, self.runs + 1)
        return [str(self.folder / f"run-{number}.txt{self.suffix}") for number in numbers]

    @property
    def lines(self) -> int:
        """Number of lines of all runs."""
        return self.queries * self.items * self.runs

    @property
    def run_mb(self) -> float:
        """Size of all runs in megabytes."""
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
    """A collection as Parquet, with fewer judgments and more ties; a shape is an order of rows.

    A separate folder has a hundredth of the queries, for warming up.
    """

    judgments: int = 50
    shape: str = "together"

    modules: ClassVar[tuple[str, ...]] = ("tables", "synthetic")

    @property
    def qrels(self) -> str:
        """Path of the judgments, relative to ROOT."""
        return str(self.folder / "qrels.parquet")

    @property
    def run_paths(self) -> list[str]:
        """Path of the run, relative to ROOT."""
        return [str(self.folder / "run.parquet")]

    @property
    def warm_up_paths(self) -> list[str]:
        """Paths of qrels and run of a hundredth of the queries."""
        folder = self.folder / "warm-up"
        return [str(folder / name) for name in ("qrels.parquet", "run.parquet")]

    def __str__(self) -> str:
        return (
            f"{self.queries:,} queries x {self.items:,} items ({self.lines:,} rows), "
            f"{self.judgments} judgments a query, as Parquet"
        )


TINY = Collection(queries=2, items=5, judgments=5)  # ten lines each, to measure start-up


def prepare_files(collection: Collection) -> None:
    """Generate missing files, and read all of them once to fill the page cache."""
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
    """Write the files to a temporary folder, then rename it once it is complete."""
    unfinished = ROOT / CACHE / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    options = [f"--{name}={value}" for name, value in collection.parameters.items()]
    _run_module(f"bench.{collection.modules[0]}", str(unfinished), *options)
    unfinished.rename(ROOT / collection.folder)
    os.sync()  # pending writes to disk would disturb the next measurement


def _run_module(module: str, *arguments: str) -> None:
    """Run the module in a separate process: see the docstring of the package."""
    subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, check=True)
