"""gainful help: what a code in a message means, or how a command is used."""

import sys

import click

from gainful.cli._printing import print_result
from gainful.cli._screen import screen
from gainful.codes import CODES, find_code, spelt
from gainful.errors import GainfulError
from gainful.report.codes import listing, listing_tsv, page_text
from gainful.wording import meant

_WAY_IN = """\
gainful -h             lists the commands
gainful help COMMAND   shows the arguments and options of one, as gainful COMMAND -h does
gainful help CODE      says what the code at the end of a message means, and what to do
gainful measures NAME  explains a measure, gainful dialects NAME another tool's definition
"""


@click.command("help")
@click.argument("name", required=False, metavar="[CODE|COMMAND]")
@click.pass_context
def helping(context: click.Context, name: str | None) -> None:
    """Explain the code of an error or a notice, or a command; alone, list all codes.

    Every error and notice ends in a code in brackets, which may be typed with them or without.

    \b
    Examples:
      gainful help
      gainful help missing-column
      gainful help [missing-queries]
      gainful help eval
    """
    print_result(_page(context, name) if name else _overview())


def _overview() -> str:
    people = sys.stdout.isatty()
    return f"{_WAY_IN}\n{listing(screen().width) if people else listing_tsv()}"


def _page(context: click.Context, name: str) -> str:
    if code := find_code(name):
        return page_text(code, screen().width)
    above = context.parent
    group = above.command if above else None
    commands = group.commands if isinstance(group, click.Group) else {}
    if spelt(name).replace("-", "_") in commands:
        chosen = commands[spelt(name).replace("-", "_")]
        return f"{chosen.get_help(click.Context(chosen, above, chosen.name))}\n"
    way_out = meant(spelt(name), [*CODES, *commands]) or " gainful help lists all codes."
    message = f"no code and no command is called {name!r}.{way_out}"
    raise GainfulError(message, code="unknown-code")
