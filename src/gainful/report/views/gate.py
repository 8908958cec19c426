"""A gate: the verdict, the checks and the worst queries."""

from collections.abc import Sequence

from gainful.base import format_count, format_difference, format_distinct, format_percent
from gainful.gate import FAIL, PASS, Check, Evidence, Gate, describe_depth, format_outcome
from gainful.report.tables import Column, Table, make_printable
from gainful.report.view import View

_MISSED = 20  # pinned queries that missed
_WORST = ("The largest drops:", "The lowest values:")
_STYLES = {PASS: "better", FAIL: "worse"}


def view_gate(gate: Gate) -> View:
    """Show the verdict, the checks of every measure and the queries that dropped most."""
    tables: list[Table] = []
    for evidence in gate.evidence:
        tables.append(_make_check_table(gate, evidence))
        tables += _make_worst_table(gate, evidence)
    several = len(gate.evidence) > 1
    return View(
        headline=[gate.sentence],
        tables=lambda: tables,
        data=lambda: _make_data(gate),
        content=gate.to_dict,
        closing=[
            *([] if any(t.title in _WORST for t in tables) else ["No query drops."]),
            *(
                f"{evidence.measure}: {line}" if several else line
                for evidence in gate.evidence
                for line in describe_evidence(evidence)
            ),
        ],
        settings=[f"rules: {gate.rules}"],
        notices=[notice.line for notice in gate.notices],
    )


def _make_check_table(gate: Gate, evidence: Evidence) -> Table:
    checks = select_checks(gate, evidence)
    rows = [[_format_mark(check), check.name, check.sentence] for check in checks]
    styles = {
        (i, 0): _STYLES.get(check.outcome, "muted") if check.decides else "muted"
        for i, check in enumerate(checks)
    }
    columns = [Column("outcome"), Column("check"), Column("finding")]
    return Table(columns, rows, format_gate_means(gate, evidence), has_header=False, styles=styles)


def format_gate_means(gate: Gate, evidence: Evidence) -> str:
    """Format a measure and its means on one line."""
    now = f"{make_printable(gate.candidate)} {format_distinct(evidence.candidate)}"
    if evidence.baseline is None or evidence.difference is None:
        return f"{evidence.measure}: {now}"
    before = f"{make_printable(str(gate.baseline))} {format_distinct(evidence.baseline)}"
    difference = format_difference(evidence.difference)
    return f"{evidence.measure}: {before}, {now}, difference {difference}"


def describe_evidence(evidence: Evidence) -> list[str]:
    """Say which drops the queries can show, and how much is judged."""
    lines = []
    if evidence.detectable:
        n_queries = format_count(evidence.n_queries, "query", "queries")
        lines.append(f"{n_queries} cannot see drops under {format_distinct(evidence.detectable)}.")
    if evidence.judged_before is not None and evidence.judged is not None:
        before, now = format_percent(evidence.judged_before), format_percent(evidence.judged)
        lines.append(f"judged: {before} of {describe_depth(evidence)} of the baseline, now {now}.")
    elif evidence.judged is not None:
        lines.append(f"judged: {format_percent(evidence.judged)} of {describe_depth(evidence)}.")
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


def _make_worst_table(gate: Gate, evidence: Evidence) -> Sequence[Table]:
    """Make a row for every query that dropped most; ids come last, so that no line begins so."""
    drops = gate.worst(measure=evidence.measure)
    if not drops:
        return []
    if gate.baseline is None:
        columns = [Column(gate.candidate, float, format_distinct), Column("query")]
        return [Table(columns, [[d.candidate, d.query] for d in drops], _WORST[1])]
    columns = [Column("difference", float, format_difference)]
    columns += [Column(name, float, format_distinct) for name in (gate.baseline, gate.candidate)]
    rows = [[d.difference, d.baseline, d.candidate, d.query] for d in drops]
    return [Table([*columns, Column("query")], rows, _WORST[0])]


def _format_mark(check: Check) -> str:
    return format_outcome(check.outcome) if check.decides else f"({format_outcome(check.outcome)})"


def _make_data(gate: Gate) -> Table:
    """Make a row for every check."""
    columns = [Column("measure"), Column("check"), Column("query"), Column("outcome")]
    columns += [Column("decides", bool), Column("finding")]
    rows = [
        [str(c.measure), c.name, c.query, c.outcome, c.decides, c.sentence] for c in gate.checks
    ]
    return Table(columns, rows)
