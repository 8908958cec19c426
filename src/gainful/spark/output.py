"""Write the values of queries to tables and files of Spark."""

import os
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from gainful.base import get_file_extension
from gainful.errors import SparkError
from gainful.evaluation import Scores
from gainful.spark.failures import translate_errors
from gainful.spark.inputs import find_table
from gainful.spark.session import is_local

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODES = ("error", "overwrite", "append")
_FORMATS = {".parquet": "parquet", ".orc": "orc", ".csv": "csv", ".json": "json"}


def check_output(session: "SparkSession", out: str, mode: str) -> None:
    """Raise an error if something exists that must not be replaced, before any work is done."""
    is_table = not is_output_path(out) and find_table(session, out) is not None
    if is_table or (is_output_path(out) and os.path.exists(out)):
        if mode == "error":
            message = f"{out}: is there already. Pass --mode overwrite or append, or another name."
            raise SparkError(message, code="exists-already")
    elif not is_output_path(out) and (folder := _find_leftover_folder(session, out)) is not None:
        message = (
            f"{out}: its folder {folder} is there already, of a table that this session's catalog "
            "does not know. Remove it, or pass another name, or a path."
        )
        raise SparkError(message, code="exists-already")


def _find_leftover_folder(session: "SparkSession", out: str) -> str | None:
    """Return the folder where a new table would be, if it exists; on this machine only."""
    if not is_local(session):
        return None
    *schema, name = out.replace("`", "").lower().split(".")
    inside = [f"{schema[-1]}.db"] if schema and schema[-1] != "default" else []
    root = unquote(urlsplit(session.conf.get("spark.sql.warehouse.dir", "")).path)
    folder = os.path.join(root, *inside, name)
    return folder if root and os.path.isdir(folder) and os.listdir(folder) else None


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
        form = _FORMATS.get(get_file_extension(out), "parquet")
        writer.options(**({"header": True} if form == "csv" else {})).format(form).save(out)


def is_output_path(out: str) -> bool:
    """Return True if the output is a path, not the name of a table.

    >>> [is_output_path(out) for out in ("prod.scores", "scores.parquet", "s3://bucket/scores")]
    [False, True, True]
    """
    return get_file_extension(out) in _FORMATS or "/" in out or os.sep in out
