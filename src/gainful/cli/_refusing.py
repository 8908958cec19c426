"""Commands whose exit code 1 says something, so that all that goes wrong exits with 2."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from gainful.cli._ending import line_of
from gainful.cli._printing import say
from gainful.cli._sections import Sectioned
from gainful.errors import GainfulError

WRONG = 2


class Refused(click.ClickException):
    """What went wrong, as the command line prints every error."""

    exit_code = WRONG

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it."""
        stream: Any = file or sys.stderr
        say(f"{self.message}\n", stream)


class Refusing(Sectioned):
    """A command that exits with 2 where others exit with 1."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments."""
        with _refusing():
            return super().make_context(*args, **kwargs)

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        with _refusing():
            return super().invoke(context)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except (GainfulError, MemoryError, ImportError, NameError) as error:
        line = line_of(error)
        if line is None:
            raise
        raise Refused(line) from error
