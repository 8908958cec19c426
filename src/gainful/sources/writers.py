"""The formats that qrels and runs are written in, declared once."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from gainful.base import get_file_extension
from gainful.errors import SourceError

_WHITE = r"[\t-\r ]"


@dataclass(frozen=True)
class Writer:
    """A format that rows are written in.

    Attributes:
        name: How users name it.
        summary: What it looks like, in one sentence.
        extensions: What the names of such files end in.
        columns: What it has places for, by what it holds; None where it has them for anything.
        odd: A pattern of ids that would not be read back as they are, by role.
        reason: What is wrong with such ids.
        fix_ids: Such ids, changed so that they can be written.
        write: Puts tables into a file; text, if they are to be.
        finite: Whether it has no infinite numbers.
        text: Whether it is text, which may be compressed.
    """

    name: str
    summary: str
    extensions: tuple[str, ...]
    write: Callable[[Iterator[Any], BinaryIO], None]
    columns: dict[str, tuple[str, ...]] | None = None
    odd: dict[str, str] | None = None
    reason: str = ""
    fix_ids: Callable[[Any], Any] = lambda series: series
    finite: bool = False
    text: bool = True


def find_writer(path: str | os.PathLike[str], name: str | None = None) -> Writer:
    """Return the format that is named, else the one of the file name's extension.

    >>> find_writer("runs/bm25.csv.gz").name, find_writer("out", "trec").name
    ('csv', 'trec')
    """
    if name is not None and name not in WRITERS:
        message = f"to: must be one of {', '.join(WRITERS)}, got {name!r}."
        raise SourceError(message, code="unknown-format")
    if name is not None:
        return WRITERS[name]
    for writer in WRITERS.values():
        if get_file_extension(path) in writer.extensions:
            return writer
    message = (
        f"{os.fspath(path)}: the format to write cannot be detected from its name. "
        f"Pass --to {', '.join(WRITERS)}, to= in Python."
    )
    raise SourceError(message, code="unknown-format")


def _write_lines(tables: Iterator[Any], file: BinaryIO) -> None:
    for table in tables:
        file.write(table.write_csv(None, **_LINE).encode())


_LINE: Any = {"include_header": False, "separator": " ", "quote_style": "never"}


def _make_separated_writer(separator: str) -> Callable[[Iterator[Any], BinaryIO], None]:
    def write(tables: Iterator[Any], file: BinaryIO) -> None:
        for number, table in enumerate(tables):
            text = table.write_csv(None, separator=separator, include_header=number == 0)
            file.write(text.encode())

    return write


def _write_json(tables: Iterator[Any], file: BinaryIO) -> None:
    for table in tables:
        file.write(table.write_ndjson().encode())


def _write_parquet(tables: Iterator[Any], file: BinaryIO) -> None:
    """Write row group by row group: polars asks for one table after the other."""
    from polars.io.plugins import register_io_source

    first = next(tables)
    failures: list[BaseException] = []

    def source(
        with_columns: object, _predicate: object, _n_rows: object, _batch_size: object
    ) -> Iterator[Any]:
        try:
            for table in _chain_tables(first, tables):
                yield table if with_columns is None else table.select(with_columns)
        except Exception as error:
            failures.append(error)
            raise

    try:
        register_io_source(source, schema=first.schema).sink_parquet(file)
    except Exception as error:
        # Not what polars makes of an error of ours, which comes first.
        if failures:
            raise failures[0] from None
        reason = str(error).partition("\n")[0].rstrip(".")
        message = f"Parquet: cannot be written ({reason})."
        raise SourceError(message, code="cannot-write") from error


def _chain_tables(first: object, remaining: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from remaining


def _replace_spaces(series: Any) -> Any:
    return series.str.replace_all(_WHITE, "_").str.replace("^(#|\ufeff|$)", "_")


WRITERS = {
    writer.name: writer
    for writer in (
        Writer(
            name="trec",
            summary="TREC's qrels or run, fields separated by a space.",
            extensions=(".txt", ".trec", ".qrels", ".qrel", ".run", ".res", ".results"),
            columns={
                "qrels": ("query", "iteration", "item", "label"),
                "run": ("query", "Q0", "item", "rank", "score", "tag"),
            },
            odd={"query": rf"^$|{_WHITE}|^[#\ufeff]", "item": f"^$|{_WHITE}"},
            reason="is empty, has white space in it or begins with #, which TREC files cannot hold",
            fix_ids=_replace_spaces,
            write=_write_lines,
        ),
        Writer(
            name="csv",
            summary="A header, fields separated by commas.",
            extensions=(".csv",),
            odd={"query": r"^$|^[\t ]|[\t ]$|\r", "item": r"^$|^[\t ]|[\t ]$|\r"},
            reason="is empty or begins or ends in white space, which CSV files do not keep",
            fix_ids=lambda series: series.str.replace_all("\r", " ").str.strip_chars(" \t"),
            write=_make_separated_writer(","),
        ),
        Writer(
            name="tsv",
            summary="A header, fields separated by tabs.",
            extensions=(".tsv",),
            odd={"query": r"^$|^[\t ]|[\t ]$|\r", "item": r"^$|^[\t ]|[\t ]$|\r"},
            reason="is empty or begins or ends in white space, which TSV files do not keep",
            fix_ids=lambda series: series.str.replace_all("\r", " ").str.strip_chars(" \t"),
            write=_make_separated_writer("\t"),
        ),
        Writer(
            name="jsonl",
            summary="JSON lines, an object a row.",
            extensions=(".jsonl", ".ndjson"),
            finite=True,
            write=_write_json,
        ),
        Writer(
            name="parquet",
            summary="Parquet.",
            extensions=(".parquet", ".pq"),
            text=False,
            write=_write_parquet,
        ),
    )
}
