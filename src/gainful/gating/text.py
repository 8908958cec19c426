"""A gate as text: for a terminal, and as Markdown."""

from collections.abc import Sequence

from gainful import tables
from gainful.gating.coverage import looked_at
from gainful.gating.digits import share, signed, told
from gainful.gating.result import PASS, Check, Drop, Gate, Gated, mark
from gainful.wording import count

_MISSED = 20  # pinned queries that missed


def text(gate: Gate) -> str:
    """The verdict, the checks of every measure and the worst queries, for a terminal."""
    parts = [gate.sentence]
    for gated in gate.gated:
        rows = [[f"  {_mark(c)}", c.name, c.sentence] for c in shown(gate, gated)]
        table = tables.to_text([], rows, left=(0, 1, 2))
        parts += ["", headline(gate, gated), table.rstrip("\n")]
        parts += [f"  {line}" for line in about(gated)]
        parts += ["", *_worst(gate, gated)]
    parts += ["", f"rules: {gate.rules}", *(notice.line for notice in gate.notices)]
    return "\n".join(parts)


def markdown(gate: Gate) -> str:
    """The same as Markdown."""
    parts = [f"### gainful gate: {_escaped(gate.sentence)}"]
    for gated in gate.gated:
        lines = [f"- **{_mark(c)}** {c.name}: {_escaped(c.sentence)}" for c in shown(gate, gated)]
        parts += ["", f"**{_escaped(headline(gate, gated))}**", "", *lines]
        parts += [f"- {_escaped(line)}" for line in about(gated)]
        header, cells = worst_cells(gate, gate.worst(measure=gated.measure))
        if cells:
            escaped = [[_escaped(cell) for cell in row] for row in cells]
            names = [_escaped(name) for name in header]
            parts += ["", _title(gate), "", tables.to_markdown(names, escaped).rstrip("\n")]
    parts += ["", f"Rules: `{gate.rules}`"]
    notes = [f"- {_escaped(str(notice))} `[{notice.code}]`" for notice in gate.notices]
    return "\n".join([*parts, *([""] if notes else []), *notes]) + "\n"


def headline(gate: Gate, gated: Gated) -> str:
    """A measure and its means, on one line."""
    now = f"{tables.printable(gate.candidate)} {told(gated.candidate)}"
    if gated.baseline is None or gated.difference is None:
        return f"{gated.measure}: {now}"
    before = f"{tables.printable(str(gate.baseline))} {told(gated.baseline)}"
    return f"{gated.measure}: {before}, {now}, difference {signed(gated.difference)}"


def about(gated: Gated) -> list[str]:
    """What so many queries can show, and how much is judged."""
    lines = []
    if gated.detectable:
        n_queries = count(gated.n_queries, "query", "queries")
        lines.append(f"{n_queries} cannot see drops under {told(gated.detectable)}.")
    if gated.judged_before is not None and gated.judged is not None:
        before, now = share(gated.judged_before), share(gated.judged)
        lines.append(f"judged: {before} of {looked_at(gated)} of the baseline, now {now}.")
    elif gated.judged is not None:
        lines.append(f"judged: {share(gated.judged)} of {looked_at(gated)}.")
    return lines


def shown(gate: Gate, gated: Gated) -> list[Check]:
    """The checks of a measure; of pinned queries those that missed, or one line for all."""
    own = [check for check in gate.checks if check.measure == gated.measure]
    pinned = [check for check in own if check.query is not None]
    if not pinned:
        return own
    missed = [check for check in pinned if not check.passed]
    rest = len(missed) - _MISSED
    summary = f"{len(pinned) - len(missed):,} of {len(pinned):,} pinned queries are within limits."
    if rest > 0:
        summary += f" {rest:,} more that are not are left out here."
    outcome = PASS if not missed else missed[0].outcome
    line = Check("pinned", gated.measure, outcome, True, summary, {})
    at = own.index(pinned[0])
    return [*own[:at], line, *missed[:_MISSED], *own[at + len(pinned) :]]


def worst_cells(gate: Gate, worst: Sequence[Drop]) -> tuple[list[str], list[list[str]]]:
    """The worst queries, as a header and rows; ids come last, so that no line begins with one."""
    if gate.baseline is None:
        return [gate.candidate, "query"], [[told(d.candidate), d.query] for d in worst]
    header = ["difference", gate.baseline, gate.candidate, "query"]
    return header, [
        [signed(d.difference or 0.0), told(d.baseline or 0.0), told(d.candidate), d.query]
        for d in worst
    ]


def _worst(gate: Gate, gated: Gated) -> list[str]:
    header, cells = worst_cells(gate, gate.worst(measure=gated.measure))
    if not cells:
        return ["No query drops."]
    return [_title(gate), tables.to_text(header, cells, left=(len(header) - 1,)).rstrip("\n")]


def _title(gate: Gate) -> str:
    return "The lowest values:" if gate.baseline is None else "The largest drops:"


def _mark(check: Check) -> str:
    return mark(check.outcome) if check.decides else f"({mark(check.outcome)})"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    for sign in "\\`*_[]<>&#~":  # tables.to_markdown escapes |
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
