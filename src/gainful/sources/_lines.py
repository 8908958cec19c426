"""Text in pieces of whole lines, and the line of the file on which a row stands."""

from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import IntArray
from gainful.sources._files import Bytes

MARK = b"\xef\xbb\xbf"  # that text is UTF-8, as some programs put in front of it
_AT_LEAST = 1 << 23  # bytes of a piece: enough for many threads to work on


class RowLines:
    """The lines of a file on which the rows that were read stand; both count from 1.

    Only where the rows go on as the lines do not is anything kept.
    """

    def __init__(self) -> None:
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


def whole_lines(file: Bytes, *, returns: bool = True) -> Iterator[bytes]:
    """All of a text file, from its beginning, in pieces that end where a line does.

    A byte order mark is left out, and lines end in a line feed, whatever they ended in.

    Args:
        file: The file, which is rewound first.
        returns: Whether carriage returns alone may end the lines.
    """
    file.rewind()
    held: list[bytes] = []
    size = 0
    only_returns = returns and ends_in_returns(file.start)
    for number, (given, _) in enumerate(file.pieces(again=True)):
        piece = bytes(given).removeprefix(MARK) if number == 0 else bytes(given)
        piece = piece.replace(b"\r", b"\n") if only_returns else piece
        size += len(piece)
        cut = piece.rfind(b"\n") + 1 if size >= _AT_LEAST else 0
        if not cut:
            held.append(piece)
            continue
        yield plain_ends(b"".join([*held, piece[:cut]]))
        held, size = [piece[cut:]], len(piece) - cut
    if last := b"".join(held):
        yield plain_ends(last)


def ends_in_returns(text: bytes) -> bool:
    """Whether lines end in a carriage return alone, as they did long ago."""
    return b"\r" in text and b"\n" not in text


def plain_ends(text: bytes) -> bytes:
    """The text with a line feed at the end of every line."""
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
        raise SourceError(message) from None
