"""Open files, compressed or not, and standard input; refuse files that change meanwhile."""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import Any

from gainful.base.caching import cached_property
from gainful.base.limits import NoRoomError
from gainful.errors import OutOfMemoryError, SourceError

_State = tuple[int, ...]


class FileSnapshot:
    """Files that are read several times, and must be the same each time."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._before = {path: _read_file_state(path) for path in paths}

    def check(self) -> None:
        """Raise an error if one of the files has changed, or was replaced."""
        for path, initial_state in self._before.items():
            if _read_file_state(path) != initial_state:
                raise _make_changed_error(path)


def _get_content_state(status: os.stat_result) -> _State | None:
    """Return the size and time that change when a file is written; None if it is not a file."""
    if not stat.S_ISREG(status.st_mode):
        return None
    # What /proc shows has no size, and any time.
    return (status.st_size, status.st_mtime_ns) if status.st_size else (0,)


def _read_file_state(path: str) -> _State | None:
    """Return what identifies a file and its content; None if it is not a file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # its reader reports that, or "-" is not a file name
        return None
    content = _get_content_state(status)
    return None if content is None else (status.st_dev, status.st_ino, *content)


def _make_changed_error(name: str) -> SourceError:
    message = f"{name}: changed while it was read. Read it again when it is complete."
    return SourceError(message, code="changed-file")


_PIECE = 1 << 20
_MAGIC = 16  # bytes that identify the compression
_CHUNK_SIZE = 1 << 15  # bytes; all but the first of many small streams in them are copied for each
_DICTIONARY = 1 << 28  # bytes that unpacking may take; Zstandard refuses more than 128 MB by itself
_PORTION = 500  # milliseconds
_IN_MEMORY = 1 << 25  # of what came through a pipe; the rest is kept on disk


class InputFile:
    """An open file, read from its current position; call pieces() once, or rewind() in between.

    What takes a path takes an open file as well, and reads it from its beginning again.

    Attributes:
        name: Its path, or ``-``.
        size: Number of bytes to read, if known.
        plain: What the native core needs to read it by itself: descriptor, begin and end.
        row_lines: The line of each row of the tables made from it, if known.
    """

    START = 1 << 16  # bytes that identify the format

    def __init__(self, name: str, file: BufferedReader) -> None:
        self.name = name
        self.row_lines: Any = None
        self._file = file
        self._is_held = False
        status = os.fstat(file.fileno())
        self._state = _get_content_state(status)
        is_regular = stat.S_ISREG(status.st_mode) and status.st_size > 0
        self._begin = file.tell() if is_regular else 0
        self.size = max(0, status.st_size - self._begin) if is_regular else None
        self._pipe = None if is_regular else _Pipe(name, file)
        self._unpack = _find_unpacker(self._pipe.peek() if self._pipe else file.peek(_MAGIC))
        self.plain: tuple[int, int, int] | None = None
        if self.size and self._unpack is None:
            self.plain = (file.fileno(), self._begin, self._begin + self.size)

    def __fspath__(self) -> str:
        return self.name

    @cached_property
    def start(self) -> bytes:
        """The first bytes, unpacked; what is read afterwards begins with them again."""
        if self.plain is not None:
            return self._file.peek(self.START)[: self.START]
        first = b""
        for piece, _ in self.read_pieces(rewindable=True):
            first += piece
            if len(first) >= self.START:
                break
        self.rewind()
        return first[: self.START]

    def read_pieces(self, *, rewindable: bool) -> Iterator[tuple[Any, int]]:
        """Yield the unpacked bytes piece by piece, and how many bytes are read so far.

        Args:
            rewindable: Whether ``rewind`` may be called; what comes through a pipe is then kept.
        """
        if self._pipe is not None:
            self._pipe.keep(rewindable or self._is_held)
        unpacked = 0
        for piece in (self._unpack or _read_plain)(self._pipe or self._file):
            unpacked += len(piece)
            yield piece, unpacked if self.size is None else self._file.tell() - self._begin

    def rewind(self) -> None:
        """Return to the beginning."""
        if self._pipe is not None:
            self._pipe.rewind()
        else:
            self._file.seek(self._begin)

    def hash_content(self) -> str | None:
        """Return the SHA-256 of all bytes, as they are on disk; None if they are not on disk."""
        if self._pipe is not None:
            return None
        import hashlib

        self.rewind()
        return hashlib.file_digest(self._file, "sha256").hexdigest()

    def close(self) -> None:
        """Close the file, and delete what was kept of a pipe."""
        self._file.close()
        if self._pipe is not None:
            self._pipe.close()

    @contextmanager
    def check_unchanged(self) -> Iterator[None]:
        """Raise an error if the content has changed since the file was opened.

        This error precedes any other: a line that was cut is a sign of the change.
        A file that replaces it under its name does not matter, since the open one does not change.
        """
        try:
            yield
        except Exception as error:
            if self._has_changed():
                raise _make_changed_error(self.name) from error
            raise
        if self._has_changed():
            raise _make_changed_error(self.name)

    def _has_changed(self) -> bool:
        return _get_content_state(os.fstat(self._file.fileno())) != self._state


