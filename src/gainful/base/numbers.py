"""Format numbers, differences, shares and p-values as text.

Differences below the rounding error count as 0, and no other number looks like 0.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple, Protocol

TOLERANCE = 1e-12  # differences below this are rounding errors

_UNDEFINED = "-"
_MIN_DECIMALS, _MAX_DECIMALS = 4, 12


class Interval(NamedTuple):
    """Two ends, both part of the interval; NaN if there is none.

    >>> print(Interval(0.004, 0.0381))
    [0.0040, 0.0381]
    """

    low: float
    high: float

    def __str__(self) -> str:
        return f"[{self.low:.4f}, {self.high:.4f}]"

    def __contains__(self, value: object) -> bool:
        """Return whether a number lies in the interval.

        >>> 0 in Interval(-1.0, 1.0), 0 in Interval(0.5, 1.0)
        (True, False)
        """
        return isinstance(value, float | int) and self.low <= value <= self.high


class MeasureTraits(Protocol):
    """The part of a measure that decides how its values are formatted."""

    @property
    def whole(self) -> bool: ...
    @property
    def average(self) -> str: ...


def format_number(value: float) -> str:
    """Format a number with four decimals; NaN is a dash.

    >>> [format_number(value) for value in (0.51234, 0.00002, 0.0, float("nan"))]
    ['0.5123', '2.0e-05', '0.0000', '-']
    >>> format_number(1e300), format_number(-1.8e-15)
    ('1.0e+300', '0.0000')
    """
    if math.isnan(value):
        return _UNDEFINED
    if abs(value) < TOLERANCE:
        return "0.0000"
    return f"{value:.4f}" if 5e-5 <= abs(value) < 1e9 else f"{value:.1e}"


def format_difference(value: float) -> str:
    """Format a difference as ``format_number`` does, with its sign.

    >>> format_difference(0.0212), format_difference(-0.0212), format_difference(-0.0)
    ('+0.0212', '-0.0212', '0.0000')
    """
    return f"+{format_number(value)}" if value >= TOLERANCE else format_number(value)


def format_distinct(value: float, *references: float) -> str:
    """Format a number with four decimals, or as many as show that it differs from others.

    >>> [format_distinct(value, 0.01) for value in (0.0138, 0.0100004, 0.01)]
    ['0.0138', '0.0100004', '0.0100']
    """
    return _format_until_distinct(value, references, _MIN_DECIMALS)


def format_percent(share: float, *references: float) -> str:
    """Format a share in percent, with as many decimals as show that it differs from others.

    >>> format_percent(0.921), format_percent(0.79999, 0.8), format_percent(float("nan"))
    ('92.1%', '79.999%', '-')
    """
    if math.isnan(share):
        return _UNDEFINED
    return f"{_format_until_distinct(100 * share, [100 * r for r in references], 1)}%"


def format_percent_change(share: float) -> str:
    """Format the share by which something rose or fell, with its sign.

    >>> [format_percent_change(share) for share in (0.0432, -1.5, 0.0, -1e-9)]
    ['+4.3%', '-150.0%', '0.0%', '-1e-07%']
    """
    if math.isnan(share):
        return _UNDEFINED
    if abs(share) < TOLERANCE:
        return "0.0%"
    if abs(share) < 5e-4:
        return f"{share * 100:+.1g}%"
    return f"{share:+.1%}" if abs(share) < 1e6 else f"{share * 100:+.0e}%"


def format_probability(share: float) -> str:
    """Format a probability in percent; only 0 and 1 are shown as certain.

    >>> [format_probability(share) for share in (0.989, 0.99999, 1e-9, 1.0)]
    ['98.9%', '>99.9%', '<0.1%', '100.0%']
    """
    if 0.999 < share < 1:
        return ">99.9%"
    return "<0.1%" if 0 < share < 0.001 else format_percent(share)


def format_p_value(p: float, alpha: float) -> str:
    """Format a p-value with as many decimals as show on which side of ``alpha`` it is.

    >>> [format_p_value(p, 0.05) for p in (0.0123, 1e-9, 0.0, 0.049999)]
    ['0.0123', '<0.0001', '<0.0001', '0.049999']
    """
    if math.isnan(p):
        return _UNDEFINED
    if p < min(1e-4, alpha):
        bound = min(1e-4, alpha)
        return f"<{bound:.4f}" if bound == 1e-4 else f"<{bound:g}"
    texts = (f"{p:.{digits}f}" for digits in range(4, 17))
    return next((t for t in texts if (float(t) < alpha) == (p < alpha)), repr(p))


def format_p_value_brief(p: float, alpha: float) -> str:
    """Format a p-value with two significant digits, or as many as show its side of ``alpha``.

    >>> [format_p_value_brief(p, 0.05) for p in (0.0412, 0.00004, 1.0, 0.0496)]
    ['0.041', '4e-05', '1', '0.0496']
    """
    texts = (f"{p:.{digits}g}" for digits in range(2, 17))
    return next((text for text in texts if (float(text) < alpha) == (p < alpha)), repr(p))


def format_effect_size(value: float) -> str:
    """Format an effect size with its sign.

    >>> [format_effect_size(size) for size in (0.3493, -0.001, -1e-17, math.inf, math.nan)]
    ['+0.35', '-0.001', '0.00', '+inf', '-']
    """
    if math.isnan(value):
        return _UNDEFINED
    if abs(value) < TOLERANCE:
        return "0.00"
    if abs(value) < 5e-3:
        return f"{value:+.1g}"
    return f"{value:+.2f}" if abs(value) < 1e6 else f"{value:+.0e}"


def format_interval(interval: Interval | None) -> str:
    """Format an interval with four decimals; a dash if there is none.

    >>> format_interval(Interval(0.004, 0.0381)), format_interval(None)
    ('[0.0040, 0.0381]', '-')
    >>> format_interval(Interval(math.nan, math.nan))
    '-'
    """
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return _UNDEFINED
    return f"[{format_number(interval.low)}, {format_number(interval.high)}]"


def describe_change(difference: float) -> str:
    """Return the verb for a number that changes by a difference.

    >>> describe_change(0.1), describe_change(-0.1)
    ('rises', 'drops')
    """
    return "rises" if difference > 0 else "drops"


def format_value(measure: MeasureTraits, value: float) -> str:
    """Format a value for people: counts as integers, and a dash if the measure has no value."""
    if measure.whole and math.isnan(value):
        return _UNDEFINED
    return f"{value:.0f}" if measure.average == "sum" and value % 1 == 0 else f"{value:.4f}"


def _format_until_distinct(value: float, references: Iterable[float], min_decimals: int) -> str:
    for decimals in range(min_decimals, _MAX_DECIMALS + 1):
        text = f"{value:.{decimals}f}"
        if all(
            abs(value - reference) < TOLERANCE or float(text) != reference
            for reference in references
        ):
            return _drop_zero_sign(text)
    return repr(value)


def _drop_zero_sign(text: str) -> str:
    return text.lstrip("+-") if float(text) == 0 else text
