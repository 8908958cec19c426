"""Text in bulk: lines are rows of a byte matrix, and short lines are padded with NUL."""

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]

_HEX = np.frombuffer(b"0123456789abcdef", np.uint8)
_SITE = b"https://www.example.org/items/"
_TITLE = 62  # bytes of the longest title in an address
_SHORTEST = 22


def join_fields(*fields: Bytes | bytes) -> Bytes:
    """Return lines of these fields side by side; a bytes field is repeated in every line."""
    count = max(len(field) for field in fields if not isinstance(field, bytes))
    return np.hstack(
        [_repeat_field(field, count) if isinstance(field, bytes) else field for field in fields]
    )


def format_text(lines: Bytes) -> bytes:
    """Return the lines one after another, without padding."""
    text: Bytes = lines[lines != 0]
    return text.tobytes()


def format_digits(numbers: Integers, width: int) -> Bytes:
    """Return every number with ``width`` digits, with leading zeros."""
    field = np.empty((len(numbers), width), np.uint8)
    for place in range(width):
        field[:, place] = numbers // 10 ** (width - 1 - place) % 10 + ord("0")
    return field


def format_unpadded(numbers: Integers, width: int) -> Bytes:
    """Return every number without leading zeros; all numbers are at least 1."""
    field = format_digits(numbers, width)
    for place in range(width - 1):
        field[numbers < 10 ** (width - 1 - place), place] = 0
    return field


def format_seven_digits(ids: Integers) -> Bytes:
    """Return ids in the form of MS MARCO."""
    return format_digits(ids, 7)


def format_uuids(ids: Integers) -> Bytes:
    """Return ids in the form of UUIDs, in the order of the numbers, so that ties break alike."""
    first = ids.astype(np.uint64) * np.uint64(2**32) // np.uint64(10**7)
    upper = first << np.uint64(32) | _mix_bits(ids, 1) >> np.uint64(32)
    figures = np.hstack([_format_hexadecimal(upper), _format_hexadecimal(_mix_bits(ids, 2))])
    parts = np.split(figures, [8, 12, 16, 20], axis=1)
    return join_fields(parts[0], *(field for part in parts[1:] for field in (b"-", part)))


def format_urls(ids: Integers) -> Bytes:
    """Return addresses of 60 to 100 bytes with a title, in the order of the numbers."""
    letters = np.random.default_rng(1).choice(
        np.frombuffer(b"abcdefghiklmnoprstuw-", np.uint8), 4096
    )
    titles = np.lib.stride_tricks.sliding_window_view(letters, _TITLE)
    title = titles[_mix_bits(ids, 1) % np.uint64(len(titles))]
    length = _SHORTEST + _mix_bits(ids, 2) % np.uint64(_TITLE - _SHORTEST + 1)
    title[np.arange(_TITLE) >= length[:, None]] = 0
    return join_fields(_repeat_field(_SITE, len(ids)), format_digits(ids, 7), b"/", title)


def _repeat_field(field: bytes, count: int) -> Bytes:
    return np.broadcast_to(np.frombuffer(field, np.uint8), (count, len(field)))


def _format_hexadecimal(numbers: npt.NDArray[np.uint64]) -> Bytes:
    shifts = np.arange(60, -4, -4, dtype=np.uint64)
    figures: Bytes = _HEX[numbers[:, None] >> shifts & np.uint64(15)]
    return figures


def _mix_bits(ids: Integers, salt: int) -> npt.NDArray[np.uint64]:
    """Return numbers that look random and are the same for the same id (splitmix64)."""
    mixed = (ids.astype(np.uint64) << np.uint64(2) | np.uint64(salt)) * np.uint64(
        0x9E3779B97F4A7C15
    )
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)
