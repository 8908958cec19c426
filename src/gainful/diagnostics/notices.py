"""Notice, the base of all notices, and the notices about the join of a run and judgments.

Each notice has a code to filter by, a severity, and one sentence.
"""

from collections.abc import Iterable
from dataclasses import FrozenInstanceError
from typing import Any, ClassVar, NoReturn, dataclass_transform

from gainful.base import format_count, format_examples

SEVERITIES = {
    "error": "a number is wrong, or cannot be had",
    "warning": "probably not what is wanted",
    "info": "worth knowing",
}


@dataclass_transform(frozen_default=True)
class Notice:
    """One thing that a reader of the numbers should know.

    Its severity is one of ``SEVERITIES``. Subclasses are declared as frozen dataclasses are, but
    are not decorated: generating the code of fifty dataclasses costs 12 ms, a sixteenth of the CPU
    of ``gainful eval`` on ten lines.
    """

    code: ClassVar[str] = "notice"
    severity: ClassVar[str] = "info"

    def __init__(self, *data: object, **keywords: object) -> None:
        fields = list(type(self).__annotations__)
        vars(self).update(zip(fields, data, strict=False), **keywords)
        if list(vars(self)) != fields or len(data) > len(fields):
            message = f"{type(self).__name__}: must be given {', '.join(fields)}."
            raise TypeError(message)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        message = f"cannot assign to field {name!r}"
        raise FrozenInstanceError(message)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"

    @property
    def line(self) -> str:
        """The sentence as it is printed, with its code."""
        return f"{'warning' if self.severity == 'error' else 'note'}: {self} [{self.code}]"

    def to_dict(self) -> dict[str, Any]:
        """Return the code, the severity, the sentence and its data."""
        data = {k: list(v) if isinstance(v, tuple) else v for k, v in vars(self).items()}
        return {"code": self.code, "severity": self.severity, "text": str(self), **data}


def format_notice_lines(notices: Iterable[Notice]) -> list[str]:
    """Return the lines of notices as they are printed, each once, errors first.

    >>> skipped, foreign = CommentLines("bm25.run", 2), NoJudgedItems("bm25", "d1", "7")
    >>> [line[:7] for line in format_notice_lines([skipped, foreign, skipped])]
    ['warning', 'note: b']
    """
    worst_first = sorted(notices, key=lambda notice: notice.severity != "error")
    return list(dict.fromkeys(notice.line for notice in worst_first))


class MissingQueries(Notice):
    """A run returned nothing for queries that have judgments."""

    code = "missing-queries"
    severity = "warning"
    run: str
    queries: tuple[str, ...]
    n_judged: int
    skipped: bool

    def __str__(self) -> str:
        fate = "they are left out" if self.skipped else "they score 0"
        return (
            f"run {self.run!r} has no items for {len(self.queries):,} of {self.n_judged:,} judged "
            f"queries ({format_examples(self.queries)}); {fate}."
        )


class EmptyQueries(Notice):
    """Queries have judgments, but none above 0."""

    code = "empty-queries"
    severity = "warning"
    queries: tuple[str, ...]
    n_judged: int
    rule: str

    def __str__(self) -> str:
        fate = {
            "zero": "normalized measures score them 0",
            "one": "normalized measures score them 1",
            "one-if-missing": "normalized measures score them 1 without results, else 0",
            "nan": "normalized measures are undefined there and leave them out of the mean",
            "skip": "they are left out",
        }[self.rule]
        return (
            f"nothing is relevant for {len(self.queries):,} of {self.n_judged:,} judged queries "
            f"({format_examples(self.queries)}); {fate}."
        )


class NoPreferences(Notice):
    """Queries have judgments, but no item is preferred to another."""

    code = "no-preferences"
    severity = "warning"
    queries: tuple[str, ...]
    n_judged: int
    rule: str

    def __str__(self) -> str:
        fate = {
            "zero": "measures that divide by them score 0",
            "one": "measures that divide by them score 1",
            "one-if-missing": "measures that divide by them score 1 without results, else 0",
            "nan": "measures that divide by them leave the queries out of the mean",
            "skip": "they are left out",
        }[self.rule]
        return (
            f"there are no preferences for {len(self.queries):,} of {self.n_judged:,} judged "
            f"queries ({format_examples(self.queries)}); {fate}."
        )


class UndefinedValues(Notice):
    """A measure has nothing to divide by for queries that do have labels above 0."""

    code = "undefined-values"
    severity = "info"
    measure: str
    queries: tuple[str, ...]
    rule: str

    def __str__(self) -> str:
        fate = {
            "zero": "scores 0 there",
            "one": "scores 1 there",
            "one-if-missing": "scores 1 there without results, else 0",
        }
        return (
            f"{self.measure} has nothing to divide by for "
            f"{format_count(len(self.queries), 'query', 'queries')} "
            f"({format_examples(self.queries)}); "
            f"it {fate.get(self.rule, 'leaves them out of its mean')}."
        )


