"""Files that unpack to many times their size, made without ever being whole in memory."""

import bz2
import gzip
import lzma

from gainful.base.files import import_zstd

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
_BLOCK = 1 << 22


def pack(path, block, size, *, above=b""):
    """Write a block again and again, compressed as the suffix says, until there is so much."""
    text = block * max(1, _BLOCK // len(block))
    with _packer(path) as file:
        file.write(above)
        for _ in range(0, size, len(text)):
            file.write(text)
    return path


def _packer(path):
    match path.suffix:
        case ".gz":
            return gzip.open(path, "wb", 1)
        case ".bz2":
            return bz2.open(path, "wb", 1)
        case ".xz":
            return lzma.open(path, "wb", preset=0)
        case _:
            return import_zstd().open(path, "wb")
