"""Bytes from a path, compressed or not, or from standard input."""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import Any

from gainful.cached import cached_property
from gainful.errors import OutOfMemoryError, SourceError
from gainful.sources._changes import unchanged
from gainful.sources._room import NoRoomError

_PIECE = 1 << 20
_MAGIC = 16  # bytes that tell how a file is packed
_PACKED = 1 << 15  # bytes; all but the first of many small streams in them are copied for each
_DICTIONARY = 1 << 28  # bytes that unpacking may take; Zstandard refuses more than 128 MB by itself
_PORTION = 500  # milliseconds
_IN_MEMORY = 1 << 25  # of what came through a pipe; the rest is kept on disk


class Bytes:
    """An open file, to be read from where it stands; pieces() may be called once, or rewind().

    Attributes:
        name: Its path, or ``-``.
        size: How many bytes there are to read, if that is known.
        plain: Where the native core can read it by itself: descriptor, begin and end.
        row_lines: On which line each row of the tables stands that were made of it, if on one.
    """

    START = 1 << 16  # bytes that tell what a file holds

    def __init__(self, name: str, file: BufferedReader) -> None:
        self.name = name
        self.row_lines: Any = None
        self._file = file
        status = os.fstat(file.fileno())
        is_regular = stat.S_ISREG(status.st_mode) and status.st_size > 0
        self._begin = file.tell() if is_regular else 0
        self.size = max(0, status.st_size - self._begin) if is_regular else None
        self._pipe = None if is_regular else _Pipe(name, file)
        self._unpack = _unpacker(self._pipe.start() if self._pipe else file.peek(_MAGIC))
        self.plain: tuple[int, int, int] | None = None
        if self.size and self._unpack is None:
            self.plain = (file.fileno(), self._begin, self._begin + self.size)

    @cached_property
    def start(self) -> bytes:
        """The first bytes, unpacked; what is read afterwards begins with them again."""
        if self.plain is not None:
            return self._file.peek(self.START)[: self.START]
        first = b""
        for piece, _ in self.pieces(again=True):
            first += piece
            if len(first) >= self.START:
                break
        self.rewind()
        return first[: self.START]

    def pieces(self, *, again: bool) -> Iterator[tuple[Any, int]]:
        """The bytes, unpacked, piece by piece, and how many are read: of ``size``, or of these.

        Args:
            again: Whether ``rewind`` may be called; what comes through a pipe is then kept.
        """
        if self._pipe is not None:
            self._pipe.keep(again)
        unpacked = 0
        for piece in (self._unpack or _as_it_is)(self._pipe or self._file):
            unpacked += len(piece)
            yield piece, unpacked if self.size is None else self._file.tell() - self._begin

    def rewind(self) -> None:
        """Lets ``pieces`` start over."""
        if self._pipe is not None:
            self._pipe.rewind()
        else:
            self._file.seek(self._begin)

    def close(self) -> None:
        """Forgets what came through a pipe."""
        if self._pipe is not None:
            self._pipe.close()


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[Bytes]:
    """The file at a path; ``-`` is standard input.

    What is compressed with gzip, bzip2, xz or Zstandard is recognised by its first bytes, whatever
    its name. A file that cannot be read is a SourceError that says why.
    """
    name = os.fspath(path)
    if "\0" in name:
        message = f"{name!r:.200}: no file can have this name (embedded null byte)."
        raise SourceError(message, code="cannot-read")
    if name == "-" and sys.stdin is None:
        message = "standard input (-) is closed."
        raise SourceError(message, code="cannot-read")
    try:
        with (
            _buffered(path) as file,
            unchanged(name, file.fileno()),
            closing(Bytes(name, file)) as found,
        ):
            yield found
    except MemoryError as error:
        how = "Free some, or pass --threads 1, threads=1 in Python."
        how = str(error) if isinstance(error, NoRoomError) else how
        message = f"{name}: there is not enough memory to read it. {how}"
        raise OutOfMemoryError(message, code="no-memory") from error
    except _read_errors() as error:
        message = f"{name}: {_reason(error)}."
        # Who unpacks raises errors without a number; those of the system have one.
        code = "cannot-read" if getattr(error, "errno", None) else "broken-file"
        raise SourceError(message, code=code) from error


