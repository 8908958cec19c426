"""Numbers as C reads them from text: as many characters as fit, and 0 where none do."""

import re

_WHOLE = re.compile(r"\s*([+-]?\d+)", re.ASCII)
_REAL = re.compile(
    r"\s*([+-]?)(?:(inf(?:inity)?)|(nan)|(0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?)"
    r"|((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))",
    re.ASCII | re.IGNORECASE,
)
_LONG = 1 << 63


def atol(text: str) -> int:
    """The whole number at the beginning of a text.

    >>> atol("23.4"), atol(" -7x"), atol("x")
    (23, -7, 0)
    """
    found = _WHOLE.match(text)
    return max(-_LONG, min(_LONG - 1, int(found[1]))) if found else 0


def atof(text: str) -> float:
    """The number at the beginning of a text.

    >>> atof("1.5e1x"), atof("0x10"), atof("-Infinity"), atof("x"), atof("1e")
    (15.0, 16.0, -inf, 0.0, 1.0)
    """
    found = _REAL.match(text)
    if found is None:
        return 0.0
    sign, infinite, undefined, hexadecimal, decimal = found.groups()
    if hexadecimal:
        return float.fromhex(sign + hexadecimal)
    return float(sign + (decimal or (infinite and "inf") or undefined))
