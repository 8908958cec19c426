"""The values of queries, written where Spark keeps its data."""

import os
from typing import TYPE_CHECKING

from gainful.engines.spark.failures import in_words
from gainful.engines.spark.inputs import table_at
from gainful.errors import EngineError
from gainful.sources import extension

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MODES = ("error", "overwrite", "append")
_FORMATS = {".parquet": "parquet", ".orc": "orc", ".csv": "csv", ".json": "json"}


def check_free(session: "SparkSession", out: str, mode: str) -> None:
    """An error where something is there that is not to be replaced, before any work is done."""
    taken = os.path.exists(out) if _is_path(out) else table_at(session, out) is not None
    if taken and mode == "error":
        message = f"{out}: is there already. Pass --mode overwrite or append, or another name."
        raise EngineError(message)


def write(frame: "DataFrame", out: str, mode: str) -> None:
    """Write all rows to a table, or to files at a path, in the format that its name ends in."""
    writer = frame.write.mode(mode)
    with in_words(out):
        if not _is_path(out):
            writer.saveAsTable(out)
            return
        form = _FORMATS.get(extension(out), "parquet")
        writer.options(**({"header": True} if form == "csv" else {})).format(form).save(out)


def _is_path(out: str) -> bool:
    """Whether it is a path, and no name of a table.

    >>> [_is_path(out) for out in ("prod.scores", "scores.parquet", "s3://bucket/scores")]
    [False, True, True]
    """
    return extension(out) in _FORMATS or "/" in out or os.sep in out