@contextmanager
def open_file(path: str | os.PathLike[str]) -> Iterator[InputFile]:
    """Yield the file at a path; ``-`` is standard input.

    What is compressed with gzip, bzip2, xz or Zstandard is recognized by its first bytes, whatever
    its name. A file that cannot be read is a SourceError that says why. A file that ``hold_file``
    has opened is read from its beginning, and stays open.
    """
    if isinstance(path, InputFile):
        path.rewind()
        path.row_lines = None
        with _explain_read_errors(path.name), path.check_unchanged():
            yield path
        return
    with (
        _explain_read_errors(os.fspath(path)),
        closing(_open_input(path)) as file,
        file.check_unchanged(),
    ):
        yield file


def hold_file(path: str | os.PathLike[str]) -> InputFile:
    """Open a file that will be read several times, even a pipe; ``close()`` it at last."""
    with _explain_read_errors(os.fspath(path)):
        file = _open_input(path)
    file._is_held = True
    return file


def _open_input(path: str | os.PathLike[str]) -> InputFile:
    name = os.fspath(path)
    if "\0" in name:
        message = f"{name!r:.200}: no file can have this name (embedded null byte)."
        raise SourceError(message, code="cannot-read")
    if name == "-" and sys.stdin is None:
        message = "standard input (-) is closed."
        raise SourceError(message, code="cannot-read")
    raw = open(os.dup(sys.stdin.fileno()) if name == "-" else path, "rb", 0)  # noqa: SIM115
    try:
        return InputFile(name, BufferedReader(raw, InputFile.START))
    except BaseException:
        raw.close()
        raise


@contextmanager
def _explain_read_errors(name: str) -> Iterator[None]:
    """Turn errors of the system and of decompressors into a SourceError that names the file."""
    try:
        yield
    except MemoryError as error:
        way_out = "Free some, or pass --threads 1, threads=1 in Python."
        way_out = str(error) if isinstance(error, NoRoomError) else way_out
        message = f"{name}: there is not enough memory to read it. {way_out}"
        raise OutOfMemoryError(message, code="no-memory") from error
    except _list_read_errors() as error:
        message = f"{name}: {_describe_error(error)}."
        # Decompressors raise errors without a number; those of the system have one.
        code = "cannot-read" if getattr(error, "errno", None) else "broken-file"
        raise SourceError(message, code=code) from error


@contextmanager
def explain_spool_errors(name: str) -> Iterator[None]:
    """Name the folder of temporary files in the error if one cannot be written."""
    try:
        yield
    except OSError as error:
        import tempfile

        message = (
            f"{name}: cannot be kept in {tempfile.tempdir or 'a temporary file'} while it is read "
            f"({error.strerror or error}). Set TMPDIR to a folder with more room."
        )
        raise SourceError(message, code="cannot-write") from error


