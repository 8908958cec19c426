"""A gate for CI servers: JUnit XML, and the summary and annotations of GitHub Actions."""

import os
import re

from gainful.base import open_atomic
from gainful.gate.checks import CANNOT_TELL, FAIL, Check
from gainful.gate.gate import Gate

# What XML 1.0 cannot hold, however it is written.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def format_junit(gate: Gate) -> str:
    """Return JUnit XML with one test case for every deciding check, and the printed gate.

    A check that cannot tell is a failure of that type.
    """
    # Loaded only when it is needed.
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    n_failures = sum(not check.passed for check in gate.deciding)
    counts = {"tests": str(len(gate.deciding)), "failures": str(n_failures), "errors": "0"}
    suites = Element("testsuites", {"name": "gainful", **counts})
    suite = SubElement(suites, "testsuite", {"name": "gainful gate", **counts, "skipped": "0"})
    for check in gate.deciding:
        attributes = {
            "classname": _strip_forbidden(f"gainful.gate.{check.measure}"),
            "name": _strip_forbidden(_format_case_name(check)),
        }
        case = SubElement(suite, "testcase", attributes)
        if not check.passed:
            failure = {
                "message": _strip_forbidden(_format_failure_message(check)),
                "type": check.outcome,
            }
            SubElement(case, "failure", failure).text = _strip_forbidden(check.sentence)
    SubElement(suite, "system-out").text = _strip_forbidden(repr(gate))
    indent(suites)
    body = tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _format_case_name(check: Check) -> str:
    return check.name if check.query is None else f"{check.name} {check.query}"


def _format_failure_message(check: Check) -> str:
    return f"cannot tell: {check.sentence}" if check.outcome == CANNOT_TELL else check.sentence


def _strip_forbidden(text: str) -> str:
    """Return text without the characters that XML cannot hold."""
    return _FORBIDDEN.sub("", text)


_TITLE = "gainful gate"
_MAX_ANNOTATIONS = 10  # annotations of each kind that GitHub shows for a step


def format_annotations(gate: Gate) -> list[str]:
    """Return a workflow command for every check that failed, or one for the verdict.

    A failure is an error; a check that cannot tell is a warning.

    >>> import gainful
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 0}}
    >>> before, now = {"q1": ["d1"], "q2": ["d1"]}, {"q1": ["d1"], "q2": ["d2", "d1"]}
    >>> failed = gainful.gate(qrels, before, now, "RR")
    >>> print(*format_annotations(failed), sep="\\n")
    ::error title=gainful gate%3A RR point::RR drops by 0.2500, from 1.0000 to 0.7500; no more \
than 0.01 is allowed.
    """
    lines = []
    for outcome, command in ((FAIL, "error"), (CANNOT_TELL, "warning")):
        failures = [check for check in gate.deciding if check.outcome == outcome]
        is_short = len(failures) <= _MAX_ANNOTATIONS
        first_failures = failures if is_short else failures[: _MAX_ANNOTATIONS - 1]
        lines += [
            _format_command(command, f"{_TITLE}: {check.measure} {check.name}", check.sentence)
            for check in first_failures
        ]
        if len(first_failures) < len(failures):
            more = (
                f"{len(failures) - len(first_failures):,} more checks {outcome}; see the summary."
            )
            lines.append(_format_command(command, _TITLE, more))
    return lines or [_format_command("notice", _TITLE, gate.sentence)]


def _format_command(command: str, title: str, message: str) -> str:
    return f"::{command} title={_escape_property(title)}::{_escape_data(message)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")


def write_junit(path: str, gate: Gate) -> None:
    """Write JUnit XML to a file, which appears when all of it is written."""
    with open_atomic(path) as file:
        file.write(gate.to_junit().encode())


def report_to_github(gate: Gate) -> str:
    """Write the summary of the step on GitHub Actions, and return the annotations to print.

    Print them on standard error: GitHub reads them there as well, and standard output may be JSON.
    """
    messages = []
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        try:
            text = f"### gainful gate\n\n{gate.to_markdown()}"
            _append_to_file(summary, text.encode("utf-8", "replace"))
        except OSError as error:
            # The verdict does not depend on it.
            reason = error.strerror or error
            messages.append(f"warning: {summary}: cannot be written to ({reason}).")
    if os.environ.get("GITHUB_ACTIONS") == "true":
        messages += format_annotations(gate)
    return "".join(f"{line}\n" for line in messages)


def _append_to_file(path: str, text: bytes) -> None:
    """Append all of the text to a file, or nothing."""
    with open(path, "ab", buffering=0) as file:
        end = file.tell()
        try:
            if file.write(text) != len(text):
                message = "the disk is full"
                raise OSError(message)
        except OSError:
            file.truncate(end)
            raise
