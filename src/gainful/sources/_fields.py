"""Lines of fields, one separator between each, read as columns of text."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gainful.ragged import BoolArray, IntArray
from gainful.sources._lines import check_is_text
from gainful.sources._polars_errors import explained

_LINE_FEED, _QUOTE = ord("\n"), ord('"')


class Lines(NamedTuple):
    """The lines of a piece of text: where they begin and end, and the separators in each."""

    text: bytes
    codes: Any
    begin: IntArray
    end: IntArray
    n_separators: IntArray

    def line(self, number: int) -> bytes:
        """One line, without its end."""
        return self.text[self.begin[number] : self.end[number]]

    def kept(self, keep: BoolArray) -> bytes:
        """The text of some lines alone."""
        lengths = np.diff(self.begin, append=len(self.text))
        return bytes(self.codes[np.repeat(keep, lengths)])


def split(text: bytes, separator: bytes, *, quoted: bool = False) -> Lines | None:
    """The lines of a text; None if quotes stand where it takes a reader of CSV to tell.

    Args:
        text: Whole lines; the last one need not end in a line feed.
        separator: One byte.
        quoted: Whether quotes enclose fields; what they enclose is not looked at.
    """
    codes = np.frombuffer(text, dtype=np.uint8)
    end = np.flatnonzero(codes == _LINE_FEED)
    between = np.flatnonzero(codes == separator[0])
    if quoted:
        quotes = np.flatnonzero(codes == _QUOTE)
        if not _is_regular(codes, quotes, end, separator[0]):
            return None
        between = between[np.searchsorted(quotes, between) % 2 == 0]
    if len(text) and (not len(end) or end[-1] != len(text) - 1):
        end = np.append(end, len(text))
    begin = np.concatenate([[0], end[:-1] + 1]) if len(end) else end
    upto = np.searchsorted(between, end)
    return Lines(text, codes, begin, end, np.diff(upto, prepend=0))


def _is_regular(codes: Any, quotes: IntArray, line_feeds: IntArray, separator: int) -> bool:
    """Whether quotes enclose whole fields, and no line feed."""
    if len(quotes) % 2 or (np.searchsorted(quotes, line_feeds) % 2).any():
        return False
    beside = [separator, _LINE_FEED, _QUOTE]
    padded = np.concatenate([[_LINE_FEED], codes, [_LINE_FEED]])
    opened, closed = padded[quotes[0::2]], padded[quotes[1::2] + 2]
    return bool(np.isin(opened, beside).all() and np.isin(closed, beside).all())


def frame_of(
    text: bytes, separator: bytes, names: Sequence[str], numbers: Sequence[int], *, quoted: bool
) -> Any:
    """Some columns of regular lines, as text, under the names given to them.

    Args:
        text: The lines; each has all of the columns.
        separator: What stands between fields.
        names: What the columns are to be called.
        numbers: Which they are, from 0.
        quoted: Whether quotes enclose fields.
    """
    import polars as pl

    if not text:
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    frame = pl.read_csv(
        text,
        has_header=False,
        infer_schema=False,
        separator=separator.decode(),
        quote_char='"' if quoted else None,
        truncate_ragged_lines=True,
        columns=sorted(set(numbers)),
    )
    at = [sorted(set(numbers)).index(number) for number in numbers]
    series = (frame.to_series(i).fill_null("") for i in at)
    return pl.DataFrame([one.alias(name) for one, name in zip(series, names, strict=True)])


def read(
    lines: Lines,
    separator: bytes,
    columns: dict[str, int],
    *,
    keep: BoolArray,
    place: str,
    first_line: int,
    quoted: bool = False,
) -> Any:
    """The columns of the lines that are kept; text that is not UTF-8 is refused by its line."""
    text = lines.text if keep.all() else lines.kept(keep)
    check_is_text(lines.text, place, first_line)
    with explained("text", place):
        return frame_of(text, separator, list(columns), list(columns.values()), quoted=quoted)
