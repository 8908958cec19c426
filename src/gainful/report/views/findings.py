"""Findings of ``check``: what is odd about judgments and runs."""

from gainful.diagnostics import Findings
from gainful.report.tables import Column, Table
from gainful.report.view import View

_STYLES = {"error": "worse", "warning": "worse", "info": "muted"}


def view_findings(findings: Findings) -> View:
    """Show a line for every finding, most severe first, and the summary."""
    notices = findings.findings
    shown = [[notice.severity, f"{notice} [{notice.code}]"] for notice in notices]
    styles = {(i, 0): _STYLES[notice.severity] for i, notice in enumerate(notices)}
    columns = [Column("severity"), Column("finding")]
    table = Table(columns, shown, has_header=False, styles=styles)
    return View(
        tables=lambda: [table] if shown else [],
        data=lambda: Table(
            [Column("severity"), Column("code"), Column("finding")],
            [[notice.severity, notice.code, str(notice)] for notice in notices],
            has_header=False,
        ),
        content=findings.to_dict,
        closing=[findings.summary],
    )
