"""A source that was handed over to the native core: what its rows are called afterwards."""

from typing import Any, NamedTuple

from gainful import _native
from gainful.errors import SourceError
from gainful.sources._wording import in_words


class Handed(NamedTuple):
    """A source that was read.

    Attributes:
        place: What errors call it.
        unit: What its rows are counted by: line, row, or nothing.
        lines: The line of each row, where the core counted rows.
        rows: The query and the item of every row, where a run may come as scores alone.
    """

    place: str
    unit: str = ""
    lines: Any = None
    rows: Any = None

    @property
    def n_comments(self) -> int:
        """How many lines of comments were skipped before the core saw any."""
        return sum(part.n_comments for part in (self.lines, self.rows) if part is not None)

    def worded(self, error: _native.BadInput) -> SourceError:
        """The sentence for what the native core found wrong."""
        return in_words(error, self.place, unit=self.unit, lines=self.lines)

    def row(self, number: int) -> str:
        """What a row is called: line 7."""
        if self.lines is not None:
            number = self.lines.of(number)
        return f"{self.unit or 'row'} {number:,}"
