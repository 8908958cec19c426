"""Compressed files: whole, cut short, put together, damaged, and in each other."""

import bz2
import gzip
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from io import BytesIO

from gainful.base.files import import_zstd
from target_inputs import Input, read_qrels_and_run, write_file

ENDINGS = ("", ".gz", ".bz2", ".xz", ".zst", ".txt", ".csv.gz", ".zip")


def pack_zip(content: bytes) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("run.txt", content)
    return buffer.getvalue()


def pack_tar(content: bytes) -> bytes:
    buffer = BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        entry = tarfile.TarInfo("run.txt")
        entry.size = len(content)
        archive.addfile(entry, BytesIO(content))
    return buffer.getvalue()


PACKERS: tuple[Callable[[bytes], bytes], ...] = (
    bytes,
    lambda content: gzip.compress(content, 1, mtime=0),
    bz2.compress,
    lzma.compress,
    lambda content: import_zstd().compress(content),
    pack_zip,
    pack_tar,
)


def check_input(data: bytes) -> None:
    source = Input(data)
    ending = source.choose(ENDINGS)
    outer, inner = source.choose(PACKERS), source.choose(PACKERS[:6])
    edits = [
        (source.take_byte(), source.take_byte(), source.take_byte())
        for _ in range(source.take_byte() % 4)
    ]
    packed = bytearray(outer(inner(source.rest)))
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
    read_qrels_and_run(write_file(bytes(packed), ending), None, None)
