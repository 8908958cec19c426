"""Numbers as the sentences of a gate need them."""

from collections.abc import Iterable

_LEAST, _MOST = 4, 12  # decimals
TOLERANCE = 1e-12  # what only rounding makes larger than a limit is not


def told(value: float, *beside: float) -> str:
    """A number with four decimals, or as many as show that it differs from those beside it.

    >>> told(0.0138, 0.01), told(0.0100004, 0.01), told(0.01, 0.01)
    ('0.0138', '0.0100004', '0.0100')
    """
    return _apart(value, beside, _LEAST)


def signed(value: float) -> str:
    """A difference, with its sign; what is 0 but for rounding has none.

    >>> signed(0.0138), signed(-0.5), signed(-1e-17)
    ('+0.0138', '-0.5000', '0.0000')
    """
    shown = f"{value:+.{_LEAST}f}"
    return _unsigned_zero(shown) if abs(value) < TOLERANCE else shown


def chance(p: float, alpha: float) -> str:
    """A p-value, with two digits that say something, or as many as show its side of ``alpha``.

    >>> chance(0.0412, 0.05), chance(0.00004, 0.05), chance(1.0, 0.05), chance(0.0496, 0.05)
    ('0.041', '4e-05', '1', '0.0496')
    """
    texts = (f"{p:.{digits}g}" for digits in range(2, 17))
    return next((text for text in texts if (float(text) < alpha) == (p < alpha)), repr(p))


def share(value: float, *beside: float) -> str:
    """A share in per cent, with as many decimals as show that it differs from those beside it.

    >>> share(0.915), share(0.79999, 0.8)
    ('91.5 %', '79.999 %')
    """
    return f"{_apart(100 * value, [100 * other for other in beside], 1)} %"


def way(difference: float) -> str:
    """What a number does that changes by a difference.

    >>> way(0.1), way(-0.1)
    ('rises', 'drops')
    """
    return "rises" if difference > 0 else "drops"


def _apart(value: float, beside: Iterable[float], least: int) -> str:
    for decimals in range(least, _MOST + 1):
        shown = f"{value:.{decimals}f}"
        if all(abs(value - other) < TOLERANCE or float(shown) != other for other in beside):
            return _unsigned_zero(shown)
    return repr(value)


def _unsigned_zero(shown: str) -> str:
    return shown.lstrip("+-") if float(shown) == 0 else shown
