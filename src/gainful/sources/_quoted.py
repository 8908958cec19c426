"""CSV whose quotes enclose line feeds, or stand inside fields: read record by record."""

import csv
from collections.abc import Iterator
from io import StringIO
from itertools import chain
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.sources._limits import LONG_LINE, LONGEST_LINE
from gainful.sources._lines import RowLines, check_is_text
from gainful.wording import as_written

_BATCH = 50_000  # records
_END = "\x00end of the file\n"  # joins the last record where its quotes are not closed


def frames(
    pieces: Iterator[bytes],
    separator: str,
    columns: dict[str, int],
    *,
    n_columns: int,
    place: str,
    first_line: int,
    rows: RowLines,
) -> Iterator[Any]:
    """Some columns of the rest of a file, as text."""
    import polars as pl

    records = _Records(pieces, separator, n_columns, place, first_line)
    while batch := records.batch():
        rows.add(np.array([line for line, _ in batch]))
        by_column = list(zip(*(record for _, record in batch), strict=True))
        chosen = {name: by_column[number] for name, number in columns.items()}
        yield pl.DataFrame(chosen, schema=dict.fromkeys(columns, pl.String))


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
        self._n_held = 0  # characters of the record that is being read
        self._reader = csv.reader(chain(self._lines(pieces), [_END]), delimiter=separator)

    def _lines(self, pieces: Iterator[bytes]) -> Iterator[str]:
        line = self._before + 1
        for piece in pieces:
            check_is_text(piece, self._place, line)
            line += piece.count(b"\n")
            ended = piece if piece.endswith(b"\n") else piece + b"\n"
            # Not splitlines(): it takes other characters for the end of a line as well.
            for text in StringIO(ended.decode(), newline="\n"):
                self._n_held += len(text)
                yield text
                if self._n_held > LONGEST_LINE:
                    raise _LongRecordError

    def batch(self) -> list[tuple[int, list[str]]]:
        """The next records; none at the end."""
        found: list[tuple[int, list[str]]] = []
        while len(found) < _BATCH:
            line = self._before + self._reader.line_num + 1
            self._n_held = 0
            try:
                record = next(self._reader, None)
            except csv.Error as error:
                raise self._error(line, reason(error)) from error
            except _LongRecordError:
                said = LONG_LINE.format(LONGEST_LINE).rstrip(".")
                raise self._error(line, f"{said}; its quotes may not be closed") from None
            if record is None or record == [_END.rstrip("\n")]:
                break
            if record[-1:] and record[-1].endswith(_END):
                raise self._error(line, "the quotes of a field are not closed")
            if len(record) > 1 or "".join(record).strip():
                found.append((line, self._whole(line, record)))
        return found

    def _whole(self, line: int, record: list[str]) -> list[str]:
        if len(record) != self._n_columns:
            text = (
                f"expected {self._n_columns} fields, found {len(record)}: {as_written(record, 80)}"
            )
            raise self._error(line, text)
        return record

    def _error(self, line: int, text: str) -> SourceError:
        return SourceError(f"{self._place}, line {line}: {text}.", code="malformed-line")


def reason(error: csv.Error) -> str:
    """What is wrong with a record, in words."""
    if "field limit" in str(error):
        most = csv.field_size_limit()
        return f"a field is longer than {most:,} characters; its quotes may not be closed"
    return "a carriage return stands inside a field"
