"""What other tools would say of the run, and which choices make the difference."""

from collections.abc import Sequence
from typing import Any

from gainful.experiment.result import Experiment
from gainful.report.page.parts import TEXT, Cell, Column, Section, Table, table
from gainful.report.page.words import minus, named
from gainful.translation.grouping import shown_groups
from gainful.translation.result import Group, Rosetta
from gainful.translation.text import in_short, notes, row

_UNFOLDED = 8  # rows, so that a screen holds them
_COLUMNS = (
    Column("dialects", TEXT),
    Column("value"),
    Column("difference"),
    Column("what sets them apart", TEXT),
)


def section(experiment: Experiment) -> Section:
    """The values of all dialects, in groups: those that tell most, and all of them folded."""
    found = experiment.rosetta
    values = {"why_not": experiment.no_rosetta} if found is None else _values(found)
    return Section("rosetta", "What other tools would say", values)


def _values(found: Rosetta) -> dict[str, Any]:
    groups = shown_groups(found)
    main = main_groups(groups)
    every = f"{found.measure} by every tool's definition"
    some = f"{found.measure} by the definitions that most tools share, the highest and the lowest"
    folded = len(main) < len(groups)
    return {
        "why_not": "",
        "lead": in_short(found, named(found.run)),
        "table": _table("rosetta-table", some if folded else every, main),
        "all": _table("rosetta-all", every, groups) if folded else None,
        "n_definitions": sum(len(group.members) for group in groups),
        "note": " ".join(notes(found)),
    }


def main_groups(groups: Sequence[Group]) -> list[Group]:
    """That of the reference, the highest, the lowest, and the largest of the others, in order."""
    own = [group for group in groups if group.has_reference]
    valued = [group for group in groups if not group.refusal]
    largest = sorted(groups, key=lambda group: -len(group.members))
    first = list(dict.fromkeys([*own, *valued[:1], *valued[-1:], *largest]))[:_UNFOLDED]
    return [group for group in groups if group in first]


def _table(name: str, caption: str, groups: Sequence[Group]) -> Table:
    return table(name, caption, _COLUMNS, [_cells(group) for group in groups])


def _cells(group: Group) -> list[str | Cell]:
    value, apart, names, why = row(group)
    mark = "yours" if group.has_reference else ""
    return [Cell(names, mark), value, apart, minus(why)]
