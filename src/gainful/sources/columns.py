"""Rows as columns of equal length: query, item, and a label or a score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gainful.errors import SourceError
from gainful.records import Frozen


@dataclass(eq=False, repr=False)
class Columns(Frozen):
    """Qrels (query, item, label; subtopic) or a run (query, item, score or rank), a row an item.

    Preferences have a group and a subgroup; their labels are levels.

    The columns are lists or arrays of equal length; rows of a query need not stand together.

    >>> import gainful
    >>> qrels = Columns(query=["q1", "q1"], item=["d1", "d2"], label=[2, 1])
    >>> run = Columns(query=["q1", "q1"], item=["d2", "d1"], score=[0.9, 0.8])
    >>> gainful.evaluate(qrels, run, "nDCG")["nDCG"]
    0.8597186998521972
    """

    query: Sequence[Any]
    item: Sequence[Any]
    label: Sequence[float] | None = None
    subtopic: Sequence[Any] | None = None
    score: Sequence[float] | None = None
    rank: Sequence[int] | None = None
    group: Sequence[Any] | None = None
    subgroup: Sequence[Any] | None = None

    def __repr__(self) -> str:
        return f"<Columns of {len(self.query):,} rows>"

    def __post_init__(self) -> None:
        lengths = {n: len(c) for n, c in vars(self).items() if c is not None}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{name} {length}" for name, length in lengths.items())
            message = f"columns: must have the same length, got {found}."
            raise SourceError(message, code="unequal-lengths")
