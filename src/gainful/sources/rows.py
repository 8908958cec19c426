"""Rows of text, labels and ids, for judgments that the native core does not index."""

import math
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gainful.base import FloatArray, format_repr, open_file, read_whole
from gainful.errors import SourceError

_MAX_EXCERPT = 80


class Rows(NamedTuple):
    """The fields of a file's lines, column by column, and where they stand."""

    columns: list[list[str]]
    lines: list[int]
    n_comments: int


def read_rows(
    path: str | os.PathLike[str], names: tuple[str, ...], *, content: str, open_ended: bool = False
) -> Rows:
    """Return the columns of a text file with one row a line, fields separated by white space.

    Blank lines and lines that begin with ``#`` are skipped. Where it is open-ended, all lines have
    as many fields as the first.
    """
    with open_file(path) as file:
        text = read_whole(file)
    return parse_rows(text, path, names, content=content, open_ended=open_ended)


def parse_rows(
    text: bytes, path: object, names: tuple[str, ...], *, content: str, open_ended: bool = False
) -> Rows:
    """Parse the bytes of a text file as ``read_rows`` does."""
    # By line feeds alone: other bytes that str.splitlines() breaks at may stand in an id.
    fields_by_line = [line.split() for line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    lines = [
        i for i, fields in enumerate(fields_by_line) if fields and not fields[0].startswith(b"#")
    ]
    rows = [fields_by_line[i] for i in lines]
    width = len(rows[0]) if open_ended and rows else len(names)
    for line, row in zip(lines, rows, strict=True):
        if len(row) != width:
            excerpt = b" ".join(row).decode("utf-8", "replace")
            excerpt = (
                excerpt if len(excerpt) <= _MAX_EXCERPT else excerpt[: _MAX_EXCERPT - 3] + "..."
            )
            message = (
                f"{path}, line {line + 1}: expected {width} fields, found {len(row)}: "
                f"{excerpt!r}. A line of {content} is: {' '.join(names)}."
            )
            raise SourceError(message, code="malformed-line")
    fields = [f.decode("utf-8", "surrogateescape") for f in chain.from_iterable(rows)]
    columns = [fields[i::width] for i in range(width)]
    n_comments = sum(bool(fields) and fields[0].startswith(b"#") for fields in fields_by_line)
    return Rows(columns, [i + 1 for i in lines], n_comments)


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