@contextmanager
def keeping(name: str) -> Iterator[None]:
    """An error that names the folder of temporary files where one cannot be written."""
    try:
        yield
    except OSError as error:
        import tempfile

        message = (
            f"{name}: cannot be kept in {tempfile.tempdir or 'a temporary file'} while it is read "
            f"({error.strerror or error}). Set TMPDIR to a folder with more room."
        )
        raise SourceError(message, code="cannot-write") from error


def _buffered(path: str | os.PathLike[str]) -> BufferedReader:
    raw = open(os.dup(sys.stdin.fileno()) if os.fspath(path) == "-" else path, "rb", 0)  # noqa: SIM115
    return BufferedReader(raw, Bytes.START)


def stem(path: str | os.PathLike[str]) -> str:
    """The file's name without folder and extension: what a run is called.

    >>> stem("runs/bm25.v2.txt.gz"), stem("-")
    ('bm25.v2', 'stdin')
    """
    if os.fspath(path) == "-":
        return "stdin"
    name = _unpacked_name(path)
    return Path(name).stem or name


def extension(path: str | os.PathLike[str]) -> str:
    """What the file's name ends in, in lower case, without the mark of a compression.

    >>> extension("runs/bm25.CSV.gz"), extension("-")
    ('.csv', '')
    """
    return Path(_unpacked_name(path)).suffix.lower()


def _unpacked_name(path: str | os.PathLike[str]) -> str:
    name = Path(path).name
    for packed in EXTENSIONS:
        name = name.removesuffix(packed)
    return name


class _Pipe:
    """What cannot be read from its beginning again, unless it is kept."""

    def __init__(self, name: str, file: BufferedReader) -> None:
        self._name = name
        self._file = file
        self._ahead = b""  # read, and not yet asked for
        self._keeps = False
        self._kept: Any = None  # a file, once there is something to keep
        self._position = 0  # in what is kept
        self._n_kept = 0
        self._waiting = self._waited_for()

    def _waited_for(self) -> Any:
        """What tells that there are bytes; None where it does not tell of all."""
        import select

        # Of standard input some bytes may have been read by others.
        if self._name == "-" or not hasattr(select, "poll"):
            return None
        waiting = select.poll()
        waiting.register(self._file.fileno(), select.POLLIN)
        return waiting

    def start(self) -> bytes:
        """The first bytes, as many as tell how it is packed, if there are as many."""
        while len(self._ahead) < _MAGIC and (piece := self._received(_PIECE)):
            self._ahead += piece
        return self._ahead[:_MAGIC]

    def keep(self, keeps: bool) -> None:
        """Keep what is read from now on, or stop keeping; what was kept is read again first."""
        self._keeps = keeps

    def read(self, size: int) -> bytes:
        """The next bytes, so many at most: of what was kept, then of the pipe."""
        if self._position < self._n_kept:
            with keeping(self._name):  # the last of it is written now
                self._kept.seek(self._position)
                piece = bytes(self._kept.read(size))
            self._position += len(piece)
            return piece
        piece = self._ahead[:size] or self._received(size)
        self._ahead = self._ahead[size:]
        if self._keeps:
            self._keep(piece)
        return piece

    def _received(self, size: int) -> bytes:
        # A signal that comes just before a process begins to wait is heard when it waits no more:
        # so it waits in small portions.
        while self._waiting is not None and not self._waiting.poll(_PORTION):
            pass
        # Not read(): it would wait until it has all of them, and let Ctrl-C wait with it.
        return self._file.read1(size)

    def _keep(self, piece: bytes) -> None:
        from tempfile import SpooledTemporaryFile

        with keeping(self._name):
            if self._kept is None:
                self._kept = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
            self._kept.seek(self._n_kept)
            self._kept.write(piece)
        self._n_kept = self._position = self._n_kept + len(piece)

    def readinto(self, buffer: Any) -> int:
        """The same, into the buffer of those who unpack; how many there are."""
        view = memoryview(buffer).cast("B")
        piece = self.read(len(view))
        view[: len(piece)] = piece
        return len(piece)

    def rewind(self) -> None:
        """Starts over with what was kept."""
        self._position = 0

    def close(self) -> None:
        """Forgets what was kept."""
        if self._kept is not None:
            with suppress(OSError):  # what could not be written is not wanted any more
                self._kept.close()

    def readable(self) -> bool:
        """Asked by those who unpack."""
        return True