class UnjudgedQueries(Notice):
    """A run has queries that the qrels do not know."""

    code = "unjudged-queries"
    severity = "info"
    run: str
    queries: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"run {self.run!r} has {format_count(len(self.queries), 'query', 'queries')} without "
            f"judgments ({format_examples(self.queries)}); left out."
        )


class UnjudgedItems(Notice):
    """Part of what a run ranks high has no judgment."""

    code = "unjudged-items"
    severity = "info"
    run: str
    share: float
    depth: int

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: {self.share:.1%} of the items in the first {self.depth} ranks have "
            f"no judgment; they count as not relevant."
        )


class NoJudgedItems(Notice):
    """A run returned no judged item at all: its ids and those of the qrels may not match."""

    code = "no-judged-items"
    severity = "error"
    run: str
    run_item: str
    qrels_item: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r} returned none of the judged items; the first ids are "
            f"{self.run_item!r} (run) and {self.qrels_item!r} (qrels)."
        )


class TiedItems(Notice):
    """Judged items stand in blocks of equal scores, so a rule decided their ranks."""

    code = "tied-items"
    severity = "info"
    run: str
    n_tied: int
    n_judged: int
    rule: str

    def __str__(self) -> str:
        fate = {
            "average": "averages over their orders",
            "middle": "puts them on the middle of their ranks",
        }.get(self.rule, "decides their order")
        return (
            f"run {self.run!r}: {self.n_tied:,} of the {self.n_judged:,} judged items it returned "
            f"share their score with another item; ties={self.rule} {fate}."
        )


class NegativeLabels(Notice):
    """The qrels have labels below 0."""

    code = "negative-labels"
    severity = "info"
    n_labels: int
    lowest: float

    def __str__(self) -> str:
        return (
            f"the qrels have {format_count(self.n_labels, 'label', 'labels')} below 0 (lowest "
            f"{self.lowest:g}); they gain nothing unless a measure sets negatives or a signed gain."
        )


class DuplicateItems(Notice):
    """Items were retrieved twice for one query, and a rule chose between the mentions."""

    code = "duplicate-items"
    severity = "warning"
    run: str
    n_dropped: int
    rule: str

    def __str__(self) -> str:
        fate = {
            "once": "keeps their ranks and lets the first mention gain",
            "count": "lets every mention gain",
        }
        return (
            f"run {self.run!r} repeats {format_count(self.n_dropped, 'item', 'items')} within a "
            f"query; duplicates={self.rule} {fate.get(self.rule, 'keeps one mention of each')}."
        )


class DuplicateJudgments(Notice):
    """Items were judged twice for one query, and a rule chose between the labels."""

    code = "duplicate-judgments"
    severity = "warning"
    n_dropped: int
    rule: str

    def __str__(self) -> str:
        return (
            f"the qrels repeat {format_count(self.n_dropped, 'judgment', 'judgments')}; "
            f"duplicates={self.rule} keeps one label of each item."
        )


class CommentLines(Notice):
    """Lines that begin with # were skipped; a query id that begins so would be lost with them."""

    code = "comment-lines"
    severity = "info"
    source: str
    n_lines: int

    def __str__(self) -> str:
        lines = format_count(self.n_lines, "line that begins", "lines that begin")
        return f"{self.source}: {lines} with # skipped as comments."


class LongLines(Notice):
    """Lines of a run have more fields than six; an id with a space in it shifts the columns."""

    code = "long-lines"
    severity = "warning"
    run: str
    n_lines: int
    first: int

    def __str__(self) -> str:
        lines = format_count(self.n_lines, "line has", "lines have")
        return (
            f"run {self.run!r}: {lines} more than 6 fields, the first is line {self.first:,}; "
            "fields 3 and 5 are taken as item and score."
        )


class UnknownItems(Notice):
    """A run recommends items that the data about items lack."""

    code = "unknown-items"
    severity = "warning"
    run: str
    lacks: str
    n_items: int
    n_recommended: int
    first: tuple[str, ...]

    def __str__(self) -> str:
        lack, fate = {
            "catalog": ("are not in the catalog", "they are left out"),
            "popularity": ("have no popularity", "they count as the least popular"),
            "features": ("have no features", "their distances are left out"),
        }[self.lacks]
        return (
            f"run {self.run!r}: {self.n_items:,} of the {self.n_recommended:,} items that it "
            f"recommends {lack} ({format_examples(self.first)}); {fate}."
        )


class OneSubtopic(Notice):
    """Measures of subtopics were asked for, but all queries have the same single one."""

    code = "one-subtopic"
    severity = "warning"
    subtopic: str

    def __str__(self) -> str:
        return (
            f"every query has one subtopic, {self.subtopic!r}, and no other: the qrels may have "
            "none in their second column."
        )
