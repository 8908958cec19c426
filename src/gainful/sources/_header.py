"""The header of a text file: what its columns are called, and what stands between the fields."""

import csv
from collections.abc import Sequence
from io import StringIO
from typing import NamedTuple

from gainful.errors import SourceError
from gainful.sources._files import Bytes
from gainful.sources._lines import MARK, ends_in_returns
from gainful.sources._quoted import reason
from gainful.sources._roles import NUMBER, holds_all
from gainful.sources._wanted import Wanted

SEPARATORS = "\t,;|"


class Header(NamedTuple):
    """What the columns are called.

    Attributes:
        names: Their names; numbers from 1 where there is no header.
        separator: What stands between fields; None for white space.
        n_lines: How many lines stand above the first row.
        n_comments: How many of them are comments.
    """

    names: tuple[str, ...]
    separator: str | None
    n_lines: int
    n_comments: int = 0


def header_of(start: bytes, separators: str, wanted: Wanted) -> Header:
    """The header that a file begins with, if it has one.

    It has none where the user numbers the columns, and the first line has a number, or a word for
    a label, where the numbers are to be.

    Args:
        start: The first bytes of the file.
        separators: What may stand between fields; the commonest of the first line does.
        wanted: The columns that the user named, or numbered.
    """
    above, n_comments, text = _below_comments(start)
    first, end, _ = text.partition("\n")
    if not end and len(start) >= Bytes.START:
        message = (
            f"{wanted.place}, line {above + 1}: the header is longer than {Bytes.START:,} bytes, "
            "the most that it may have."
        )
        raise SourceError(message, code="malformed-line")
    separator = max(separators, key=first.count)
    if separator not in first:
        return _judged(Header(tuple(first.split()), None, above + 1, n_comments), wanted)
    reader = csv.reader(StringIO(text, newline="\n"), delimiter=separator)
    try:
        names = tuple(name.strip() for name in next(reader))
    except csv.Error as error:
        message = f"{wanted.place}, line {above + 1}: {reason(error)}."
        raise SourceError(message, code="malformed-line") from error
    return _judged(Header(names, separator, above + reader.line_num, n_comments), wanted)


def _judged(header: Header, wanted: Wanted) -> Header:
    given = wanted.columns.get(NUMBER[wanted.holds]) or wanted.columns.get("rank")
    numbered = all(number.isdigit() for number in wanted.columns.values())
    if not wanted.columns or not numbered or holds_all(header.names):
        return header
    at = int(given or len(header.names)) - 1
    first = header.names[at] if 0 <= at < len(header.names) else ""
    if not (is_number(first) or first in map(str, wanted.labels or {})):
        return header
    names = tuple(str(number + 1) for number in range(len(header.names)))
    return header._replace(names=names, n_lines=header.n_lines - 1)


def headless(start: bytes, names: Sequence[str]) -> Header:
    """The columns of a file that has no header, in their order."""
    above, n_comments, text = _below_comments(start)
    first = text.partition("\n")[0]
    fits = (s for s in SEPARATORS if first.count(s) == len(names) - 1)
    return Header(tuple(names), next(fits, None), above, n_comments)


def is_number(text: str | bytes) -> bool:
    """Whether a field can be read as a number.

    >>> is_number("1e-3"), is_number("one")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def _below_comments(start: bytes) -> tuple[int, int, str]:
    """How many lines stand above the first that is neither blank nor a comment, and the rest.

    The second number says how many of these lines are comments.
    """
    text = start.removeprefix(MARK).decode("utf-8", "replace").replace("\r\n", "\n")
    text = text.replace("\r", "\n") if ends_in_returns(start) else text
    above = n_comments = 0
    while text:
        first, _, rest = text.partition("\n")
        is_comment = first.lstrip().startswith("#")
        if first.strip() and not is_comment:
            break
        above, n_comments, text = above + 1, n_comments + is_comment, rest
    return above, n_comments, text
