"""How sources are read: threads, progress, and limits on memory and on the length of lines."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from gainful.base import _native
from gainful.base.text import format_repr
from gainful.errors import SourceError

if TYPE_CHECKING:
    from gainful.base.files import InputFile

LONGEST_LINE = _native.LONGEST_LINE  # bytes that a line of a text file may have
LARGEST_WHOLE = 1 << 30  # bytes, unpacked, of a file that is read as a whole

LONG_LINE = "is longer than {:,.0f} bytes, the most that a line may have."


def read_whole(file: "InputFile", *, rewindable: bool = False) -> bytes:
    """Return all bytes of an open file, unpacked; raise an error as soon as there are too many.

    Args:
        file: The file, which is read from its beginning.
        rewindable: Whether it may be read once more.
    """
    file.rewind()
    content, size = [], 0
    for piece, _ in file.read_pieces(rewindable=rewindable):
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


_MB = 1 << 20
# By limit: the field of /proc that counts towards it, what polars takes when it is loaded and
# starts its threads, what each of these adds, and what a table of a million rows takes.
_NEEDS = {
    "RLIMIT_AS": ("ulimit -v", "VmSize", 1500, 16, 200),
    "RLIMIT_DATA": ("ulimit -d", "VmData", 250, 6, 200),
}


class NoRoomError(MemoryError):
    """A process limit leaves too little memory for polars; the text names the way out."""


def check_memory_per_table(tables: Iterable[Any]) -> Iterator[Any]:
    """Yield the tables that polars makes, checking memory before each."""
    making = iter(tables)
    while True:
        check_memory()
        try:
            table = next(making)
        except StopIteration:
            return
        yield table


def check_memory() -> None:
    """Raise NoRoomError if a process limit leaves less memory than polars may need for a table."""
    if sys.platform != "linux":
        return
    import resource

    for name, (text, field, starting, per_thread, table) in _NEEDS.items():
        limit, _ = resource.getrlimit(getattr(resource, name))
        if limit == resource.RLIM_INFINITY:
            continue
        needed = (
            table if "polars" in sys.modules else starting + per_thread * _count_polars_threads()
        )
        n_free = (limit - _read_used_memory(field)) // _MB
        if n_free < needed:
            message = (
                f"polars takes {needed:,} MB, and {text} leaves {n_free:,}. "
                "Raise that limit, or set POLARS_MAX_THREADS=1."
            )
            raise NoRoomError(message)


def _count_polars_threads() -> int:
    """Return the number of threads that polars starts."""
    text = os.environ.get("POLARS_MAX_THREADS", "")
    return int(text) if text.isdigit() else count_cores()


def _read_used_memory(field: str) -> int:
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith(f"{field}:"))
    return int(line.split()[1]) * 1024
