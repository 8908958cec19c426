"""Notices, how they are declared, and those about the join of a run and judgments.

Each notice has a code to filter by, a severity, and one sentence. What a code means, why, and what
to do about it is on its page, in the folder ``codes``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec

from gainful.base import format_count, format_examples

SEVERITIES = {
    "error": "a number is wrong, or cannot be had",
    "warning": "probably not what is wanted",
    "info": "worth knowing",
}


@dataclass(frozen=True, repr=False)
class Notice:
    """One thing that a reader of the numbers should know; as text, its sentence.

    Attributes:
        code: The word in brackets at the end of the printed line.
        severity: One of ``SEVERITIES``.
        text: The sentence.
        data: What the sentence is about, by name: numbers, runs, queries.
    """

    code: str
    severity: str
    text: str
    data: Mapping[str, Any] = field(hash=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.severity}: {self.text} [{self.code}]>"

    @property
    def line(self) -> str:
        """The sentence as it is printed, with its code."""
        return f"{'warning' if self.severity == 'error' else 'note'}: {self} [{self.code}]"

    def to_dict(self) -> dict[str, Any]:
        """Return the code, the severity, the sentence and its data."""
        data = {k: list(v) if isinstance(v, tuple) else v for k, v in self.data.items()}
        return {"code": self.code, "severity": self.severity, "text": self.text, **data}


_P = ParamSpec("_P")
NOTICE_TYPES: dict[str, "NoticeType[...]"] = {}


class NoticeType(Generic[_P]):
    """A declared notice: called with what its sentence is about, it returns the ``Notice``."""

    def __init__(self, code: str, severity: str, write: Callable[_P, str]) -> None:
        self.code, self.severity, self._write = code, severity, write

    def __call__(self, *args: _P.args, **keywords: _P.kwargs) -> Notice:
        names = self._write.__code__.co_varnames
        data = {**dict(zip(names, args, strict=False)), **keywords}
        return Notice(self.code, self.severity, self._write(*args, **keywords), data)


def declare_notice(code: str, severity: str) -> Callable[[Callable[_P, str]], NoticeType[_P]]:
    """Declare the decorated function, which writes the sentence, as a notice.

    >>> @declare_notice("many-cooks", "info")
    ... def ManyCooks(n_cooks: int) -> str:
    ...     return f"{n_cooks} cooks are many."
    >>> ManyCooks(3).line
    'note: 3 cooks are many. [many-cooks]'
    >>> del NOTICE_TYPES["many-cooks"]
    """

    def declare(write: Callable[_P, str]) -> NoticeType[_P]:
        NOTICE_TYPES[code] = notice_type = NoticeType(code, severity, write)
        return notice_type

    return declare


def format_notice_lines(notices: Iterable[Notice]) -> list[str]:
    """Return the lines of notices as they are printed, each once, errors first.

    >>> skipped, foreign = CommentLines("bm25.run", 2), NoJudgedItems("bm25", "d1", "7")
    >>> [line[:7] for line in format_notice_lines([skipped, foreign, skipped])]
    ['warning', 'note: b']
    """
    worst_first = sorted(notices, key=lambda notice: notice.severity != "error")
    return list(dict.fromkeys(notice.line for notice in worst_first))


@declare_notice("missing-queries", "warning")
def MissingQueries(run: str, queries: tuple[str, ...], n_judged: int, skipped: bool) -> str:
    fate = "they are left out" if skipped else "they score 0"
    return (
        f"run {run!r} has no items for {len(queries):,} of {n_judged:,} judged "
        f"queries ({format_examples(queries)}); {fate}."
    )


@declare_notice("empty-queries", "warning")
def EmptyQueries(queries: tuple[str, ...], n_judged: int, rule: str) -> str:
    fate = {
        "zero": "normalized measures score them 0",
        "one": "normalized measures score them 1",
        "one-if-missing": "normalized measures score them 1 without results, else 0",
        "nan": "normalized measures are undefined there and leave them out of the mean",
        "skip": "they are left out",
    }[rule]
    return (
        f"nothing is relevant for {len(queries):,} of {n_judged:,} judged queries "
        f"({format_examples(queries)}); {fate}."
    )


@declare_notice("no-preferences", "warning")
def NoPreferences(queries: tuple[str, ...], n_judged: int, rule: str) -> str:
    fate = {
        "zero": "measures that divide by them score 0",
        "one": "measures that divide by them score 1",
        "one-if-missing": "measures that divide by them score 1 without results, else 0",
        "nan": "measures that divide by them leave the queries out of the mean",
        "skip": "they are left out",
    }[rule]
    return (
        f"there are no preferences for {len(queries):,} of {n_judged:,} judged "
        f"queries ({format_examples(queries)}); {fate}."
    )


@declare_notice("undefined-values", "info")
def UndefinedValues(measure: str, queries: tuple[str, ...], rule: str) -> str:
    fate = {
        "zero": "scores 0 there",
        "one": "scores 1 there",
        "one-if-missing": "scores 1 there without results, else 0",
    }
    return (
        f"{measure} has nothing to divide by for "
        f"{format_count(len(queries), 'query', 'queries')} "
        f"({format_examples(queries)}); "
        f"it {fate.get(rule, 'leaves them out of its mean')}."
    )


@declare_notice("unjudged-queries", "info")
def UnjudgedQueries(run: str, queries: tuple[str, ...]) -> str:
    return (
        f"run {run!r} has {format_count(len(queries), 'query', 'queries')} without "
        f"judgments ({format_examples(queries)}); left out."
    )


@declare_notice("unjudged-items", "info")
def UnjudgedItems(run: str, share: float, depth: int) -> str:
    return (
        f"run {run!r}: {share:.1%} of the items in the first {depth} ranks have "
        f"no judgment; they count as not relevant."
    )


@declare_notice("no-judged-items", "error")
def NoJudgedItems(run: str, run_item: str, qrels_item: str) -> str:
    return (
        f"run {run!r} returned none of the judged items; the first ids are "
        f"{run_item!r} (run) and {qrels_item!r} (qrels)."
    )


@declare_notice("tied-items", "info")
def TiedItems(run: str, n_tied: int, n_judged: int, rule: str) -> str:
    fate = {
        "average": "averages over their orders",
        "middle": "puts them on the middle of their ranks",
    }.get(rule, "decides their order")
    return (
        f"run {run!r}: {n_tied:,} of the {n_judged:,} judged items it returned "
        f"share their score with another item; ties={rule} {fate}."
    )


@declare_notice("negative-labels", "info")
def NegativeLabels(n_labels: int, lowest: float) -> str:
    return (
        f"the qrels have {format_count(n_labels, 'label', 'labels')} below 0 (lowest "
        f"{lowest:g}); they gain nothing unless a measure sets negatives or a signed gain."
    )


@declare_notice("duplicate-items", "warning")
def DuplicateItems(run: str, n_dropped: int, rule: str) -> str:
    fate = {
        "once": "keeps their ranks and lets the first mention gain",
        "count": "lets every mention gain",
    }
    return (
        f"run {run!r} repeats {format_count(n_dropped, 'item', 'items')} within a "
        f"query; duplicates={rule} {fate.get(rule, 'keeps one mention of each')}."
    )


@declare_notice("duplicate-judgments", "warning")
def DuplicateJudgments(n_dropped: int, rule: str) -> str:
    return (
        f"the qrels repeat {format_count(n_dropped, 'judgment', 'judgments')}; "
        f"duplicates={rule} keeps one label of each item."
    )


@declare_notice("comment-lines", "info")
def CommentLines(source: str, n_lines: int) -> str:
    lines = format_count(n_lines, "line that begins", "lines that begin")
    return f"{source}: {lines} with # skipped as comments."


@declare_notice("long-lines", "warning")
def LongLines(run: str, n_lines: int, first: int) -> str:
    lines = format_count(n_lines, "line has", "lines have")
    return (
        f"run {run!r}: {lines} more than 6 fields, the first is line {first:,}; "
        "fields 3 and 5 are taken as item and score."
    )


@declare_notice("unknown-items", "warning")
def UnknownItems(
    run: str, lacks: str, n_items: int, n_recommended: int, first: tuple[str, ...]
) -> str:
    lack, fate = {
        "catalog": ("are not in the catalog", "they are left out"),
        "popularity": ("have no popularity", "they count as the least popular"),
        "features": ("have no features", "their distances are left out"),
    }[lacks]
    return (
        f"run {run!r}: {n_items:,} of the {n_recommended:,} items that it "
        f"recommends {lack} ({format_examples(first)}); {fate}."
    )


@declare_notice("one-subtopic", "warning")
def OneSubtopic(subtopic: str) -> str:
    return (
        f"every query has one subtopic, {subtopic!r}, and no other: the qrels may have "
        "none in their second column."
    )
