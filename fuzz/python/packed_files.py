"""Compressed files: whole, cut short, put together, damaged, and in each other."""

import bz2
import gzip
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from io import BytesIO

from gainful.base.files import import_zstd
from given import Input, file_of, read_both

ENDINGS = ("", ".gz", ".bz2", ".xz", ".zst", ".txt", ".csv.gz", ".zip")


def zipped(content: bytes) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("run.txt", content)
    return held.getvalue()


def tarred(content: bytes) -> bytes:
    held = BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        entry = tarfile.TarInfo("run.txt")
        entry.size = len(content)
        archive.addfile(entry, BytesIO(content))
    return held.getvalue()


PACKERS: tuple[Callable[[bytes], bytes], ...] = (
    bytes,
    lambda content: gzip.compress(content, 1, mtime=0),
    bz2.compress,
    lzma.compress,
    lambda content: import_zstd().compress(content),
    zipped,
    tarred,
)


def one(data: bytes) -> None:
    given = Input(data)
    ending = given.choice(ENDINGS)
    outer, inner = given.choice(PACKERS), given.choice(PACKERS[:6])
    edits = [(given.byte(), given.byte(), given.byte()) for _ in range(given.byte() % 4)]
    packed = bytearray(outer(inner(given.rest)))
    for kind, place, value in edits:
        at = place * len(packed) // 256
        if kind % 4 == 0:
            del packed[at:]
        elif kind % 4 == 1:
            packed[at : at + 1] = bytes([value])
        elif kind % 4 == 2:
            packed[at:at] = packed[: value + 1]
        else:
            packed += bytes(value % 32)
    read_both(file_of(bytes(packed), ending), None, None)
