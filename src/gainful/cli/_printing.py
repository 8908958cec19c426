"""How commands print what they found."""

import sys
from collections.abc import Iterable


def print_result(text: str, notes: Iterable[str] = ()) -> None:
    """Print it, and below it, on standard error, what belongs to it."""
    print(text, end="")
    if said := list(notes):
        sys.stdout.flush()
        print(*said, sep="\n", file=sys.stderr)
