"""Scores alone, one for each row of the qrels: an array, or a file with a number a line."""

from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import FloatArray
from gainful.sources import arrays
from gainful.sources._entries import Entries, feeding, tabled
from gainful.sources._files import Bytes
from gainful.sources._format import Format, declare
from gainful.sources._lines import whole_lines
from gainful.sources._tensors import as_array
from gainful.sources._wanted import Wanted
from gainful.wording import as_written


def _of_file(file: Bytes, wanted: Wanted) -> Entries:
    expected = len(_rows(wanted).query)
    held: list[Any] = []
    n_scores = n_lines = 0
    for piece in whole_lines(file):
        # What is too much is counted, and not held.
        scores = _scores(piece, n_lines, wanted) if n_scores <= expected else piece.split()
        n_scores, n_lines = n_scores + len(scores), n_lines + piece.count(b"\n")
        held = [*held, scores] if n_scores <= expected else []
    _check_number(n_scores, wanted)
    return _paired(np.concatenate([np.empty(0), *held]), wanted)


def _of_array(given: Any, wanted: Wanted) -> Entries:
    scores = arrays.flatten(as_array(given, wanted.place), wanted.place)
    if not scores.single:
        message = f"{wanted.place}: must be one list of scores, got {as_written(given)}."
        raise SourceError(message, code="wrong-shape")
    return _paired(scores.values, wanted)


def _scores(text: bytes, n_before: int, wanted: Wanted) -> FloatArray:
    """The numbers of whole lines, one a line; blank lines are none."""
    found = text.split()
    scores = np.fromiter(map(number_in, found), dtype=np.float64, count=len(found))
    lines = (line.split() for line in text.split(b"\n"))
    wrong = np.isnan(scores).any() or any(len(line) > 1 for line in lines)
    if not wrong:
        return scores
    for number, line in enumerate(text.split(b"\n"), n_before + 1):
        if line.split() and np.isnan(number_in(line.strip())):
            shown = line.strip().decode("utf-8", "replace")
            message = (
                f"{wanted.place}, line {number}: expected one score that can be ordered, "
                f"got {as_written(shown)}."
            )
            raise SourceError(message, code="bad-score")
    return scores


def number_in(text: bytes) -> float:
    """The number that a field of text spells; NaN where it spells none."""
    try:
        return np.nan if b"_" in text else float(text)
    except ValueError:
        return np.nan


def _paired(scores: Any, wanted: Wanted) -> Entries:
    """The scores with query and item of the rows of the qrels."""
    rows = _rows(wanted)
    _check_number(len(scores), wanted)
    return Entries(rows.query, rows.item, scores)


def _rows(wanted: Wanted) -> Any:
    if wanted.rows is None:
        message = (
            f"{wanted.place}: is scores alone, which needs qrels with rows that they follow. "
            "Pass a LETOR file, Grouped(...) or Columns(...) as qrels."
        )
        raise SourceError(message, code="scores-alone")
    return wanted.rows


def _check_number(n_scores: int, wanted: Wanted) -> None:
    expected = len(_rows(wanted).query)
    if n_scores != expected:
        message = (
            f"{wanted.place}: must hold a score for each of the {expected} rows of the qrels, "
            f"got {n_scores}."
        )
        raise SourceError(message, code="unequal-lengths")


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
