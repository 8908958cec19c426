"""How many values of tools come out of their dialects.

``make gold`` counts those that were recorded; ``GAINFUL_GOLD=write make test-dialects`` those that
tools give when they are asked anew.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Recorded(NamedTuple):
    """What came of comparing the values of one library.

    Attributes:
        library: Its name.
        version: The version that gave the values, and what it was made with.
        dialects: The dialects that should give them.
        within: How closely.
        matched: How many of the values they give.
        total: How many values there are.
        unmatched: For the others, why no rule gives them, and how many there are of each.
    """

    library: str
    version: str
    dialects: list[str]
    within: str
    matched: int
    total: int
    unmatched: dict[str, int]


@cache
def recorded_values() -> tuple[Recorded, ...]:
    """What came of every library whose values were recorded, by its name.

    >>> recorded_values()[0].library
    'allRank'
    """
    return _read("recorded_values.json")


@cache
def live_values() -> tuple[Recorded, ...]:
    """What came of every library that was asked for the values of random lists, by its name.

    >>> live_values()[0].total
    1200
    """
    return _read("live_values.json")


def _read(name: str) -> tuple[Recorded, ...]:
    text = (files(__package__) / name).read_text(encoding="utf-8")
    return tuple(Recorded(**one) for one in json.loads(text))
