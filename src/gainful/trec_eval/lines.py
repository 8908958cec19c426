"""Files as trec_eval reads them, down to what it takes for a number and what it refuses."""

import os
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from gainful.errors import SourceError
from gainful.sources import opened
from gainful.sources._limits import whole
from gainful.trec_eval.arguments import Arguments, Exit

_TAIL = 1 << 16


class Wanted(NamedTuple):
    """A kind of file: who complains about it, what it calls the file, and how many fields."""

    reader: str
    file: str
    fields: int
    malformed: str = ""


QRELS = Wanted("trec_eval.get_qrels", "qrels", 4)
GROUPS = Wanted("trec_eval.get_qrels_jg", "qrels", 4)
PREFERENCES = Wanted("trec_eval.get_prefs", "prefs", 5)
QRELS_PREFERENCES = Wanted("trec_eval.get_prefs", "prefs", 4, "trec_eval.get_qrels_prefs")
RESULTS = Wanted("trec_eval.get_results", "results", 6)
ZSCORES = Wanted("trec_eval.get_prefs", "zscores", 4, "trec_eval.get_zscores")


def content(path: str, wanted: Wanted, *, code: int = 2) -> bytes:
    """All bytes of a file; ``Exit`` where there are none."""
    try:
        with opened(path) as file:
            text = whole(file)
    except SourceError:
        text = b""
    if not text:
        raise refused(path, f"{wanted.reader}: Cannot read {wanted.file} file '{path}'\n", code)
    return text


def refused(path: str, said: str, code: int = 2) -> Exit:
    """The end of the program because of a file."""
    return Exit(code, f"{said}trec_eval: Quit in file '{path}'\n" if code == 2 else said)


def rows(path: str, text: bytes, wanted: Wanted, arguments: Arguments) -> list[list[str]]:
    """The fields of every line; ``Exit`` at the first that is not as it must be."""
    found: list[list[str]] = []
    code = 2 if wanted is not ZSCORES else 255
    for line in _lines(text, wanted, arguments):
        fields = line.decode("utf-8", "surrogateescape").split()
        enough = len(fields) >= 6 if wanted is RESULTS else len(fields) == wanted.fields
        if not enough:
            reader = wanted.malformed or wanted.reader
            raise refused(path, f"{reader}: Malformed line {len(found) + 1}\n", code)
        found.append(fields)
    return found


def _lines(text: bytes, wanted: Wanted, arguments: Arguments) -> Iterator[bytes]:
    """The lines that hold data; comments are trec_eval 10's, in qrels and runs alone."""
    has_comments = arguments.newer and wanted in (QRELS, RESULTS)
    after_comment = False
    for line in text.removesuffix(b"\n").split(b"\n"):
        blank = not line.strip()
        comment = line.lstrip() if wanted is RESULTS else line
        # trec_eval 10.0 takes the second of two comments in qrels for data.
        second = after_comment and wanted is QRELS and arguments.compat == 10
        after_comment = has_comments and comment.startswith(b"#") and not second
        if not after_comment and not (blank and wanted is RESULTS):
            yield line


class Tail:
    """The end of a file as bytes; it is read, not mapped, for it may become shorter meanwhile."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = file.seek(0, os.SEEK_END)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, wanted: slice) -> bytes:
        self._file.seek(max(self._size + wanted.start, 0))
        return self._file.read()


def run_tag(text: bytes | Tail, arguments: Arguments) -> str:
    """The run's name: the sixth field of its last line."""
    size = _TAIL
    while True:
        tail = text[-size:]
        for line in reversed(tail.split(b"\n")[size < len(text) :]):
            fields = line.split()
            comment = arguments.newer and fields and fields[0].startswith(b"#")
            if len(fields) >= 6 and not comment:
                return fields[5].decode("utf-8", "surrogateescape")
        if size >= len(text):
            return ""
        size *= 8
