"""The report of the benchmark, in Markdown whose tables read well as plain text."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.groups import Group
from bench.machine import describe_machine
from bench.process import get_least_peak_mb
from bench.rounds import Outcome, Outcomes

_COLUMNS = (
    "columns: time is that of the contender in that of the one which has 1.00; seconds and CPU "
    "seconds (of all threads) are medians of the runs, range is the fastest and the slowest run, "
    "peak is the median of the most memory resident at once"
)
_PROCESS_COLUMNS = ("CPU seconds", "peak MB")
_RULES = (
    "Every contender is a process of its own, measured from start to end unless said otherwise; "
    "they take turns, and the files are in the page cache. What computes the same value agrees "
    "within 1e-9."
)


@dataclass(frozen=True)
class Section:
    """A group and its measurements.

    Attributes:
        group: Group that was measured.
        outcomes: Outcomes of the contenders that could run.
        skip_messages: Messages on the contenders that could not run.
    """

    group: Group
    outcomes: Outcomes
    skip_messages: Sequence[str]


@dataclass(frozen=True)
class Findings:
    """All contents of a report.

    Attributes:
        command: Command line of the benchmark.
        load: Load average of the minute before the start.
        sections: Sections in the order of the report.
        omitted_groups: Names of the groups that were not measured.
    """

    command: str
    load: float
    sections: Sequence[Section]
    omitted_groups: Sequence[str]


def format_report(findings: Findings) -> str:
    """Return the whole report as Markdown."""
    contenders = [
        outcome.contender for section in findings.sections for outcome in section.outcomes.values()
    ]
    paragraphs = [
        "# Results of the benchmark",
        f"Written by `{findings.command}`. Read the ratios; seconds and megabytes are for scale.",
        "\n".join(f"- {fact}" for fact in (*describe_machine(contenders, findings.load), _COLUMNS)),
        _RULES,
        "## Summary",
        _format_summary(findings.sections),
    ]
    if findings.omitted_groups:
        missing = " ".join(findings.omitted_groups)
        paragraphs.append(f"Not measured here: `python -m bench {missing}`.")
    for section in findings.sections:
        paragraphs.extend(_format_section(section))
    return "\n\n".join(paragraphs) + "\n"


def _format_summary(sections: Iterable[Section]) -> str:
    rows = [
        figure.format_row(section.outcomes)
        for section in sections
        for figure in section.group.figures
    ]
    return _format_table([["figure", "target", "measured", "met?"], *rows])


def _format_section(section: Section) -> list[str]:
    """Return heading, text, table, and the messages on skipped contenders."""
    group, outcomes = section.group, section.outcomes
    table = [_format_outcomes(outcomes, base=group.base)] if outcomes else []
    return [f"## {group.title}", group.text, *table, *section.skip_messages]


def _format_outcomes(outcomes: Outcomes, *, base: str) -> str:
    """Return a table of one row per contender, relative to the base, without empty columns."""
    reference = outcomes.get(base, next(iter(outcomes.values())))
    names = dict.fromkeys(name for item in outcomes.values() for name in item.extra_numbers)
    extra = [name for name in names if name not in _PROCESS_COLUMNS]
    header = [
        *("contender", "time", "seconds", "range", *_PROCESS_COLUMNS, *extra),
        *("run MB", "runs", "value"),
    ]
    rows = [header, *(_format_row(item, reference, extra) for item in outcomes.values())]
    columns = [column for column in zip(*rows, strict=True) if set(column[1:]) != {"-"}]
    return _format_table(list(zip(*columns, strict=True)))


def _format_row(outcome: Outcome, base: Outcome, extra: Sequence[str]) -> list[str]:
    collection = outcome.contender.collection
    return [
        outcome.contender.name,
        f"{outcome.seconds / base.seconds:.2f}",
        f"{outcome.seconds:.3f}",
        f"{outcome.times[0]:.3f}-{outcome.times[-1]:.3f}",
        *_format_process(outcome),
        *(_format_number(outcome.extra_numbers.get(name)) for name in extra),
        f"{collection.run_mb:,.1f}" if collection else "-",
        str(len(outcome.samples)),
        "-" if math.isnan(outcome.value) else f"{outcome.value:.10f}",
    ]


def _format_process(outcome: Outcome) -> list[str]:
    """Return CPU seconds and peak; a task timed inside its process prints them itself."""
    if outcome.contender.clock is None:
        return [f"{outcome.cpu_seconds:.3f}", _format_peak(outcome)]
    return [_format_number(outcome.extra_numbers.get(name)) for name in _PROCESS_COLUMNS]


def _format_number(number: float | None) -> str:
    if number is None or math.isnan(number):
        return "-"
    return (
        f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 1 else f"{number:.3f}"
    )


def _format_peak(outcome: Outcome) -> str:
    # The peak of a process that is smaller than its parent cannot be measured.
    is_known = outcome.peak_mb > get_least_peak_mb()
    return f"{outcome.peak_mb:.0f}" if is_known else f"< {outcome.peak_mb:.0f}"


def _format_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with the first column left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    cells = [
        [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
        for row in (rows[0], rule, *rows[1:])
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)
