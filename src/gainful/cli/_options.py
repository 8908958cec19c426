"""Options that several commands share."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from gainful.errors import GainfulError, SourceError
from gainful.rules import Rules, rule_arguments
from gainful.settings import text_of

Command = TypeVar("Command", bound=Callable[..., Any])


def rule_options(command: Command) -> Command:
    """One option per rule, as ``Rules`` declares it; see ``rules_from``."""
    for name, argument in reversed(rule_arguments().items()):
        choices = argument.setting.choices
        command = click.option(
            f"--{name}",
            type=click.Choice(list(choices)) if choices else int if argument.type is int else str,
            metavar=None if choices else "N" if argument.type is int else "PATTERN",
            help=f"{argument.setting.help[0].upper()}{argument.setting.help[1:]}"
            + (f" (default {text_of(argument.default)})." if choices else "."),
        )(command)
    return command


def rules_from(options: dict[str, Any]) -> Rules:
    """The rules that the options set."""
    return Rules(**{name: value for name, value in options.items() if value is not None})


def output_option(outputs: Iterable[str]) -> Callable[[Command], Command]:
    """``-o``: how to print; see ``output_for``."""
    return click.option(
        "-o",
        "--output",
        type=click.Choice(list(outputs)),
        help="How to print (default table on a terminal, tsv in a pipe).",
    )


def output_for(chosen: str | None) -> str:
    """The output that was chosen, else the one that fits where it goes."""
    return chosen or ("table" if sys.stdout.isatty() else "tsv")


def threads_option(command: Command) -> Command:
    """``--threads``: how many threads read files."""
    return click.option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="Read files on N threads (default all cores); the numbers do not depend on it.",
    )(command)


def load_option(command: Command) -> Command:
    """``--load``: import a module or file that declares measures."""
    return click.option(
        "--load",
        "loaded",
        metavar="FILE",
        multiple=True,
        callback=lambda _context, _option, names: _load(names),
        expose_value=False,
        is_eager=True,
        help="Import FILE (or a module by name) that declares measures of your own.",
    )(command)


def _load(names: tuple[str, ...]) -> None:
    for name in names:
        try:
            _load_file(name) if name.endswith(".py") else _load_module(name)
        except GainfulError as error:
            message = f"--load {name}: {error}"
            raise SourceError(message) from error
        except Exception as error:
            message = f"--load {name}: cannot be imported ({type(error).__name__}: {error})."
            raise SourceError(message) from error


def _load_file(name: str) -> None:
    spec = importlib.util.spec_from_file_location(Path(name).stem, name)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _load_module(name: str) -> None:
    sys.path.insert(0, ".")
    importlib.import_module(name)
