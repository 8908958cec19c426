"""What is odd about the data."""

from gainful.experiment.result import Experiment
from gainful.report.page.parts import ID, Column, Section, table
from gainful.report.page.sections.notices import said


def section(experiment: Experiment) -> Section:
    """Findings, counts, and how large every run is."""
    found = experiment.findings
    rows = [[run, f"{n:,}"] for run, n in found.rows.items()]
    sizes = table("sizes-table", "Items of every run", [Column("run", ID), Column("items")], rows)
    values = {
        "summary": found.summary,
        "findings": said(found.findings),
        "sizes": sizes,
    }
    return Section("quality", "Data quality", values)
