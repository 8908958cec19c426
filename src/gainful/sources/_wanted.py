"""What is to be read from a source, and what the user said about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gainful.errors import AlignError, SourceError
from gainful.records import Record
from gainful.sources.collapse import Collapse
from gainful.wording import as_written


@dataclass(eq=False, repr=False)
class Wanted(Record):
    """What is to be read from a source.

    Attributes:
        holds: What it is read as: qrels or run.
        place: What errors call the source: its path, or "qrels", or "run" and its name.
        columns: The names of columns, or their numbers from 1, by role: ``{"query": "qid"}``.
        labels: What words mean as labels: ``{"good": 2}``.
        ranks_for: The rule that reads the rank column, if one does.
        collapse: What finds the item that a part belongs to, if parts are to be collapsed.
        whole: Whether columns are wanted too that qrels or runs do not need.
        rows: The query and the item of every row of the judgments, for scores alone.
    """

    holds: str
    place: str
    columns: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[Any, float] | None = None
    ranks_for: str | None = None
    collapse: Collapse | None = None
    whole: bool = False
    rows: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.columns, Mapping):
            message = (
                "columns: must say what columns are called, such as {'query': 'qid'}, "
                f"got {as_written(self.columns)}."
            )
            raise SourceError(message, code="bad-columns")
        names = {role: str(name) for role, name in self.columns.items()}
        object.__setattr__(self, "columns", names)

    def check_no_ranks(self) -> None:
        """Refuse a source that has no ranks where a rule reads them."""
        if self.ranks_for is not None:
            message = (
                f"{self.place} has no rank column, got {self.ranks_for}. "
                "Pass a run file that has one."
            )
            raise AlignError(message, code="missing-ranks")
