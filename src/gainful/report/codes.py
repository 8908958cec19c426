"""Codes of errors and notices, described: for terminals, pipes and the documentation."""

import re
import textwrap

from gainful import tables
from gainful.codes import CODES, GROUPS, Code
from gainful.notices import SEVERITIES

_INDENT = 10  # columns, before what is said under a name


def page_text(code: Code, width: int) -> str:
    """All there is to know of a code, as plain text within that many columns."""
    said = {
        "Kind": kind(code),
        "Cause": code.cause,
        "Remedy": code.remedy,
        "Example": f"{_mark(code)}: {code.example} [{code.code}]",
    }
    head = "\n".join(textwrap.wrap(f"{code.code}: {_plain(code.summary)}", width))
    return f"{head}\n\n" + "".join(_entry(name, text, width) for name, text in said.items())


def kind(code: Code) -> str:
    """Whether it is an error or a notice, and of which sort.

    >>> kind(CODES["missing-queries"])
    'notice, warning: probably not what is wanted'
    """
    if code.raised:
        return f"error, {' or '.join(code.raised)} in Python"
    return f"notice, {code.severity}: {SEVERITIES[code.severity]}"


def listing(width: int) -> str:
    """All codes by group, for people: a line each, within that many columns."""
    longest = max(map(len, CODES))
    parts = (
        f"{title}\n" + "".join(_line(one, longest, width) for one in group)
        for title, group in GROUPS.items()
    )
    return "\n".join(parts)


def listing_tsv() -> str:
    """All codes for pipes: code, kind and meaning, tab-separated."""
    rows = [[one.code, sort(one), _plain(one.summary)] for one in CODES.values()]
    return tables.to_tsv(rows)


def sort(code: Code) -> str:
    """In a word or two what it is.

    >>> sort(CODES["missing-column"]), sort(CODES["missing-queries"])
    ('error', 'notice (warning)')
    """
    return "error" if code.raised else f"notice ({code.severity})"


def code_markdown(code: Code) -> str:
    """All there is to know of a code, as a section of a Markdown page."""
    example = f"{_mark(code)}: {code.example} [{code.code}]"
    raised = " or ".join(f"`{name}`" for name in code.raised)
    what = f"Error, {raised} in Python." if code.raised else f"{kind(code).capitalize()}."
    return (
        f"### {code.code}\n\n{code.summary} {what}\n\n```text\n{example}\n```\n\n"
        f"**Cause.** {code.cause}\n\n**Remedy.** {code.remedy}\n"
    )


def _mark(code: Code) -> str:
    """What stands before the message on the command line."""
    if code.raised:
        return "error"
    return "warning" if code.severity == "error" else "note"


def _entry(name: str, text: str, width: int) -> str:
    blank = " " * _INDENT
    lines = textwrap.wrap(
        _plain(text),
        width,
        initial_indent=f"{name:{_INDENT}}",
        subsequent_indent=blank,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return "\n".join(lines) + "\n"


def _line(code: Code, longest: int, width: int) -> str:
    lines = textwrap.wrap(
        _plain(code.summary),
        max(width, longest + 30),
        initial_indent=f"  {code.code:{longest}}  ",
        subsequent_indent=" " * (longest + 4),
    )
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Markdown as it is read on a terminal: code without its marks."""
    return re.sub(r"`([^`]+)`", r"\1", text)
