"""Names that have a version, and the order of versions."""

import re

Version = tuple[int, ...]


def versioned(name: str) -> tuple[str, Version | None]:
    """A name without its version, and the version, if it has one.

    >>> versioned("xgboost@1.7"), versioned("trec_eval==9.0.8"), versioned("ranx")
    (('xgboost', (1, 7)), ('trec_eval', (9, 0, 8)), ('ranx', None))
    """
    match = re.fullmatch(r"(.+?)\s*(?:@|>=|==)\s*(\d[\w.]*)", name.strip())
    return (match[1], numbered(match[2])) if match else (name.strip(), None)


def numbered(version: str) -> Version:
    """A version as numbers: those that are equal but for zeros at their end are equal.

    >>> numbered("2.0") == numbered("2"), numbered("1.10") > numbered("1.9")
    (True, True)
    """
    numbers = list(map(int, re.findall(r"\d+", version)))
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def is_version(text: str) -> bool:
    """Whether it is numbers with points between, as releases have, and not a commit or a page.

    >>> is_version("4.7.0"), is_version("d04e4001"), is_version("the paper")
    (True, False, False)
    """
    return re.fullmatch(r"\d+(\.\d+)+", text) is not None
