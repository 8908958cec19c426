"""Text that a page can show, whatever is in it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from gainful.shapes import valid_text

# What HTML must not hold: control characters and code points that are no characters.
_NONE = "\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef" + "".join(
    chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF)
)
_UNSHOWN = re.compile(f"[\x00-\x08{_NONE}]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def shown(text: str) -> str:
    """Text with a sign in place of every character that cannot be shown.

    A control character becomes its picture, a byte that is not UTF-8 its number.

    >>> shown("a\\x01b\\udcff") == "a\\u2401b\\\\udcff"
    True
    """
    return _UNSHOWN.sub(_sign, valid_text(text))


def texts(change: Callable[[str], str], held: Any) -> Any:
    """Plain values with all their texts changed.

    >>> texts(str.upper, [{"run": "a"}, 1])
    [{'RUN': 'A'}, 1]
    """
    if isinstance(held, str):
        return change(held)
    if isinstance(held, Mapping):
        return {change(name): texts(change, one) for name, one in held.items()}
    return [texts(change, one) for one in held] if isinstance(held, list | tuple) else held


def escaped(json: str) -> str:
    """JSON that a page can hold: nothing in it ends the script or cannot be shown.

    >>> escaped('["</script>"]') == '["\\\\u003c/script>"]'
    True
    """
    json = json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _UNSHOWN.sub(_code, _SURROGATE.sub(_code, json))


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"


def _code(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
