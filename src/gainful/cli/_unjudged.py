"""Options of the commands that look into unjudged items."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def unjudged_options(command: Command) -> Command:
    """``-m``, ``--grades`` and ``--baseline``; see ``grades_from``."""
    options = [
        click.option(
            "-m",
            "--measure",
            metavar="MEASURE",
            default="nDCG@10",
            help="MEASURE of the nDCG family (default nDCG@10).",
        ),
        click.option(
            "--grades",
            metavar="NUMBER,...",
            help="NUMBERs that an unjudged item may get as a label (default 0 and all labels of "
            "the qrels).",
        ),
        click.option(
            "--baseline",
            metavar="RUN",
            help="Compare all others with this RUN, by its name or path.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def grades_from(given: str | None) -> tuple[float, ...] | None:
    """The labels that an unjudged item may get.

    >>> grades_from("0,1,2.5")
    (0.0, 1.0, 2.5)
    """
    if given is None:
        return None
    try:
        return tuple(float(part) for part in given.split(","))
    except ValueError:
        message = f"--grades: must look like 0,1,2,3, got {given!r}."
        raise click.UsageError(message) from None
