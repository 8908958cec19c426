"""What a Rosetta says, as text."""

import math

from gainful import notebook, tables
from gainful.dialects import Dialect
from gainful.notices import lines
from gainful.settings import text_of
from gainful.translation.attributing import Step
from gainful.translation.grouping import shown_groups
from gainful.translation.result import TOLERANCE, Attribution, Group, Rosetta, is_last_bits
from gainful.wording import count

HEADER = ("value", "difference", "dialects", "what sets them apart")


def rows(found: Rosetta) -> list[list[str]]:
    """A row for each group that is shown, as ``HEADER`` has it."""
    return [row(group) for group in shown_groups(found)]


def row(group: Group) -> list[str]:
    """A group, as ``HEADER`` has it."""
    return [_number(group.value, ""), _number(group.difference, "+"), members(group), why(group)]


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
    return said_of_all(group.simplest)


def said_of_all(found: Attribution) -> str:
    """What turns the value of the reference into this one, in a line."""
    seen = [step for step in found.steps if not is_last_bits(step, found.value)]
    rest = ["last bits"] if len(seen) < len(found.steps) else []
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
    set_to = ", ".join(f"{name}={text_of(value)}" for name, value in found.rules.items())
    held = f" with {set_to}" if set_to else ""
    return f"{found.measure} in {n_dialects}{held}, {n_queries}"


def in_short(found: Rosetta, run: str = "") -> str:
    """How far the values lie apart, in a sentence; of two dialects, which choices they differ in.

    Args:
        found: What there is to say.
        run: What to call the run (default its name in quotes).

    >>> import gainful
    >>> qrels, run = {"q1": {"a": 3, "b": 1}}, {"q1": ["b", "a"]}
    >>> print(in_short(gainful.rosetta(qrels, run, dialects=["lightgbm"])))
    lightgbm 0.709810, gainful 0.796708: exponential gain (-0.0869).
    >>> print(in_short(gainful.rosetta(qrels, run, dialects=["lightgbm", "rectools"])))
    nDCG@10 of 'run' is 0.3590 to 0.7967, depending on whose definition; yours (gainful) is 0.7967.
    """
    values = [group.value for group in shown_groups(found) if not group.refusal]
    of = f"{found.measure} of {run or repr(found.run)}"
    if not values:
        return f"{of} has no value in any dialect."
    if (other := the_other(found)) is not None:
        said = said_of_all(other) or "equal"
        both = f"{other.dialect} {other.value:.6f}, {found.reference} {found.value:.6f}"
        return f"{both}: {said}."
    if len(values) == 1:
        whose = " that has a value" if found.refused else ""
        return f"{of} is {values[0]:.4f} by every definition{whose}."
    low, high, own = _told_apart(min(values), max(values), found.value)
    yours = f"yours ({found.reference}) is {own}"
    return f"{of} is {low} to {high}, depending on whose definition; {yours}."


def the_other(found: Rosetta) -> Attribution | None:
    """The one that is compared with the reference, if there is just one and both have a value."""
    others = [one for one in found.attributions.values() if one.dialect != found.reference]
    return others[0] if len(others) == 1 and not found.refused else None


def _told_apart(low: float, high: float, own: float) -> list[str]:
    """The numbers, with as many decimals as tell the first two apart."""
    digits = next((n for n in (4, 6) if f"{low:.{n}f}" != f"{high:.{n}f}"), 8)
    return [f"{value:.{digits}f}" for value in (low, high, own)]


def notes(found: Rosetta) -> list[str]:
    """What has to be known to read the table."""
    said = [
        f"Differences are from {found.reference}. Values no more than {TOLERANCE:.7f} apart (times "
        "the value if it is above 1) stand together; what changes less is called last bits.",
    ]
    if refused := found.refused:
        verb = "gives" if len(refused) == 1 else "give"
        said.append(f"{count(len(refused), 'dialect', 'dialects')} {verb} no value.")
    if found.older:
        each = ", ".join(f"{name} {_short(found[name].value)}" for name in found.older)
        said.append(
            f"Older versions that differ: {each}; gainful rosetta --versions shows them as rows."
        )
    if others := found.left_out:
        said.append(f"Left out, for their tools do not report it: {', '.join(others)}.")
    return said


def _short(value: float) -> str:
    return "no value" if math.isnan(value) else f"{value:.4f}"


def markdown(found: Rosetta) -> str:
    """The groups as a table, and notes and notices below it."""
    table = tables.to_markdown(HEADER, rows(found), left=(2, 3))
    listed = [*notes(found), *(f"{notice} `[{notice.code}]`" for notice in found.notices)]
    return f"{table}\n{title(found)}. {in_short(found)}\n\n" + "".join(
        f"- {line}\n" for line in listed
    )


def shown(found: Rosetta) -> str:
    """The groups, a line each."""
    each = (f"{value}  {apart}  {names}: {said}" for value, apart, names, said in rows(found))
    return "\n".join([f"<Rosetta of {found.run!r}: {title(found)}>", *each])


def notebook_html(found: Rosetta) -> str:
    """The groups as a table for notebooks."""
    table = notebook.table(
        HEADER, rows(found), caption=f"{found.run}: {title(found)}", n_text=(2, 3)
    )
    said = notebook.notes([in_short(found), *notes(found)])
    return f"{table}{said}{notebook.notices(lines(found.notices))}"
