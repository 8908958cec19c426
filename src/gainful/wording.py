"""Counts and examples, as sentences need them."""

from collections.abc import Sequence
from typing import Any

_LONGEST = 200  # characters of a name that may be misspelt; finding what is like it takes squares


def count(number: int, singular: str, plural: str) -> str:
    """A number and its noun.

    >>> count(1, "query", "queries"), count(6980, "query", "queries")
    ('1 query', '6,980 queries')
    """
    return f"{number:,} {singular if number == 1 else plural}"


def examples(names: Sequence[str], most: int = 3) -> str:
    """The first few names.

    >>> examples(["q1", "q2", "q3", "q4"])
    "'q1', 'q2', 'q3', ..."
    """
    shown = ", ".join(repr(name) for name in names[:most])
    return shown + (", ..." if len(names) > most else "")


def as_written(value: Any, most: int = 60) -> str:
    """What an error shows of a value: how Python writes it, or its type where it cannot be written.

    >>> as_written("d1"), as_written(10**5000)
    ("'d1'", "<class 'int'>")
    """
    try:
        return repr(value)[:most]
    except Exception:  # nested too deeply, too many digits, or an object that has no text
        return str(type(value))


def meant(asked: str, names: Sequence[str]) -> str:
    """A question that names what is spelt most like it, to follow a sentence; else nothing.

    >>> meant("Categroy", ["text", "category"]), meant("colour", ["text", "category"])
    (' Did you mean category?', '')
    """
    import difflib  # only a misspelt name needs it

    folded = {str(name).casefold(): name for name in reversed(names)}
    near = difflib.get_close_matches(str(asked).casefold()[:_LONGEST], folded, n=1)
    return f" Did you mean {folded[near[0]]}?" if near else ""
