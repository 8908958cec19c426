"""The first measure, apart for each kind of query."""

from typing import Any

from gainful.experiment.curves import _point
from gainful.experiment.result import SlicePart, Slicing
from gainful.results import Scores


def slicings(scores: tuple[Scores, ...], told: Any, by: tuple[str, ...]) -> tuple[Slicing, ...]:
    """Every column that makes slices, and every run on each."""
    if told is None:
        return ()
    columns = by or tuple(
        c for c in told.columns if c != "text" and len(set(told.texts(c).values())) <= 12
    )
    return tuple(Slicing(column, _parts(scores, column)) for column in columns)


def _parts(scores: tuple[Scores, ...], column: str) -> tuple[SlicePart, ...]:
    each = [one.by(column) for one in scores]
    out = []
    for value in each[0]:
        for slices in each:
            part = slices[value]
            point = _point(0, part.column(part.measures[0]))
            held = slices.name(value), len(part.queries), point.mean, point.interval
            out.append(SlicePart(part.run, *held))
    return tuple(out)
