"""Bytes from a path, compressed or not, or from standard input."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from gainful.errors import SourceError

_CHUNK = 1 << 20
_COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}


def chunks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The bytes of a file, piece by piece; ``-`` is standard input.

    A file that cannot be read is a SourceError that says why.
    """
    try:
        with _opened(path) as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except (OSError, EOFError) as error:
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


def _opened(path: str | os.PathLike[str]) -> BinaryIO:
    if os.fspath(path) == "-":
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    module = _COMPRESSED.get(Path(path).suffix)
    if module is None:
        return open(path, "rb", buffering=0)
    opened: BinaryIO = __import__(module).open(path, "rb")
    return opened
