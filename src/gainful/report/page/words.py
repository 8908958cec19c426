"""Names and numbers, as sentences on the page have them."""

import math
import re

from gainful.comparison.digits import p_value
from gainful.tables import printable

_NEGATIVE = re.compile(r"(?<![\w.)\]])-(?=[\d.])")
_MOST = 8  # decimals in a sentence
_ISOLATED = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def named(name: str) -> str:
    """A name inside a sentence, which it cannot turn around, whatever it is written in.

    >>> named("hybrid"), named("a\\u202eb").isascii()
    ('hybrid', True)
    """
    shown = printable(name)
    return shown if shown.isascii() else f"{_ISOLATED[0]}{shown}{_ISOLATED[1]}"


def minus(text: str) -> str:
    """Text in which negative numbers have a true minus sign.

    >>> minus("[-0.5, 1e-05]") == "[\\N{MINUS SIGN}0.5, 1e-05]"
    True
    """
    return _NEGATIVE.sub("\N{MINUS SIGN}", text)


def digits_for(difference: float) -> int:
    """How many decimals show two digits of a difference, two to eight.

    >>> digits_for(0.19), digits_for(0.021), digits_for(0.0), digits_for(1e-9)
    (2, 3, 2, 8)
    """
    if not math.isfinite(difference) or difference == 0:
        return 2
    return min(max(math.ceil(-math.log10(abs(difference))) + 1, 2), _MOST)


def plus(number: float, digits: int) -> str:
    """A number with its sign and so many decimals; 0 is never below 0.

    >>> plus(0.5, 2), plus(-0.125, 3), plus(-0.0, 2), plus(-1e-9, 2)
    ('+0.50', '-0.125', '+0.00', '+0.00')
    """
    text = f"{number:+.{digits}f}"
    return text if float(text) else text.replace("-", "+")


def chance(p: float, alpha: float) -> str:
    """A p-value in a sentence, with two digits, or as many as show on which side it is.

    >>> chance(0.0208, 0.05), chance(1e-9, 0.05), chance(0.0496, 0.05), chance(0.3, 0.05)
    ('p = 0.021', 'p < 0.0001', 'p = 0.0496', 'p = 0.30')
    """
    if math.isnan(p):
        return "no p-value"
    if (full := p_value(p, alpha)).startswith("<"):
        return f"p < {full[1:]}"
    texts = (f"{p:.{digits}f}" for digits in range(2 if p >= 0.095 else 3, 7))
    shown = next((t for t in texts if (float(t) < alpha) == (p < alpha) and float(t)), full)
    return f"p = {shown}"


def listed(texts: list[str]) -> str:
    """Texts as a sentence lists them.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
