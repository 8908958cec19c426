"""What the Python targets share: bytes that choose, a file to read, and what may come of it."""

import atexit
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from gainful import GainfulError, Rules, evaluate, read_qrels, read_run

Choice = TypeVar("Choice")

HELD = tempfile.TemporaryDirectory(prefix="gainful-fuzz-")
FOLDER = Path(HELD.name)
atexit.register(HELD.cleanup)
JUDGED = read_qrels({"q1": {"d1": 2, "d2": 1, "d3": 0}, "q2": {"d1": 1}, "1": {"a": 1}})
LONGEST = 4000  # characters of a sentence, which may name a long path or many columns


class Input:
    """Bytes, taken from the front to choose by; the rest is content."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def byte(self) -> int:
        first, self.rest = self.rest[:1], self.rest[1:]
        return first[0] if first else 0

    def choice(self, among: Sequence[Choice]) -> Choice:
        return among[self.byte() % len(among)]

    def until(self, separator: bytes) -> bytes:
        taken, _, self.rest = self.rest.partition(separator)
        return taken


def file_of(content: bytes, ending: str = "") -> Path:
    """A file that holds the content, written over by the next."""
    path = FOLDER / f"data{ending}"
    path.write_bytes(content)
    return path


@contextmanager
def ours() -> Iterator[None]:
    """An error may come of it, if it is one of ours and a sentence; all else is a finding."""
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


def read_both(path: Path, qrels: str | None, run: str | None, strict: bool = True) -> None:
    """Read a file as qrels and as a run, whatever it is."""
    rules = Rules() if strict else Rules(duplicates="max", order="rank")
    with ours():
        read_qrels(path, format=qrels, threads=1)
    with ours():
        evaluate(JUDGED, read_run(path, format=run), "nDCG@10", rules=rules, threads=1)
