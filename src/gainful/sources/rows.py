"""Rows of text, labels and ids, for judgments that the native core does not index."""

import math
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from gainful.base import FloatArray, _native, format_repr, open_file, read_whole
from gainful.errors import SourceError
from gainful.sources.trec import split_lines


def read_lines(
    path: str | os.PathLike[str], names: tuple[str, ...], *, content: str
) -> _native.Rows:
    """Read a text file whose lines have a field for every name, comments aside."""
    with open_file(path) as file:
        text = read_whole(file).removeprefix(b"\xef\xbb\xbf")
    return split_lines(text, file.name, names, content=content, comments=True)


def parse_labels(
    texts: list[str], path: object, lines: list[int], *, name: str = "label"
) -> list[float]:
    """Return the labels in texts; the error for one that is not a number names its line."""
    labels = []
    for text, line in zip(texts, lines, strict=True):
        try:
            label = float(text)
        except ValueError:
            label = math.nan
        if not math.isfinite(label) or "_" in text:
            message = f"{path}, line {line}: {name} must be a finite number, got {text!r}."
            raise SourceError(message, code="bad-label")
        labels.append(label)
    return labels


def deduplicate_rows(
    keys: Iterable[Hashable],
    values: Sequence[float] | FloatArray,
    duplicates: str,
    make_error: Callable[[Any, float, float], Exception],
) -> list[int]:
    """Return the numbers of the rows to keep, one for every key, chosen by the rule.

    ``make_error`` returns the error for a key and its first two values, if the rule is ``error``.
    """
    best: dict[Any, int] = {}
    for i, key in enumerate(keys):
        row = best.setdefault(key, i)
        if row == i:
            continue
        if duplicates == "error":
            raise make_error(key, values[row], values[i])
        if duplicates == "last" or (duplicates == "max" and values[i] > values[row]):
            best[key] = i
    return sorted(best.values())


def to_id(value: object, source: str = "qrels") -> str:
    """Return an id as text; bytes are decoded so that they can be encoded again."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return value
    if is_uuid(value):
        return str(value)
    if isinstance(value, bool | float) or not hasattr(value, "__index__"):
        text = format_repr(value)
        message = f"{source}: an id must be a string, an integer, bytes or a UUID, got {text}."
        raise SourceError(message, code="bad-id")
    return str(int(value))


def is_uuid(value: object) -> bool:
    """Return whether it is a ``uuid.UUID``."""
    # An object of this type exists only if the module was imported.
    module = sys.modules.get("uuid")
    return module is not None and isinstance(value, module.UUID)
