"""What is worth saying about the data of queries and items: slices, weights, titles."""

from gainful.notices import Notice
from gainful.wording import count, examples


class WeightedMeans(Notice):
    """Means are weighted: queries do not count alike."""

    code = "weighted-means"
    severity = "info"
    by: str
    lowest: float
    highest: float

    def __str__(self) -> str:
        return (
            f"means are weighted by {self.by}, from {self.lowest:g} to {self.highest:g}; "
            "counts and numbers of whole runs are not."
        )


class UnknownQueries(Notice):
    """The data about queries name some that were not evaluated."""

    code = "unknown-queries"
    severity = "warning"
    source: str
    queries: tuple[str, ...]

    def __str__(self) -> str:
        were = "was" if len(self.queries) == 1 else "were"
        return (
            f"{self.source}: {count(len(self.queries), 'query', 'queries')} in it {were} not "
            f"evaluated ({examples(self.queries)}); left out."
        )


class NoKnownQuery(Notice):
    """The data about queries name none that was evaluated."""

    code = "no-known-query"
    severity = "warning"
    source: str
    n_queries: int
    first: str
    first_evaluated: str
    change: str

    def __str__(self) -> str:
        none = f"none of its {self.n_queries:,} queries was"
        none = "its query was not" if self.n_queries == 1 else none
        hint = f" Did you mean to {self.change}?" if self.change else ""
        return (
            f"{self.source}: {none} evaluated, so nothing is known of "
            f"any; the first ids are {self.first!r} (there) and {self.first_evaluated!r} (qrels)."
            f"{hint}"
        )


class QueriesWithoutValue(Notice):
    """Queries have no value in the column that makes the slices."""

    code = "queries-without-value"
    severity = "info"
    source: str
    column: str
    queries: tuple[str, ...]
    n_queries: int

    def __str__(self) -> str:
        have, they = ("has", "it is") if len(self.queries) == 1 else ("have", "they are")
        return (
            f"{self.source}: {len(self.queries):,} of {self.n_queries:,} queries {have} no "
            f"{self.column!r} ({examples(self.queries)}); {they} a slice apart."
        )


class ManySlices(Notice):
    """There are about as many slices as queries."""

    code = "many-slices"
    severity = "warning"
    column: str
    n_slices: int
    n_queries: int

    def __str__(self) -> str:
        return (
            f"{self.column!r} has {self.n_slices:,} values for {self.n_queries:,} queries: most "
            "slices are too small to say anything. Put values together, such as numbers that "
            "are near each other."
        )


class OneSlice(Notice):
    """The values are those of some queries, picked by what is known of them."""

    code = "one-slice"
    severity = "info"
    column: str
    value: str | None
    n_queries: int
    n_all: int

    def __str__(self) -> str:
        which = f"whose {self.column!r} is {self.value!r}"
        if self.value is None:
            which = f"that have no {self.column!r}"
        return (
            f"these are the {self.n_queries:,} of {self.n_all:,} queries {which}; other notes are "
            "about all of them."
        )


class WholeRunOnly(Notice):
    """Measures give one number for a whole run, and none for a part of it."""

    code = "whole-run-only"
    severity = "info"
    measures: tuple[str, ...]

    def __str__(self) -> str:
        are = "is a number" if len(self.measures) == 1 else "are numbers"
        return (
            f"{', '.join(self.measures)} {are} of the whole run, and slices have none. "
            "Evaluate the queries of a slice alone to get it."
        )


class UntitledItems(Notice):
    """Items are shown by their id alone, the data about items having no title of them."""

    code = "untitled-items"
    severity = "info"
    source: str
    items: tuple[str, ...]
    n_shown: int

    def __str__(self) -> str:
        have = "has" if len(self.items) == 1 else "have"
        return (
            f"{self.source}: {len(self.items):,} of the {self.n_shown:,} items shown {have} "
            f"neither title nor url ({examples(self.items)})."
        )
