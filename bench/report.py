"""The report of what was measured: Markdown whose tables read well as they are."""

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
_OF_PROCESSES = ("CPU seconds", "peak MB")
_RULES = (
    "Every contender is a process of its own, measured from start to end unless said otherwise; "
    "they take turns, and the files are in the page cache. What computes the same value agrees "
    "within 1e-9."
)


@dataclass(frozen=True)
class Section:
    """A group that was measured.

    Attributes:
        group: What was to be measured.
        found: What was.
        skipped: Sentences on what could not be measured.
    """

    group: Group
    found: Outcomes
    skipped: Sequence[str]


@dataclass(frozen=True)
class Findings:
    """All contents of a report.

    Attributes:
        command: What was typed.
        load: How many processes ran or waited on the machine before it, averaged over a minute.
        sections: In the order of the report.
        left_out: Names of the groups that were not measured.
    """

    command: str
    load: float
    sections: Sequence[Section]
    left_out: Sequence[str]


def format_report(found: Findings) -> str:
    """Return the whole report."""
    contenders = [one.contender for part in found.sections for one in part.found.values()]
    parts = [
        "# Results of the benchmark",
        f"Written by `{found.command}`. Read the ratios; seconds and megabytes are for scale.",
        "\n".join(f"- {fact}" for fact in (*describe_machine(contenders, found.load), _COLUMNS)),
        _RULES,
        "## Summary",
        _format_summary(found.sections),
    ]
    if found.left_out:
        missing = " ".join(found.left_out)
        parts.append(f"Not measured here: `python -m bench {missing}`.")
    return (
        "\n\n".join([*parts, *(part for one in found.sections for part in _format_section(one))])
        + "\n"
    )


def _format_summary(sections: Iterable[Section]) -> str:
    rows = [figure.format_row(one.found) for one in sections for figure in one.group.figures]
    return _format_table([["figure", "target", "measured", "met?"], *rows])


def _format_section(one: Section) -> list[str]:
    """Return heading, text, table, and what is missing from it."""
    table = [_format_outcomes(one.found, base=one.group.base)] if one.found else []
    return [f"## {one.group.title}", one.group.text, *table, *one.skipped]


def _format_outcomes(several: Outcomes, *, base: str) -> str:
    """Return a line per contender, the base's ratio being 1, without columns that are empty."""
    against = several.get(base, next(iter(several.values())))
    more = list(dict.fromkeys(name for one in several.values() for name in one.further))
    more = [name for name in more if name not in _OF_PROCESSES]
    header = [
        *("contender", "time", "seconds", "range", *_OF_PROCESSES, *more),
        *("run MB", "runs", "value"),
    ]
    rows = [header, *(_format_row(one, against, more) for one in several.values())]
    said = [column for column in zip(*rows, strict=True) if set(column[1:]) != {"-"}]
    return _format_table(list(zip(*said, strict=True)))


def _format_row(one: Outcome, base: Outcome, more: Sequence[str]) -> list[str]:
    collection = one.contender.collection
    return [
        one.contender.name,
        f"{one.seconds / base.seconds:.2f}",
        f"{one.seconds:.3f}",
        f"{one.times[0]:.3f}-{one.times[-1]:.3f}",
        *_format_process(one),
        *(_format_number(one.further.get(name)) for name in more),
        f"{collection.run_mb:,.1f}" if collection else "-",
        str(len(one.samples)),
        "-" if math.isnan(one.value) else f"{one.value:.10f}",
    ]


def _format_process(one: Outcome) -> list[str]:
    """Return CPU seconds and peak; where it is timed inside, those that it prints itself."""
    if one.contender.clock is None:
        return [f"{one.cpu_seconds:.3f}", _format_peak(one)]
    return [_format_number(one.further.get(name)) for name in _OF_PROCESSES]


def _format_number(number: float | None) -> str:
    if number is None or math.isnan(number):
        return "-"
    return (
        f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 1 else f"{number:.3f}"
    )


def _format_peak(one: Outcome) -> str:
    # Of a smaller process than the one that started it, no more is known than that.
    known = one.peak_mb > get_least_peak_mb()
    return f"{one.peak_mb:.0f}" if known else f"< {one.peak_mb:.0f}"


def _format_table(rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    cells = [
        [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
        for row in (rows[0], rule, *rows[1:])
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)
