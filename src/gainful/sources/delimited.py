"""Text with separators between the fields: CSV and TSV with a header, and rows of three fields."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gainful.base import LONGEST_LINE, InputFile, _native
from gainful.errors import SourceError
from gainful.sources.columns import Header, make_header, name_columns, read_header
from gainful.sources.formats import Format, declare_format
from gainful.sources.lines import RowLines, check_is_text, read_plain_lines
from gainful.sources.native_errors import explain_bad_line
from gainful.sources.read_spec import ReadSpec


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
        Format(
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
    )
    declare_format(
        Format(
            name="tsv",
            holds=_holds,
            summary="A text file with a header, fields separated by tabs.",
            columns=("query", "item", _number, "..."),
            is_file=True,
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
        unit="line",
        read_tables=_make_headless_reader("query", "item", "rank"),
    )
)
