"""TREC files as tables: for what only tables can be, such as collapsed or converted."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gainful import _native
from gainful.ragged import BoolArray, IntArray
from gainful.sources import _fields
from gainful.sources._files import Bytes
from gainful.sources._lines import RowLines, whole_lines
from gainful.sources._roles import columns_of
from gainful.sources._spaces import single_spaces
from gainful.sources._wanted import Wanted
from gainful.sources._wording import in_words

_COLUMNS = {
    "qrels": ("query", "iteration", "item", "label"),
    "run": ("query", "Q0", "item", "rank", "score", "tag"),
}


def tables(file: Bytes, wanted: Wanted) -> Iterator[Any]:
    """The lines as rows, those left out that are blank or comments, as the native core does."""
    expected = len(_COLUMNS[wanted.holds])
    columns = columns_of(_COLUMNS[wanted.holds], replace(wanted, columns={}))
    rows = file.row_lines = RowLines()
    line = 1
    for piece in whole_lines(file):
        lines = _fields.split(single_spaces(piece), b" ")
        assert lines is not None
        comments = _comments(piece, lines)
        rows.n_comments += int(comments.sum())
        keep = ~comments & (lines.begin < lines.end)
        bad = np.flatnonzero(keep & ~_fits(lines.n_separators + 1, wanted.holds))
        keep[bad[0] if len(bad) else len(keep) :] = False
        rows.add(np.flatnonzero(keep) + line)
        how: Any = {"keep": keep, "place": wanted.place, "first_line": line}
        yield _fields.read(lines, b" ", columns, **how)
        if len(bad):
            number = int(bad[0])
            text = piece.split(b"\n", number + 1)[number]
            found = int(lines.n_separators[number]) + 1
            error = _native.BadInput("fields", line + number, 1, text, b"", b"", expected, found)
            raise in_words(error, wanted.place, unit="line")
        line += piece.count(b"\n")


def _fits(n_fields: IntArray, holds: str) -> BoolArray:
    found: BoolArray = n_fields == 4 if holds == "qrels" else n_fields >= 6
    return found


def _comments(text: bytes, lines: _fields.Lines) -> BoolArray:
    """Which lines begin with #, before any white space that single spaces leave out."""
    codes = np.frombuffer(text, dtype=np.uint8)
    begin = lines.begin
    if len(lines.text) < len(text):
        begin = np.concatenate([[0], np.flatnonzero(codes == ord("\n")) + 1])[: len(begin)]
    found: BoolArray = codes[begin] == ord("#")
    return found
