"""Text in pieces of whole lines, and the line of the file on which a row stands."""

from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import IntArray
from gainful.sources._files import Bytes
from gainful.sources._limits import LONG_LINE, LONGEST_LINE

MARK = b"\xef\xbb\xbf"  # that text is UTF-8, as some programs put in front of it
_AT_LEAST = 1 << 20  # bytes of a piece: what is made of it stays in the cache


class RowLines:
    """The lines of a file on which the rows that were read stand; both count from 1.

    Only where the rows go on as the lines do not is anything kept.

    Attributes:
        n_rows: How many rows there are.
        n_comments: How many lines of comments stand above or between them.
    """

    def __init__(self, n_comments: int = 0) -> None:
        self.n_comments = n_comments
        self._rows = [1]
        self._lines = [1]
        self.n_rows = 0

    def add(self, lines: IntArray) -> None:
        """Add rows that stand on these lines."""
        rows = np.arange(self.n_rows + 1, self.n_rows + len(lines) + 1)
        ahead = lines - rows
        before = self._lines[-1] - self._rows[-1]
        apart = np.flatnonzero(np.diff(ahead, prepend=before))
        self._rows += rows[apart].tolist()
        self._lines += lines[apart].tolist()
        self.n_rows += len(lines)

    def add_range(self, first: int, n_rows: int) -> None:
        """Add rows that stand on one line each, from the first on."""
        self.add(np.arange(first, first + min(n_rows, 1)))
        self.n_rows += max(0, n_rows - 1)

    def of(self, row: int) -> int:
        """The line of a row."""
        at = bisect_right(self._rows, row) - 1
        return self._lines[at] + row - self._rows[at]


def plain_lines(file: Bytes) -> Iterator[bytes]:
    """The same as ``whole_lines``, but lines end in a line feed alone, whatever they ended in."""
    only_returns = ends_in_returns(file.start)
    return (plain_ends(piece, only_returns) for piece in whole_lines(file, only_returns))


def whole_lines(file: Bytes, only_returns: bool = False) -> Iterator[bytes]:
    """All of a text file, from its beginning, in pieces that end where a line does.

    A byte order mark is left out.

    Args:
        file: The file, which is rewound first.
        only_returns: Whether carriage returns end the lines.

    A line that is too long is refused before more of it is held.
    """
    end = b"\r" if only_returns else b"\n"
    file.rewind()
    held: list[bytes] = []
    size = unended = 0
    for number, (given, _) in enumerate(file.pieces(again=True)):
        piece = bytes(given).removeprefix(MARK) if number == 0 else bytes(given)
        first = piece.find(end)
        unended += len(piece) if first < 0 else first
        if unended > LONGEST_LINE:
            raise _long_line(file, end)
        unended = unended if first < 0 else len(piece) - piece.rfind(end) - 1
        size += len(piece)
        cut = piece.rfind(end) + 1 if size >= _AT_LEAST else 0
        if not cut:
            held.append(piece)
            continue
        yield b"".join([*held, piece[:cut]])
        held, size = [piece[cut:]], len(piece) - cut
    if last := b"".join(held):
        yield last


def _long_line(file: Bytes, end: bytes) -> SourceError:
    """What is said of the first line that is too long, found by reading once more."""
    file.rewind()
    line, unended = 1, 0
    for piece, _ in file.pieces(again=True):
        first = bytes(piece).find(end)
        unended += len(piece) if first < 0 else first
        if unended > LONGEST_LINE:
            break
        line += bytes(piece).count(end)
        unended = unended if first < 0 else len(piece) - bytes(piece).rfind(end) - 1
    message = f"{file.name}, line {line}: {LONG_LINE.format(LONGEST_LINE)}"
    return SourceError(message, code="malformed-line")


def ends_in_returns(text: bytes) -> bool:
    """Whether lines end in a carriage return alone, as they did long ago."""
    return b"\r" in text and b"\n" not in text


def plain_ends(text: bytes, only_returns: bool) -> bytes:
    """The text with a line feed at the end of every line."""
    if only_returns:
        return text.replace(b"\r", b"\n")
    return text.replace(b"\r\n", b"\n") if b"\r\n" in text else text


def shown(text: bytes, most: int = 80) -> str:
    """A line as errors quote it."""
    decoded = text.decode("utf-8", "replace")
    return repr(decoded if len(decoded) <= most else decoded[: most - 3] + "...")


def check_is_text(piece: bytes, place: str, first_line: int) -> None:
    """Refuse a piece that is not UTF-8, naming the line."""
    try:
        piece.decode()
    except UnicodeDecodeError as error:
        line = first_line + piece.count(b"\n", 0, error.start)
        begin = piece.rfind(b"\n", 0, error.start) + 1
        text = piece[begin:].partition(b"\n")[0]
        message = f"{place}, line {line}: must be UTF-8 text, got {text[:60]!r}."
        raise SourceError(message, code="not-text") from None
