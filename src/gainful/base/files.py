"""Open files, compressed or not, and standard input; refuse files that change meanwhile."""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, FileIO, RawIOBase
from typing import Any

from gainful.base.caching import cached_property
from gainful.errors import OutOfMemoryError, SourceError

_PIECE = 1 << 20
_MAGIC = 16  # bytes that identify the compression
_CHUNK_SIZE = 1 << 15  # bytes; all but the first of many small streams in them are copied for each
_DICTIONARY = 1 << 28  # bytes that unpacking may take; Zstandard refuses more than 128 MB by itself
_IN_MEMORY = 1 << 25  # of what came through a pipe; the rest is kept on disk


class InputFile:
    """An open file, read from its current position; rewind() before it is read again.

    What takes a path takes an open file as well, and reads it from its beginning again.

    Attributes:
        name: Its path, or ``-``.
        size: Number of bytes to read, if known.
        plain: What the native core needs to read it by itself: descriptor, begin and end.
        row_lines: The line of each row of the tables made from it, if known.
    """

    START = 1 << 16  # bytes that identify the format

    def __init__(self, name: str, raw: FileIO) -> None:
        self.name = name
        self.row_lines: Any = None
        self._raw = raw
        self._status = status = os.fstat(raw.fileno())
        # What /proc shows has no size, and is read like a pipe.
        is_regular = stat.S_ISREG(status.st_mode) and status.st_size > 0
        self._begin = raw.tell() if is_regular else 0
        self.size = max(0, status.st_size - self._begin) if is_regular else None
        self._file = BufferedReader(raw if is_regular else _Pipe(name, raw), self.START)
        self._unpack = _find_unpacker(self._file.read(_MAGIC))
        self.rewind()
        self.plain: tuple[int, int, int] | None = None
        if self.size and self._unpack is None:
            self.plain = (raw.fileno(), self._begin, self._begin + self.size)

    def __fspath__(self) -> str:
        return self.name

    @cached_property
    def start(self) -> bytes:
        """The first bytes, unpacked; what is read afterwards begins with them again."""
        if self.plain is not None:
            return self._file.peek(self.START)[: self.START]
        first = b""
        for piece, _ in self.read_pieces():
            first += piece
            if len(first) >= self.START:
                break
        self.rewind()
        return first[: self.START]

    def read_pieces(self) -> Iterator[tuple[Any, int]]:
        """Yield the unpacked bytes piece by piece, and how many bytes are read so far."""
        unpacked = 0
        for piece in (self._unpack or _read_plain)(self._file):
            unpacked += len(piece)
            yield piece, unpacked if self.size is None else self._file.tell() - self._begin

    def rewind(self) -> None:
        """Return to the beginning."""
        self._file.seek(self._begin)

    def hash_content(self) -> str | None:
        """Return the SHA-256 of all bytes, as they are on disk; None if they are not on disk."""
        if self.size is None:
            return None
        import hashlib

        self.rewind()
        return hashlib.file_digest(self._file, "sha256").hexdigest()

    @property
    def is_closed(self) -> bool:
        """True once the file is closed."""
        return self._raw.closed

    @property
    def can_reopen(self) -> bool:
        """True if its path leads to the same bytes once more, which that of a pipe does not."""
        return self.size is not None and self.name != "-"

    def close(self) -> None:
        """Close the file, and delete what was kept of a pipe."""
        self._file.close()
        self._raw.close()

    def check_unchanged(self) -> None:
        """Raise an error if the content has changed since the file was opened.

        A file that replaces it under its name does not matter, since the open one does not change.
        """
        before, after = self._status, os.fstat(self._raw.fileno())
        is_same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
        if self.size is not None and not is_same:
            message = f"{self.name}: changed while it was read. Read it again when it is complete."
            raise SourceError(message, code="changed-file")

    def require_same(self, before: "InputFile") -> None:
        """Raise an error if this is another file, or has other content, than the one before."""
        ids = [
            (s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns) for s in (self._status, before._status)
        ]
        if ids[0] != ids[1]:
            message = f"{self.name}: changed after it was read. Pass it to a new collection."
            raise SourceError(message, code="changed-file")


