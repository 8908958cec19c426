"""Text in bulk: lines are rows of a matrix of bytes, and what is shorter is filled up with NUL."""

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]

_HEX = np.frombuffer(b"0123456789abcdef", np.uint8)
_SITE = b"https://www.example.org/items/"
_TITLE = 62  # bytes of the longest title in an address
_SHORTEST = 22


def rows(*fields: Bytes | bytes) -> Bytes:
    """Lines of these fields side by side; bytes stand in every line."""
    count = max(len(field) for field in fields if not isinstance(field, bytes))
    return np.hstack([_repeated(one, count) if isinstance(one, bytes) else one for one in fields])


def text(lines: Bytes) -> bytes:
    """The lines one after another, without what fills them up."""
    kept: Bytes = lines[lines != 0]
    return kept.tobytes()


def digits(numbers: Integers, width: int) -> Bytes:
    """Every number in as many digits, with leading zeros."""
    field = np.empty((len(numbers), width), np.uint8)
    for place in range(width):
        field[:, place] = numbers // 10 ** (width - 1 - place) % 10 + ord("0")
    return field


def unpadded(numbers: Integers, width: int) -> Bytes:
    """Every number, which is at least 1, without leading zeros."""
    field = digits(numbers, width)
    for place in range(width - 1):
        field[numbers < 10 ** (width - 1 - place), place] = 0
    return field


def seven_digits(ids: Integers) -> Bytes:
    """Ids as MS MARCO has them."""
    return digits(ids, 7)


def uuids(ids: Integers) -> Bytes:
    """Ids in the form of a UUID, in the order of the numbers: ties fall as they do there."""
    first = ids.astype(np.uint64) * np.uint64(2**32) // np.uint64(10**7)
    upper = first << np.uint64(32) | _mixed(ids, 1) >> np.uint64(32)
    figures = np.hstack([_hexadecimal(upper), _hexadecimal(_mixed(ids, 2))])
    parts = np.split(figures, [8, 12, 16, 20], axis=1)
    return rows(parts[0], *(one for part in parts[1:] for one in (b"-", part)))


def urls(ids: Integers) -> Bytes:
    """Addresses of 60 to 100 bytes with a title after the number, in the order of the numbers."""
    letters = np.random.default_rng(1).choice(
        np.frombuffer(b"abcdefghiklmnoprstuw-", np.uint8), 4096
    )
    titles = np.lib.stride_tricks.sliding_window_view(letters, _TITLE)
    title = titles[_mixed(ids, 1) % np.uint64(len(titles))]
    length = _SHORTEST + _mixed(ids, 2) % np.uint64(_TITLE - _SHORTEST + 1)
    title[np.arange(_TITLE) >= length[:, None]] = 0
    return rows(_repeated(_SITE, len(ids)), digits(ids, 7), b"/", title)


def _repeated(field: bytes, count: int) -> Bytes:
    return np.broadcast_to(np.frombuffer(field, np.uint8), (count, len(field)))


def _hexadecimal(numbers: npt.NDArray[np.uint64]) -> Bytes:
    shifts = np.arange(60, -4, -4, dtype=np.uint64)
    figures: Bytes = _HEX[numbers[:, None] >> shifts & np.uint64(15)]
    return figures


def _mixed(ids: Integers, salt: int) -> npt.NDArray[np.uint64]:
    """Numbers that look random and always are the same for the same id (splitmix64)."""
    mixed = (ids.astype(np.uint64) << np.uint64(2) | np.uint64(salt)) * np.uint64(
        0x9E3779B97F4A7C15
    )
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)
