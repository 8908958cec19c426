"""Text with separators between the fields: CSV and TSV with a header, and rows of three fields."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import BoolArray
from gainful.sources import _fields
from gainful.sources._files import Bytes
from gainful.sources._format import Format, declare
from gainful.sources._header import Header, header_of, headless
from gainful.sources._lines import RowLines, plain_lines, shown
from gainful.sources._roles import columns_of
from gainful.sources._spaces import single_spaces
from gainful.sources._wanted import Wanted


@dataclass(frozen=True)
class _Layout:
    """How the fields of a file are found.

    Attributes:
        header: The names of its columns, and where the rows begin.
        columns: The columns to be read, by what tables call them: their numbers, from 0.
        place: What errors call the file.
    """

    header: Header
    columns: dict[str, int]
    place: str

    @property
    def separator(self) -> bytes:
        return (self.header.separator or " ").encode()

    def pieces(self, file: Bytes) -> Iterator[bytes]:
        """The text below the header, white space being single spaces if it separates."""
        left = self.header.n_lines
        for piece in plain_lines(file):
            cut = 0
            while left and cut < len(piece):
                cut = piece.find(b"\n", cut) + 1 or len(piece)
                left -= 1
            yield piece[cut:] if self.header.separator else single_spaces(piece[cut:])


def _tables(file: Bytes, wanted: Wanted, header: Header) -> Iterator[Any]:
    columns = columns_of(header.names, wanted)
    layout = _Layout(header, columns, wanted.place)
    rows = file.row_lines = RowLines(header.n_comments)
    for frame in _frames(file, layout, rows):
        stripped = _stripped(frame)
        _check_ids(stripped, wanted.place, rows)
        yield stripped


def _frames(file: Bytes, layout: _Layout, rows: RowLines) -> Iterator[Any]:
    from gainful.sources import _quoted

    line = layout.header.n_lines + 1
    pieces = layout.pieces(file)
    for piece in pieces:
        quoted = b'"' in piece and layout.header.separator is not None
        lines = _fields.split(piece, layout.separator, quoted=quoted)
        if lines is None:
            how: Any = {"n_columns": len(layout.header.names), "place": layout.place}
            how |= {"first_line": line, "rows": rows}
            rest = chain([piece], pieces)
            yield from _quoted.frames(rest, layout.separator.decode(), layout.columns, **how)
            return
        keep, refusal = _kept(lines, layout, line)
        rows.add(np.flatnonzero(keep) + line)
        yield _fields.read(
            lines,
            layout.separator,
            layout.columns,
            keep=keep,
            place=layout.place,
            first_line=line,
            quoted=quoted,
        )
        if refusal is not None:
            raise refusal
        line += piece.count(b"\n")


def _kept(
    lines: _fields.Lines, layout: _Layout, first_line: int
) -> tuple[BoolArray, SourceError | None]:
    """Which lines have fields, up to one that has too few or too many, and what is to be said."""
    expected = len(layout.header.names)
    keep: BoolArray = lines.n_separators == expected - 1
    for number in np.flatnonzero(~keep):
        text = lines.line(int(number))
        if text.strip():
            found = lines.n_separators[number] + 1
            message = (
                f"{layout.place}, line {first_line + number}: expected {expected} fields, "
                f"found {found}: {shown(text)}."
            )
            keep[number:] = False
            return keep, SourceError(message, code="malformed-line")
    return keep, None


def _stripped(frame: Any) -> Any:
    """Without white space around the fields: no id has it in other text files either."""
    import polars as pl

    return frame.with_columns(pl.all().str.strip_chars(" \t"))


def _check_ids(frame: Any, place: str, rows: RowLines) -> None:
    first = rows.n_rows - frame.height + 1
    for role in ("query", "item"):
        empty = frame[role] == ""
        if empty.any():
            line = rows.of(first + empty.arg_max())
            message = f"{place}, line {line}: the {role} is empty."
            raise SourceError(message, code="bad-id")


def _with_header(separators: str) -> Any:
    def tables(file: Bytes, wanted: Wanted) -> Iterator[Any]:
        return _tables(file, wanted, header_of(file.start, separators, wanted))

    return tables


def _names(separators: str) -> Any:
    def names(file: Bytes) -> Sequence[str]:
        return header_of(file.start, separators, Wanted("qrels", file.name)).names

    return names


def _without_header(*names: str) -> Any:
    def tables(file: Bytes, wanted: Wanted) -> Iterator[Any]:
        return _tables(file, wanted, headless(file.start, names))

    return tables


for _holds, _number in (("qrels", "label"), ("run", "score")):
    declare(
        Format(
            name="csv",
            holds=_holds,
            summary="A text file with a header, fields separated by commas, semicolons, bars or "
            "white space.",
            columns=("query", "item", _number, "..."),
            is_file=True,
            renamed=True,
            unit="line",
            names=_names(",;|\t"),
            tables=_with_header(",;|\t"),
        )
    )
    declare(
        Format(
            name="tsv",
            holds=_holds,
            summary="A text file with a header, fields separated by tabs.",
            columns=("query", "item", _number, "..."),
            is_file=True,
            renamed=True,
            unit="line",
            names=_names("\t"),
            tables=_with_header("\t"),
        )
    )
    declare(
        Format(
            name="triples",
            holds=_holds,
            summary="A text file without a header, three fields a line.",
            columns=("query", "item", _number),
            is_file=True,
            renamed=True,
            unit="line",
            tables=_without_header("query", "item", _number),
        )
    )
BEIR = declare(
    Format(
        name="beir",
        holds="qrels",
        summary="A text file with the header query-id, corpus-id, score, as BEIR has them.",
        columns=("query-id", "corpus-id", "score"),
        is_file=True,
        renamed=True,
        unit="line",
        tables=_with_header("\t"),
    )
)
MSMARCO = declare(
    Format(
        name="msmarco",
        holds="run",
        summary="A text file without a header and without scores, as MS MARCO has them.",
        columns=("query", "item", "rank"),
        is_file=True,
        renamed=True,
        unit="line",
        tables=_without_header("query", "item", "rank"),
    )
)
