"""Parquet and Arrow files: Arrow IPC, as a file or as a stream, which Feather is as well."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import Any

from gainful.base import InputFile, explain_spool_errors
from gainful.sources.columns import name_columns
from gainful.sources.formats import Format, declare_format
from gainful.sources.native_errors import explain_polars_errors
from gainful.sources.read_spec import ReadSpec

_DESCRIPTORS = "/proc/self/fd/"  # what is open, by number; Linux alone has it
_ROWS = 1 << 20  # rows per table


def _make_table_reader(kind: str) -> Callable[[InputFile, ReadSpec], Iterator[Any]]:
    def read_tables(file: InputFile, spec: ReadSpec) -> Iterator[Any]:
        with explain_polars_errors(kind, spec.place), _open_path(file) as path:
            scan = _scan(path, file.start)
            names = scan.collect_schema().names()
            columns = name_columns(names, spec)
            selected = [_select_column(names[number], role) for role, number in columns.items()]
            yield from _collect_batches(scan.select(selected))

    return read_tables


def _make_name_reader(kind: str) -> Callable[[InputFile], Sequence[str]]:
    def read_names(file: InputFile) -> Sequence[str]:
        with explain_polars_errors(kind, file.name), _open_path(file) as path:
            column_names: list[str] = _scan(path, file.start).collect_schema().names()
            return column_names

    return read_names


def read_all(file: InputFile) -> dict[str, list[Any]]:
    """Return all columns of a file of Parquet or Arrow as lists."""
    kind = "Parquet" if file.start.startswith(b"PAR1") else "Arrow"
    with explain_polars_errors(kind, file.name), _open_path(file) as path:
        columns: dict[str, list[Any]] = _scan(path, file.start).collect().to_dict(as_series=False)
        return columns


def _select_column(name: str, role: str) -> Any:
    import polars as pl

    # Not by its name alone: polars takes ^...$ and * for patterns.
    return pl.col(f"^{re.escape(name)}$").alias(role)


def _scan(path: str, start: bytes) -> Any:
    import polars as pl

    # As a URL it is read. By its path it might be mapped into memory, and whoever then makes it
    # shorter ends the process.
    url = f"file://{path}" if path.startswith(_DESCRIPTORS) else path
    if start.startswith(b"PAR1"):
        return pl.scan_parquet(url, glob=False)
    if start.startswith(b"ARROW1"):
        return pl.scan_ipc(url)
    return pl.read_ipc_stream(path).lazy()


def _collect_batches(scan: Any) -> Iterator[Any]:
    if hasattr(scan, "collect_batches"):
        yield from scan.collect_batches(chunk_size=_ROWS, maintain_order=True)
        return
    n_rows = 0
    while (batch := scan.slice(n_rows, _ROWS).collect()).height:
        n_rows += batch.height
        yield batch


@contextmanager
def _open_path(file: InputFile) -> Iterator[str]:
    """Yield a path to read the file from: its own, or that of a copy that is not compressed."""
    if file.plain is not None and file.name != "-":
        yield _find_path(file.plain[0], file.name)
        return
    file.rewind()
    with explain_spool_errors(file.name):
        copy: Any = (TemporaryFile if os.path.isdir(_DESCRIPTORS) else NamedTemporaryFile)()
    with copy:
        for piece, _ in file.read_pieces():
            with explain_spool_errors(file.name):
                copy.write(piece)
        with explain_spool_errors(file.name):
            copy.flush()
        yield _find_path(copy.fileno(), copy.name)


def _find_path(descriptor: int, name: object) -> str:
    """Return the path of the open file itself, not of a file that has replaced it."""
    path = f"{_DESCRIPTORS}{descriptor}"
    return path if os.path.exists(path) else str(name)


for _holds, _number in (("qrels", "label"), ("run", "score or rank")):
    for _name, _kind in (("parquet", "Parquet"), ("arrow", "Arrow IPC or Feather")):
        declare_format(
            Format(
                name=_name,
                holds=_holds,
                summary=f"A file of {_kind}, with columns for query, item and {_number}.",
                is_file=True,
                unit="row",
                read_names=_make_name_reader(_kind),
                read_tables=_make_table_reader(_kind),
            )
        )
