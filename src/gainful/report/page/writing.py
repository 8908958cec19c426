"""write_report(): runs and judgments in, one HTML file out."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gainful.errors import OutputError
from gainful.experiment.gathering import experiment
from gainful.experiment.result import Experiment
from gainful.experiment.setup import paths
from gainful.gating.result import Gate
from gainful.named_runs import named_runs
from gainful.notices import Notice
from gainful.packages import package
from gainful.records import Frozen
from gainful.report.page.assembly import page
from gainful.report.page.sections.verdict import verdict
from gainful.rules import Rules
from gainful.written_files import can_be_written, not_over, written

# Altair takes Jinja itself, and would end in a traceback.
_PACKAGES = ("jinja2", "altair", "vl_convert")


@dataclass(eq=False, repr=False)
class Report(Frozen):
    """A report that was written.

    Attributes:
        path: Where it is; ``-`` is standard output.
        n_bytes: How large it is.
        verdict: What it says first.
        notices: What a reader of the numbers should know.
        experiment: All that it says, as values.
    """

    path: str
    n_bytes: int
    verdict: str
    notices: tuple[Notice, ...]
    experiment: Experiment

    def __repr__(self) -> str:
        return f"<Report {self.path!r}, {self.n_bytes:,} bytes>\n{self.verdict}"


def write_report(
    qrels: Any,
    runs: Iterable[Any] | Mapping[str, Any],
    path: str | os.PathLike[str],
    measures: Any = "nDCG@10",
    *,
    baseline: str | os.PathLike[str] | None = None,
    items: Any = None,
    queries: Any = None,
    weights: Any = None,
    by: Iterable[str] = (),
    gate: Gate | None = None,
    command: str | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Any = None,
) -> Report:
    """The report that was written: one HTML file that opens from disk and loads nothing.

    The same input gives the same bytes. If the variable ``SOURCE_DATE_EPOCH`` is set, the page says
    that date. The file appears when all of it is written; no folder is made for it, and nothing
    that is read is written over.

    Args:
        qrels: The judgments, as ``evaluate`` takes them.
        runs: The runs, as ``compare`` takes them; one is enough.
        path: The file to write; ``-`` is standard output.
        measures: The measures; the report is about the first.
        baseline: The run that the others are compared with; all pairs are if there is none.
        items: What items are called, as ``explain`` takes it.
        queries: What is known of queries, such as their text, as ``evaluate`` takes it.
        weights: What each query weighs in the means, as ``evaluate`` takes it.
        by: Columns of it that make slices.
        gate: What a gate said, to be shown.
        command: The command line, to be shown.
        seed: What the random numbers start from.
        rules: How qrels and run are joined, ranked and averaged.
        threads: How many threads read; as many as there are cores if None.
        progress: What is told how much is read.

    >>> import gainful
    >>> runs = {"old": {"q1": ["d2", "d1"]}, "new": {"q1": ["d1", "d2"]}}
    >>> gainful.write_report({"q1": {"d1": 1}}, runs, "/dev/null").path
    '/dev/null'
    """
    can_write()
    target, date = os.fspath(path), _date(os.environ.get("SOURCE_DATE_EPOCH"))
    can_be_written(target)
    named = named_runs(runs)
    not_over(target, *paths(qrels, named, items, queries))
    found = experiment(
        qrels,
        named,
        measures,
        baseline=baseline,
        items=items,
        queries=queries,
        weights=weights,
        by=by,
        gate=gate,
        command=command,
        seed=seed,
        rules=rules,
        threads=threads,
        progress=progress,
    )
    data = page(found, date=date).encode()
    with written(target) as file:
        file.write(data)
    said = verdict(found)
    text = f"{said.headline} {said.detail}"
    return Report(target, len(data), text, found.notices, found)


def can_write() -> None:
    """An error, before anything is read, where a package is missing that a page takes."""
    for name in _PACKAGES:
        package(name, "report", install="'gainful[report]'")


def _date(epoch: str | None) -> str | None:
    """The day of a number of seconds, if there is one.

    >>> _date("86400")
    '1970-01-02'
    """
    if not epoch:
        return None
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        message = f"SOURCE_DATE_EPOCH: must be a number of seconds, got {epoch!r}."
        raise OutputError(message, code="bad-argument") from None
