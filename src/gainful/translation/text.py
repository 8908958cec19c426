"""What a Rosetta says, as text."""

import math

from gainful import notebook, tables
from gainful.dialects import Dialect
from gainful.notices import lines
from gainful.translation.attributing import Step
from gainful.translation.result import TOLERANCE, Group, Rosetta, is_last_bits
from gainful.wording import count

HEADER = ("value", "difference", "dialects", "what sets them apart")


def rows(found: Rosetta) -> list[list[str]]:
    """A row for each group, as ``HEADER`` has it."""
    return [
        [_number(group.value, ""), _number(group.difference, "+"), members(group), why(group)]
        for group in found.groups
    ]


def members(group: Group) -> str:
    """The dialects of a group; versions of a tool are named with the newest of them.

    >>> import gainful
    >>> both = ["xgboost", "xgboost@1"]
    >>> found = gainful.rosetta({"q": {"a": 1}}, {"q": ["a", "b"]}, dialects=both)
    >>> members(found.groups[0])
    'gainful, xgboost (also @1)'
    """
    tools: dict[str, list[Dialect]] = {}
    for member in group.members:
        tools.setdefault(member.dialect.stem, []).append(member.dialect)
    return ", ".join(map(_folded, tools.values()))


def _folded(versions: list[Dialect]) -> str:
    first, *others = sorted(versions, key=lambda dialect: dialect.version, reverse=True)
    also = ", ".join(dialect.name.removeprefix(dialect.stem) for dialect in others)
    return f"{first} (also {also})" if also else first.name


def why(group: Group) -> str:
    """What sets a group apart from the reference, in a line."""
    if group.refusal:
        return group.refusal
    if group.has_reference:
        return "the reference"
    seen = [step for step in group.steps if not is_last_bits(step, group.value)]
    rest = ["last bits"] if len(seen) < len(group.steps) else []
    return ", ".join([*map(said_of, seen), *rest])


def said_of(step: Step) -> str:
    """The choices of a step, and what they change.

    >>> from gainful.translation.definition import Choice
    >>> said_of(Step((Choice("setting", "gain", "linear", "exp2", "exponential gain"),), -0.0315))
    'exponential gain (-0.0315)'
    """
    made = " together with ".join(choice.meaning for choice in step.choices)
    return f"{made} ({_effect(step.effect)})"


def _effect(effect: float) -> str:
    return f"{effect:+.4f}" if abs(effect) >= 5e-5 else f"{effect:+.1e}"


def _number(value: float, sign: str) -> str:
    return "-" if math.isnan(value) else f"{value:{sign}.6f}"


def title(found: Rosetta) -> str:
    """What was asked."""
    n_dialects = count(len(found.attributions), "dialect", "dialects")
    n_queries = count(found.n_queries, "query", "queries")
    return f"{found.measure} in {n_dialects}, {n_queries}"


def notes(found: Rosetta) -> list[str]:
    """What has to be known to read the table."""
    said = [
        f"Differences are from {found.reference}. Values no more than {TOLERANCE:.7f} apart (times "
        "the value if it is above 1) stand together; what changes less is called last bits.",
    ]
    if refused := found.refused:
        verb = "gives" if len(refused) == 1 else "give"
        said.append(f"{count(len(refused), 'dialect', 'dialects')} {verb} no value.")
    if others := found.left_out:
        said.append(f"Left out, for their tools do not report it: {', '.join(others)}.")
    return said


def markdown(found: Rosetta) -> str:
    """The groups as a table, and notes and notices below it."""
    table = tables.to_markdown(HEADER, rows(found), left=(2, 3))
    listed = [*notes(found), *(f"{notice} `[{notice.code}]`" for notice in found.notices)]
    return f"{table}\n{title(found)}.\n\n" + "".join(f"- {line}\n" for line in listed)


def shown(found: Rosetta) -> str:
    """The groups, a line each."""
    each = (f"{value}  {apart}  {names}: {said}" for value, apart, names, said in rows(found))
    return "\n".join([f"<Rosetta of {found.run!r}: {title(found)}>", *each])


def notebook_html(found: Rosetta) -> str:
    """The groups as a table for notebooks."""
    table = notebook.table(
        HEADER, rows(found), caption=f"{found.run}: {title(found)}", n_text=(2, 3)
    )
    return f"{table}{notebook.notes(notes(found))}{notebook.notices(lines(found.notices))}"
