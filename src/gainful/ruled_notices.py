"""Notices of what rules have made of rankings and values."""

from gainful.notices import Notice
from gainful.wording import count, examples


class RoundedOtherwise(Notice):
    """A measure rounds its terms in a way that an explanation does not show."""

    code = "rounded-otherwise"
    severity = "info"
    measure: str
    arithmetic: str

    def __str__(self) -> str:
        return (
            f"{self.measure} is rounded on the way, by arithmetic={self.arithmetic}; the terms are "
            "shown as they are in double precision, and may add up to slightly more or less."
        )


class UnjudgedLabelled(Notice):
    """Part of what a run ranks high has no judgment, and a label by ``Rules.unjudged_label``."""

    code = "unjudged-labelled"
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
            f"{self.measure} is undefined for {count(len(self.queries), 'query', 'queries')} with "
            f"an unjudged item above the cutoff ({examples(self.queries)}); it leaves them out of "
            "its mean."
        )


class OutsideDialect(Notice):
    """Measures were asked for in a dialect that is not known to define them."""

    code = "outside-dialect"
    severity = "info"
    dialect: str
    tool: str
    known: tuple[str, ...]
    measures: tuple[str, ...]

    def __str__(self) -> str:
        are = "is our definition" if len(self.measures) == 1 else "are our definitions"
        return (
            f"dialect {self.dialect} is of {', '.join(self.known)}; {', '.join(self.measures)} "
            f"{are} under its settings and rules, not checked against what {self.tool} reports."
        )


class OwnItems(Notice):
    """Items that had the id of their query were taken out, as ``Rules.own_items`` says."""

    code = "own-items"
    severity = "info"
    run: str
    n_items: int

    def __str__(self) -> str:
        items = count(self.n_items, "item was", "items were")
        whose = "its query" if self.n_items == 1 else "their queries"
        return f"run {self.run!r}: {items} taken out of the rankings for having the id of {whose}."


class PaddingItems(Notice):
    """Judged items are padding by their label, as ``Rules.padding`` says."""

    code = "padding-items"
    severity = "info"
    n_items: int
    rule: str

    def __str__(self) -> str:
        items = count(self.n_items, "judged item is", "judged items are")
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
            number = count(
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
        dropped = count(self.n_dropped, "was", "were")
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
