"""Files that appear when all of them is written: the one door for all that Gainful writes.

A file is written beside its target, without a name where the system knows such files (Linux), and
takes its place in one step. Whatever happens before, the target is what it was, and no part of a
file stays behind. Where files must have names, one that is unfinished is removed unless the process
is killed; the next writer is not hindered by it, for no name is used twice. The data are on the
disk before they take the place of others, so that a power cut leaves the old file or the new one.
"""

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from gainful.base.files import EXTENSIONS, import_zstd
from gainful.errors import SourceError

_NAMELESS = getattr(os, "O_TMPFILE", 0)
_UNSUPPORTED_ERRORS = (
    errno.EOPNOTSUPP,
    errno.EISDIR,
    errno.EINVAL,
    errno.ENOENT,
)  # by file systems


class OutputFile:
    """A file to write to, which says what it is where it cannot be written."""

    def __init__(self, file: BinaryIO, target: str) -> None:
        self.name = target
        self._file = file
        self._target = target
        self._failure: SourceError | None = None

    def write(self, data: bytes) -> int:
        """Write some bytes and return their number."""
        with self._record_failure():
            n_bytes: int = self._file.write(data)
            return n_bytes

    def flush(self) -> None:
        """Write what is buffered."""
        with self._record_failure():
            self._file.flush()

    @contextmanager
    def _record_failure(self) -> Iterator[None]:
        try:
            with _name_write_errors(self._target):
                yield
        except SourceError as error:
            self._failure = error
            raise

    @contextmanager
    def reraise_failure(self) -> Iterator["OutputFile"]:
        """Yield the file; raise its own error in place of one that a writer made of it."""
        try:
            yield self
        except Exception:
            if self._failure is not None:
                raise self._failure from self._failure.__cause__
            raise


def is_special(target: str) -> bool:
    """Return whether a target cannot be replaced: an open file, a device or a pipe."""
    is_file = os.path.isfile(target) and _find_descriptor(target) is None
    return target == "-" or (os.path.exists(target) and not is_file)


def _find_descriptor(target: str) -> tuple[str, str] | None:
    """Return the folder of descriptors and the number in it, if the target is a descriptor.

    ``/dev/stdout`` is one, and may be a file that another process is writing to.
    """
    path = target
    for _ in range(40):  # links; more than that the system does not follow either
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder or os.curdir)
        if name.isdigit() and re.fullmatch(r"/proc/\d+(/task/\d+)?/fd|/dev/fd", folder):
            return folder, name
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def check_writable(target: str) -> None:
    """Raise an error if a file cannot be written, before any work is done."""
    with _name_write_errors(target):
        if target != "-" and os.path.isdir(target or os.curdir):
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


@contextmanager
def open_atomic(target: str, *, executable: bool = False) -> Iterator[OutputFile]:
    """Yield a file to write to; at the end it replaces the target, if nothing went wrong.

    Links are followed, and a file that is replaced leaves its permissions to the new one.

    Args:
        target: Its path; ``-`` is standard output.
        executable: Whether it is a program.
    """
    if is_special(target):
        with _open_copy(target) as copy:
            yield copy
        return
    with _name_write_errors(target):
        unfinished = _UnfinishedFile(_resolve_target(target))
    try:
        with _name_write_errors(target):
            unfinished.open()
        with OutputFile(unfinished.file, target).reraise_failure() as out:
            yield out
        with _name_write_errors(target):
            unfinished.finish(executable=executable)
    finally:
        unfinished.remove()


