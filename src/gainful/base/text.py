"""Counts, examples, choices and suggestions for sentences, and results as text and JSON."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gainful.errors import GainfulError

_MAX_COMPARED = (
    200  # characters of a name that may be misspelled; finding what is like it takes squares
)


def format_count(number: int, singular: str, plural: str) -> str:
    """Return a number and its noun.

    >>> format_count(1, "query", "queries"), format_count(6980, "query", "queries")
    ('1 query', '6,980 queries')
    """
    return f"{number:,} {singular if number == 1 else plural}"


def format_examples(names: Sequence[str], max_names: int = 3) -> str:
    """Return the first few names.

    >>> format_examples(["q1", "q2", "q3", "q4"])
    "'q1', 'q2', 'q3', ..."
    """
    text = ", ".join(repr(name) for name in names[:max_names])
    return text + (", ..." if len(names) > max_names else "")


def format_repr(value: object, max_length: int = 60) -> str:
    """Return the repr of a value, cut short; its type if it has none.

    >>> format_repr("d1"), format_repr(10**5000)
    ("'d1'", "<class 'int'>")
    """
    try:
        return repr(value)[:max_length]
    except Exception:  # nested too deeply, too many digits, or an object that has no text
        return str(type(value))


def suggest_name(name: str, names: Sequence[str]) -> str:
    """Return " Did you mean NAME?" with the name of the most similar spelling; else nothing.

    >>> suggest_name("Categroy", ["text", "category"]), suggest_name("color", ["text", "category"])
    (' Did you mean category?', '')
    """
    import difflib  # only a misspelled name needs it

    folded = {str(candidate).casefold(): candidate for candidate in reversed(names)}
    matches = difflib.get_close_matches(str(name).casefold()[:_MAX_COMPARED], folded, n=1)
    return f" Did you mean {folded[matches[0]]}?" if matches else ""


def check_choice(
    subject: str, value: object, choices: Iterable[str], error: type[GainfulError]
) -> str:
    """Return the value if it is one of the choices; else raise the error, which names them.

    >>> from gainful.errors import OutputError
    >>> check_choice("to_csv: shape", "wide", ("tidy", "wide"), OutputError)
    'wide'
    """
    names = list(choices)
    if value not in names:
        message = f"{subject} must be one of {', '.join(names)}, got {value!r:.60}."
        raise error(message, code="bad-argument")
    return str(value)


def encode_ids(ids: Sequence[str]) -> Sequence[str]:
    """Return the ids as text that Arrow accepts: a byte that is not UTF-8 becomes its number.

    >>> encode_ids(["q1", "q\\udcff"])
    ['q1', 'q\\\\udcff']
    """
    try:
        "".join(ids).encode()
    except UnicodeEncodeError:
        return [encode_text(name) for name in ids]
    return ids


def encode_text(text: str) -> str:
    """Return text that can be encoded: a byte that is not UTF-8 becomes its number.

    >>> encode_text("q\\udcff") == "q\\\\udcff"
    True
    """
    return text.encode("utf-8", "backslashreplace").decode()


def to_jsonable(value: object) -> Any:
    """Return the value in types of JSON; NaN and infinity, which JSON lacks, become None.

    An interval, or any other tuple, becomes a list; NumPy numbers become Python numbers.

    >>> to_jsonable({"low": float("nan"), "ends": (0.25, np.float64(0.5)), "n": np.int64(3)})
    {'low': None, 'ends': [0.25, 0.5], 'n': 3}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: to_jsonable(element) for name, element in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [to_jsonable(element) for element in value]
    return value


def to_json(content: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """Serialize plain values as JSON, with floats at full precision.

    >>> to_json({"query": "q1", "value": 0.5}, indent=None)
    '{"query": "q1", "value": 0.5}'
    """
    import json  # loaded only if it is needed

    return json.dumps(content, indent=indent, ensure_ascii=False, allow_nan=False)
