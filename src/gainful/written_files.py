"""Files that appear when all of them is written."""

import errno
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from tempfile import NamedTemporaryFile
from typing import Any

from gainful.errors import SourceError


class Out:
    """A file to write to, which says what it is where it cannot be written."""

    def __init__(self, file: Any, target: str) -> None:
        self.name = file.name
        self._file = file
        self._target = target

    def write(self, data: bytes) -> int:
        """Write some bytes; how many."""
        with _said(self._target):
            written: int = self._file.write(data)
            return written

    def flush(self) -> None:
        """Write what waits."""
        with _said(self._target):
            self._file.flush()


def is_special(target: str) -> bool:
    """Whether it is standard output, or a device or a pipe: what cannot be put in its place."""
    return target == "-" or (os.path.exists(target) and not os.path.isfile(target))


def can_be_written(target: str) -> None:
    """An error where it is known beforehand that it cannot be: before hours of work, not after."""
    folder = os.path.dirname(os.path.realpath(target))
    with _said(target):
        if target != "-" and os.path.isdir(target or folder):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not is_special(target):
            os.stat(folder)


def not_over(target: str, *paths: str | None) -> None:
    """An error where it is one of these files, which are read, whatever links lead there.

    >>> not_over("report.html", "qrels.txt", None)
    """
    if is_any_of(target, paths):
        message = f"{target}: is what is read. Write to another file."
        raise SourceError(message)


def is_any_of(target: str, paths: Iterable[str | None]) -> bool:
    """Whether it is one of these files, whatever links lead there.

    >>> is_any_of("report.html", ["qrels.txt", None])
    False
    """
    if not os.path.isfile(target):
        return False
    known = (path for path in paths if path is not None and os.path.exists(path))
    return any(os.path.samefile(target, path) for path in known)


@contextmanager
def written(target: str) -> Iterator[Out]:
    """A file to write to; it takes its place at the end, if nothing goes wrong."""
    if is_special(target):
        with NamedTemporaryFile() as copy:
            yield Out(copy, target)
            copy.flush()
            _copy(copy.name, target)
        return
    folder, name = os.path.split(os.path.realpath(target))
    part = os.path.join(folder, f".{name}.{os.getpid()}.part")
    with _said(target):
        file = open(part, "xb")  # noqa: SIM115
    try:
        with file:
            yield Out(file, target)
        with _said(target):
            os.replace(part, os.path.join(folder, name))
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def _copy(path: str, target: str) -> None:
    with open(path, "rb") as file:
        if target == "-":
            sys.stdout.flush()
            shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        with _said(target), open(target, "wb") as special:
            shutil.copyfileobj(file, special)


@contextmanager
def _said(target: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"{target}: cannot be written to ({error.strerror})."
        raise SourceError(message) from error
