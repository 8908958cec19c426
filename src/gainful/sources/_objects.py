"""Which format an object is in that is no data frame."""

import numbers
from collections.abc import Iterable, Mapping, Set
from typing import Any

from gainful.sources._shapes import holder, is_columnar, is_container, is_of_one_query
from gainful.sources._tensors import is_array
from gainful.sources.columns import Columns
from gainful.sources.grouped import Grouped
from gainful.sources.matrices import Matrix, is_sparse
from gainful.sources.rows import fields_of

_FORMATS: dict[type, str] = {Columns: "columns", Grouped: "grouped", Matrix: "matrix"}


def known_by_kind(source: Any, holds: str) -> str | None:
    """The format of what is known by its class or by what it can do."""
    if type(source) in _FORMATS:
        return _FORMATS[type(source)]
    if is_sparse(source):
        return "matrix"
    if is_array(source):
        return _array_format(source, holds)
    if isinstance(source, str) or (hasattr(source, "qrels_iter") and hasattr(source, "has_qrels")):
        return "ir_datasets"
    if hasattr(source, "with_format") and hasattr(source, "column_names"):
        return "hugging_face"
    return None


def known_by_content(source: Any, holds: str) -> str | None:
    """The format of dicts, lists and other things that can be gone through."""
    if isinstance(source, Mapping):
        return _mapping_format(source, holds)
    if isinstance(source, str | bytes | bytearray | Set) or not isinstance(source, Iterable):
        return None
    if not isinstance(source, list | tuple):
        return "rows"
    first = source[0] if source else None
    if hasattr(first, "__arrow_c_stream__") or hasattr(first, "columns"):
        return None  # several tables: each is a run of its own
    if isinstance(first, numbers.Number) and not isinstance(first, bool):
        return "scores" if holds == "run" else None
    if isinstance(first, Mapping) and (
        holder(first, holds) is not None or any(map(is_container, first.values()))
    ):
        return "nested"
    return "rows"


def _array_format(source: Any, holds: str) -> str:
    is_flat = len(getattr(source, "shape", ())) == 1
    return "scores" if is_flat and holds == "run" else "matrix"


def _mapping_format(source: Mapping[Any, Any], holds: str) -> str:
    """The format of a dict, by its first query that has items."""
    if is_columnar(source) or is_of_one_query(source, holds):
        return "nested"
    values = source.values()
    first = next((v for v in values if not hasattr(v, "__len__") or len(v)), None)
    if first is None:
        first = next(iter(values), None)
    if isinstance(first, Mapping):
        return "nested" if holder(first, holds) is not None else "dict"
    plain = set | frozenset | list | tuple if holds == "qrels" else list | tuple
    if isinstance(first, plain):
        element = next(iter(first), None)
        simple = not isinstance(element, list | tuple | Mapping) and not fields_of(element)
        return ("sets" if holds == "qrels" else "lists") if simple else "nested"
    return "nested" if is_array(first) else "dict"