def get_file_stem(path: str | os.PathLike[str]) -> str:
    """Return the file's name without folder and extension: what a run is called.

    >>> get_file_stem("runs/bm25.v2.txt.gz"), get_file_stem("-")
    ('bm25.v2', 'stdin')
    """
    if os.fspath(path) == "-":
        return "stdin"
    name = _strip_compression(path)
    return Path(name).stem or name


def get_file_extension(path: str | os.PathLike[str]) -> str:
    """Return the extension of a file in lower case, without the suffix of a compression.

    >>> get_file_extension("runs/bm25.CSV.gz"), get_file_extension("-")
    ('.csv', '')
    """
    return Path(_strip_compression(path)).suffix.lower()


def _strip_compression(path: str | os.PathLike[str]) -> str:
    name = Path(path).name
    for packed in EXTENSIONS:
        name = name.removesuffix(packed)
    return name


class _Pipe:
    """A stream that cannot be read twice, unless what is read is kept."""

    def __init__(self, name: str, file: BufferedReader) -> None:
        self._name = name
        self._file = file
        self._ahead = b""  # read ahead of the caller
        self._is_spooling = False
        self._spool: Any = None  # a file, once there is something to keep
        self._position = 0  # in what is kept
        self._n_spooled = 0
        self._poll = self._make_poll()

    def _make_poll(self) -> Any:
        """Return a poll object for the pipe; None if it does not report all bytes."""
        import select

        # Of standard input some bytes may have been read by others.
        if self._name == "-" or not hasattr(select, "poll"):
            return None
        waiting = select.poll()
        waiting.register(self._file.fileno(), select.POLLIN)
        return waiting

    def peek(self) -> bytes:
        """Return the first bytes, enough to identify the compression."""
        while len(self._ahead) < _MAGIC and (piece := self._receive(_PIECE)):
            self._ahead += piece
        return self._ahead[:_MAGIC]

    def keep(self, is_spooling: bool) -> None:
        """Start or stop keeping what is read; what was kept is read first."""
        self._is_spooling = is_spooling

    def read(self, size: int) -> bytes:
        """Return at most ``size`` next bytes: those that were kept, then those of the pipe."""
        if self._position < self._n_spooled:
            with explain_spool_errors(self._name):  # the last of it is written now
                self._spool.seek(self._position)
                piece = bytes(self._spool.read(size))
            self._position += len(piece)
            return piece
        piece = self._ahead[:size] or self._receive(size)
        self._ahead = self._ahead[size:]
        if self._is_spooling:
            self._write_spool(piece)
        return piece

    def _receive(self, size: int) -> bytes:
        # A signal that arrives just before a process begins to wait is handled only when the wait
        # ends: so it waits in small portions.
        while self._poll is not None and not self._poll.poll(_PORTION):
            pass
        # Not read(): it would wait until it has all of them, and let Ctrl-C wait with it.
        return self._file.read1(size)

    def _write_spool(self, piece: bytes) -> None:
        from tempfile import SpooledTemporaryFile

        with explain_spool_errors(self._name):
            if self._spool is None:
                self._spool = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
            self._spool.seek(self._n_spooled)
            self._spool.write(piece)
        self._n_spooled = self._position = self._n_spooled + len(piece)

    def readinto(self, buffer: Any) -> int:
        """Read bytes into a buffer and return how many there are."""
        view = memoryview(buffer).cast("B")
        piece = self.read(len(view))
        view[: len(piece)] = piece
        return len(piece)

    def rewind(self) -> None:
        """Return to the beginning."""
        self._position = 0

    def close(self) -> None:
        """Delete what was kept of a pipe."""
        if self._spool is not None:
            with suppress(OSError):  # what could not be written is not needed any more
                self._spool.close()

    def readable(self) -> bool:
        """Return True, as decompressors expect."""
        return True