@contextmanager
def open_file(path: str | os.PathLike[str]) -> Iterator[InputFile]:
    """Yield the file at a path; ``-`` is standard input.

    What is compressed with gzip, bzip2, xz or Zstandard is recognized by its first bytes, whatever
    its name. A file that cannot be read is a SourceError that says why. A file that ``hold_file``
    has opened is read from its beginning, and stays open.
    """
    file = path if isinstance(path, InputFile) else hold_file(path)
    try:
        with _explain_read_errors(file.name):
            file.rewind()
            file.row_lines = None
            try:
                yield file
            finally:
                # This error precedes any other: a line that was cut is a sign of the change.
                file.check_unchanged()
    finally:
        if file is not path:
            file.close()


def hold_file(path: str | os.PathLike[str], *, before: InputFile | None = None) -> InputFile:
    """Open a file that may be read several times, even a pipe; ``close()`` it at last.

    It is an error if it is another than the one ``before``, which was closed meanwhile.
    """
    name = os.fspath(path)
    if "\0" in name:
        message = f"{name!r:.200}: no file can have this name (embedded null byte)."
        raise SourceError(message, code="cannot-read")
    if name == "-" and sys.stdin is None:
        message = "standard input (-) is closed."
        raise SourceError(message, code="cannot-read")
    with _explain_read_errors(name):
        raw = open(os.dup(sys.stdin.fileno()) if name == "-" else path, "rb", 0)  # noqa: SIM115
        try:
            file = InputFile(name, raw)
            if before is not None:
                file.require_same(before)
            return file
        except BaseException:
            raw.close()
            raise


@contextmanager
def _explain_read_errors(name: str) -> Iterator[None]:
    """Turn errors of the system and of decompressors into a SourceError that names the file."""
    try:
        yield
    except MemoryError as error:
        message = (
            f"{name}: there is not enough memory to read it. "
            "Free some, or pass --threads 1, threads=1 in Python."
        )
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
    return os.path.splitext(name)[0] or name


def get_file_extension(path: str | os.PathLike[str]) -> str:
    """Return the extension of a file in lower case, without the suffix of a compression.

    >>> get_file_extension("runs/bm25.CSV.gz"), get_file_extension("-")
    ('.csv', '')
    """
    return os.path.splitext(_strip_compression(path))[1].lower()


def _strip_compression(path: str | os.PathLike[str]) -> str:
    # Not by pathlib, which takes 4 ms of start-up to import.
    name = os.path.basename(os.path.normpath(path))
    for packed in EXTENSIONS:
        name = name.removesuffix(packed)
    return name


class _Pipe(RawIOBase):
    """A stream that cannot be read twice; what comes through it is kept in a temporary file."""

    def __init__(self, name: str, stream: FileIO) -> None:
        from tempfile import SpooledTemporaryFile

        self._name = name
        self._stream = stream
        self._kept: Any = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115

    def readinto(self, buffer: Any) -> int:
        """Read bytes into a buffer, first those that are kept; return how many there are."""
        with explain_spool_errors(self._name):
            size: int = self._kept.readinto(buffer)
        if not size:
            size = self._stream.readinto(buffer)
            with explain_spool_errors(self._name):
                self._kept.write(buffer[:size])
        return size

    def seek(self, position: int, whence: int = os.SEEK_SET) -> int:
        """Go to a position in what is kept."""
        with explain_spool_errors(self._name):  # the last of it is written now
            return int(self._kept.seek(position, whence))

    def close(self) -> None:
        """Delete what is kept."""
        with suppress(OSError):  # what could not be written is not needed any more
            self._kept.close()
        super().close()

    def readable(self) -> bool:
        """Return True, as BufferedReader expects."""
        return True

    def seekable(self) -> bool:
        """Return True, as BufferedReader expects."""
        return True


def _read_plain(source: Any) -> Iterator[bytes]:
    while piece := source.read(_PIECE):
        yield piece


def _read_gzip(source: object) -> Iterator[memoryview]:
    buffer = bytearray(_PIECE)
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
