"""Data sets of ir_datasets and of Hugging Face."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from gainful.errors import SourceError
from gainful.sources.detect import IR_DATASETS
from gainful.sources.entries import Entries
from gainful.sources.formats import ReadSpec, declare_format
from gainful.sources.objects import read_row_entries

_BATCH = 1 << 16  # rows
# What a data set of ir_datasets must have, and how it is read.
_PARTS = {"qrels": ("has_qrels", "qrels_iter"), "run": ("has_scoreddocs", "scoreddocs_iter")}


def _read_dataset_entries(source: object, spec: ReadSpec) -> Entries:
    dataset, name = (source, spec.place)
    if isinstance(source, str):
        dataset, name = _load_dataset(source), source
    has, iterate = _PARTS[spec.holds]
    if not getattr(dataset, has)():
        kind = "qrels" if spec.holds == "qrels" else "scored documents, which would be a run"
        message = f"{name}: the data set has no {kind}."
        raise SourceError(message, code="unknown-dataset")
    try:
        return read_row_entries(getattr(dataset, iterate)(), spec)
    except SourceError:
        raise
    except Exception as error:  # any error of fetching, unpacking or parsing it
        raise _make_load_error(name, error) from error


def _load_dataset(source: str) -> Any:
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
        raise _make_load_error(source, error) from error


def _make_load_error(name: str, error: Exception) -> SourceError:
    text = getattr(error, "strerror", None) or next(iter(error.args), "") or type(error).__name__
    reason = str(text).strip().partition("\n")[0].rstrip(".")
    return SourceError(
        f"{name}: the data set cannot be read: {reason:.200}. It is downloaded when it is first "
        "used, which needs a network.",
        code="unknown-dataset",
    )


def _read_dataset_tables(dataset: Any, spec: ReadSpec) -> Iterator[Any]:
    if isinstance(dataset.column_names, dict):
        names = ", ".join(map(repr, dataset.column_names))
        message = f"{spec.place}: a data set of several splits; pass one of them: {names}."
        raise SourceError(message, code="unknown-dataset")
    yield from dataset.with_format("arrow").iter(batch_size=_BATCH)


declare_format(
    name="ir_datasets",
    holds="qrels",
    summary="A data set of ir_datasets: ir_datasets.load(...), or its name as 'irds:NAME'.",
    read_entries=_read_dataset_entries,
)
declare_format(
    name="ir_datasets",
    holds="run",
    summary="A data set of ir_datasets that has scored documents, or its name as 'irds:NAME'.",
    read_entries=_read_dataset_entries,
)
for _holds in ("qrels", "run"):
    declare_format(
        name="hugging_face",
        holds=_holds,
        summary="A data set of Hugging Face, with columns such as query-id, corpus-id and score.",
        read_tables=_read_dataset_tables,
        has_own_names=True,
    )
