"""Findings: what a check of qrels and runs found, most severe first."""

from dataclasses import dataclass
from typing import Any

from gainful import tables
from gainful.notices import SEVERITIES, Notice
from gainful.plain import to_json
from gainful.rules import Rules
from gainful.wording import count

_NOUNS = {
    "error": ("error", "errors"),
    "warning": ("warning", "warnings"),
    "info": ("note", "notes"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Findings:
    """What is odd about qrels and runs.

    Attributes:
        findings: All of it, most severe first.
        n_queries: How many queries have judgments.
        n_judgments: How many judgments there are.
        rows: How many items every run has, by its name.
        rules: The rules under which they were joined.

    >>> import gainful
    >>> gainful.check({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d1", "d2"]})
    nothing odd in 1 query, 2 judgments, 1 run of 2 items
    """

    findings: tuple[Notice, ...]
    n_queries: int
    n_judgments: int
    rows: dict[str, int]
    rules: Rules

    def __post_init__(self) -> None:
        order = list(SEVERITIES)
        ranked = sorted(self.findings, key=lambda one: order.index(one.severity))
        object.__setattr__(self, "findings", tuple(ranked))

    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity."""
        given = [one.severity for one in self.findings]
        return {severity: given.count(severity) for severity in SEVERITIES}

    @property
    def wrong(self) -> bool:
        """Whether anything is wrong enough to change a number."""
        return self.counts()["error"] > 0

    @property
    def summary(self) -> str:
        """How much was found, and in what, on one line."""
        found = [count(n, *_NOUNS[severity]) for severity, n in self.counts().items() if n]
        read = [count(self.n_queries, "query", "queries")]
        read += [count(self.n_judgments, "judgment", "judgments")]
        if self.rows:
            items = count(sum(self.rows.values()), "item", "items")
            read += [f"{count(len(self.rows), 'run', 'runs')} of {items}"]
        return f"{', '.join(found) or 'nothing odd'} in {', '.join(read)}"

    def cells(self) -> list[list[str]]:
        """Severity, code and sentence of every finding."""
        return [[one.severity, one.code, str(one)] for one in self.findings]

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values."""
        return {
            "counts": self.counts(),
            "findings": [one.to_dict() for one in self.findings],
            "n_queries": self.n_queries,
            "n_judgments": self.n_judgments,
            "rows": self.rows,
            "rules": self.rules.to_dict(),
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Everything there is, as JSON."""
        return to_json(self.to_dict(), indent=indent)

    def to_markdown(self) -> str:
        """A list of the findings, by severity."""
        lines = [f"- **{severity}**: {text} `[{code}]`" for severity, code, text in self.cells()]
        return "".join(
            f"{line}\n" for line in [*lines, *([""] if lines else []), f"{self.summary}."]
        )

    def __repr__(self) -> str:
        lines = [f"{severity}: {text} [{code}]" for severity, code, text in self.cells()]
        return "\n".join([*lines, self.summary])

    def _repr_html_(self) -> str:
        import html

        table = tables.to_html(["severity", "code", "finding"], self.cells())
        return f"{table}<p>{html.escape(self.summary)}</p>"
