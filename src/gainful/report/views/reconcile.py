"""The values of a run in every dialect, and what sets them apart."""

import math

from gainful.base import format_count, format_setting
from gainful.diagnostics import format_notice_lines
from gainful.dialects import Dialect
from gainful.evaluation import (
    TOLERANCE,
    Attribution,
    Group,
    Reconciliation,
    Step,
    is_last_bits,
    list_shown_groups,
)
from gainful.report.tables import Column, Table
from gainful.report.view import View

HEADER = ("value", "difference", "dialects", "what sets them apart")
_KINDS = (float, float, str, str)


def make_group_row(group: Group) -> list[str]:
    """Make the row of a group, with the columns of ``HEADER``."""
    return [
        _format_number(group.value, ""),
        _format_number(group.difference, "+"),
        format_members(group),
        explain_group(group),
    ]


def format_members(group: Group) -> str:
    """Format the dialects of a group; older versions of a tool follow the newest of them.

    >>> import gainful
    >>> both = ["xgboost", "xgboost@1"]
    >>> found = gainful.reconcile({"q": {"a": 1}}, {"q": ["a", "b"]}, dialects=both)
    >>> format_members(found.groups[0])
    'gainful, xgboost (also @1)'
    """
    tools: dict[str, list[Dialect]] = {}
    for member in group.members:
        tools.setdefault(member.dialect.stem, []).append(member.dialect)
    return ", ".join(map(_format_versions, tools.values()))


def _format_versions(versions: list[Dialect]) -> str:
    first, *older = sorted(versions, key=lambda dialect: dialect.version, reverse=True)
    also = ", ".join(dialect.name.removeprefix(dialect.stem) for dialect in older)
    return f"{first} (also {also})" if also else first.name


def explain_group(group: Group) -> str:
    """Say in one line what sets a group apart from the reference."""
    if group.refusal:
        return group.refusal
    if group.has_reference:
        return "the reference"
    return describe_attribution(group.simplest)


def describe_attribution(result: Attribution) -> str:
    """Say in one line what turns the reference's value into this one."""
    visible_steps = [step for step in result.steps if not is_last_bits(step, result.value)]
    rest = ["last bits"] if len(visible_steps) < len(result.steps) else []
    return ", ".join([*map(describe_step, visible_steps), *rest])


def describe_step(step: Step) -> str:
    """Describe the choices of a step, and their effect.

    >>> from gainful.evaluation.definitions import Choice
    >>> choice = Choice("setting", "gain", "linear", "exp2", "exponential gain")
    >>> describe_step(Step((choice,), -0.0315))
    'exponential gain (-0.0315)'
    """
    meanings = " together with ".join(choice.meaning for choice in step.choices)
    return f"{meanings} ({_format_effect(step.effect)})"


def _format_effect(effect: float) -> str:
    return f"{effect:+.4f}" if abs(effect) >= 5e-5 else f"{effect:+.1e}"


def _format_number(value: float, sign: str) -> str:
    return "-" if math.isnan(value) else f"{value:{sign}.6f}"


def format_title(result: Reconciliation) -> str:
    """Return the measure, the number of dialects, the rules and the number of queries."""
    n_dialects = format_count(len(result.attributions), "dialect", "dialects")
    n_queries = format_count(result.n_queries, "query", "queries")
    set_to = ", ".join(f"{name}={format_setting(value)}" for name, value in result.rules.items())
    settings = f" with {set_to}" if set_to else ""
    return f"{result.measure} in {n_dialects}{settings}, {n_queries}"


