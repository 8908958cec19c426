"""Judgments: the qrels as an index."""

import copyreg
from dataclasses import dataclass

from gainful.base import FloatArray, IntArray, _native, cached_property, format_count
from gainful.errors import SourceError
from gainful.sources.feed import RowLocator


def _refuse_pickling(_index: _native.Index) -> str:
    message = (
        "judgments that were read cannot be sent to another process. Send the path, and call "
        "read_qrels there, once in each process: as the initializer of a pool, for example."
    )
    raise SourceError(message, code="cannot-send")


copyreg.pickle(_native.Index, _refuse_pickling)


@dataclass(frozen=True, eq=False)
class Judgments:
    """The qrels as an index: built once, used for many runs.

    Attributes:
        name: What errors call it: the path, or "qrels".
        index: The native index of all judged items.
        duplicates: The rule that chose between labels of an item judged twice.
        locator: Says where its rows are in the source.
    """

    name: str
    index: _native.Index
    duplicates: str
    locator: RowLocator

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The ids of the judged queries, in the order of the qrels."""
        return tuple(self.index.queries)

    @property
    def n_comments(self) -> int:
        """Number of comment lines that were skipped."""
        return int(self.index.odd.comments + self.locator.n_comments)

    @property
    def pool_offsets(self) -> IntArray:
        """Offset of each query's judged items."""
        return self.index.pool_offsets

    @property
    def pool_label(self) -> FloatArray:
        """Labels of all judged items, descending within a query."""
        return self.index.pool_labels

    def labels(self, query: str) -> dict[str, float]:
        """Return the judged items of one query and their labels."""
        return dict(self.index.judgments(self.queries.index(query)))

    def __repr__(self) -> str:
        n_queries = format_count(len(self.queries), "query", "queries")
        n_judgments = format_count(len(self.pool_label), "judgment", "judgments")
        return f"<Judgments {self.name!r}: {n_queries}, {n_judgments}>"
