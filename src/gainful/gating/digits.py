"""Numbers as the sentences of a gate need them."""

_LEAST, _MOST = 4, 12  # decimals
TOLERANCE = 1e-12  # what only rounding makes larger than a limit is not


def told(value: float, *beside: float) -> str:
    """A number with four decimals, or as many as show that it differs from those beside it.

    >>> told(0.0138, 0.01), told(0.0100004, 0.01), told(0.01, 0.01)
    ('0.0138', '0.0100004', '0.0100')
    """
    for decimals in range(_LEAST, _MOST + 1):
        shown = f"{value:.{decimals}f}"
        if all(abs(value - other) < TOLERANCE or float(shown) != other for other in beside):
            return _unsigned_zero(shown)
    return repr(value)


def signed(value: float) -> str:
    """A difference, with its sign; what is 0 but for rounding has none.

    >>> signed(0.0138), signed(-0.5), signed(-1e-17)
    ('+0.0138', '-0.5000', '0.0000')
    """
    shown = f"{value:+.{_LEAST}f}"
    return _unsigned_zero(shown) if abs(value) < TOLERANCE else shown


def chance(p: float) -> str:
    """A p-value, with two digits that say something.

    >>> chance(0.0412), chance(0.00004), chance(1.0)
    ('0.041', '4e-05', '1')
    """
    return f"{p:.2g}"


def share(value: float) -> str:
    """A share in per cent.

    >>> share(0.915)
    '91.5 %'
    """
    return f"{100 * value:.1f} %"


def way(difference: float) -> str:
    """What a number does that changes by a difference.

    >>> way(0.1), way(-0.1)
    ('rises', 'drops')
    """
    return "rises" if difference > 0 else "drops"


def _unsigned_zero(shown: str) -> str:
    return shown.lstrip("+-") if float(shown) == 0 else shown
