"""Data sets of ir_datasets and of Hugging Face."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from gainful.errors import SourceError
from gainful.sources import rows
from gainful.sources._detect import IR_DATASETS
from gainful.sources._entries import Entries, feeding, tabled
from gainful.sources._format import Format, declare
from gainful.sources._wanted import Wanted

_BATCH = 1 << 16  # rows
# What a data set of ir_datasets must have, and how it is read.
_PARTS = {"qrels": ("has_qrels", "qrels_iter"), "run": ("has_scoreddocs", "scoreddocs_iter")}


def _entries_of(source: Any, wanted: Wanted) -> Entries:
    dataset, name = (source, wanted.place)
    if isinstance(source, str):
        dataset, name = _loaded(source), source
    has, iterate = _PARTS[wanted.holds]
    if not getattr(dataset, has)():
        kind = "qrels" if wanted.holds == "qrels" else "scored documents, which would be a run"
        message = f"{name}: the data set has no {kind}."
        raise SourceError(message, code="unknown-dataset")
    try:
        return rows.entries_of(getattr(dataset, iterate)(), wanted)
    except SourceError:
        raise
    except Exception as error:  # whatever those raise who fetch, unpack and parse it
        raise _unreadable(name, error) from error


def _loaded(source: str) -> Any:
    try:
        ir_datasets = import_module("ir_datasets")
    except ImportError as error:
        message = (
            f"{source}: ir_datasets is not installed. Install it with: pip install ir_datasets"
        )
        raise SourceError(message, code="missing-package") from error
    try:
        return ir_datasets.load(source.removeprefix(IR_DATASETS))
    except KeyError:
        message = f"{source}: ir_datasets knows no such data set; see https://ir-datasets.com."
        raise SourceError(message, code="unknown-dataset") from None
    except Exception as error:
        raise _unreadable(source, error) from error


def _unreadable(name: str, error: Exception) -> SourceError:
    said = getattr(error, "strerror", None) or next(iter(error.args), "") or type(error).__name__
    reason = str(said).strip().partition("\n")[0].rstrip(".")
    return SourceError(
        f"{name}: the data set cannot be read: {reason:.200}. It is downloaded when it is first "
        "used, which needs a network.",
        code="unknown-dataset",
    )


def _tables_of(dataset: Any, wanted: Wanted) -> Iterator[Any]:
    if isinstance(dataset.column_names, dict):
        names = ", ".join(map(repr, dataset.column_names))
        message = f"{wanted.place}: a data set of several splits; pass one of them: {names}."
        raise SourceError(message, code="unknown-dataset")
    yield from dataset.with_format("arrow").iter(batch_size=_BATCH)


IR_DATASETS_QRELS = declare(
    Format(
        name="ir_datasets",
        holds="qrels",
        summary="A data set of ir_datasets: ir_datasets.load(...), or its name as 'irds:NAME'.",
        feed=feeding(_entries_of),
        tables=tabled(_entries_of),
        renamed=True,
    )
)
IR_DATASETS_RUN = declare(
    Format(
        name="ir_datasets",
        holds="run",
        summary="A data set of ir_datasets that has scored documents, or its name as 'irds:NAME'.",
        feed=feeding(_entries_of),
        tables=tabled(_entries_of),
        renamed=True,
    )
)
HUGGING_FACE_QRELS = declare(
    Format(
        name="hugging_face",
        holds="qrels",
        summary="A data set of Hugging Face, with columns such as query-id, corpus-id and score.",
        tables=_tables_of,
    )
)
HUGGING_FACE_RUN = declare(
    Format(
        name="hugging_face",
        holds="run",
        summary="A data set of Hugging Face, with columns such as query-id, corpus-id and score.",
        tables=_tables_of,
    )
)