def summarize_reconciliation(result: Reconciliation, run: str = "") -> str:
    """Say in a sentence how far the values lie apart, or how two dialects differ.

    Args:
        result: What there is to say.
        run: What to call the run (default its name in quotes).

    >>> import gainful
    >>> qrels, run = {"q1": {"a": 3, "b": 1}}, {"q1": ["b", "a"]}
    >>> print(summarize_reconciliation(gainful.reconcile(qrels, run, dialects=["lightgbm"])))
    lightgbm 0.709810, gainful 0.796708: exponential gain (-0.0869).
    >>> both = gainful.reconcile(qrels, run, dialects=["lightgbm", "rectools"])
    >>> print(summarize_reconciliation(both))
    nDCG@10 of 'run' is 0.3590 to 0.7967, depending on whose definition; yours (gainful) is 0.7967.
    """
    values = [group.value for group in list_shown_groups(result) if not group.refusal]
    subject = f"{result.measure} of {run or repr(result.run)}"
    if not values:
        return f"{subject} has no value in any dialect."
    if (other := find_other_dialect(result)) is not None:
        phrases = describe_attribution(other) or "equal"
        values_of_both = f"{other.dialect} {other.value:.6f}, {result.reference} {result.value:.6f}"
        return f"{values_of_both}: {phrases}."
    if len(values) == 1:
        whose = " that has a value" if result.refused else ""
        return f"{subject} is {values[0]:.4f} by every definition{whose}."
    low, high, reference_value = _format_distinct(min(values), max(values), result.value)
    yours = f"yours ({result.reference}) is {reference_value}"
    return f"{subject} is {low} to {high}, depending on whose definition; {yours}."


def find_other_dialect(result: Reconciliation) -> Attribution | None:
    """Find the dialect compared with the reference, if there is just one and both have a value."""
    attributions = [
        item for item in result.attributions.values() if item.dialect != result.reference
    ]
    return attributions[0] if len(attributions) == 1 and not result.refused else None


def _format_distinct(low: float, high: float, reference: float) -> list[str]:
    """Format the numbers with enough decimals to distinguish the first two."""
    digits = next((n for n in (4, 6) if f"{low:.{n}f}" != f"{high:.{n}f}"), 8)
    return [f"{value:.{digits}f}" for value in (low, high, reference)]


def list_reading_notes(result: Reconciliation) -> list[str]:
    """Return the notes that a reader of the table needs."""
    phrases = [
        f"Differences are from {result.reference}. Values no more than {TOLERANCE:.7f} apart "
        "(times the value if it is above 1) stand together; what changes less is called last bits.",
    ]
    if refused := result.refused:
        verb = "gives" if len(refused) == 1 else "give"
        phrases.append(f"{format_count(len(refused), 'dialect', 'dialects')} {verb} no value.")
    if result.older:
        lines = ", ".join(f"{name} {_format_short(result[name].value)}" for name in result.older)
        phrases.append(
            f"Older versions that differ: {lines}; gainful reconcile --versions shows them as rows."
        )
    if left_out := result.left_out:
        phrases.append(f"Left out, for their tools do not report it: {', '.join(left_out)}.")
    return phrases


def _format_short(value: float) -> str:
    return "no value" if math.isnan(value) else f"{value:.4f}"


def view_reconciliation(result: Reconciliation) -> View:
    """Show a row for each group of dialects: its value, and what sets it apart.

    Two dialects take one sentence.
    """
    is_pair = find_other_dialect(result) is not None
    return View(
        title=f"Reconciliation of {result.run!r}: {format_title(result)}",
        headline=[
            f"{format_title(result)}, of run {result.run!r}",
            summarize_reconciliation(result),
        ],
        tables=lambda: () if is_pair else [_make_group_table(result)],
        data=lambda: _make_data(result),
        content=result.to_dict,
        settings=list_reading_notes(result),
        notices=format_notice_lines(result.notices),
    )


def _make_group_table(result: Reconciliation) -> Table:
    groups = list_shown_groups(result)
    columns = [Column(name, kind, str) for name, kind in zip(HEADER, _KINDS, strict=True)]
    styles = {(i, 0): "best" for i, group in enumerate(groups) if group.has_reference}
    return Table(columns, [make_group_row(group) for group in groups], styles=styles)


def _make_data(result: Reconciliation) -> Table:
    """Make a row for each dialect."""
    place = {name: i for i, group in enumerate(result.groups, 1) for name in group.names}
    rows = [
        [name, a.value, a.value - result.value, place[name], _format_steps(a)]
        for name, a in result.attributions.items()
    ]
    columns = [Column("dialect"), Column("value", float), Column("difference", float)]
    return Table([*columns, Column("group", int), Column("choices")], rows)


def _format_steps(result: Attribution) -> str:
    """Join the choices by name with their effects; those made together are joined by +."""
    phrases = (f"{'+'.join(map(str, step.choices))}({step.effect:+.6g})" for step in result.steps)
    return " ".join(phrases) or result.refusal or "-"