def _read_plain(source: Any) -> Iterator[bytes]:
    while piece := source.read(_PIECE):
        yield piece


def _read_gzip(source: object) -> Iterator[memoryview]:
    buffer = bytearray(_PIECE)
    # isal ends the process where it gets no memory for its buffers: ask for more than it will.
    bytearray(4 * _PIECE)
    with _import_gzip_reader()(fileobj=source, mode="rb") as file:
        while size := file.readinto(buffer):
            yield memoryview(buffer)[:size]


def _import_gzip_reader() -> Any:
    try:
        from isal import igzip  # three times as fast
    except ImportError:  # there is none for some machines
        import gzip

        return gzip.GzipFile
    return igzip.IGzipFile


def _read_bzip2(source: object) -> Iterator[bytes]:
    from bz2 import BZ2Decompressor

    return _read_compressed(source, BZ2Decompressor)


def _read_xz(source: object) -> Iterator[bytes]:
    from lzma import FORMAT_XZ, LZMADecompressor

    return _read_compressed(source, lambda: LZMADecompressor(FORMAT_XZ, _DICTIONARY), padding=b"\0")


def _read_zstd(source: object) -> Iterator[bytes]:
    return _read_compressed(source, import_zstd().ZstdDecompressor)


def import_zstd() -> Any:
    """Return the module that reads and writes Zstandard."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _read_compressed(
    source: Any, decompressor: Callable[[], Any], padding: bytes = b""
) -> Iterator[bytes]:
    """Return the bytes of all streams in a file, one after the other.

    Not by the file classes of the standard library: they end in silence where the head of a
    second stream is damaged, or where it follows padding.
    """
    current = decompressor()
    while True:
        chunk = b""
        if current.eof:
            chunk = current.unused_data.lstrip(padding) if padding else current.unused_data
            while not chunk:
                chunk = source.read(_CHUNK_SIZE)
                if not chunk:
                    return
                chunk = chunk.lstrip(padding) if padding else chunk
            current = decompressor()
        elif current.needs_input:
            chunk = source.read(_CHUNK_SIZE)
            if not chunk:
                message = "the compressed data end too early"
                raise EOFError(message)
        if piece := current.decompress(chunk, _PIECE):
            yield piece


_COMPRESSED: dict[str, tuple[bytes, Callable[[Any], Iterator[Any]]]] = {
    ".gz": (rb"\x1f\x8b", _read_gzip),
    ".bz2": (rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", _read_bzip2),
    ".xz": (rb"\xfd7zXZ\x00", _read_xz),
    ".zst": (rb"(?s)\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", _read_zstd),
}
EXTENSIONS = tuple(_COMPRESSED)


def _find_unpacker(start: bytes) -> Callable[[Any], Iterator[Any]] | None:
    unpackers = (unpack for magic, unpack in _COMPRESSED.values() if re.match(magic, start))
    return next(unpackers, None)


def _describe_error(error: Exception) -> str:
    if isinstance(error, EOFError):
        return "the compressed data end too early; the file was cut short"
    if type(error).__name__ == "BadGzipFile" and "Not a gzipped" in str(error):
        return "other bytes follow the compressed data"
    reason = getattr(error, "strerror", None) or str(error) or "it cannot be read"
    return f"{reason[0].lower()}{reason[1:].rstrip('.')}"


def _list_read_errors() -> tuple[type[Exception], ...]:
    """Return the errors that reading may raise, for the libraries that are loaded."""
    errors: list[type[Exception]] = [OSError, EOFError]
    error_names = {
        "zlib": "error",
        "lzma": "LZMAError",
        "isal.isal_zlib": "IsalError",
        "compression.zstd": "ZstdError",
        "backports.zstd": "ZstdError",
    }
    for module, name in error_names.items():
        if module in sys.modules:
            errors.append(getattr(sys.modules[module], name))
    return tuple(errors)
