"""What every dialect makes of a run, as text."""

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from gainful import tables
from gainful.notices import lines
from gainful.translation.grouping import shown_groups
from gainful.translation.result import Attribution, Group, Rosetta
from gainful.translation.text import in_short, notes, row, the_other, title

COLUMNS = ("dialect", "value", "difference", "group", "choices")
_INDENT = " " * 12  # below the difference


def table(found: Rosetta, width: int) -> str:
    """A block for each group: its value, its dialects, and what sets them apart.

    Two dialects take a sentence.
    """
    short = "\n".join(_wrapped(tables.printable(in_short(found)), width))
    groups = shown_groups(found) if the_other(found) is None else ()
    blocks = "\n".join(line for group in groups for line in _block(group, width))
    head = f"{title(found)}, of run {tables.printable(found.run)!r}\n{short}\n"
    return f"{head}\n{blocks}\n" if blocks else head


def _block(group: Group, width: int) -> Iterator[str]:
    value, difference, names, why = map(tables.printable, row(group))
    mark = ">" if group.has_reference else " "
    head = f"{mark} {value:>8}  {difference:>9}  "
    yield from _wrapped(names, width, head, " " * len(head))
    yield from _wrapped(why, width, _INDENT, _INDENT)


def _wrapped(text: str, width: int, first: str = "", indent: str = "") -> list[str]:
    """Lines that break between words, never within the name of a dialect."""
    how: Any = {"initial_indent": first, "subsequent_indent": indent, "break_on_hyphens": False}
    return textwrap.wrap(text, width, **how)


def tsv(found: Rosetta, _: int) -> str:
    """Tab-separated values at full precision, a line for each dialect, for pipes."""
    place = {name: i for i, group in enumerate(found.groups, 1) for name in group.names}
    each = [
        [name, repr(one.value), repr(one.value - found.value), str(place[name]), _steps(one)]
        for name, one in found.attributions.items()
    ]
    return tables.to_tsv([COLUMNS, *each])


def _steps(found: Attribution) -> str:
    """The choices by name with what they change; those that are made together joined by +."""
    said = (f"{'+'.join(map(str, step.choices))}({step.effect:+.6g})" for step in found.steps)
    return " ".join(said) or found.refusal or "-"


def as_json(found: Rosetta, _: int) -> str:
    """Everything there is, at full precision."""
    return found.to_json() + "\n"


def markdown(found: Rosetta, _: int) -> str:
    """A Markdown table, with notes and notices."""
    return found.to_markdown()


OUTPUTS: dict[str, Callable[[Rosetta, int], str]] = {
    "table": table,
    "tsv": tsv,
    "json": as_json,
    "markdown": markdown,
}


def footnotes(found: Rosetta) -> list[str]:
    """What has to be known to read the table, and every notice once."""
    return [*notes(found), *lines(found.notices)]
