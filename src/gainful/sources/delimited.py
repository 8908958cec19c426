"""Text with separators between the fields: CSV and TSV with a header, and rows of three fields."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful.base import BoolArray, InputFile, IntArray
from gainful.errors import SourceError
from gainful.sources.columns import Header, make_header, name_columns, read_header
from gainful.sources.formats import Format, declare_format
from gainful.sources.lines import (
    RowLines,
    check_is_text,
    collapse_spaces,
    read_plain_lines,
    shorten,
)
from gainful.sources.native_errors import explain_polars_errors
from gainful.sources.read_spec import ReadSpec

if TYPE_CHECKING:
    import polars as pl

_LINE_FEED, _QUOTE = ord("\n"), ord('"')


class FieldLines(NamedTuple):
    """The lines of a piece of text: where they begin and end, and the separators in each."""

    text: bytes
    codes: Any
    begin: IntArray
    end: IntArray
    n_separators: IntArray

    def get_line(self, number: int) -> bytes:
        """Return one line without its end."""
        return self.text[self.begin[number] : self.end[number]]

    def select_text(self, keep: BoolArray) -> bytes:
        """Return the text of some lines alone."""
        lengths = np.diff(self.begin, append=len(self.text))
        return bytes(self.codes[np.repeat(keep, lengths)])


def split_fields(text: bytes, separator: bytes, *, quoted: bool = False) -> FieldLines | None:
    """Return the lines of a text; None if its quotes need a CSV reader.

    Args:
        text: Whole lines; the last one need not end in a line feed.
        separator: One byte.
        quoted: Whether quotes enclose fields; what they enclose is not looked at.
    """
    codes = np.frombuffer(text, dtype=np.uint8)
    end = np.flatnonzero(codes == _LINE_FEED)
    separators = np.flatnonzero(codes == separator[0])
    if quoted:
        quotes = np.flatnonzero(codes == _QUOTE)
        if not _is_regular(codes, quotes, end, separator[0]):
            return None
        separators = separators[np.searchsorted(quotes, separators) % 2 == 0]
    if len(text) and (not len(end) or end[-1] != len(text) - 1):
        end = np.append(end, len(text))
    begin = np.concatenate([[0], end[:-1] + 1]) if len(end) else end
    upto = np.searchsorted(separators, end)
    return FieldLines(text, codes, begin, end, np.diff(upto, prepend=0))


def _is_regular(codes: object, quotes: IntArray, line_feeds: IntArray, separator: int) -> bool:
    """Return whether quotes enclose whole fields, and no line feed."""
    if len(quotes) % 2 or (np.searchsorted(quotes, line_feeds) % 2).any():
        return False
    neighbors = [separator, _LINE_FEED, _QUOTE]
    padded = np.concatenate([[_LINE_FEED], codes, [_LINE_FEED]])
    left, right = padded[quotes[0::2]], padded[quotes[1::2] + 2]
    return bool(np.isin(left, neighbors).all() and np.isin(right, neighbors).all())


def make_frame(
    text: bytes, separator: bytes, names: Sequence[str], numbers: Sequence[int], *, quoted: bool
) -> Any:
    """Make a frame of some columns of regular lines, as text.

    Args:
        text: The lines; each has all of the columns.
        separator: The separator between fields.
        names: What the columns are to be called.
        numbers: Which they are, from 0.
        quoted: Whether quotes enclose fields.
    """
    import polars as pl

    if not text:
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    frame = pl.read_csv(
        text,
        has_header=False,
        infer_schema=False,
        separator=separator.decode(),
        quote_char='"' if quoted else None,
        truncate_ragged_lines=True,
        columns=sorted(set(numbers)),
    )
    positions = [sorted(set(numbers)).index(number) for number in numbers]
    series = (frame.to_series(i).fill_null("") for i in positions)
    return pl.DataFrame([value.alias(name) for value, name in zip(series, names, strict=True)])


def read_fields(
    lines: FieldLines,
    separator: bytes,
    columns: dict[str, int],
    *,
    keep: BoolArray,
    place: str,
    first_line: int,
    quoted: bool = False,
) -> Any:
    """Read the columns of the selected lines; raise an error for text that is not UTF-8."""
    text = lines.text if keep.all() else lines.select_text(keep)
    check_is_text(lines.text, place, first_line)
    with explain_polars_errors("text", place):
        return make_frame(text, separator, list(columns), list(columns.values()), quoted=quoted)


@dataclass(frozen=True)
class _Layout:
    """The layout of a file: the separator and the places of its fields.

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

    def read_pieces(self, file: InputFile) -> Iterator[bytes]:
        """Return the text below the header; white space that separates becomes single spaces."""
        remaining = self.header.n_lines
        for piece in read_plain_lines(file):
            cut = 0
            while remaining and cut < len(piece):
                cut = piece.find(b"\n", cut) + 1 or len(piece)
                remaining -= 1
            yield piece[cut:] if self.header.separator else collapse_spaces(piece[cut:])


