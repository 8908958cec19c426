"""Files that Spark reads: which format they are in, and their rows."""

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gainful.engines.spark.columns import Rows
from gainful.engines.spark.failures import in_words, not_there
from gainful.engines.spark.lines import Lines, lines_at
from gainful.engines.spark.session import is_here
from gainful.errors import EngineError
from gainful.rules import Rules
from gainful.sources import FORMATS, Wanted, extension
from gainful.sources._detect import Start, file_format
from gainful.sources._header import Header, header_of, headless

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_BINARY = {".parquet": "parquet", ".orc": "orc"}
_LOOKED_AT = 100  # lines that tell the format


def rows_at(
    session: "SparkSession",
    source: Any,
    form: str | None,
    holds: str,
    columns: Mapping[str, str],
    rules: Rules,
) -> Rows:
    """The rows of files: in a format by name, or in the one that their names and lines tell."""
    path = os.fspath(source)
    _check_there(session, path)
    with in_words(path):
        form = form or _told(session, path, holds)
        if form == "trec":
            text = lines_at(session, path)
            lines = Lines(text, path, holds, rules)
            _ = text.columns  # a path that is not there is known now
            return Rows(lines.frame, path, {}, lines, "position")
        frame = _READERS.get(form, _of_spark)(session, path, form, Wanted(holds, path, columns))
        _ = frame.columns
        return Rows(frame, path, columns)


def _check_there(session: "SparkSession", path: str) -> None:
    """An error where a path of this machine is not there: Spark would say so at length."""
    if not is_here(session) or re.match(r"\w+:", path) or set(path) & set("*?[]{},"):
        return
    if not os.path.exists(path):
        raise EngineError(not_there(path), code="cannot-read")


def _told(session: "SparkSession", path: str, holds: str) -> str:
    if extension(path.rstrip("/")) in _BINARY:
        return _BINARY[extension(path.rstrip("/"))]
    text = lines_at(session, path)
    names = text.inputFiles()
    first = names[0] if names else path
    if extension(first) in _BINARY:
        return _BINARY[extension(first)]
    return file_format(Start(first, _start(text)), holds)


def _start(text: "DataFrame") -> bytes:
    """The first lines, which are enough to tell what a file is."""
    return "".join(f"{row['value']}\n" for row in text.head(_LOOKED_AT)).encode()


def _of_spark(session: "SparkSession", path: str, form: str, wanted: Wanted) -> "DataFrame":
    if (wanted.holds, form) in FORMATS and form != "parquet":
        message = (
            f"{path}: is in the format {form}, which Spark does not read. Convert it with gainful "
            "convert, or name another with format=."
        )
        raise EngineError(message, code="unread-by-spark")
    return session.read.format(form).load(path)


def _json(session: "SparkSession", path: str, _form: str, _wanted: Wanted) -> "DataFrame":
    return session.read.option("mode", "FAILFAST").json(path)


def _separated(session: "SparkSession", path: str, form: str, wanted: Wanted) -> "DataFrame":
    """The fields as text: numbers are read as ours are, and ids stay as they are written."""
    start = _start(lines_at(session, path))
    header = _header(start, form, wanted)
    if header.separator is None:
        message = (
            f"{path}: has fields between white space and is no TREC file, which Spark does not "
            "read. Convert it with gainful convert."
        )
        raise EngineError(message, code="unread-by-spark")
    names = header.names
    reader = session.read.options(
        sep=header.separator,
        header=header.n_lines > 0,
        mode="FAILFAST",
        escape='"',
        columnPruning=False,
        enforceSchema=False,
        ignoreLeadingWhiteSpace=True,
        ignoreTrailingWhiteSpace=True,
    )
    frame = reader.csv(path)
    return frame.toDF(*names) if len(names) == len(frame.columns) else frame


def _header(start: bytes, form: str, wanted: Wanted) -> Header:
    if form in ("triples", "msmarco"):
        return headless(start, FORMATS[wanted.holds, form].columns)
    return header_of(start, ",;|\t" if form == "csv" else "\t", wanted)


_READERS: dict[str, Callable[[Any, str, str, Wanted], Any]] = {
    "jsonl": _json,
    "json": _json,
    "csv": _separated,
    "tsv": _separated,
    "beir": _separated,
    "triples": _separated,
    "msmarco": _separated,
}
