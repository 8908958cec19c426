"""Options that several commands share."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from gainful.cli._sections import OPTIONS, RARE_RULES, RULES, SectionOption
from gainful.errors import GainfulError, SourceError
from gainful.rules import Rules, rule_arguments
from gainful.settings import Argument, text_of

Command = TypeVar("Command", bound=Callable[..., Any])


_METAVARS = {int: "N", float: "X", str: "PATTERN"}


def declared_options(
    arguments: dict[str, Argument], section: str = OPTIONS, **defaults: Any
) -> Callable[[Command], Command]:
    """One option for each argument, as it is declared; None where it is not given.

    Args:
        arguments: By their names.
        section: The heading that help lists them below.
        defaults: What takes the place of None, where that depends on other arguments.
    """

    def with_options(command: Command) -> Command:
        for name, argument in reversed(arguments.items()):
            choices, said = argument.setting.choices, argument.setting.help
            default = defaults.get(name, argument.default)
            command = click.option(
                f"--{name.replace('_', '-')}",
                cls=SectionOption,
                section=section,
                type=click.Choice(list(choices)) if choices else argument.type,
                metavar=None if choices else _METAVARS[argument.type],
                help=f"{said[0].upper()}{said[1:]}"
                + ("." if default is None else f" (default {text_of(default)})."),
            )(command)
        return command

    return with_options


def rule_options(command: Command) -> Command:
    """One option per rule; see ``rules_from``."""
    common, rare = _rules_by_use()
    return declared_options(common, RULES)(declared_options(rare, RARE_RULES)(command))


def shared_rule_options(command: Command) -> Command:
    """The same for all of several dialects: there is no default, for each has its own."""
    common, rare = _rules_by_use()
    with_rare = declared_options(rare, RARE_RULES, **dict.fromkeys(rare))(command)
    return declared_options(common, RULES, **dict.fromkeys(common))(with_rare)


def _rules_by_use() -> list[dict[str, Argument]]:
    """The rules that many set, and those that few do."""
    return [
        {name: rule for name, rule in rule_arguments().items() if rule.setting.rare is is_rare}
        for is_rare in (False, True)
    ]


def measures_option(purpose: str, *default: str, more: str = "") -> Callable[[Command], Command]:
    """``-m``, which may be repeated: what measures are for, and which are taken if not given."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        metavar="MEASURE",
        multiple=True,
        help=f"MEASURE {purpose}; may be repeated (default {' '.join(default)}).{more}",
    )


def rules_from(options: Mapping[str, Any]) -> Rules:
    """The rules that the options set."""
    return Rules(**given(rule_arguments(), options))


def dialect_option(command: Command) -> Command:
    """``--dialect``: whose definition of the measures holds; see ``spoken_from``."""
    return click.option(
        "--dialect",
        "dialects",
        metavar="NAME",
        multiple=True,
        help="Score as the tool called NAME does, for example lightgbm or trec_eval@9; rules that "
        "are given beside it win. See gainful dialects.",
    )(command)


def spoken_from(names: tuple[str, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """The dialect of that name with the rules that the options set, else these rules alone."""
    if not names:
        return {"rules": rules_from(options)}
    if len(names) > 1:
        message = f"--dialect: must be one, got {', '.join(names)}. gainful rosetta takes several."
        raise click.UsageError(message)
    from gainful.dialects import find_dialect  # only who names one pays for them

    return {"dialect": find_dialect(names[0]).with_rules(**given(rule_arguments(), options))}


def given(names: Iterable[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that were given.

    >>> given(["ties", "depth"], {"ties": None, "depth": 10, "measure": "AP"})
    {'depth': 10}
    """
    return {name: options[name] for name in names if options[name] is not None}


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


def seed_option(command: Command) -> Command:
    """``--seed``: what random numbers start from."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        default=0,
        help="Draw random numbers from seed N (default 0).",
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
            raise SourceError(message, code=error.code) from error
        except Exception as error:
            message = f"--load {name}: cannot be imported ({type(error).__name__}: {error})."
            raise SourceError(message, code="cannot-load") from error


def _load_file(name: str) -> None:
    spec = importlib.util.spec_from_file_location(Path(name).stem, name)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _load_module(name: str) -> None:
    sys.path.insert(0, ".")
    importlib.import_module(name)
