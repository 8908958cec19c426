"""The inputs of Python targets: bytes that choose options, files, and which errors are allowed."""

import atexit
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from gainful import GainfulError, Rules, evaluate, read_qrels, read_run

Choice = TypeVar("Choice")

TEMPORARY = tempfile.TemporaryDirectory(prefix="gainful-fuzz-")
FOLDER = Path(TEMPORARY.name)
atexit.register(TEMPORARY.cleanup)
QRELS = read_qrels({"q1": {"d1": 2, "d2": 1, "d3": 0}, "q2": {"d1": 1}, "1": {"a": 1}})
LONGEST = 4000  # characters of a sentence, which may name a long path or many columns


class Input:
    """Bytes, taken from the front to choose options; the rest is content."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take_byte(self) -> int:
        first, self.rest = self.rest[:1], self.rest[1:]
        return first[0] if first else 0

    def choose(self, choices: Sequence[Choice]) -> Choice:
        return choices[self.take_byte() % len(choices)]

    def take_until(self, separator: bytes) -> bytes:
        part, _, self.rest = self.rest.partition(separator)
        return part


def write_file(content: bytes, ending: str = "") -> Path:
    """Write the content to a file, which the next call overwrites, and return its path."""
    path = FOLDER / f"data{ending}"
    path.write_bytes(content)
    return path


@contextmanager
def allow_errors() -> Iterator[None]:
    """Let errors of Gainful that are one sentence pass; any other error is a finding."""
    try:
        yield
    except GainfulError as error:
        sentence = str(error)
        assert sentence.strip(), "an error without a word"
        assert "\n" not in sentence, f"an error of several lines: {sentence!r}"
        assert sentence.endswith((".", "?", ".)")), f"an error that is no sentence: {sentence!r}"
        assert len(sentence) < LONGEST, (
            f"an error of {len(sentence)} characters: {sentence[:300]!r}"
        )


def read_qrels_and_run(path: Path, qrels: str | None, run: str | None, strict: bool = True) -> None:
    """Read a file of any content as qrels and as a run."""
    rules = Rules() if strict else Rules(duplicates="max", order="rank")
    with allow_errors():
        read_qrels(path, format=qrels, threads=1)
    with allow_errors():
        evaluate(QRELS, read_run(path, format=run), "nDCG@10", rules=rules, threads=1)
