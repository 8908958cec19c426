"""Files that change while they are read: refused, for what was read of them may be of two minds."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gainful.errors import SourceError

_State = tuple[int, ...]


@contextmanager
def unchanged(name: str, descriptor: int) -> Iterator[None]:
    """An error where the content of an open file is not the same at the end.

    That comes before anything else that is wrong: a line that was cut tells of the change.
    What replaces the file under its name does not matter, for the open one stays what it is.

    Args:
        name: What errors call it.
        descriptor: The open file.
    """
    before = _content(os.fstat(descriptor))
    try:
        yield
    except Exception as error:
        if _content(os.fstat(descriptor)) != before:
            raise _changed(name) from error
        raise
    if _content(os.fstat(descriptor)) != before:
        raise _changed(name)


class Steady:
    """Files that are read several times, and must be the same each time."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._before = {path: _identity(path) for path in paths}

    def check(self) -> None:
        """An error where one of them has changed, or another is in its place."""
        for path, before in self._before.items():
            if _identity(path) != before:
                raise _changed(path)


def _content(status: os.stat_result) -> _State | None:
    """What tells that a file was written to; None of what is no file."""
    if not stat.S_ISREG(status.st_mode):
        return None
    # What /proc shows has no size, and any time.
    return (status.st_size, status.st_mtime_ns) if status.st_size else (0,)


def _identity(path: str) -> _State | None:
    """What tells files and their contents apart; None of what is no file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # whoever reads it has said so, or "-" is no name
        return None
    content = _content(status)
    return None if content is None else (status.st_dev, status.st_ino, *content)


def _changed(name: str) -> SourceError:
    message = f"{name}: changed while it was read. Read it again when it is complete."
    return SourceError(message, code="changed-file")
