"""A gate as JUnit XML, which CI servers show as a list of tests."""

import re

from gainful.gating.result import CANNOT_TELL, Check, Gate
from gainful.gating.text import text

# What XML 1.0 cannot hold, however it is written.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(gate: Gate) -> str:
    """A test case for every check that decides; the summary of the gate is what it printed.

    What nobody can tell is a failure too, of that type.
    """
    # Only who asks for it pays for loading it.
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    missed = sum(not check.passed for check in gate.deciding)
    counts = {"tests": str(len(gate.deciding)), "failures": str(missed), "errors": "0"}
    suites = Element("testsuites", {"name": "gainful", **counts})
    suite = SubElement(suites, "testsuite", {"name": "gainful gate", **counts, "skipped": "0"})
    for check in gate.deciding:
        own = {"classname": _kept(f"gainful.gate.{check.measure}"), "name": _kept(_name(check))}
        case = SubElement(suite, "testcase", own)
        if not check.passed:
            about = {"message": _kept(_told(check)), "type": check.outcome}
            SubElement(case, "failure", about).text = _kept(check.sentence)
    SubElement(suite, "system-out").text = _kept(text(gate))
    indent(suites)
    body = tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _name(check: Check) -> str:
    return check.name if check.query is None else f"{check.name} {check.query}"


def _told(check: Check) -> str:
    return f"cannot tell: {check.sentence}" if check.outcome == CANNOT_TELL else check.sentence


def _kept(text: str) -> str:
    """Text without what XML cannot hold."""
    return _FORBIDDEN.sub("", text)
