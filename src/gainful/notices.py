"""Everything worth saying about an evaluation that is not an error: data, not print-outs.

Each notice has a code to filter by and says itself in one sentence.
"""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from gainful.wording import count, examples


@dataclass(frozen=True)
class Notice:
    """One thing that a reader of the numbers should know."""

    code: ClassVar[str] = "notice"

    @property
    def line(self) -> str:
        """The sentence as it is printed, with its code."""
        return f"note: {self} [{self.code}]"

    def to_dict(self) -> dict[str, Any]:
        """Code, sentence and the data behind it."""
        data = {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}
        return {"code": self.code, "text": str(self), **data}


@dataclass(frozen=True)
class MissingQueries(Notice):
    """A run returned nothing for queries that have judgments."""

    code = "missing-queries"
    run: str
    queries: tuple[str, ...]
    n_judged: int
    skipped: bool

    def __str__(self) -> str:
        fate = "they are left out" if self.skipped else "they score 0"
        return (
            f"run {self.run!r} has no items for {len(self.queries):,} of {self.n_judged:,} judged "
            f"queries ({examples(self.queries)}); {fate}."
        )


@dataclass(frozen=True)
class EmptyQueries(Notice):
    """Queries have judgments, but none above 0."""

    code = "empty-queries"
    queries: tuple[str, ...]
    n_judged: int
    rule: str

    def __str__(self) -> str:
        fate = {
            "zero": "normalised measures score them 0",
            "one": "normalised measures score them 1",
            "nan": "normalised measures are undefined there and leave them out of the mean",
            "skip": "they are left out",
        }[self.rule]
        return (
            f"nothing is relevant for {len(self.queries):,} of {self.n_judged:,} judged queries "
            f"({examples(self.queries)}); {fate}."
        )


@dataclass(frozen=True)
class UndefinedValues(Notice):
    """A measure has nothing to divide by for queries that do have labels above 0."""

    code = "undefined-values"
    measure: str
    queries: tuple[str, ...]
    rule: str

    def __str__(self) -> str:
        fate = {"zero": "scores 0 there", "one": "scores 1 there"}
        return (
            f"{self.measure} has nothing to divide by for "
            f"{count(len(self.queries), 'query', 'queries')} ({examples(self.queries)}); "
            f"it {fate.get(self.rule, 'leaves them out of its mean')}."
        )


@dataclass(frozen=True)
class UnjudgedQueries(Notice):
    """A run has queries that the qrels do not know."""

    code = "unjudged-queries"
    run: str
    queries: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"run {self.run!r} has {count(len(self.queries), 'query', 'queries')} without "
            f"judgments ({examples(self.queries)}); left out."
        )


@dataclass(frozen=True)
class UnjudgedItems(Notice):
    """Part of what a run ranks high has no judgment."""

    code = "unjudged-items"
    run: str
    share: float
    depth: int

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: {self.share:.1%} of the items in the first {self.depth} ranks have "
            f"no judgment; they count as not relevant."
        )


@dataclass(frozen=True)
class NoJudgedItems(Notice):
    """A run returned no judged item at all: its ids and those of the qrels may not match."""

    code = "no-judged-items"
    run: str
    run_item: str
    qrels_item: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r} returned none of the judged items; the first ids are "
            f"{self.run_item!r} (run) and {self.qrels_item!r} (qrels)."
        )


@dataclass(frozen=True)
class TiedItems(Notice):
    """Judged items stand in blocks of equal scores, so a rule decided their ranks."""

    code = "tied-items"
    run: str
    n_tied: int
    n_judged: int
    rule: str

    def __str__(self) -> str:
        fate = "averages over their orders" if self.rule == "average" else "decides their order"
        return (
            f"run {self.run!r}: {self.n_tied:,} of the {self.n_judged:,} judged items it returned "
            f"share their score with another item; ties={self.rule} {fate}."
        )


@dataclass(frozen=True)
class NegativeLabels(Notice):
    """The qrels have labels below 0."""

    code = "negative-labels"
    n_labels: int
    lowest: float

    def __str__(self) -> str:
        return (
            f"the qrels have {count(self.n_labels, 'label', 'labels')} below 0 (lowest "
            f"{self.lowest:g}); they gain nothing unless a measure sets negatives or a signed gain."
        )


@dataclass(frozen=True)
class DuplicateItems(Notice):
    """Items were retrieved twice for one query, and a rule chose between the mentions."""

    code = "duplicate-items"
    run: str
    n_dropped: int
    rule: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r} repeats {count(self.n_dropped, 'item', 'items')} within a query; "
            f"duplicates={self.rule} keeps one mention of each."
        )


@dataclass(frozen=True)
class DuplicateJudgments(Notice):
    """Items were judged twice for one query, and a rule chose between the labels."""

    code = "duplicate-judgments"
    n_dropped: int
    rule: str

    def __str__(self) -> str:
        return (
            f"the qrels repeat {count(self.n_dropped, 'judgment', 'judgments')}; "
            f"duplicates={self.rule} keeps one label of each item."
        )


@dataclass(frozen=True)
class CommentLines(Notice):
    """Lines that begin with # were skipped; a query id that begins so would be lost with them."""

    code = "comment-lines"
    source: str
    n_lines: int

    def __str__(self) -> str:
        lines = count(self.n_lines, "line that begins", "lines that begin")
        return f"{self.source}: {lines} with # skipped as comments."


@dataclass(frozen=True)
class LongLines(Notice):
    """Lines of a run have more fields than six; an id with a space in it shifts the columns."""

    code = "long-lines"
    run: str
    n_lines: int
    first: int

    def __str__(self) -> str:
        lines = count(self.n_lines, "line has", "lines have")
        return (
            f"run {self.run!r}: {lines} more than 6 fields, the first is line {self.first:,}; "
            "fields 3 and 5 are taken as item and score."
        )
