"""Text files: whole lines, CSV and TSV with a header, and rows of three fields."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, NamedTuple

import numpy as np

from gainful.base import LONG_LINE, LONGEST_LINE, InputFile, IntArray, _native
from gainful.errors import SourceError
from gainful.sources.columns import (
    NUMBER,
    SEPARATORS,
    has_id_columns,
    is_number,
    name_columns,
)
from gainful.sources.formats import ReadSpec, declare_format
from gainful.sources.native_errors import explain_bad_line

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
    for number, (source, _) in enumerate(file.read_pieces()):
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
    for piece, _ in file.read_pieces():
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


class Header(NamedTuple):
    """The names of the columns, and where the rows begin.

    Attributes:
        names: Their names; numbers from 1 where there is no header.
        separator: The separator between fields; None for white space.
        n_lines: Number of lines above the first row.
        n_comments: Number of comments among them.
    """

    names: tuple[str, ...]
    separator: str | None
    n_lines: int
    n_comments: int = 0


def read_header(start: bytes, separators: str, spec: ReadSpec) -> Header:
    """Return the header that a file begins with, if it has one.

    It has none where the user numbers the columns, and the first line has a number, or a word for
    a label, where the numbers are to be.

    Args:
        start: The first bytes of the file.
        separators: The possible separators; the most frequent one of the first line is used.
        spec: The columns that the user named, or numbered.
    """
    above, n_comments, text = _skip_comments(start)
    first, end, _ = text.partition("\n")
    if not end and len(start) >= InputFile.START:
        message = (
            f"{spec.place}, line {above + 1}: the header is longer than {InputFile.START:,} "
            "bytes, the most that it may have."
        )
        raise SourceError(message, code="malformed-line")
    separator = max(separators, key=first.count)
    if separator not in first:
        return _check_header(Header(tuple(first.split()), None, above + 1, n_comments), spec)
    import csv  # only tables need it

    reader = csv.reader(StringIO(text, newline="\n"), delimiter=separator)
    try:
        names = tuple(name.strip() for name in next(reader))
    except csv.Error as error:
        message = f"{spec.place}, line {above + 1}: the header is no line of CSV ({error})."
        raise SourceError(message, code="malformed-line") from error
    return _check_header(Header(names, separator, above + reader.line_num, n_comments), spec)


def _check_header(header: Header, spec: ReadSpec) -> Header:
    column = spec.columns.get(NUMBER.get(spec.holds, "")) or spec.columns.get("rank")
    are_numbers = all(number.isdigit() for number in spec.columns.values())
    if not spec.columns or not are_numbers or has_id_columns(header.names):
        return header
    position = int(column or len(header.names)) - 1
    first = header.names[position] if 0 <= position < len(header.names) else ""
    if not (is_number(first) or first in map(str, spec.labels or {})):
        return header
    names = tuple(str(number + 1) for number in range(len(header.names)))
    return header._replace(names=names, n_lines=header.n_lines - 1)


def make_header(start: bytes, names: Sequence[str]) -> Header:
    """Return the columns of a file that has no header, in their order."""
    above, n_comments, text = _skip_comments(start)
    first = text.partition("\n")[0]
    fits = (s for s in SEPARATORS if first.count(s) == len(names) - 1)
    return Header(tuple(names), next(fits, None), above, n_comments)


def _skip_comments(start: bytes) -> tuple[int, int, str]:
    """Return the numbers of lines and of comments above the first line of data, and the rest."""
    text = start.removeprefix(MARK).decode("utf-8", "replace").replace("\r\n", "\n")
    text = text.replace("\r", "\n") if ends_in_returns(start) else text
    above = n_comments = 0
    while text:
        first, _, remaining = text.partition("\n")
        is_comment = first.lstrip().startswith("#")
        if first.strip() and not is_comment:
            break
        above, n_comments, text = above + 1, n_comments + is_comment, remaining
    return above, n_comments, text


def read_fields(
    file: InputFile,
    header: Header,
    columns: Mapping[str, int],
    *,
    filled: Sequence[str] = (),
    quotes: bool = True,
) -> Iterator[_native.Rows]:
    """Yield the rows below the header; raise an error for the first line that is wrong.

    Args:
        file: The file, whose ``row_lines`` are set.
        header: The names of its columns, and where the rows begin.
        columns: The numbers of the columns to read, from 0, by what they are to be called.
        filled: Which of them must not be empty.
        quotes: Whether quotes enclose fields, which may then have several lines.
    """
    row_lines = file.row_lines = RowLines(header.n_comments)
    n_lines, unclosed = header.n_lines, b""
    for piece in _read_below(file, header.n_lines):
        text = unclosed + piece
        check_is_text(text, file.name, n_lines + 1)
        rows = _native.Rows(
            text,
            dict(columns),
            len(header.names),
            separator=header.separator or "",
            quotes=quotes and b'"' in text,
            filled=[list(columns).index(name) for name in filled],
        )
        row_lines.add(rows.lines + n_lines)
        yield rows
        if rows.bad is not None:
            raise explain_bad_line(rows.bad, file.name, n_lines, names=list(columns))
        unclosed = text[len(text) - rows.unclosed :]
        if len(unclosed) > LONGEST_LINE:
            break
        n_lines += text.count(b"\n") - unclosed.count(b"\n")
    if unclosed:
        message = f"{file.name}, line {n_lines + 1}: the quotes of a field are not closed."
        raise SourceError(message, code="malformed-line")


def _read_below(file: InputFile, n_lines: int) -> Iterator[bytes]:
    """Yield the text of a file without its first lines."""
    for piece in read_plain_lines(file):
        cut = 0
        while n_lines and cut < len(piece):
            cut = piece.find(b"\n", cut) + 1 or len(piece)
            n_lines -= 1
        yield piece[cut:]


def _read_tables(file: InputFile, spec: ReadSpec, header: Header) -> Iterator[Any]:
    columns = name_columns(header.names, spec)
    return read_fields(file, header, columns, filled=("query", "item"))


def _make_header_reader(separators: str) -> Any:
    def read_tables(file: InputFile, spec: ReadSpec) -> Iterator[Any]:
        return _read_tables(file, spec, read_header(file.start, separators, spec))

    return read_tables


def _make_names_reader(separators: str) -> Any:
    def read_names(file: InputFile) -> Sequence[str]:
        return read_header(file.start, separators, ReadSpec("qrels", file.name)).names

    return read_names


def _make_headless_reader(*names: str) -> Any:
    def read_tables(file: InputFile, spec: ReadSpec) -> Iterator[Any]:
        return _read_tables(file, spec, make_header(file.start, names))

    return read_tables


for _holds, _number in (("qrels", "label"), ("run", "score")):
    declare_format(
        name="csv",
        holds=_holds,
        summary="A text file with a header, fields separated by commas, semicolons, bars or "
        "white space.",
        columns=("query", "item", _number, "..."),
        is_file=True,
        unit="line",
        read_names=_make_names_reader(",;|\t"),
        read_tables=_make_header_reader(",;|\t"),
    )
    declare_format(
        name="tsv",
        holds=_holds,
        summary="A text file with a header, fields separated by tabs.",
        columns=("query", "item", _number, "..."),
        is_file=True,
        unit="line",
        read_names=_make_names_reader("\t"),
        read_tables=_make_header_reader("\t"),
    )
    declare_format(
        name="triples",
        holds=_holds,
        summary="A text file without a header, three fields a line.",
        columns=("query", "item", _number),
        is_file=True,
        unit="line",
        read_tables=_make_headless_reader("query", "item", _number),
    )
BEIR = declare_format(
    name="beir",
    holds="qrels",
    summary="A text file with the header query-id, corpus-id, score, as BEIR has them.",
    columns=("query-id", "corpus-id", "score"),
    is_file=True,
    unit="line",
    read_tables=_make_header_reader("\t"),
)
declare_format(
    name="msmarco",
    holds="run",
    summary="A text file without a header and without scores, as MS MARCO has them.",
    columns=("query", "item", "rank"),
    is_file=True,
    unit="line",
    read_tables=_make_headless_reader("query", "item", "rank"),
)
