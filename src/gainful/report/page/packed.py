"""Values packed for a page: short numbers, short texts, JSON, zlib, base64."""

import base64
import json
import zlib
from typing import Any

import numpy as np

from gainful.ragged import FloatArray
from gainful.settings import text_of

_EXACT = 2**53  # whole numbers up to which a float is one
_PLAIN = 1e21  # numbers from which on a script writes exponents


def packed(held: Any) -> str:
    """Plain values as JSON, compressed, in base64; ids must be valid text.

    >>> unpacked(packed([1, None]))
    [1, None]
    """
    text = json.dumps(held, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpacked(text: str) -> Any:
    """What was packed.

    >>> unpacked(packed({"q1": [0.5, None]}))
    {'q1': [0.5, None]}
    """
    return json.loads(zlib.decompress(base64.b64decode(text)))


def exact(number: float | None) -> float | None:
    """The same number, whole ones without a point.

    >>> exact(2.0), exact(0.1), exact(None)
    (2, 0.1, None)
    """
    if number is None or not number.is_integer() or abs(number) > _EXACT:
        return number
    return int(number)


def rounded(values: FloatArray, decimals: int) -> list[float | None]:
    """The values with so many decimals, None where there is none.

    >>> rounded(np.array([0.123456789, 1.0, np.nan]), 4)
    [0.1235, 1, None]
    """
    return [None if v != v else exact(v) for v in np.round(values, decimals).tolist()]


def cut(text: str, longest: int) -> str:
    """The text on one line, its end left out if it is long.

    >>> cut("red  shoes for running", 10)
    'red shoes…'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def number_text(number: float) -> str:
    """The number as a script writes it, so that it is the name of a property there.

    >>> number_text(2.0), number_text(1e-05), number_text(1e-07), number_text(1e16)
    ('2', '0.00001', '1e-7', '10000000000000000')
    """
    text = text_of(number)
    if "e" not in text:
        return text
    if 1e-6 <= abs(number) < _PLAIN:
        return np.format_float_positional(number, trim="-")
    digits, _, exponent = text.partition("e")
    return f"{digits}e{int(exponent):+d}"
