"""How commands print what they found."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from gainful.errors import SourceError


def print_result(text: str, notes: Iterable[str] = ()) -> None:
    """Print it, and below it, on standard error, what belongs to it."""
    print(text, end="")
    if said := list(notes):
        sys.stdout.flush()
        print(*said, sep="\n", file=sys.stderr)


def say(text: str, to: TextIO | None = None) -> None:
    """Print it; a reader that has seen enough does not change the exit code, which says more.

    Args:
        text: What to print.
        to: Where; standard output if not given.
    """
    stream = to or sys.stdout
    try:
        print(text, end="", file=stream)
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if stream is sys.stdout and not isinstance(error, BrokenPipeError):
            message = f"standard output: {str(error.strerror or error).lower()}."
            raise SourceError(message) from error
