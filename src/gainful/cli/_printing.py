"""How commands print what they found."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from gainful.errors import SourceError
from gainful.tables import harmless


def print_result(text: str, notes: Iterable[str] = (), *, drawn: str = "") -> None:
    """Print it, and below it, on standard error, what belongs to it.

    Args:
        text: What to print.
        notes: A line each.
        drawn: What was drawn for the screen, with its colours; it comes after the text.
    """
    print(fit_for(sys.stdout, text) + drawn, end="")
    if said := list(notes):
        sys.stdout.flush()
        say("\n".join([*said, ""]), sys.stderr)


def fit_for(stream: TextIO, text: str) -> str:
    """The text as it may be printed there: a file gets it as it is, a terminal has no orders."""
    return harmless(text) if stream.isatty() else text


def say(text: str, to: TextIO | None = None) -> None:
    """Print it; a reader that has seen enough does not change the exit code, which says more.

    Args:
        text: What to print.
        to: Where; standard output if not given.
    """
    stream = to or sys.stdout
    try:
        print(fit_for(stream, text), end="", file=stream)
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if stream is sys.stdout and not isinstance(error, BrokenPipeError):
            message = f"standard output: {str(error.strerror or error).lower()}."
            raise SourceError(message, code="cannot-write") from error
