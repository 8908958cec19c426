"""Ranges of numbers, where there are too many of them to be kinds of queries."""

import math
from collections.abc import Mapping

import numpy as np

from gainful.settings import text_of

_WORDS = {2: "1-2 words", 4: "3-4 words", math.inf: "5 or more words"}

Values = dict[str, str | None]


def numbers_of(values: Mapping[str, str | None]) -> dict[str, float] | None:
    """The values as numbers, those left out that are not there; None if not all are numbers.

    >>> numbers_of({"a": "2", "b": None}), numbers_of({"a": "2", "b": "two"})
    ({'a': 2.0}, None)
    """
    try:
        found = {query: float(value) for query, value in values.items() if value is not None}
    except ValueError:
        return None
    return found if all(map(math.isfinite, found.values())) else None


def by_quartiles(numbers: Mapping[str, float]) -> Values:
    """The range of each number, the lowest first.

    As many are in each quarter as equal numbers allow.

    >>> by_quartiles({"a": 40.0, "b": 2.0, "c": 3.0, "d": 4.0, "e": 1.0})
    {'e': '1-2', 'b': '1-2', 'c': '3', 'd': '4', 'a': '40'}
    """
    queries = sorted(numbers, key=numbers.__getitem__)
    each = np.array([numbers[query] for query in queries])
    ends = np.quantile(each, (0.25, 0.5, 0.75), method="inverted_cdf")
    quarter = np.searchsorted(ends, each).tolist()
    held = [each[np.equal(quarter, q)] for q in range(4)]
    names = [_range(one[0], one[-1]) if len(one) else None for one in held]
    return {query: names[q] for query, q in zip(queries, quarter, strict=True)}


def by_words(texts: Mapping[str, str | None]) -> Values:
    """How many words each text has, in ranges; none if there is no word.

    >>> by_words({"a": "red shoes", "b": "how to clean suede shoes", "c": None})
    {'a': '1-2 words', 'b': '5 or more words', 'c': None}
    """
    return {query: _words(len((text or "").split())) for query, text in texts.items()}


def _words(n: int) -> str | None:
    return next(name for most, name in _WORDS.items() if n <= most) if n else None


def _range(low: float, high: float) -> str:
    ends = list(dict.fromkeys((_text(low), _text(high))))
    return (" to " if low < 0 else "-").join(ends)


def _text(number: float) -> str:
    return text_of(float(f"{number:.6g}"))