def _as_it_is(source: Any) -> Iterator[bytes]:
    while piece := source.read(_PIECE):
        yield piece


def _gunzipped(source: Any) -> Iterator[memoryview]:
    buffer = bytearray(_PIECE)
    # isal ends the process where it gets no memory for its buffers: ask for more than it will.
    bytearray(4 * _PIECE)
    with _gzip_reader()(fileobj=source, mode="rb") as file:
        while size := file.readinto(buffer):
            yield memoryview(buffer)[:size]


def _gzip_reader() -> Any:
    try:
        from isal import igzip  # three times as fast
    except ImportError:  # there is none for some machines
        import gzip

        return gzip.GzipFile
    return igzip.IGzipFile


def _bunzipped(source: Any) -> Iterator[bytes]:
    from bz2 import BZ2Decompressor

    return _decompressed(source, BZ2Decompressor)


def _unxzed(source: Any) -> Iterator[bytes]:
    from lzma import FORMAT_XZ, LZMADecompressor

    return _decompressed(source, lambda: LZMADecompressor(FORMAT_XZ, _DICTIONARY), padding=b"\0")


def _unzstd(source: Any) -> Iterator[bytes]:
    return _decompressed(source, zstd().ZstdDecompressor)


def zstd() -> Any:
    """The module that knows Zstandard."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _decompressed(
    source: Any, decompressor: Callable[[], Any], padding: bytes = b""
) -> Iterator[bytes]:
    """The bytes of all streams in a file, one after the other.

    Not by the file classes of the standard library: they end in silence where the head of a
    second stream is damaged, or where it follows padding.
    """
    current = decompressor()
    while True:
        given = b""
        if current.eof:
            given = current.unused_data.lstrip(padding) if padding else current.unused_data
            while not given:
                given = source.read(_PACKED)
                if not given:
                    return
                given = given.lstrip(padding) if padding else given
            current = decompressor()
        elif current.needs_input:
            given = source.read(_PACKED)
            if not given:
                message = "the compressed data end too early"
                raise EOFError(message)
        if piece := current.decompress(given, _PIECE):
            yield piece


_COMPRESSED: dict[str, tuple[bytes, Callable[[Any], Iterator[Any]]]] = {
    ".gz": (rb"\x1f\x8b", _gunzipped),
    ".bz2": (rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", _bunzipped),
    ".xz": (rb"\xfd7zXZ\x00", _unxzed),
    ".zst": (rb"(?s)\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", _unzstd),
}
EXTENSIONS = tuple(_COMPRESSED)


def _unpacker(start: bytes) -> Callable[[Any], Iterator[Any]] | None:
    found = (unpack for magic, unpack in _COMPRESSED.values() if re.match(magic, start))
    return next(found, None)


def _reason(error: Exception) -> str:
    if isinstance(error, EOFError):
        return "the compressed data end too early; the file was cut short"
    if type(error).__name__ == "BadGzipFile" and "Not a gzipped" in str(error):
        return "other bytes follow the compressed data"
    reason = getattr(error, "strerror", None) or str(error) or "it cannot be read"
    return f"{reason[0].lower()}{reason[1:].rstrip('.')}"


def _read_errors() -> tuple[type[Exception], ...]:
    """What the libraries raise; looked up only when something went wrong, and only if loaded."""
    errors: list[type[Exception]] = [OSError, EOFError]
    named = {
        "zlib": "error",
        "lzma": "LZMAError",
        "isal.isal_zlib": "IsalError",
        "compression.zstd": "ZstdError",
        "backports.zstd": "ZstdError",
    }
    for module, name in named.items():
        if module in sys.modules:
            errors.append(getattr(sys.modules[module], name))
    return tuple(errors)
