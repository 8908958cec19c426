"""A gate as text: for a terminal, and as Markdown."""

from collections.abc import Sequence

from gainful.base import format_count, format_distinct, format_fixed_difference, format_share
from gainful.gate import PASS, Check, Drop, Evidence, Gate, describe_depth, format_outcome
from gainful.report import text_tables as tables

_MISSED = 20  # pinned queries that missed


def format_gate_text(gate: Gate) -> str:
    """Format the verdict, the checks and the worst queries for a terminal."""
    parts = [gate.sentence]
    for evidence in gate.evidence:
        rows = [[f"  {_format_mark(c)}", c.name, c.sentence] for c in select_checks(gate, evidence)]
        table = tables.to_text([], rows, left=(0, 1, 2))
        parts += ["", format_gate_means(gate, evidence), table.rstrip("\n")]
        parts += [f"  {line}" for line in describe_evidence(evidence)]
        parts += ["", *_format_worst(gate, evidence)]
    parts += ["", f"rules: {gate.rules}", *(notice.line for notice in gate.notices)]
    return "\n".join(parts)


def format_gate_markdown(gate: Gate) -> str:
    """Return the verdict, the checks and the worst queries as Markdown."""
    parts = [f"### gainful gate: {_escape_markdown(gate.sentence)}"]
    for evidence in gate.evidence:
        lines = [
            f"- **{_format_mark(c)}** {c.name}: {_escape_markdown(c.sentence)}"
            for c in select_checks(gate, evidence)
        ]
        parts += ["", f"**{_escape_markdown(format_gate_means(gate, evidence))}**", "", *lines]
        parts += [f"- {_escape_markdown(line)}" for line in describe_evidence(evidence)]
        header, cells = make_worst_cells(gate, gate.worst(measure=evidence.measure))
        if cells:
            escaped = [[_escape_markdown(cell) for cell in row] for row in cells]
            names = [_escape_markdown(name) for name in header]
            parts += ["", _format_title(gate), "", tables.to_markdown(names, escaped).rstrip("\n")]
    parts += ["", f"Rules: `{gate.rules}`"]
    notes = [f"- {_escape_markdown(str(notice))} `[{notice.code}]`" for notice in gate.notices]
    return "\n".join([*parts, *([""] if notes else []), *notes]) + "\n"


def format_gate_means(gate: Gate, evidence: Evidence) -> str:
    """Format a measure and its means on one line."""
    now = f"{tables.make_printable(gate.candidate)} {format_distinct(evidence.candidate)}"
    if evidence.baseline is None or evidence.difference is None:
        return f"{evidence.measure}: {now}"
    before = f"{tables.make_printable(str(gate.baseline))} {format_distinct(evidence.baseline)}"
    difference = format_fixed_difference(evidence.difference)
    return f"{evidence.measure}: {before}, {now}, difference {difference}"


def describe_evidence(evidence: Evidence) -> list[str]:
    """Say which drops the queries can show, and how much is judged."""
    lines = []
    if evidence.detectable:
        n_queries = format_count(evidence.n_queries, "query", "queries")
        lines.append(f"{n_queries} cannot see drops under {format_distinct(evidence.detectable)}.")
    if evidence.judged_before is not None and evidence.judged is not None:
        before, now = format_share(evidence.judged_before), format_share(evidence.judged)
        lines.append(f"judged: {before} of {describe_depth(evidence)} of the baseline, now {now}.")
    elif evidence.judged is not None:
        lines.append(f"judged: {format_share(evidence.judged)} of {describe_depth(evidence)}.")
    return lines


def select_checks(gate: Gate, evidence: Evidence) -> list[Check]:
    """Select the checks of a measure; of pinned queries those that missed, and one line for all."""
    checks = [check for check in gate.checks if check.measure == evidence.measure]
    pinned = [check for check in checks if check.query is not None]
    if not pinned:
        return checks
    missed = [check for check in pinned if not check.passed]
    rest = len(missed) - _MISSED
    summary = f"{len(pinned) - len(missed):,} of {len(pinned):,} pinned queries are within limits."
    if rest > 0:
        summary += f" {rest:,} more that are not are left out here."
    outcome = PASS if not missed else missed[0].outcome
    line = Check("pinned", evidence.measure, outcome, True, summary, {})
    start = checks.index(pinned[0])
    return [*checks[:start], line, *missed[:_MISSED], *checks[start + len(pinned) :]]


def make_worst_cells(gate: Gate, worst: Sequence[Drop]) -> tuple[list[str], list[list[str]]]:
    """Make header and rows of the worst queries; ids come last, so that no line begins with one."""
    if gate.baseline is None:
        return [gate.candidate, "query"], [[format_distinct(d.candidate), d.query] for d in worst]
    header = ["difference", gate.baseline, gate.candidate, "query"]
    return header, [
        [
            format_fixed_difference(d.difference or 0.0),
            format_distinct(d.baseline or 0.0),
            format_distinct(d.candidate),
            d.query,
        ]
        for d in worst
    ]


def _format_worst(gate: Gate, evidence: Evidence) -> list[str]:
    header, cells = make_worst_cells(gate, gate.worst(measure=evidence.measure))
    if not cells:
        return ["No query drops."]
    return [
        _format_title(gate),
        tables.to_text(header, cells, left=(len(header) - 1,)).rstrip("\n"),
    ]


def _format_title(gate: Gate) -> str:
    return "The lowest values:" if gate.baseline is None else "The largest drops:"


def _format_mark(check: Check) -> str:
    return format_outcome(check.outcome) if check.decides else f"({format_outcome(check.outcome)})"


def _escape_markdown(text: str) -> str:
    """Escape text for Markdown."""
    for sign in "\\`*_[]<>&#~":  # tables.to_markdown escapes |
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
