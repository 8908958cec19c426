"""Files that appear when all of them is written: the one door for all that Gainful writes.

A file is written beside its target and takes its place in one step. Whatever happens before, the
target is what it was, and no part of a file stays behind unless the process is killed. The data are
on the disk before they take the place of others.
"""

import errno
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from gainful.base.files import EXTENSIONS, import_zstd
from gainful.errors import SourceError

_STDOUT = ("-", "/dev/stdout")
# What is open already, which may be a regular file.
_DESCRIPTOR = re.compile("/dev/(stdout|stderr|fd/.+)|/proc/.+/fd/.+")


def is_special(target: str) -> bool:
    """Return whether a target is written to directly: standard output, a device or a pipe."""
    if target in _STDOUT or _DESCRIPTOR.fullmatch(os.path.abspath(target)):
        return True
    return os.path.exists(target) and not os.path.isfile(target)


def check_writable(target: str) -> None:
    """Raise an error if a file cannot be written, before any work is done."""
    with _name_write_errors(target):
        if os.path.isdir(target or os.curdir):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not is_special(target):
            _resolve_target(target)


def check_not_input(target: str, *paths: str | None) -> None:
    """Raise an error if the target is one of these input files, links followed.

    >>> check_not_input("report.html", "qrels.txt", None)
    """
    if is_same_file(target, paths):
        message = f"{target}: is what is read. Write to another file."
        raise SourceError(message, code="writes-over-input")


def is_same_file(target: str, paths: Iterable[str | None]) -> bool:
    """Return whether the target is one of these files, links followed.

    >>> is_same_file("report.html", ["qrels.txt", None])
    False
    """
    if not os.path.isfile(target):
        return False
    existing = (path for path in paths if path is not None and os.path.exists(path))
    return any(os.path.samefile(target, path) for path in existing)


class OutputFile:
    """A file to write to, which remembers why it could not be written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.failure: OSError | None = None

    def write(self, data: bytes) -> int:
        """Write some bytes and return their number."""
        with self._record_failure():
            return self._file.write(data)

    def flush(self) -> None:
        """Write what is buffered."""
        with self._record_failure():
            self._file.flush()

    @contextmanager
    def _record_failure(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.failure = error
            raise


@contextmanager
def open_atomic(target: str, *, executable: bool = False) -> Iterator[OutputFile]:
    """Yield a file to write to; at the end it replaces the target, if nothing went wrong.

    Links are followed, and a file that is replaced leaves its permissions to the new one. Standard
    output, devices and pipes are written to directly.

    Args:
        target: Its path; ``-`` is standard output.
        executable: Whether it is a program.

    Raises:
        SourceError: It cannot be written.
    """
    if target in _STDOUT:
        opened = _open_stdout()
    elif is_special(target):
        opened = _open_special(target)
    else:
        opened = _open_beside(target, executable=executable)
    with opened as file:
        output = OutputFile(file)
        try:
            yield output
        except Exception:
            # Not what polars made of it, or whoever reads a file meanwhile.
            if output.failure is not None:
                raise output.failure from None
            raise


@contextmanager
def _open_stdout() -> Iterator[BinaryIO]:
    sys.stdout.flush()
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


@contextmanager
def _open_special(target: str) -> Iterator[BinaryIO]:
    with _name_write_errors(target), open(target, "ab") as file:
        yield file


@contextmanager
def _open_beside(target: str, *, executable: bool) -> Iterator[BinaryIO]:
    """Yield a file beside the target, which replaces it at the end."""
    with _name_write_errors(target):
        place = _resolve_target(target)
        # Not by tempfile, whose files only their owner may read. The name is known before the file
        # is there: an interrupt may come in between.
        unfinished = os.path.join(os.path.dirname(place), f".gainful-{os.urandom(8).hex()}.part")
        try:
            with open(unfinished, "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if executable:
                os.chmod(unfinished, 0o755)
            elif os.path.exists(place):
                shutil.copymode(place, unfinished)
            os.replace(unfinished, place)
        finally:
            with suppress(OSError):  # it has another name now, unless something went wrong
                os.unlink(unfinished)


def _resolve_target(target: str) -> str:
    """Return the path that links lead to; raise an error if it cannot be written to."""
    if "\0" in target:
        message = f"{target!r:.200}: no file can have this name (embedded null byte)."
        raise SourceError(message, code="cannot-write")
    place = os.path.realpath(target)
    folder = os.path.dirname(place)
    try:
        os.stat(place)
    except FileNotFoundError:
        os.stat(folder)
    for path in (folder, place):
        # Replacing a file takes no more than a writable folder: the file must be writable too.
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return place


@contextmanager
def _name_write_errors(target: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"{target}: cannot be written to ({error.strerror or error})."
        raise SourceError(message, code="cannot-write") from error


def find_compression_suffix(path: str | os.PathLike[str]) -> str:
    """Return the suffix of the compression of a file; empty if it is not compressed.

    >>> find_compression_suffix("runs/bm25.csv.gz"), find_compression_suffix("-")
    ('.gz', '')
    """
    return next((end for end in EXTENSIONS if os.fspath(path).endswith(end)), "")


@contextmanager
def open_compressed(file: object, path: str | os.PathLike[str]) -> Iterator[Any]:
    """Yield the file to write to, or an object that compresses into it."""
    end = find_compression_suffix(path)
    if not end:
        yield file
        return
    with _open_compressor(end, file) as inner:
        yield inner


def _open_compressor(end: str, file: Any) -> Any:
    if end == ".gz":
        from gzip import GzipFile

        # Without name and time, so that the same rows are the same bytes; not the highest level,
        # which takes several times as long for a hundredth of the size.
        return GzipFile("", "wb", 6, fileobj=file, mtime=0)
    if end == ".bz2":
        from bz2 import BZ2File

        return BZ2File(file, "wb")
    if end == ".xz":
        from lzma import LZMAFile

        return LZMAFile(file, "wb")
    return import_zstd().ZstdFile(file, "wb")
