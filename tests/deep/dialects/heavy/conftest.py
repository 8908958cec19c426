"""The summary of the comparison with libraries, printed and written."""

import json
import os
from pathlib import Path

import gainful.dialects

LIVE = Path(gainful.dialects.__file__).with_name("live_values.json")


def pytest_terminal_summary(terminalreporter):
    """Print the counts of matched values of each library, and the missing libraries."""
    properties = _list_properties(terminalreporter)
    if properties:
        terminalreporter.section("values of other libraries that their dialects give")
    for row in (value for name, value in properties if name == "compared"):
        label = f"{row['library']} {row['version']}"
        terminalreporter.write_line(
            f"{label:32}{row['matched']:>6,} / {row['total']:<6,} {row['within']}"
        )
        for reason, n in row["unmatched"].items():
            terminalreporter.write_line(f"{'':32}{n:>6,} not: {reason}")
    for suite, last in (value for name, value in properties if name == "suite"):
        terminalreporter.write_line(f"{suite:32}{last}")
    for package in dict.fromkeys(value for name, value in properties if name == "missing"):
        terminalreporter.write_line(f"{package:32}missing: it cannot be installed")
    if os.environ.get("GAINFUL_GOLD") == "write":
        _write_rows([value for name, value in properties if name == "compared"])


def _list_properties(terminalreporter):
    """Return the properties that tests have recorded, in order."""
    reports = [
        report
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        if report.when == "call"
    ]
    return [pair for report in reports for pair in report.user_properties]


def _write_rows(rows):
    """Write rows in place of the rows of the same libraries."""
    old_rows = json.loads(LIVE.read_text(encoding="utf-8")) if LIVE.exists() else []
    rows_by_library = {row["library"]: row for row in [*old_rows, *rows]}
    ordered = sorted(rows_by_library.values(), key=lambda row: row["library"].lower())
    text = json.dumps(ordered, indent=2, ensure_ascii=False) + "\n"
    LIVE.write_text(text, encoding="utf-8")
