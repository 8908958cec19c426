"""What commands that write a report share: where it goes, and what is said of it."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gainful import tables
from gainful.cli._printing import print_result, say
from gainful.gating.result import Gate
from gainful.notices import lines
from gainful.sources import Run
from gainful.written_files import is_any_of

if TYPE_CHECKING:
    from gainful.report.page.writing import Report

REPORT = "report.html"


def command_line() -> str:
    """The command as it was given, to be given again."""
    return shlex.join(["gainful", *sys.argv[1:]])


def can_report(option: str, out: str, *paths: str | None) -> None:
    """Refuse at once what would be refused once all is worked out.

    Nothing that is read may be written over, and all that a page takes must be installed.
    """
    from gainful.report.page.writing import can_write  # only who asks for it pays for it

    if is_any_of(out, paths):
        message = f"{option} {out}: is read by the same command. Name another file."
        raise click.UsageError(message)
    can_write()


def files_alone(option: str, *paths: str | None) -> None:
    """Refuse standard input where what is read is read again."""
    if "-" in paths:
        message = f"{option} reads all files again, got standard input (-). Pass files."
        raise click.UsageError(message)


def wants_a_file(option: str, out: str) -> None:
    """Refuse standard output where it will not do."""
    if out == "-":
        message = f"{option} takes a file, got standard output (-)."
        raise click.UsageError(message)


def tell(report: "Report") -> None:
    """The verdict; on standard error the rules, the notices, and where the report is.

    Where the report itself goes to standard output, all goes to standard error.
    """
    from gainful.report.evaluation import rules_line  # a gate has its own

    verdict = tables.printable(report.verdict)
    notes = [rules_line(report.experiment.scores), *lines(report.notices), place(report)]
    if report.path == "-":
        print_result("", [verdict, *notes[:-1]])
    else:
        print_result(f"{verdict}\n", notes)


def place(report: "Report") -> str:
    """Where a report is, and how large.

    >>> from types import SimpleNamespace
    >>> place(SimpleNamespace(path="report.html", n_bytes=1_234_567))
    'report: report.html (1.2 MB); open it in a browser.'
    """
    size = f"{report.n_bytes / 1e6:.1f} MB"
    return f"report: {tables.printable(report.path)} ({size}); open it in a browser."


def report_gate(out: str, gate: Gate, qrels: Any, runs: list[Run], **how: Any) -> None:
    """Write what a gate decided, and why; on standard error where it is."""
    from gainful.report.page.writing import write_report  # only who asks for it pays for it

    how |= {"baseline": runs[0].name if len(runs) > 1 else None}
    report = write_report(qrels, runs, out, gate.measures, gate=gate, command=command_line(), **how)
    if out != "-":
        say(f"{place(report)}\n", sys.stderr)


def show(path: str) -> None:
    """Open it in the browser; a sentence on standard error if there is none."""
    import webbrowser  # only who asks for it pays for it

    if not webbrowser.open(Path(path).resolve().as_uri()):
        say("warning: there is no browser to open the report in.\n", sys.stderr)
