"""LETOR and SVMlight files: a label, a query and features a line; the features are not read."""

import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gainful.errors import SourceError
from gainful.sources._entries import Entries, feeding, tabled
from gainful.sources._files import Bytes
from gainful.sources._format import Format, declare
from gainful.sources._lines import whole_lines
from gainful.sources._wanted import Wanted
from gainful.sources.predictions import number_in

_HEAD = 48  # bytes at the beginning of a line that hold label and query, but for very long ids
_MARK = b"qid:"
# The comment of a line, to its end in any case: else every # in it would be looked at again.
_COMMENT = re.compile(rb"#(?:[^\n]*?doc_?id[ \t]*=[ \t]*(\S+))?[^\n]*")
_A_LINE = "A line is: label qid:QUERY feature:value ... # docid = ITEM."
_LONGEST = 60


class _Rows(NamedTuple):
    """Rows of a piece of the file: labels and queries as text, and the lines they stand on."""

    labels: list[bytes]
    queries: list[bytes]
    items: list[bytes]
    lines: Any
    n_comments: int = 0


def entries_of(file: Bytes, wanted: Wanted) -> Entries:
    """The judgments of a file; items are those of the comments, if all lines have one."""
    labels: list[float] = []
    queries: list[bytes] = []
    items: list[bytes] = []
    lines: list[Any] = []
    n_lines = n_comments = 0
    for block in _blocks(file):
        rows = _regular(block, n_lines) or _any(block, n_lines, wanted)
        labels += _labels(rows, wanted)
        queries += rows.queries
        items += rows.items
        lines.append(rows.lines)
        n_lines += block.count(b"\n")
        n_comments += rows.n_comments
    named = len(items) == len(queries)
    numbered = np.concatenate([np.empty(0, np.int64), *lines])
    how: Any = {"scores_may_follow": True, "n_comments": n_comments}
    return Entries(queries, items if named else numbered, labels, **how)


def _blocks(file: Bytes) -> Iterator[bytes]:
    """The text in pieces that end with the end of a line."""
    for piece in whole_lines(file):
        yield piece if piece.endswith(b"\n") else piece + b"\n"


def _regular(block: bytes, n_before: int) -> _Rows | None:
    """The rows of a piece whose lines all look alike; None if one does not.

    All lines are looked at in one go, and only at their beginnings: the features are most of them.
    """
    text = np.frombuffer(block + b" " * _HEAD, dtype=np.uint8)
    ends = np.flatnonzero(text[: len(block)] == ord("\n"))
    starts = np.concatenate([[0], ends[:-1] + 1])
    head = sliding_window_view(text, _HEAD)[starts]
    fields = _two_fields(head)
    if fields is None:
        return None
    found = np.where(fields, head, ord(" ")).tobytes().split()
    if len(found) != 2 * len(starts):
        return None
    lines = np.arange(n_before + 1, n_before + 1 + len(starts))
    return _Rows(found[0::2], found[1::2], _items(block), lines)


def _two_fields(head: Any) -> Any:
    """Where label and query stand in the heads of lines; None if some line has another form."""
    space = (head == ord(" ")) | ((head >= ord("\t")) & (head <= ord("\r")))
    begins = ~space
    begins[:, 1:] &= space[:, :-1]
    field = np.cumsum(begins, axis=1, dtype=np.uint8)
    inside = ~space & (field <= 2)
    whole = (space & (field == 2)).any(axis=1).all()
    broken = (head == ord("\n")) & (field < 2)
    if not whole or broken.any() or (inside & (head == ord("#"))).any():
        return None
    row, mark = np.arange(len(head)), (field == 2).argmax(axis=1)
    for place, letter in enumerate(_MARK):
        at = np.minimum(mark + place, _HEAD - 1)
        if (head[row, at] != letter).any():
            return None
        inside[row, at] = False
    return inside


def _any(block: bytes, n_before: int, wanted: Wanted) -> _Rows:
    """The rows of a piece, line by line; blank lines and comments are none."""
    rows, n_comments = _Rows([], [], [], []), 0
    for number, line in enumerate(block.split(b"\n"), n_before + 1):
        data, mark, comment = line.partition(b"#")
        fields = data.split(None, 2)
        if not fields:
            n_comments += bool(mark)
            continue
        if len(fields) < 2 or len(fields[1]) <= len(_MARK) or not fields[1].startswith(_MARK):
            message = f"{wanted.place}, line {number}: has no qid, got {_shown(line)}. {_A_LINE}"
            raise SourceError(message, code="malformed-line")
        rows.labels.append(fields[0])
        rows.queries.append(fields[1].removeprefix(_MARK))
        rows.items.extend(_items(mark + comment))
        rows.lines.append(number)
    return rows._replace(lines=np.array(rows.lines, dtype=np.int64), n_comments=n_comments)


def _items(text: bytes) -> list[bytes]:
    """The items that comments name."""
    return list(filter(None, _COMMENT.findall(text)))


def _labels(rows: _Rows, wanted: Wanted) -> list[float]:
    labels = list(map(number_in, rows.labels))
    if not all(map(math.isfinite, labels)):
        place = next(i for i, label in enumerate(labels) if not math.isfinite(label))
        message = (
            f"{wanted.place}, line {rows.lines[place]}: label must be a finite number, "
            f"got {_shown(rows.labels[place])}."
        )
        raise SourceError(message, code="bad-label")
    return labels


def _shown(text: bytes) -> str:
    return f"{text.strip().decode('utf-8', 'replace')!r:.{_LONGEST}}"


QRELS = declare(
    Format(
        name="letor",
        holds="qrels",
        summary="A LETOR or SVMlight file, a row a line; the item is the docid of the comment, "
        "else the number of the line. Features are not read.",
        columns=("label", "qid:query", "feature:value...", "# docid = item"),
        is_file=True,
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
    )
)
