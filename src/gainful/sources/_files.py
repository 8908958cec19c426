"""Bytes from a path, compressed or not, or from standard input."""

import importlib
import os
import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from gainful.errors import SourceError

_CHUNK = 1 << 20
_COMPRESSED = {
    ".gz": ("gzip", rb"\x1f\x8b"),
    ".bz2": ("bz2", rb"BZh[1-9]1AY&SY"),
    ".xz": ("lzma", rb"\xfd7zXZ\x00"),
}


def chunks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The bytes of a file, piece by piece; ``-`` is standard input.

    What is compressed with gzip, bzip2 or xz is recognised by its first bytes, whatever its name.
    A file that cannot be read is a SourceError that says why.
    """
    try:
        with _opened(path) as raw, _unpacked(raw) as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except _read_errors() as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"{os.fspath(path)}: {reason[0].lower()}{reason[1:]}."
        raise SourceError(message) from error


def stem(path: str | os.PathLike[str]) -> str:
    """The file's name without folder and extension: what a run is called.

    >>> stem("runs/bm25.v2.txt.gz"), stem("-")
    ('bm25.v2', 'stdin')
    """
    if os.fspath(path) == "-":
        return "stdin"
    name = Path(path).name
    for extension in _COMPRESSED:
        name = name.removesuffix(extension)
    return Path(name).stem or name


def _opened(path: str | os.PathLike[str]) -> BufferedReader:
    return open(os.dup(sys.stdin.fileno()) if os.fspath(path) == "-" else path, "rb")


def _unpacked(file: BufferedReader) -> AbstractContextManager[BinaryIO]:
    start = file.peek(16)
    for module, magic in _COMPRESSED.values():
        if re.match(magic, start):
            opened: BinaryIO = importlib.import_module(module).open(file, "rb")
            return opened
    return nullcontext(file)


def _read_errors() -> tuple[type[Exception], ...]:
    import lzma  # only looked up when something went wrong
    import zlib

    return (OSError, EOFError, zlib.error, lzma.LZMAError)
