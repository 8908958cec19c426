"""Notices about what rules, slices and weights did to rankings and values."""

from gainful.base import format_count, format_examples
from gainful.diagnostics.notices import Notice


class UnjudgedLabeled(Notice):
    """Part of what a run ranks high has no judgment, and a label by ``Rules.unjudged_label``."""

    code = "unjudged-labeled"
    severity = "info"
    run: str
    share: float
    depth: int
    label: float

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: {self.share:.1%} of the items in the first {self.depth} ranks have "
            f"no judgment; they count as if their label were {self.label:g}."
        )


class UnjudgedAbove(Notice):
    """Queries have no value because an unjudged item stands above the cutoff."""

    code = "unjudged-above"
    severity = "warning"
    measure: str
    queries: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.measure} is undefined for "
            f"{format_count(len(self.queries), 'query', 'queries')} with an unjudged item above "
            f"the cutoff ({format_examples(self.queries)}); it leaves them out of its mean."
        )


class OutsideDialect(Notice):
    """Measures were asked for in a dialect that is not known to define them."""

    code = "outside-dialect"
    severity = "info"
    dialect: str
    tool: str
    supported: tuple[str, ...]
    measures: tuple[str, ...]

    def __str__(self) -> str:
        are = "is our definition" if len(self.measures) == 1 else "are our definitions"
        return (
            f"dialect {self.dialect} is of {', '.join(self.supported)}; {', '.join(self.measures)} "
            f"{are} under its settings and rules, not checked against what {self.tool} reports."
        )


class OwnItems(Notice):
    """Items that had the id of their query were taken out, as ``Rules.own_items`` says."""

    code = "own-items"
    severity = "info"
    run: str
    n_items: int

    def __str__(self) -> str:
        items = format_count(self.n_items, "item was", "items were")
        whose = "its query" if self.n_items == 1 else "their queries"
        return f"run {self.run!r}: {items} taken out of the rankings for having the id of {whose}."


class PaddingItems(Notice):
    """Judged items are padding by their label, as ``Rules.padding`` says."""

    code = "padding-items"
    severity = "info"
    n_items: int
    rule: str

    def __str__(self) -> str:
        items = format_count(self.n_items, "judged item is", "judged items are")
        return f"the qrels: {items} padding={self.rule}, taken out of rankings and judgments."


class CondensedLists(Notice):
    """Items without a judgment were taken out of the rankings, as ``Rules.unjudged`` says."""

    code = "condensed-lists"
    severity = "warning"
    run: str
    n_items: int | None

    def __str__(self) -> str:
        number = "items without a judgment were"
        if self.n_items is not None:
            number = format_count(
                self.n_items, "item without a judgment was", "items without a judgment were"
            )
        return (
            f"run {self.run!r}: {number} taken out of the rankings before they were cut and "
            "scored; such condensed lists overestimate runs of which little is judged."
        )


class CollapsedItems(Notice):
    """Items of a run are parts of others, and the best part of each counted."""

    code = "collapsed-items"
    severity = "info"
    run: str
    n_items: int
    n_whole: int
    n_dropped: int

    def __str__(self) -> str:
        n_parts = self.n_items - self.n_whole
        dropped = format_count(self.n_dropped, "was", "were")
        return (
            f"run {self.run!r}: collapse takes {n_parts:,} of its {self.n_items:,} items for parts "
            f"of another; {dropped} dropped, a better part of the same item standing above."
        )


class RowOrder(Notice):
    """A rule looks at the order of rows, and the rows are those of a Spark DataFrame."""

    code = "row-order"
    severity = "warning"
    run: str
    rules: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: {self.rules} looks at the order of rows, and a DataFrame has none "
            "of its own; they were taken as collect() returns them."
        )


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
            f"{self.source}: {format_count(len(self.queries), 'query', 'queries')} in it {were} "
            f"not evaluated ({format_examples(self.queries)}); left out."
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
            f"{self.source}: {none} evaluated, so its attributes are unused; the first ids are "
            f"{self.first!r} (there) and {self.first_evaluated!r} (qrels).{hint}"
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
            f"{self.column!r} ({format_examples(self.queries)}); {they} a slice apart."
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
    """The values are those of some queries, picked by their attributes."""

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
            f"neither title nor url ({format_examples(self.items)})."
        )
