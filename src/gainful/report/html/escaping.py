"""Text and JSON made safe for an HTML page."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from gainful.base import encode_text

# Forbidden in HTML: control characters and noncharacters.
_NONCHARACTERS = "\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef" + "".join(
    chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF)
)
_UNSAFE = re.compile(f"[\x00-\x08{_NONCHARACTERS}]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def sanitize_text(text: str) -> str:
    """Replace every character that cannot be shown with a sign.

    A control character becomes its picture, a byte that is not UTF-8 its number.

    >>> sanitize_text("a\\x01b\\udcff") == "a\\u2401b\\\\udcff"
    True
    """
    return _UNSAFE.sub(_replace_control, encode_text(text))


def map_texts(change: Callable[[str], str], value: object) -> Any:
    """Return a plain value with all its texts changed.

    >>> map_texts(str.upper, [{"run": "a"}, 1])
    [{'RUN': 'A'}, 1]
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(name): map_texts(change, inner) for name, inner in value.items()}
    return [map_texts(change, v) for v in value] if isinstance(value, list | tuple) else value


def escape_json(json: str) -> str:
    """Escape JSON for a page: nothing in it ends the script or cannot be shown.

    >>> escape_json('["</script>"]') == '["\\\\u003c/script>"]'
    True
    """
    json = json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _UNSAFE.sub(_write_code_units, _SURROGATE.sub(_write_code_units, json))


def _replace_control(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"


def _write_code_units(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
