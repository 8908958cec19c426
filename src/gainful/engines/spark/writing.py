"""The values of queries, written where Spark keeps its data."""

import os
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from gainful.engines.spark.failures import in_words
from gainful.engines.spark.inputs import table_at
from gainful.engines.spark.session import is_here
from gainful.errors import EngineError
from gainful.sources import extension

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MODES = ("error", "overwrite", "append")
_FORMATS = {".parquet": "parquet", ".orc": "orc", ".csv": "csv", ".json": "json"}


def check_free(session: "SparkSession", out: str, mode: str) -> None:
    """An error where something is there that is not to be replaced, before any work is done."""
    known = not is_path(out) and table_at(session, out) is not None
    if known or (is_path(out) and os.path.exists(out)):
        if mode == "error":
            message = f"{out}: is there already. Pass --mode overwrite or append, or another name."
            raise EngineError(message, code="exists-already")
    elif not is_path(out) and (folder := _left_behind(session, out)) is not None:
        message = (
            f"{out}: its folder {folder} is there already, of a table that this session's catalog "
            "does not know. Remove it, or pass another name, or a path."
        )
        raise EngineError(message, code="exists-already")


def _left_behind(session: "SparkSession", out: str) -> str | None:
    """The folder where a new table would be, if there is one; on this machine alone."""
    if not is_here(session):
        return None
    *schema, name = out.replace("`", "").lower().split(".")
    inside = [f"{schema[-1]}.db"] if schema and schema[-1] != "default" else []
    root = unquote(urlsplit(session.conf.get("spark.sql.warehouse.dir", "")).path)
    folder = os.path.join(root, *inside, name)
    return folder if root and os.path.isdir(folder) and os.listdir(folder) else None


def written_to(session: "SparkSession", out: str) -> str:
    """Where values have been written, as a sentence."""
    if is_path(out):
        return f"values of queries are in {out}."
    catalog = session.conf.get("spark.sql.catalogImplementation")
    forgets = catalog == "in-memory" and out.count(".") < 2
    hint = ", which this session's catalog forgets when it ends; give --out a path to keep them"
    return f"values of queries are in the table {out}{hint if forgets else ''}."


def write(frame: "DataFrame", out: str, mode: str) -> None:
    """Write all rows to a table, or to files at a path, in the format that its name ends in."""
    writer = frame.write.mode(mode)
    with in_words(out):
        if not is_path(out):
            writer.saveAsTable(out)
            return
        form = _FORMATS.get(extension(out), "parquet")
        writer.options(**({"header": True} if form == "csv" else {})).format(form).save(out)


def is_path(out: str) -> bool:
    """Whether it is a path, and no name of a table.

    >>> [is_path(out) for out in ("prod.scores", "scores.parquet", "s3://bucket/scores")]
    [False, True, True]
    """
    return extension(out) in _FORMATS or "/" in out or os.sep in out
