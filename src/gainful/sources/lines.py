"""Whole lines of text files, and CSV whose quoted fields may contain line feeds."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from io import StringIO
from itertools import chain
from typing import Any

import numpy as np

from gainful.base import LONG_LINE, LONGEST_LINE, InputFile, IntArray, format_repr
from gainful.errors import SourceError

MARK = b"\xef\xbb\xbf"  # that text is UTF-8, as some programs put in front of it
_MIN_PIECE = 1 << 20  # bytes of a piece: small enough for the cache


class RowLines:
    """The lines of a file on which the rows that were read stand; both count from 1.

    It stores only the places where rows and lines stop advancing together.

    Attributes:
        n_rows: How many rows there are.
        n_comments: How many lines of comments stand above or between them.
    """

    def __init__(self, n_comments: int = 0) -> None:
        self.n_comments = n_comments
        self._rows = [1]
        self._lines = [1]
        self.n_rows = 0

    def add(self, lines: IntArray) -> None:
        """Add rows that stand on these lines."""
        rows = np.arange(self.n_rows + 1, self.n_rows + len(lines) + 1)
        shift = lines - rows
        last_shift = self._lines[-1] - self._rows[-1]
        jumps = np.flatnonzero(np.diff(shift, prepend=last_shift))
        self._rows += rows[jumps].tolist()
        self._lines += lines[jumps].tolist()
        self.n_rows += len(lines)

    def find_line(self, row: int) -> int:
        """Return the line of a row."""
        index = bisect_right(self._rows, row) - 1
        return self._lines[index] + row - self._rows[index]


def read_plain_lines(file: InputFile) -> Iterator[bytes]:
    """Read whole lines, with a line feed alone at the end of each."""
    only_returns = ends_in_returns(file.start)
    return (
        normalize_line_ends(piece, only_returns) for piece in read_whole_lines(file, only_returns)
    )


def read_whole_lines(file: InputFile, only_returns: bool = False) -> Iterator[bytes]:
    """Return all of a text file, from its beginning, in pieces that end with a line.

    A byte order mark is left out.

    Args:
        file: The file, which is rewound first.
        only_returns: Whether carriage returns end the lines.

    A line that is too long is refused before more of it is kept.
    """
    end = b"\r" if only_returns else b"\n"
    file.rewind()
    content: list[bytes] = []
    size = unended = 0
    for number, (source, _) in enumerate(file.read_pieces(rewindable=True)):
        piece = bytes(source).removeprefix(MARK) if number == 0 else bytes(source)
        first = piece.find(end)
        unended += len(piece) if first < 0 else first
        if unended > LONGEST_LINE:
            raise _make_long_line_error(file, end)
        unended = unended if first < 0 else len(piece) - piece.rfind(end) - 1
        size += len(piece)
        cut = piece.rfind(end) + 1 if size >= _MIN_PIECE else 0
        if not cut:
            content.append(piece)
            continue
        yield b"".join([*content, piece[:cut]])
        content, size = [piece[cut:]], len(piece) - cut
    if last := b"".join(content):
        yield last


def _make_long_line_error(file: InputFile, end: bytes) -> SourceError:
    """Return the error for the first line that is too long."""
    file.rewind()
    line, unended = 1, 0
    for piece, _ in file.read_pieces(rewindable=True):
        first = bytes(piece).find(end)
        unended += len(piece) if first < 0 else first
        if unended > LONGEST_LINE:
            break
        line += bytes(piece).count(end)
        unended = unended if first < 0 else len(piece) - bytes(piece).rfind(end) - 1
    message = f"{file.name}, line {line}: {LONG_LINE.format(LONGEST_LINE)}"
    return SourceError(message, code="malformed-line")


def ends_in_returns(text: bytes) -> bool:
    """Return whether lines end in a carriage return alone."""
    return b"\r" in text and b"\n" not in text


def normalize_line_ends(text: bytes, only_returns: bool) -> bytes:
    """Return the text with a line feed at the end of every line."""
    if only_returns:
        return text.replace(b"\r", b"\n")
    return text.replace(b"\r\n", b"\n") if b"\r\n" in text else text


def shorten(text: bytes, max_length: int = 80) -> str:
    """Return a line as errors quote it."""
    decoded = text.decode("utf-8", "replace")
    return repr(decoded if len(decoded) <= max_length else decoded[: max_length - 3] + "...")


def check_is_text(piece: bytes, place: str, first_line: int) -> None:
    """Refuse a piece that is not UTF-8, naming the line."""
    try:
        piece.decode()
    except UnicodeDecodeError as error:
        line = first_line + piece.count(b"\n", 0, error.start)
        begin = piece.rfind(b"\n", 0, error.start) + 1
        text = piece[begin:].partition(b"\n")[0]
        message = f"{place}, line {line}: must be UTF-8 text, got {text[:60]!r}."
        raise SourceError(message, code="not-text") from None


_WHITE = bytes.maketrans(b"\t\v\f\r", b"    ")


def collapse_spaces(text: bytes) -> bytes:
    """Return the lines with one space between fields and none around them.

    >>> collapse_spaces(b"  q1\\t 0  d1 1 \\r\\nq2 0 d2 1")
    b'q1 0 d1 1\\nq2 0 d2 1'
    """
    text = text.translate(_WHITE)
    if _has_extra_spaces(text):
        text = re.sub(rb" {2,}", b" ", text)
        text = text.replace(b"\n ", b"\n").replace(b" \n", b"\n")
    return text.removeprefix(b" ").removesuffix(b" ")


def _has_extra_spaces(text: bytes) -> bool:
    """Return whether a space stands beside another, or beside the end of a line."""
    codes = np.frombuffer(text, dtype=np.uint8)
    space = codes == ord(" ")
    white = space | (codes == ord("\n"))
    return bool(((space[1:] & white[:-1]) | (white[1:] & space[:-1])).any())


_BATCH = 50_000  # records
_END = "\x00end of the file\n"  # joins the last record where its quotes are not closed


def read_quoted(
    pieces: Iterator[bytes],
    separator: str,
    columns: dict[str, int],
    *,
    n_columns: int,
    place: str,
    first_line: int,
    rows: RowLines,
) -> Iterator[Any]:
    """Read some columns of the rest of a file, as text."""
    import polars as pl

    records = _Records(pieces, separator, n_columns, place, first_line)
    while batch := records.read_batch():
        rows.add(np.array([line for line, _ in batch]))
        by_column = list(zip(*(record for _, record in batch), strict=True))
        selected = {name: by_column[number] for name, number in columns.items()}
        yield pl.DataFrame(selected, schema=dict.fromkeys(columns, pl.String))


class _LongRecordError(Exception):
    """A record goes on for too many lines."""


class _Records:
    """The records of a text, with the line on which each begins."""

    def __init__(
        self, pieces: Iterator[bytes], separator: str, n_columns: int, place: str, first_line: int
    ) -> None:
        self._n_columns = n_columns
        self._place = place
        self._before = first_line - 1
        self._n_characters = 0  # characters of the record that is being read
        import csv  # only quoted fields need it

        self._csv_error = csv.Error
        self._reader = csv.reader(chain(self._read_lines(pieces), [_END]), delimiter=separator)

    def _read_lines(self, pieces: Iterator[bytes]) -> Iterator[str]:
        line = self._before + 1
        for piece in pieces:
            check_is_text(piece, self._place, line)
            line += piece.count(b"\n")
            ended = piece if piece.endswith(b"\n") else piece + b"\n"
            # Not splitlines(): it takes other characters for the end of a line as well.
            for text in StringIO(ended.decode(), newline="\n"):
                self._n_characters += len(text)
                yield text
                if self._n_characters > LONGEST_LINE:
                    raise _LongRecordError

    def read_batch(self) -> list[tuple[int, list[str]]]:
        """Return the next records; none at the end."""
        records: list[tuple[int, list[str]]] = []
        while len(records) < _BATCH:
            line = self._before + self._reader.line_num + 1
            self._n_characters = 0
            try:
                record = next(self._reader, None)
            except self._csv_error as error:
                raise self._make_error(line, describe_csv_error(error)) from error
            except _LongRecordError:
                text = LONG_LINE.format(LONGEST_LINE).rstrip(".")
                raise self._make_error(line, f"{text}; its quotes may not be closed") from None
            if record is None or record == [_END.rstrip("\n")]:
                break
            if record[-1:] and record[-1].endswith(_END):
                raise self._make_error(line, "the quotes of a field are not closed")
            if len(record) > 1 or "".join(record).strip():
                records.append((line, self._check_fields(line, record)))
        return records

    def _check_fields(self, line: int, record: list[str]) -> list[str]:
        if len(record) != self._n_columns:
            text = (
                f"expected {self._n_columns} fields, found {len(record)}: {format_repr(record, 80)}"
            )
            raise self._make_error(line, text)
        return record

    def _make_error(self, line: int, text: str) -> SourceError:
        return SourceError(f"{self._place}, line {line}: {text}.", code="malformed-line")


def describe_csv_error(error: Exception) -> str:
    """Describe what is wrong with a record."""
    if "field limit" in str(error):
        import csv

        limit = csv.field_size_limit()
        return f"a field is longer than {limit:,} characters; its quotes may not be closed"
    return "a carriage return stands inside a field"
