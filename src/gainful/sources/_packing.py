"""Bytes into a file, compressed as its name says."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gainful.sources._files import EXTENSIONS, zstd


def packing(path: str | os.PathLike[str]) -> str:
    """What the name of a file that is to be compressed ends in; else nothing.

    >>> packing("runs/bm25.csv.gz"), packing("-")
    ('.gz', '')
    """
    return next((end for end in EXTENSIONS if os.fspath(path).endswith(end)), "")


@contextmanager
def packed(file: Any, path: str | os.PathLike[str]) -> Iterator[Any]:
    """Where to write to: the file, or what compresses into it."""
    end = packing(path)
    if not end:
        yield file
        return
    with _compressor(end, file) as inner:
        yield inner


def _compressor(end: str, file: Any) -> Any:
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
    return zstd().ZstdFile(file, "wb")
