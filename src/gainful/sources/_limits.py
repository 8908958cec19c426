"""How much of a file is held in memory at once, and what is said of files that need more."""

from typing import Any

from gainful import _native
from gainful.errors import SourceError

LONGEST_LINE = _native.LONGEST_LINE  # bytes that a line of a text file may have
LARGEST_WHOLE = 1 << 30  # bytes, unpacked, of a file that is read as a whole

LONG_LINE = "is longer than {:,.0f} bytes, the most that a line may have."


def whole(file: Any, *, again: bool = False) -> bytes:
    """All bytes of an open file, unpacked; refused as soon as there are too many to be held.

    Args:
        file: The file; what was read of it is read again.
        again: Whether it may be read once more.
    """
    file.rewind()
    held, size = [], 0
    for piece, _ in file.pieces(again=again):
        size += len(piece)
        if size > LARGEST_WHOLE:
            message = (
                f"{file.name}: has more than {LARGEST_WHOLE:,} bytes, unpacked, the most that a "
                "file may have that is read as a whole. Pass JSON lines, CSV or Parquet."
            )
            raise SourceError(message, code="too-large")
        held.append(bytes(piece))
    return b"".join(held)
