"""How sources are read: threads, progress, and limits on the size of files and of lines."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

from gainful.base import _native
from gainful.base.text import format_repr
from gainful.errors import SourceError

if TYPE_CHECKING:
    from gainful.base.files import InputFile

LONGEST_LINE = _native.LONGEST_LINE  # bytes that a line of a text file may have
LARGEST_WHOLE = 1 << 30  # bytes, unpacked, of a file that is read as a whole

LONG_LINE = "is longer than {:,.0f} bytes, the most that a line may have."


def read_whole(file: "InputFile") -> bytes:
    """Return all bytes of an open file, unpacked; raise an error as soon as there are too many."""
    file.rewind()
    content, size = [], 0
    for piece, _ in file.read_pieces():
        size += len(piece)
        if size > LARGEST_WHOLE:
            message = (
                f"{file.name}: has more than {LARGEST_WHOLE:,} bytes, unpacked, the most that a "
                "file may have that is read as a whole. Pass JSON lines, CSV or Parquet."
            )
            raise SourceError(message, code="too-large")
        content.append(bytes(piece))
    return b"".join(content)


Progress = Callable[[str, int, int | None], object]


@dataclass(frozen=True, eq=False)
class ReadOptions:
    """Settings for reading sources; only ``lenient`` changes what is read.

    Attributes:
        threads: Number of threads that read a file; all cores if None.
        progress: Called now and then with the source's name, the number of bytes that were read,
            and the number of all bytes, if known.
        lenient: Whether wrong lines and entries are skipped and counted, so that all of them can be
            reported.
    """

    threads: int | None = None
    progress: Progress | None = None
    lenient: bool = False

    def __post_init__(self) -> None:
        threads = self.threads
        if threads is not None and (
            not isinstance(threads, Integral) or isinstance(threads, bool) or threads < 1
        ):
            message = f"threads: must be an integer >= 1, got {format_repr(threads)}."
            raise SourceError(message, code="bad-argument")
        if self.progress is not None and not callable(self.progress):
            message = f"progress: must be a function to call, got {format_repr(self.progress)}."
            raise SourceError(message, code="bad-argument")

    @property
    def native(self) -> _native.Reading:
        """The part of it that the native core needs."""
        threads = min(int(self.threads or count_cores()), _MAX_THREADS)
        return _native.Reading(threads=threads, lenient=self.lenient)


_MAX_THREADS = 256


def count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