class _UnfinishedFile:
    """A file beside the target that it is to replace."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._folder = os.path.dirname(place)
        self._name: str | None = None
        self.file: Any = None

    def open(self) -> None:
        """Create the file."""
        self.file = open(self._open_descriptor(), "wb")  # noqa: SIM115

    def _open_descriptor(self) -> int:
        if _NAMELESS and os.path.isdir("/proc/self/fd"):
            try:
                return os.open(self._folder, _NAMELESS | os.O_WRONLY | os.O_CLOEXEC, 0o666)
            except OSError as error:
                if error.errno not in _UNSUPPORTED_ERRORS or not os.path.isdir(self._folder):
                    raise
        self._name = self._make_name()  # known before it is there: an interrupt may come between
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        return os.open(self._name, flags, 0o666)

    def _make_name(self) -> str:
        # Not the name of the target, which may be as long as names can be.
        return os.path.join(self._folder, f".gainful-{os.urandom(8).hex()}.part")

    def finish(self, *, executable: bool) -> None:
        """Replace the target by the file."""
        self.file.flush()
        _copy_permissions(self._name or self.file.fileno(), self._place, executable=executable)
        with _ignore_errno(errno.EINVAL):  # there are file systems that know no such thing
            os.fsync(self.file.fileno())
        if self._name is None:
            self._link()
        self.file.close()
        assert self._name is not None
        os.replace(self._name, self._place)
        self._name = None

    def _link(self) -> None:
        """Give the file a name: one without a name cannot replace another."""
        folder = os.open(self._folder, os.O_PATH)  # it need not be one that can be listed
        try:
            self._name = self._make_name()
            # Given a folder, link() follows the link in /proc instead of linking that link itself.
            os.link(f"/proc/self/fd/{self.file.fileno()}", self._name, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def remove(self) -> None:
        """Delete the file if it has not replaced the target."""
        if self.file is not None:
            with suppress(OSError):  # what is not yet written is not needed any more
                self.file.close()
        if self._name is not None:
            with suppress(OSError):
                os.unlink(self._name)


def _resolve_target(target: str) -> str:
    """Return the path that links lead to; raise an error if it cannot be written to."""
    place = os.path.realpath(target)
    try:
        # Replacing it takes no more than a writable folder: the file must be writable too.
        os.close(os.open(place, os.O_WRONLY))
    except FileNotFoundError:
        os.stat(os.path.dirname(place))
    if not os.access(os.path.dirname(place), os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "its folder cannot be written to")
    return place


def _copy_permissions(file: str | int, place: str, *, executable: bool) -> None:
    """Give a file the permissions and the owner of the one it replaces, as far as allowed."""
    if executable:
        os.chmod(file, 0o755)
    elif os.path.exists(place):
        old = os.stat(place)
        mode = stat.S_IMODE(old.st_mode) & 0o777  # nothing runs as somebody else
        if not _change_owner(file, gid=old.st_gid):
            mode &= ~stat.S_IRWXG  # what its group could do is not for another group
        _change_owner(file, uid=old.st_uid)
        os.chmod(file, mode)


def _change_owner(file: str | int, *, uid: int = -1, gid: int = -1) -> bool:
    """Change the owner or group of a file; return whether the file has it now."""
    try:
        os.chown(file, uid, gid)
    except (OSError, AttributeError):  # Windows has no owners
        new = os.stat(file)
        return uid in (-1, new.st_uid) and gid in (-1, new.st_gid)
    return True


@contextmanager
def _open_copy(target: str) -> Iterator[OutputFile]:
    """Yield a temporary file that is copied to standard output, a device or a pipe at the end."""
    from tempfile import TemporaryFile, gettempdir

    with _name_write_errors("a temporary file"):
        folder = gettempdir()
    with _name_write_errors(folder):
        copy = TemporaryFile()  # noqa: SIM115
    try:
        with OutputFile(copy, folder).reraise_failure() as out:
            yield out
        with _name_write_errors(folder):
            copy.seek(0)
        _copy_to_target(copy, target)
    finally:
        with suppress(OSError):
            copy.close()


def _copy_to_target(file: BinaryIO, target: str) -> None:
    if target == "-":
        sys.stdout.flush()
        shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with _name_write_errors(target), open(_reopen(target), "ab") as special:
        shutil.copyfileobj(file, special)


def _reopen(target: str) -> str | int:
    """Return a copy of a descriptor that this process has open; else the path itself."""
    descriptor = _find_descriptor(target)
    if descriptor is None or descriptor[0] not in ("/dev/fd", os.path.realpath("/proc/self/fd")):
        return target
    sys.stdout.flush()
    return os.dup(int(descriptor[1]))


@contextmanager
def _ignore_errno(number: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno != number:
            raise


@contextmanager
def _name_write_errors(target: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        reason = getattr(error, "strerror", None) or error
        message = f"{target!r:.200}" if "\0" in target else target
        message = f"{message}: cannot be written to ({reason})."
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
