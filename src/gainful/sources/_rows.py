"""Rows of text, field by field: for kinds of judgments that the native core does not index."""

import math
from itertools import chain
from typing import Any, NamedTuple

from gainful.errors import SourceError
from gainful.sources._files import opened

_LONGEST = 80


class Rows(NamedTuple):
    """The fields of a file's lines, column by column, and where they stand."""

    columns: list[list[str]]
    lines: list[int]
    n_comments: int


def read_rows(path: Any, names: tuple[str, ...]) -> Rows:
    """The columns of a text file with one row a line, fields separated by white space.

    Blank lines and lines that begin with ``#`` are skipped.
    """
    with opened(path) as file:
        text = b"".join(bytes(piece) for piece, _ in file.pieces(again=False))
    # By line feeds alone: other bytes that str.splitlines() breaks at may stand in an id.
    split = [line.split() for line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    lines = [i for i, fields in enumerate(split) if fields and not fields[0].startswith(b"#")]
    rows = [split[i] for i in lines]
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(names):
            shown = b" ".join(row).decode("utf-8", "replace")
            shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + "..."
            message = (
                f"{path}, line {line + 1}: expected {len(names)} fields, found {len(row)}: "
                f"{shown!r}. A line is: {' '.join(names)}."
            )
            raise SourceError(message)
    fields = [f.decode("utf-8", "surrogateescape") for f in chain.from_iterable(rows)]
    columns = [fields[i :: len(names)] for i in range(len(names))]
    n_comments = sum(bool(fields) and fields[0].startswith(b"#") for fields in split)
    return Rows(columns, [i + 1 for i in lines], n_comments)


def labels_of(texts: list[str], path: Any, lines: list[int]) -> list[float]:
    """The labels that texts spell; an error names the line of the first that spells none."""
    labels = []
    for text, line in zip(texts, lines, strict=True):
        try:
            label = float(text)
        except ValueError:
            label = math.nan
        if not math.isfinite(label) or "_" in text:
            message = f"{path}, line {line}: label must be a finite number, got {text!r}."
            raise SourceError(message)
        labels.append(label)
    return labels
