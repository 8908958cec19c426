"""What every dialect makes of a run, as text."""

import textwrap
from collections.abc import Callable, Iterator

from gainful import tables
from gainful.notices import lines
from gainful.translation.result import Attribution, Rosetta
from gainful.translation.text import notes, rows, title

COLUMNS = ("dialect", "value", "difference", "group", "choices")
_INDENT = " " * 11  # below the difference


def table(found: Rosetta, width: int) -> str:
    """A block for each group: its value, its dialects, and what sets them apart."""
    blocks = "".join(line + "\n" for row in rows(found) for line in _block(row, width))
    return f"{title(found)}, of run {tables.printable(found.run)!r}\n\n{blocks}"


def _block(row: list[str], width: int) -> Iterator[str]:
    value, difference, names, why = map(tables.printable, row)
    head = f"{value:>9}  {difference:>9}  "
    yield from textwrap.wrap(names, width, initial_indent=head, subsequent_indent=" " * len(head))
    yield from textwrap.wrap(why, width, initial_indent=_INDENT, subsequent_indent=_INDENT)


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
