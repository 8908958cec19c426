"""TREC text to rows: bytes to lines, lines to fields, fields to numbers."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
NO_RANK = -(2**63)  # for a rank that is no integer
SHOWN = 200  # bytes of a bad line or field that an error carries

FIELD = re.compile(rb"[^ \t\n\v\f\r]+")
INTEGER = re.compile(rb"([+-]?)0*([0-9]+)")
NUMBER = re.compile(
    rb"[+-]? ( ([0-9]+ \.? [0-9]* | \. [0-9]+) (e [+-]? [0-9]+)? | inf | infinity | nan )",
    re.IGNORECASE | re.VERBOSE,
)


class BadInput(Exception):  # noqa: N818, as the native one is named
    """What is wrong; the same arguments, in the same order, as the native exception."""

    def __init__(
        self,
        reason: str,
        line: int = 0,
        column: int = 0,
        text: bytes = b"",
        query: bytes = b"",
        item: bytes = b"",
        first: float = 0,
        second: float = 0,
    ) -> None:
        super().__init__(reason, line, column, text, query, item, first, second)


class Judgment(NamedTuple):
    """One line of the qrels."""

    query: bytes
    item: bytes
    label: float
    line: int


class Row(NamedTuple):
    """One line of a run; 0 stands for a score that nothing asks for."""

    query: bytes
    item: bytes
    score: float
    rank: int
    line: int


class Field(NamedTuple):
    """A word of a line, and where it begins: from 1, in bytes."""

    text: bytes
    column: int


def judgments(data: bytes, faults: list[BadInput] | None = None) -> list[Judgment]:
    """The lines ``query iteration item label`` of a qrels file.

    Lines that are wrong are skipped where there is a list to put them in.
    """
    return list(_read(_judgment, data, faults))


def rows(
    data: bytes, *, with_score: bool, with_rank: bool, faults: list[BadInput] | None = None
) -> list[Row]:
    """The lines ``query Q0 item rank score tag`` of a run; what is not asked for is not read."""
    return list(_read(partial(_row, with_score, with_rank), data, faults))


def by_reason(faults: list[BadInput]) -> list[tuple[int, tuple[Any, ...]]]:
    """How many there are of every kind, and the first, in the order of the text."""
    reasons = [fault.args[0] for fault in faults]
    firsts = [fault for i, fault in enumerate(faults) if fault.args[0] not in reasons[:i]]
    return [(reasons.count(fault.args[0]), fault.args) for fault in firsts]


def odd(data: bytes, n_fields: int) -> tuple[int, int, int, int]:
    """How many lines are comments, and how many have more fields than that.

    Of these the first, and how many have a carriage return that does not end the line.
    """
    lines = data.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    long = {line: text for line, text, fields in _lines(data) if len(fields) > n_fields}
    returns = sum(b"\r" in text[:-1] for text in long.values())
    return sum(line.startswith(b"#") for line in lines), len(long), next(iter(long), 0), returns


def number(text: bytes) -> float | None:
    """The number that a field holds, or None where it holds none.

    >>> number(b"-.5e1"), number(b"INF"), number(b"1_000"), number(b"0x1")
    (-5.0, inf, None, None)
    """
    return float(text) if NUMBER.fullmatch(text) else None


def integer(text: bytes) -> int | None:
    """The whole number of 64 bits that a field holds, or None where it holds none.

    >>> integer(b"+07"), integer(b"7.0"), integer(b"9223372036854775808")
    (7, None, None)
    """
    match = INTEGER.fullmatch(text)
    if match is None or len(match[2]) > 19:
        return None
    value = int(match[1] + match[2])
    return value if -(2**63) <= value < 2**63 else None


def _lines(data: bytes) -> Iterator[tuple[int, bytes, list[Field]]]:
    """Number, text and fields of every line that is neither blank nor a comment."""
    for line, text in enumerate(data.removeprefix(BYTE_ORDER_MARK).split(b"\n"), start=1):
        fields = [Field(match[0], match.start() + 1) for match in FIELD.finditer(text)]
        if fields and not text.startswith(b"#"):
            yield line, text, fields


def _read(read: Callable[..., Any], data: bytes, faults: list[BadInput] | None) -> Iterator[Any]:
    for line in _lines(data):
        try:
            yield read(*line)
        except BadInput as fault:
            if faults is None:
                raise
            faults.append(fault)


def _judgment(line: int, text: bytes, fields: list[Field]) -> Judgment:
    if len(fields) != 4:
        raise _bad_count(line, text, expected=4, actual=len(fields))
    query, _, item, label = fields
    value = number(label.text)
    if value is None or value != value or abs(value) == float("inf"):
        raise _bad_field("label", line, label)
    return Judgment(query.text, item.text, value + 0.0, line)  # -0.0 becomes 0.0


def _row(with_score: bool, with_rank: bool, line: int, text: bytes, fields: list[Field]) -> Row:
    if len(fields) < 6:
        raise _bad_count(line, text, expected=6, actual=len(fields))
    query, _, item, rank, score = fields[:5]
    score_value = _score(line, score) if with_score else 0.0
    whole = integer(rank.text)
    if whole is None and with_rank:
        raise _bad_field("rank", line, rank)
    rank_value = NO_RANK if whole is None else whole
    return Row(query.text, item.text, score_value, rank_value, line)


def _score(line: int, field: Field) -> float:
    value = number(field.text)
    if value is None:
        raise _bad_field("score", line, field)
    if value != value:
        raise _bad_field("nan-score", line, field)
    return value


def _bad_field(reason: str, line: int, field: Field) -> BadInput:
    return BadInput(reason, line=line, column=field.column, text=field.text[:SHOWN])


def _bad_count(line: int, text: bytes, *, expected: int, actual: int) -> BadInput:
    return BadInput("fields", line=line, column=1, text=text[:SHOWN], first=expected, second=actual)
