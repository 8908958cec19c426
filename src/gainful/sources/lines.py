"""Whole lines of text files, and the line on which each row stands."""

from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from gainful.base import LONG_LINE, LONGEST_LINE, InputFile, IntArray
from gainful.errors import SourceError

MARK = b"\xef\xbb\xbf"  # that text is UTF-8, as some programs put in front of it
_MIN_PIECE = 1 << 20  # bytes of a piece: small enough for the cache


class RowLines:
    """The lines of a file on which the rows that were read stand; both count from 1.

    It stores only the places where rows and lines stop advancing together.

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
        shift = lines - rows
        last_shift = self._lines[-1] - self._rows[-1]
        jumps = np.flatnonzero(np.diff(shift, prepend=last_shift))
        self._rows += rows[jumps].tolist()
        self._lines += lines[jumps].tolist()
        self.n_rows += len(lines)

    def find_line(self, row: int) -> int:
        """Return the line of a row."""
        index = bisect_right(self._rows, row) - 1
        return self._lines[index] + row - self._rows[index]


def read_plain_lines(file: InputFile) -> Iterator[bytes]:
    """Read whole lines, with a line feed alone at the end of each."""
    only_returns = ends_in_returns(file.start)
    return (
        normalize_line_ends(piece, only_returns) for piece in read_whole_lines(file, only_returns)
    )


def read_whole_lines(file: InputFile, only_returns: bool = False) -> Iterator[bytes]:
    """Return all of a text file, from its beginning, in pieces that end with a line.

    A byte order mark is left out.

    Args:
        file: The file, which is rewound first.
        only_returns: Whether carriage returns end the lines.

    A line that is too long is refused before more of it is kept.
    """
    end = b"\r" if only_returns else b"\n"
    file.rewind()
    content: list[bytes] = []
    size = unended = 0
    for number, (source, _) in enumerate(file.read_pieces()):
        piece = bytes(source).removeprefix(MARK) if number == 0 else bytes(source)
        first = piece.find(end)
        unended += len(piece) if first < 0 else first
        if unended > LONGEST_LINE:
            raise _make_long_line_error(file, end)
        unended = unended if first < 0 else len(piece) - piece.rfind(end) - 1
        size += len(piece)
        cut = piece.rfind(end) + 1 if size >= _MIN_PIECE else 0
        if not cut:
            content.append(piece)
            continue
        yield b"".join([*content, piece[:cut]])
        content, size = [piece[cut:]], len(piece) - cut
    if last := b"".join(content):
        yield last


def _make_long_line_error(file: InputFile, end: bytes) -> SourceError:
    """Return the error for the first line that is too long."""
    file.rewind()
    line, unended = 1, 0
    for piece, _ in file.read_pieces():
        first = bytes(piece).find(end)
        unended += len(piece) if first < 0 else first
        if unended > LONGEST_LINE:
            break
        line += bytes(piece).count(end)
        unended = unended if first < 0 else len(piece) - bytes(piece).rfind(end) - 1
    message = f"{file.name}, line {line}: {LONG_LINE.format(LONGEST_LINE)}"
    return SourceError(message, code="malformed-line")


def ends_in_returns(text: bytes) -> bool:
    """Return whether lines end in a carriage return alone."""
    return b"\r" in text and b"\n" not in text


def normalize_line_ends(text: bytes, only_returns: bool) -> bytes:
    """Return the text with a line feed at the end of every line."""
    if only_returns:
        return text.replace(b"\r", b"\n")
    return text.replace(b"\r\n", b"\n") if b"\r\n" in text else text


def shorten(text: bytes, max_length: int = 80) -> str:
    """Return a line as errors quote it."""
    decoded = text.decode("utf-8", "replace")
    return repr(decoded if len(decoded) <= max_length else decoded[: max_length - 3] + "...")


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
