"""How sources are read: on how many threads, and who is told how far it is."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral

from gainful import _native
from gainful.errors import SourceError
from gainful.records import Frozen
from gainful.wording import as_written

Progress = Callable[[str, int, int | None], object]


@dataclass(eq=False, repr=False)
class Reading(Frozen):
    """How sources are read; none of it changes what is read.

    Attributes:
        threads: How many threads read a file; all cores if None.
        progress: Called now and then with the source's name, the bytes that are read, and how
            many there are, if that is known.
        lenient: Whether lines and entries that are wrong are skipped and counted, so that all of
            them can be told; the only part that changes anything.
    """

    threads: int | None = None
    progress: Progress | None = None
    lenient: bool = False

    def __post_init__(self) -> None:
        threads = self.threads
        if threads is not None and (
            not isinstance(threads, Integral) or isinstance(threads, bool) or threads < 1
        ):
            message = f"threads: must be an integer >= 1, got {as_written(threads)}."
            raise SourceError(message, code="bad-argument")
        if self.progress is not None and not callable(self.progress):
            message = f"progress: must be a function to call, got {as_written(self.progress)}."
            raise SourceError(message, code="bad-argument")

    @property
    def native(self) -> _native.Reading:
        """The part of it that the native core needs."""
        threads = min(int(self.threads or cores()), _MOST_THREADS)
        return _native.Reading(threads=threads, lenient=self.lenient)


_MOST_THREADS = 256


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
