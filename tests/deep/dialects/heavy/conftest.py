"""What is said, and written, after comparing with libraries."""

import json
import os
from pathlib import Path

import gainful.dialects

LIVE = Path(gainful.dialects.__file__).with_name("live_values.json")


def pytest_terminal_summary(terminalreporter):
    """Say how many values of each library its dialects give, and which library is missing."""
    told = _told(terminalreporter)
    if told:
        terminalreporter.section("values of other libraries that their dialects give")
    for row in (one for name, one in told if name == "compared"):
        what = f"{row['library']} {row['version']}"
        terminalreporter.write_line(
            f"{what:32}{row['matched']:>6,} / {row['total']:<6,} {row['within']}"
        )
        for why, n in row["unmatched"].items():
            terminalreporter.write_line(f"{'':32}{n:>6,} not: {why}")
    for suite, last in (one for name, one in told if name == "suite"):
        terminalreporter.write_line(f"{suite:32}{last}")
    for package in dict.fromkeys(one for name, one in told if name == "missing"):
        terminalreporter.write_line(f"{package:32}missing: it cannot be installed")
    if os.environ.get("GAINFUL_GOLD") == "write":
        _write([one for name, one in told if name == "compared"])


def _told(terminalreporter):
    """What tests have recorded, in their order."""
    reports = [
        report
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        if report.when == "call"
    ]
    return [pair for report in reports for pair in report.user_properties]


def _write(rows):
    """Put rows in the place of those that the same libraries had."""
    before = json.loads(LIVE.read_text(encoding="utf-8")) if LIVE.exists() else []
    every = {row["library"]: row for row in [*before, *rows]}
    ordered = sorted(every.values(), key=lambda row: row["library"].lower())
    text = json.dumps(ordered, indent=2, ensure_ascii=False) + "\n"
    LIVE.write_text(text, encoding="utf-8")
