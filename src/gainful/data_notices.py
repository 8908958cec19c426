"""What may be wrong with the data themselves: files, ids and labels."""

from gainful.notices import Notice
from gainful.settings import text_of
from gainful.wording import count


class NearIds(Notice):
    """Ids of run and qrels hardly match, but would if they were written alike."""

    code = "near-ids"
    severity = "error"
    run: str
    what: str
    change: str
    side: str
    now: float
    then: float
    sample: str
    pattern: str

    def __str__(self) -> str:
        has = f"{self.now:.1%} of the judged {self.what}{self.sample}"
        return f"run {self.run!r} has {has}. {self.question}"

    @property
    def question(self) -> str:
        """What may be meant, as a question, and what it would lead to."""
        return (
            f"Did you mean to {self.change} the {self.what} of the {self.side}? "
            f"{self.then:.1%} of the judged {self.what} would match.{self.way}"
        )

    @property
    def way(self) -> str:
        """The option that does it, if there is one: parts of items, not of queries."""
        applies = self.pattern and self.what == "items"
        return f" Pass --collapse '{self.pattern}'." if applies else ""


class CarriageReturns(Notice):
    """Lines of a file end in a carriage return alone, so many are read as one."""

    code = "carriage-returns"
    severity = "error"
    source: str
    n_lines: int

    def __str__(self) -> str:
        lines = count(self.n_lines, "line has", "lines have")
        return (
            f"{self.source}: {lines} carriage returns inside, so that several are read as one. End "
            "lines in a line feed."
        )


class NothingRelevant(Notice):
    """No label of the qrels is above 0."""

    code = "nothing-relevant"
    severity = "error"
    highest: float

    def __str__(self) -> str:
        return f"no label of the qrels is above 0 (the highest is {text_of(self.highest)})."


class FractionalLabels(Notice):
    """The qrels have labels that are no whole numbers."""

    code = "fractional-labels"
    severity = "info"
    n_labels: int
    n_judged: int
    example: float

    def __str__(self) -> str:
        return (
            f"{self.n_labels:,} of the {count(self.n_judged, 'label', 'labels')} of the qrels are "
            f"no whole numbers, such as {text_of(self.example)}; where a measure has rel=1, those "
            "below 1 are not relevant."
        )


class HighLabels(Notice):
    """The qrels have labels beyond any usual grade: they may be percentages, or scores."""

    code = "high-labels"
    severity = "warning"
    highest: float
    n_values: int

    def __str__(self) -> str:
        return (
            f"the qrels have labels up to {text_of(self.highest)} ({self.n_values:,} different); "
            "gains such as exp2 grow without measure. Pass a gain table, or other labels, if they "
            "are no grades."
        )


class SkippedLabels(Notice):
    """The grades of the qrels leave some out."""

    code = "skipped-labels"
    severity = "info"
    labels: tuple[str, ...]
    skipped: tuple[str, ...]

    def __str__(self) -> str:
        used, unused = ", ".join(self.labels), ", ".join(self.skipped)
        return f"the qrels have the labels {used}, and never {unused}."


class OneLabel(Notice):
    """All judgments have the same label, so no ranking of judged items is worse than another."""

    code = "one-label"
    severity = "info"
    label: float
    n_judged: int

    def __str__(self) -> str:
        return (
            f"every label of the qrels is {text_of(self.label)} "
            f"({count(self.n_judged, 'judgment', 'judgments')}): items that are not judged are the "
            "only ones that are not relevant."
        )


class Refusal(Notice):
    """What ``evaluate`` refuses, as a finding: its code is the one that the error has."""

    severity = "error"


class BadLines(Refusal):
    """Lines or entries cannot be read; ``eval`` refuses the first of them."""

    code: str  # type: ignore[misc]
    source: str
    reason: str
    n_lines: int
    first: str

    def __str__(self) -> str:
        more = self.n_lines - 1
        if not more:
            return self.first
        return f"{self.first} {count(more, 'more is', 'more are')} wrong in the same way."


class RepeatedItems(Refusal):
    """Items are judged, or retrieved, twice for one query; ``eval`` refuses the first of them."""

    code: str  # type: ignore[misc]
    source: str
    n_repeats: int
    first: str

    def __str__(self) -> str:
        more = self.n_repeats - 1
        if not more:
            return self.first
        return f"{self.first} {count(more, 'more is', 'more are')} repeated."


class Refused(Refusal):
    """Qrels or a run cannot be evaluated."""

    code: str  # type: ignore[misc]
    source: str
    why: str

    def __str__(self) -> str:
        return self.why


class Swapped(Refusal):
    """What was given as qrels looks like a run, and the run like qrels."""

    code: str  # type: ignore[misc]
    qrels: str
    run: str

    def __str__(self) -> str:
        return (
            f"{self.qrels} has the columns of a run, and {self.run} those of qrels. Swap the two: "
            "qrels come first."
        )
