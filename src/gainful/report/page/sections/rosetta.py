"""What other tools would say of the run, and which choices make the difference."""

from gainful.experiment.result import Experiment
from gainful.report.page.parts import TEXT, Column, Section, Table, table
from gainful.report.page.words import minus, named
from gainful.translation.result import Rosetta
from gainful.translation.text import in_short, notes, rows


def section(experiment: Experiment) -> Section:
    """The values of all dialects, in groups."""
    found = experiment.rosetta
    values = {
        "table": None if found is None else _table(found),
        "run": None if found is None else named(found.run),
        "measure": str(experiment.measures[0]),
        "notes": [] if found is None else [in_short(found), *notes(found)],
        "why_not": experiment.no_rosetta,
    }
    return Section("rosetta", "What other tools would say", values)


def _table(found: Rosetta) -> Table:
    cells = [[names, value, apart, minus(why)] for value, apart, names, why in rows(found)]
    columns = [Column("dialects", TEXT), Column("value"), Column("difference")]
    columns.append(Column("what sets them apart", TEXT))
    return table("rosetta-table", f"{found.measure} by every tool's definition", columns, cells)
