"""Scores alone, one for each row of the qrels: an array, or a file with a number a line."""

from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import FloatArray
from gainful.sources import arrays
from gainful.sources._entries import Entries, feeding, tabled
from gainful.sources._files import Bytes
from gainful.sources._format import Format, declare
from gainful.sources._tensors import as_array
from gainful.sources._wanted import Wanted


def _of_file(file: Bytes, wanted: Wanted) -> Entries:
    file.rewind()
    text = b"".join(bytes(piece) for piece, _ in file.pieces(again=True))
    return _paired(_scores(text.removeprefix(b"\xef\xbb\xbf"), wanted), wanted)


def _of_array(given: Any, wanted: Wanted) -> Entries:
    scores = arrays.flatten(as_array(given, wanted.place), wanted.place)
    if not scores.single:
        message = f"{wanted.place}: must be one list of scores, got {given!r:.60}."
        raise SourceError(message)
    return _paired(scores.values, wanted)


def _scores(text: bytes, wanted: Wanted) -> FloatArray:
    """The numbers of a text, one a line; blank lines are none."""
    found = text.split()
    scores = np.fromiter(map(number_in, found), dtype=np.float64, count=len(found))
    lines = (line.split() for line in text.split(b"\n"))
    wrong = np.isnan(scores).any() or any(len(line) > 1 for line in lines)
    if not wrong:
        return scores
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.split() and np.isnan(number_in(line.strip())):
            shown = line.strip().decode("utf-8", "replace")
            message = (
                f"{wanted.place}, line {number}: expected one score that can be ordered, "
                f"got {shown!r:.60}."
            )
            raise SourceError(message)
    return scores


def number_in(text: bytes) -> float:
    """The number that a field of text spells; NaN where it spells none."""
    try:
        return np.nan if b"_" in text else float(text)
    except ValueError:
        return np.nan


def _paired(scores: Any, wanted: Wanted) -> Entries:
    """The scores with query and item of the rows of the qrels."""
    if wanted.rows is None:
        message = (
            f"{wanted.place}: is scores alone, which needs qrels with rows that they follow. "
            "Pass a LETOR file, Grouped(...) or Columns(...) as qrels."
        )
        raise SourceError(message)
    expected = len(wanted.rows.query)
    if len(scores) != expected:
        message = (
            f"{wanted.place}: must hold a score for each of the {expected} rows of the qrels, "
            f"got {len(scores)}."
        )
        raise SourceError(message)
    return Entries(wanted.rows.query, wanted.rows.item, scores)


FILE = declare(
    Format(
        name="predictions",
        holds="run",
        summary="A text file of scores, one a line, in the order of the rows of the qrels.",
        columns=("score",),
        is_file=True,
        feed=feeding(_of_file),
        tables=tabled(_of_file),
        renamed=True,
    )
)
ARRAY = declare(
    Format(
        name="scores",
        holds="run",
        summary="Scores: a list, an array or a tensor, in the order of the rows of the qrels.",
        feed=feeding(_of_array),
        tables=tabled(_of_array),
        renamed=True,
    )
)
