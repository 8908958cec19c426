"""Run: what a system returned, yet to be read."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gainful import _native
from gainful.errors import SourceError
from gainful.records import Frozen
from gainful.sources._detect import is_path, is_spark
from gainful.sources._format import Format
from gainful.sources._given import hand_over
from gainful.sources._handed import Handed
from gainful.sources._reading import Reading
from gainful.sources._wanted import Wanted
from gainful.sources.collapse import Collapse


def lasts(source: Any) -> bool:
    """Whether a source can be read a second time: a file or an object, and no pipe or stream."""
    if is_path(source):
        path = os.fspath(source)
        return path != "-" and (not os.path.exists(path) or os.path.isfile(path))
    known = any(hasattr(type(source), name) for name in ("__len__", "shape", "num_rows"))
    # Columns and its kin hold all of it; Spark makes the rows of a DataFrame anew.
    return known or isinstance(source, Frozen) or is_spark(source)


@dataclass(eq=False, repr=False)
class Run(Frozen):
    """A run that is yet to be read.

    Attributes:
        name: What notices and tables call it.
        source: The path or object it is read from.
        form: The format it is read as; None for a file whose content is to tell.
        columns: The names of its columns, by role, where the user gave them.
    """

    name: str
    source: Any
    form: Format | None
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """What errors call it: the path, or "run" and its name."""
        return os.fspath(self.source) if is_path(self.source) else f"run {self.name!r}"

    @property
    def lasts(self) -> bool:
        """Whether it can be read a second time: a file or an object, and no pipe or stream.

        >>> from gainful import read_run
        >>> [read_run(one).lasts for one in ({"q1": ["d1"]}, "bm25.run", "-", "/dev/null")]
        [True, True, False, False]
        """
        return lasts(self.source)

    def read_twice(self, wanted_by: str) -> None:
        """An error where it is to be read twice and cannot be.

        >>> from gainful import read_run
        >>> read_run("bm25.run").read_twice("bounds")
        """
        if not self.lasts:
            message = (
                f"{wanted_by}: reads every run twice, got {self.place}, which can be read once. "
                "Pass a file."
            )
            raise SourceError(message, code="read-once")

    def __repr__(self) -> str:
        return f"<Run {self.name!r}: {self.form.name if self.form else self.place}>"

    def aligned(
        self,
        aligner: _native.Aligner,
        reading: Reading,
        *,
        ranks_for: str | None = None,
        collapse: Collapse | None = None,
        rows: Any = None,
    ) -> tuple[_native.Aligned, Handed]:
        """All of it, handed to the native core and joined there, and what its rows are called.

        Args:
            ranks_for: The rule that reads the rank column, if one does.
            collapse: What items are parts of, as in ``Rules``.
            rows: What the judgments say of their rows, for a run that is scores alone.
        """
        how: Any = {"ranks_for": ranks_for, "collapse": collapse, "rows": rows}
        wanted = Wanted("run", self.place, self.columns, **how)
        return hand_over(self.source, self.form, wanted, aligner, reading, aligner.finish)
