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
from typing import Any

from gainful.errors import SourceError

_NAMELESS = getattr(os, "O_TMPFILE", 0)
_UNKNOWN = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT)  # by file systems


class Out:
    """A file to write to, which says what it is where it cannot be written."""

    def __init__(self, file: Any, target: str) -> None:
        self.name = target
        self._file = file
        self._target = target
        self._failure: SourceError | None = None

    def write(self, data: bytes) -> int:
        """Write some bytes; how many."""
        with self._noted():
            written: int = self._file.write(data)
            return written

    def flush(self) -> None:
        """Write what waits."""
        with self._noted():
            self._file.flush()

    @contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            with _said(self._target):
                yield
        except SourceError as error:
            self._failure = error
            raise

    @contextmanager
    def heard(self) -> Iterator["Out"]:
        """It to write to; a failure of it stays what it is, whatever is made of it on the way."""
        try:
            yield self
        except Exception:
            if self._failure is not None:
                raise self._failure from self._failure.__cause__
            raise


def is_special(target: str) -> bool:
    """Whether it is something open, a device or a pipe: what cannot be put in its place."""
    is_file = os.path.isfile(target) and _descriptor_folder(target) is None
    return target == "-" or (os.path.exists(target) and not is_file)


def _descriptor_folder(target: str) -> tuple[str, str] | None:
    """Where the system shows what is open, and the number there, if that is what it is.

    So is ``/dev/stdout``, which may well be a file that somebody else is writing to.
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


def can_be_written(target: str) -> None:
    """An error where it is known beforehand that it cannot be: before hours of work, not after."""
    with _said(target):
        if target != "-" and os.path.isdir(target or os.curdir):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not is_special(target):
            _place(target)


def not_over(target: str, *paths: str | None) -> None:
    """An error where it is one of these files, which are read, whatever links lead there.

    >>> not_over("report.html", "qrels.txt", None)
    """
    if is_any_of(target, paths):
        message = f"{target}: is what is read. Write to another file."
        raise SourceError(message, code="writes-over-input")


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
def written(target: str, *, executable: bool = False) -> Iterator[Out]:
    """A file to write to; it takes its place at the end, if nothing goes wrong.

    Links are followed, and a file that is replaced leaves its permissions to the new one.

    Args:
        target: Its path; ``-`` is standard output.
        executable: Whether it is a program.
    """
    if is_special(target):
        with _copied(target) as copy:
            yield copy
        return
    with _said(target):
        unfinished = _Unfinished(_place(target))
    try:
        with _said(target):
            unfinished.open()
        with Out(unfinished.file, target).heard() as out:
            yield out
        with _said(target):
            unfinished.finish(executable=executable)
    finally:
        unfinished.remove()


class _Unfinished:
    """A file beside the one whose place it is to take."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._folder = os.path.dirname(place)
        self._name: str | None = None
        self.file: Any = None

    def open(self) -> None:
        """Make it."""
        self.file = open(self._opened(), "wb")  # noqa: SIM115

    def _opened(self) -> int:
        if _NAMELESS and os.path.isdir("/proc/self/fd"):
            try:
                return os.open(self._folder, _NAMELESS | os.O_WRONLY | os.O_CLOEXEC, 0o666)
            except OSError as error:
                if error.errno not in _UNKNOWN or not os.path.isdir(self._folder):
                    raise
        self._name = self._new_name()  # known before it is there: an interrupt may come between
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        return os.open(self._name, flags, 0o666)

    def _new_name(self) -> str:
        # Not the name of the target, which may be as long as names can be.
        return os.path.join(self._folder, f".gainful-{os.urandom(8).hex()}.part")

    def finish(self, *, executable: bool) -> None:
        """Put it in its place, all of it."""
        self.file.flush()
        _permit(self._name or self.file.fileno(), self._place, executable=executable)
        with _unless(errno.EINVAL):  # there are file systems that know no such thing
            os.fsync(self.file.fileno())
        if self._name is None:
            self._link()
        self.file.close()
        assert self._name is not None
        os.replace(self._name, self._place)
        self._name = None

    def _link(self) -> None:
        """Give it a name: a file without one cannot take the place of another."""
        folder = os.open(self._folder, os.O_PATH)  # it need not be one that can be listed
        try:
            self._name = self._new_name()
            # Told a folder, link() follows what /proc has instead of linking that itself.
            os.link(f"/proc/self/fd/{self.file.fileno()}", self._name, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def remove(self) -> None:
        """Leave nothing behind, if it is not in its place."""
        if self.file is not None:
            with suppress(OSError):  # what is not yet written is not wanted any more
                self.file.close()
        if self._name is not None:
            with suppress(OSError):
                os.unlink(self._name)


def _place(target: str) -> str:
    """Where the file is that the links lead to; an error where it cannot be written to."""
    place = os.path.realpath(target)
    try:
        # Replacing it takes no more than a folder that can be written to: it is asked as well.
        os.close(os.open(place, os.O_WRONLY))
    except FileNotFoundError:
        os.stat(os.path.dirname(place))
    if not os.access(os.path.dirname(place), os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "its folder cannot be written to")
    return place


def _permit(file: str | int, place: str, *, executable: bool) -> None:
    """Give a file the permissions of the one that it replaces, and its owner, as far as we may."""
    if executable:
        os.chmod(file, 0o755)
    elif os.path.exists(place):
        old = os.stat(place)
        mode = stat.S_IMODE(old.st_mode) & 0o777  # nothing runs as somebody else
        if not _belongs(file, gid=old.st_gid):
            mode &= ~stat.S_IRWXG  # what its group could do is not for another group
        _belongs(file, uid=old.st_uid)
        os.chmod(file, mode)


def _belongs(file: str | int, *, uid: int = -1, gid: int = -1) -> bool:
    """Whether a file now has this owner, or this group."""
    try:
        os.chown(file, uid, gid)
    except (OSError, AttributeError):  # Windows has no owners
        new = os.stat(file)
        return uid in (-1, new.st_uid) and gid in (-1, new.st_gid)
    return True


@contextmanager
def _copied(target: str) -> Iterator[Out]:
    """What standard output, a device or a pipe gets when all of it is there."""
    from tempfile import TemporaryFile, gettempdir

    with _said("a temporary file"):
        folder = gettempdir()
    with _said(folder):
        copy = TemporaryFile()  # noqa: SIM115
    try:
        with Out(copy, folder).heard() as out:
            yield out
        with _said(folder):
            copy.seek(0)
        _copy(copy, target)
    finally:
        with suppress(OSError):
            copy.close()


def _copy(file: Any, target: str) -> None:
    if target == "-":
        sys.stdout.flush()
        shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with _said(target), open(_opened_again(target), "ab") as special:
        shutil.copyfileobj(file, special)


def _opened_again(target: str) -> str | int:
    """What is open in this process as it is: opened anew, it would be written from its start."""
    found = _descriptor_folder(target)
    if found is None or found[0] not in ("/dev/fd", os.path.realpath("/proc/self/fd")):
        return target
    sys.stdout.flush()
    return os.dup(int(found[1]))


@contextmanager
def _unless(number: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno != number:
            raise


@contextmanager
def _said(target: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        reason = getattr(error, "strerror", None) or error
        message = f"{target!r:.200}" if "\0" in target else target
        message = f"{message}: cannot be written to ({reason})."
        raise SourceError(message, code="cannot-write") from error
