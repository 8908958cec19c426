"""gainful measures, gainful dialects, gainful help: list or explain measures, tools, codes."""

import sys

import click

from gainful.cli.options import load_option
from gainful.cli.output import Output, get_width, output_options, print_result
from gainful.errors import GainfulError


@click.command("measures")
@click.argument("name", required=False)
@load_option
def measures_command(name: str | None) -> None:
    """List all measures, or explain the one called NAME.

    \b
    Examples:
      gainful measures
      gainful measures nDCG
      gainful measures ndcg_cut_10
      gainful measures --load my_measures.py
    """
    from gainful.measures import parse_measure
    from gainful.report import describe_measure, list_measures

    width = get_width()
    print(describe_measure(parse_measure(name), width) if name else list_measures(), end="")


@click.command("dialects")
@click.argument("name", required=False)
@output_options(["table", "tsv", "json"])
def dialects_command(name: str | None, output: Output) -> None:
    """List the tools whose definitions are known, or explain the one called NAME.

    NAME may have a version: xgboost@1.7, trec_eval==9.0.8.

    \b
    Examples:
      gainful dialects
      gainful dialects lightgbm
      gainful dialects sklearn@1.1
      gainful dialects -f json
    """
    from gainful.dialects import DIALECTS, find_dialect
    from gainful.report import (
        describe_dialect,
        list_dialects,
        list_dialects_tsv,
        write_dialects_json,
    )

    dialects = [find_dialect(name)] if name else list(DIALECTS.values())
    output = output.with_default("table") if name else output
    if output.format == "json":
        text = write_dialects_json(dialects)
    elif output.format == "tsv":
        text = list_dialects_tsv(dialects)
    elif name:
        text = describe_dialect(dialects[0], get_width())
    else:
        text = list_dialects(get_width())
    output.print(text)


_WAY_IN = """\
gainful -h             lists the commands
gainful help COMMAND   shows the arguments and options of one, as gainful COMMAND -h does
gainful help CODE      says what the code at the end of a message means, and what to do
gainful measures NAME  explains a measure, gainful dialects NAME another tool's definition
"""


@click.command("help")
@click.argument("name", required=False, metavar="[CODE|COMMAND]")
@click.pass_context
def help_command(context: click.Context, name: str | None) -> None:
    """Explain the code of an error or a notice, or a command; alone, list all codes.

    Every error and notice ends in a code in brackets, which may be typed with them or without.

    \b
    Examples:
      gainful help
      gainful help missing-column
      gainful help [missing-queries]
      gainful help eval
    """
    print_result(_find_page(context, name) if name else _list_codes())


def _list_codes() -> str:
    from gainful.report import list_codes, list_codes_tsv

    people = sys.stdout.isatty()
    return f"{_WAY_IN}\n{list_codes(get_width()) if people else list_codes_tsv()}"


def _find_page(context: click.Context, name: str) -> str:
    from gainful.base import suggest_name
    from gainful.diagnostics import CODES, find_code, normalize_code
    from gainful.report import describe_code

    if code := find_code(name):
        return describe_code(code, get_width())
    above = context.parent
    group = above.command if above else None
    commands = group.commands if isinstance(group, click.Group) else {}
    if normalize_code(name).replace("-", "_") in commands:
        command = commands[normalize_code(name).replace("-", "_")]
        return f"{command.get_help(click.Context(command, above, command.name))}\n"
    hint = (
        suggest_name(normalize_code(name), [*CODES, *commands]) or " gainful help lists all codes."
    )
    message = f"no code and no command is called {name!r}.{hint}"
    raise GainfulError(message, code="unknown-code")
