"""The files that are measured: made once, kept in bench/.cache."""

import os
import shutil
import subprocess
import sys
import zlib
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent
CACHE = Path("bench", ".cache")  # below ROOT, where every process is started
_GENERATOR = Path(__file__).with_name("synthetic.py")


@dataclass(frozen=True)
class Collection:
    """A synthetic run and its judgments.

    Attributes:
        queries: How many there are, all of them judged and retrieved for.
        items: Retrieved per query.
        judgments: Per query; a third of them for items that are not retrieved.
        seed: What the files are drawn from.
    """

    queries: int
    items: int
    judgments: int = 60
    seed: int = 20240229

    @cached_property
    def folder(self) -> Path:
        """Where the files are kept: other parameters, or another generator, is another folder."""
        generator = zlib.crc32(_GENERATOR.read_bytes())
        parameters = "x".join(map(str, asdict(self).values()))
        return CACHE / f"{parameters}-{generator:08x}"

    @property
    def qrels(self) -> str:
        """The path of the judgments, relative to ROOT."""
        return str(self.folder / "qrels.txt")

    @property
    def run(self) -> str:
        """The path of the run, relative to ROOT."""
        return str(self.folder / "run.txt")

    @property
    def run_mb(self) -> float:
        """The size of the run."""
        return os.path.getsize(ROOT / self.run) / 1e6

    def __str__(self) -> str:
        lines = self.queries * self.items
        judged = self.queries * self.judgments
        qrels_mb = os.path.getsize(ROOT / self.qrels) / 1e6
        return (
            f"run of {self.queries:,} queries x {self.items:,} items "
            f"({lines:,} lines, {self.run_mb:,.1f} MB), "
            f"qrels of {self.judgments} judgments a query ({judged:,} lines, {qrels_mb:,.1f} MB)"
        )


TINY = Collection(queries=2, items=5, judgments=5)  # ten lines each: all that remains is start-up


def prepare(collection: Collection) -> None:
    """Make the files unless they are there, and read them once, so that all find them in memory."""
    if not (ROOT / collection.folder).exists():
        _make(collection)
    for path in (collection.qrels, collection.run):
        with open(ROOT / path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def _make(collection: Collection) -> None:
    """Write into a folder of another name first: what is in place is complete."""
    unfinished = ROOT / CACHE / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    options = [f"--{name}={value}" for name, value in asdict(collection).items()]
    # In a process of its own: see the package's docstring.
    command = [sys.executable, "-m", "bench.synthetic", str(unfinished), *options]
    subprocess.run(command, cwd=ROOT, check=True)
    unfinished.rename(ROOT / collection.folder)
