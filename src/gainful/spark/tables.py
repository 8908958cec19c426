"""Read and write tables and files with Spark."""

import os
import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from gainful.base import get_file_extension
from gainful.errors import SparkError
from gainful.evaluation import Scores
from gainful.sources import (
    FORMATS,
    FileStart,
    ReadSpec,
    detect_file_format,
    make_header,
    read_header,
)
from gainful.spark.failures import describe_existing, describe_missing, translate_errors
from gainful.spark.session import is_local

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_BINARY_FORMATS = {".parquet": "parquet", ".orc": "orc"}
_OUTPUT_FORMATS = {".parquet": "parquet", ".orc": "orc", ".csv": "csv", ".json": "json"}
MODES = ("error", "overwrite", "append")  # what to do where the output is there already
_DETECTION_LINES = 100  # lines that tell the format
_DELIMITED = ("csv", "tsv", "beir", "triples", "msmarco")
# Columns of parsed TREC lines; the last one says why a line cannot be parsed.
_TREC_SCHEMAS = {
    "qrels": "query string, item string, label string, bad_line string",
    "run": "query string, item string, rank string, score string, bad_line string",
}


def read_files(
    session: "SparkSession",
    source: Any,
    form: str | None,
    holds: str,
    columns: Mapping[str, str],
) -> tuple["DataFrame", str]:
    """Return the rows of files, and their format.

    Args:
        session: The session.
        source: Their path.
        form: Their format, if the user names it.
        holds: What they hold: qrels or run.
        columns: Names of columns by role, as the user gave them.
    """
    path = os.fspath(source)
    _check_exists(session, path)
    with translate_errors(path):
        form = form or _detect_format(session, path, holds)
        if form == "trec":
            frame = _read_trec(session, path, holds)
        elif form in _DELIMITED:
            frame = _read_delimited(session, path, form, ReadSpec(holds, path, columns))
        elif form in ("json", "jsonl"):
            frame = session.read.option("mode", "FAILFAST").json(path)
        elif (holds, form) in FORMATS and form != "parquet":
            message = (
                f"{path}: is in the format {form}, which Spark does not read. Convert it with "
                "gainful convert, or name another with format=."
            )
            raise SparkError(message, code="unread-by-spark")
        else:
            frame = session.read.format(form).load(path)
        _ = frame.columns  # raises an error if there is no such path
        return frame, form


def _check_exists(session: "SparkSession", path: str) -> None:
    """Raise an error if a local path does not exist: Spark's own is long."""
    if not is_local(session) or re.match(r"\w+:", path) or set(path) & set("*?[]{},"):
        return
    if not os.path.exists(path):
        raise SparkError(describe_missing(path), code="cannot-read")


def _detect_format(session: "SparkSession", path: str, holds: str) -> str:
    if get_file_extension(path.rstrip("/")) in _BINARY_FORMATS:
        return _BINARY_FORMATS[get_file_extension(path.rstrip("/"))]
    text = _read_lines(session, path)
    first = next(iter(text.inputFiles()), path)
    if get_file_extension(first) in _BINARY_FORMATS:
        return _BINARY_FORMATS[get_file_extension(first)]
    return detect_file_format(FileStart(first, _read_start(text)), holds)


def _read_lines(session: "SparkSession", path: str) -> "DataFrame":
    """Return the lines of text files, which end in a line feed."""
    return session.read.option("lineSep", "\n").text(path)


def _read_start(text: "DataFrame") -> bytes:
    """Return the first lines, from which the format is detected."""
    return "".join(f"{row['value']}\n" for row in text.head(_DETECTION_LINES)).encode()


def _read_trec(session: "SparkSession", path: str, holds: str) -> "DataFrame":
    from gainful.spark.worker import parse_lines  # needs pyarrow

    lines = _read_lines(session, path).selectExpr("cast(value as binary)")
    return lines.mapInArrow(partial(parse_lines, place=path, holds=holds), _TREC_SCHEMAS[holds])


def _read_delimited(session: "SparkSession", path: str, form: str, spec: ReadSpec) -> "DataFrame":
    """Read all fields as text: numbers are parsed as elsewhere, and ids stay unchanged."""
    start = _read_start(_read_lines(session, path))
    if form in ("triples", "msmarco"):
        header = make_header(start, FORMATS[spec.holds, form].columns)
    else:
        header = read_header(start, ",;|\t" if form == "csv" else "\t", spec)
    if header.separator is None:
        message = (
            f"{path}: has fields between white space and is no TREC file, which Spark does not "
            "read. Convert it with gainful convert."
        )
        raise SparkError(message, code="unread-by-spark")
    frame = session.read.options(
        sep=header.separator,
        header=header.n_lines > 0,
        mode="FAILFAST",
        escape='"',
        columnPruning=False,
        enforceSchema=False,
        ignoreLeadingWhiteSpace=True,
        ignoreTrailingWhiteSpace=True,
    ).csv(path)
    return frame.toDF(*header.names) if len(header.names) == len(frame.columns) else frame


def find_table(session: "SparkSession", source: Any) -> "DataFrame | None":
    """Return the table or view of that name, or None."""
    from pyspark.errors import AnalysisException

    name = os.fspath(source)
    if not isinstance(source, str) or (set(name) & set("/\\:*") and not name.startswith("`")):
        return None
    with translate_errors(name):
        try:
            exists = session.catalog.tableExists(name)
        except AnalysisException:  # not a table name: it may be that of a file
            return None
        return session.table(name) if exists else None


def check_output(session: "SparkSession", out: str, mode: str) -> None:
    """Raise an error if something exists that must not be replaced, before any work is done."""
    exists = os.path.exists(out) if is_output_path(out) else find_table(session, out) is not None
    if exists and mode == "error":
        raise SparkError(describe_existing(out), code="exists-already")


def describe_output(session: "SparkSession", out: str) -> str:
    """Return a sentence that says where values have been written."""
    if is_output_path(out):
        return f"values of queries are in {out}."
    catalog = session.conf.get("spark.sql.catalogImplementation")
    forgets = catalog == "in-memory" and out.count(".") < 2
    hint = ", which this session's catalog forgets when it ends; give --out a path to keep them"
    return f"values of queries are in the table {out}{hint if forgets else ''}."


def write_scores(session: "SparkSession", scores: Scores, out: str, mode: str) -> None:
    """Write all values to a table, or to files at a path, in the format that its name ends in."""
    with translate_errors(out):
        writer = session.createDataFrame(scores.to_arrow()).write.mode(mode)
        if not is_output_path(out):
            writer.saveAsTable(out)
            return
        form = _OUTPUT_FORMATS.get(get_file_extension(out), "parquet")
        writer.options(**({"header": True} if form == "csv" else {})).format(form).save(out)


def is_output_path(out: str) -> bool:
    """Return True if the output is a path, not the name of a table.

    >>> [is_output_path(out) for out in ("prod.scores", "scores.parquet", "s3://bucket/scores")]
    [False, True, True]
    """
    return get_file_extension(out) in _OUTPUT_FORMATS or "/" in out or os.sep in out