def _read_tables(file: InputFile, spec: ReadSpec, header: Header) -> Iterator[Any]:
    columns = name_columns(header.names, spec)
    layout = _Layout(header, columns, spec.place)
    rows = file.row_lines = RowLines(header.n_comments)
    for frame in _read_frames(file, layout, rows):
        stripped = _strip_fields(frame)
        _check_ids(stripped, spec.place, rows)
        yield stripped


def _read_frames(file: InputFile, layout: _Layout, rows: RowLines) -> Iterator[Any]:
    from gainful.sources.lines import read_quoted

    line = layout.header.n_lines + 1
    pieces = layout.read_pieces(file)
    for piece in pieces:
        quoted = b'"' in piece and layout.header.separator is not None
        lines = split_fields(piece, layout.separator, quoted=quoted)
        if lines is None:
            yield from read_quoted(
                chain([piece], pieces),
                layout.separator.decode(),
                layout.columns,
                n_columns=len(layout.header.names),
                place=layout.place,
                first_line=line,
                rows=rows,
            )
            return
        keep, refusal = _select_lines(lines, layout, line)
        rows.add(np.flatnonzero(keep) + line)
        yield read_fields(
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


def _select_lines(
    lines: FieldLines, layout: _Layout, first_line: int
) -> tuple[BoolArray, SourceError | None]:
    """Select lines with fields, up to the first that has too few or too many, and its error."""
    expected = len(layout.header.names)
    keep: BoolArray = lines.n_separators == expected - 1
    for number in np.flatnonzero(~keep):
        text = lines.get_line(int(number))
        if text.strip():
            n_fields = lines.n_separators[number] + 1
            message = (
                f"{layout.place}, line {first_line + number}: expected {expected} fields, "
                f"found {n_fields}: {shorten(text)}."
            )
            keep[number:] = False
            return keep, SourceError(message, code="malformed-line")
    return keep, None


def _strip_fields(frame: "pl.DataFrame") -> Any:
    """Strip white space around the fields, as in other text files."""
    import polars as pl

    return frame.with_columns(pl.all().str.strip_chars(" \t"))


def _check_ids(frame: "pl.DataFrame", place: str, rows: RowLines) -> None:
    first = rows.n_rows - frame.height + 1
    for role in ("query", "item"):
        empty = frame[role] == ""
        if empty.any():
            line = rows.find_line(first + empty.arg_max())
            message = f"{place}, line {line}: the {role} is empty."
            raise SourceError(message, code="bad-id")


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
        Format(
            name="csv",
            holds=_holds,
            summary="A text file with a header, fields separated by commas, semicolons, bars or "
            "white space.",
            columns=("query", "item", _number, "..."),
            is_file=True,
            has_role_names=True,
            unit="line",
            read_names=_make_names_reader(",;|\t"),
            read_tables=_make_header_reader(",;|\t"),
        )
    )
    declare_format(
        Format(
            name="tsv",
            holds=_holds,
            summary="A text file with a header, fields separated by tabs.",
            columns=("query", "item", _number, "..."),
            is_file=True,
            has_role_names=True,
            unit="line",
            read_names=_make_names_reader("\t"),
            read_tables=_make_header_reader("\t"),
        )
    )
    declare_format(
        Format(
            name="triples",
            holds=_holds,
            summary="A text file without a header, three fields a line.",
            columns=("query", "item", _number),
            is_file=True,
            has_role_names=True,
            unit="line",
            read_tables=_make_headless_reader("query", "item", _number),
        )
    )
BEIR = declare_format(
    Format(
        name="beir",
        holds="qrels",
        summary="A text file with the header query-id, corpus-id, score, as BEIR has them.",
        columns=("query-id", "corpus-id", "score"),
        is_file=True,
        has_role_names=True,
        unit="line",
        read_tables=_make_header_reader("\t"),
    )
)
MSMARCO = declare_format(
    Format(
        name="msmarco",
        holds="run",
        summary="A text file without a header and without scores, as MS MARCO has them.",
        columns=("query", "item", "rank"),
        is_file=True,
        has_role_names=True,
        unit="line",
        read_tables=_make_headless_reader("query", "item", "rank"),
    )
)
