"""Command that compresses a file: ``python -m bench.compress FILE FILE.SUFFIX``."""

import bz2
import gzip
import lzma
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any


@contextmanager
def _open_gzip(path: Path) -> Iterator[Any]:
    """Open a gzip file without name and time in its header, for reproducible bytes."""
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as target:
        yield target


def _open_zstandard(path: Path) -> Any:
    import zstandard

    return zstandard.open(path, "wb")


# The default levels, except for xz: its default takes minutes to write and is read no faster.
_WRITERS: dict[str, Callable[[Path], Any]] = {
    ".gz": _open_gzip,
    ".bz2": partial(bz2.BZ2File, mode="wb"),
    ".xz": partial(lzma.LZMAFile, mode="wb", preset=1),
    ".zst": _open_zstandard,
}


def compress(plain: Path, compressed: Path) -> None:
    """Write a compressed copy under a temporary name, then rename it once it is complete."""
    unfinished = compressed.with_name("unfinished")
    with open(plain, "rb") as source, _WRITERS[compressed.suffix](unfinished) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    unfinished.rename(compressed)


if __name__ == "__main__":
    compress(*map(Path, sys.argv[1:]))
