"""Differences, shares and p-values as text, for people: no number looks like 0 unless it is 0.

What rounding leaves of a 0 is 0 as well.
"""

import math

from gainful.interval import Interval

_NONE = "-"
_ROUNDING = 1e-12


def decimals(value: float) -> str:
    """Four decimals; a dash where there is no number.

    >>> decimals(0.51234), decimals(0.00002), decimals(0.0), decimals(float("nan"))
    ('0.5123', '2.0e-05', '0.0000', '-')
    >>> decimals(1e300), decimals(-1.8e-15)
    ('1.0e+300', '0.0000')
    """
    if math.isnan(value):
        return _NONE
    if abs(value) < _ROUNDING:
        return "0.0000"
    return f"{value:.4f}" if 5e-5 <= abs(value) < 1e9 else f"{value:.1e}"


def signed(value: float) -> str:
    """The same, with its sign.

    >>> signed(0.0212), signed(-0.0212), signed(-0.0)
    ('+0.0212', '-0.0212', '0.0000')
    """
    return f"+{decimals(value)}" if value >= _ROUNDING else decimals(value)


def effect(value: float) -> str:
    """An effect size, with its sign.

    >>> effect(0.3493), effect(-0.001), effect(-1e-17), effect(float("inf")), effect(float("nan"))
    ('+0.35', '-0.001', '0.00', '+inf', '-')
    """
    if math.isnan(value):
        return _NONE
    if abs(value) < _ROUNDING:
        return "0.00"
    if abs(value) < 5e-3:
        return f"{value:+.1g}"
    return f"{value:+.2f}" if abs(value) < 1e6 else f"{value:+.0e}"


def ends(interval: Interval | None) -> str:
    """From where to where; a dash where there is no interval.

    >>> ends(Interval(0.004, 0.0381)), ends(Interval(float("nan"), float("nan"))), ends(None)
    ('[0.0040, 0.0381]', '-', '-')
    """
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return _NONE
    return f"[{decimals(interval.low)}, {decimals(interval.high)}]"


def percent(share: float) -> str:
    """A share of what there is.

    >>> percent(0.921), percent(1.0), percent(float("nan"))
    ('92.1%', '100.0%', '-')
    """
    return _NONE if math.isnan(share) else f"{share:.1%}"


def signed_percent(share: float) -> str:
    """A share by which something rose or fell.

    >>> signed_percent(0.0432), signed_percent(-1.5), signed_percent(0.0), signed_percent(-1e-9)
    ('+4.3%', '-150.0%', '0.0%', '-1e-07%')
    """
    if math.isnan(share):
        return _NONE
    if abs(share) < _ROUNDING:
        return "0.0%"
    if abs(share) < 5e-4:
        return f"{share * 100:+.1g}%"
    return f"{share:+.1%}" if abs(share) < 1e6 else f"{share * 100:+.0e}%"


def probability(share: float) -> str:
    """A probability; it is certain only if it is 0 or 1.

    >>> probability(0.989), probability(0.99999), probability(1e-9), probability(1.0)
    ('98.9%', '>99.9%', '<0.1%', '100.0%')
    """
    if 0.999 < share < 1:
        return ">99.9%"
    return "<0.1%" if 0 < share < 0.001 else percent(share)


def p_value(p: float, alpha: float) -> str:
    """A p-value, with as many decimals as it takes to see on which side of ``alpha`` it is.

    >>> p_value(0.0123, 0.05), p_value(1e-9, 0.05), p_value(0.0, 0.05), p_value(0.049999, 0.05)
    ('0.0123', '<0.0001', '<0.0001', '0.049999')
    """
    if math.isnan(p):
        return _NONE
    if p < min(1e-4, alpha):
        bound = min(1e-4, alpha)
        return f"<{bound:.4f}" if bound == 1e-4 else f"<{bound:g}"
    texts = (f"{p:.{digits}f}" for digits in range(4, 17))
    return next((t for t in texts if (float(t) < alpha) == (p < alpha)), repr(p))
