"""gainful trec_eval: print what trec_eval prints."""

import os
import sys
from pathlib import Path

import click

from gainful.adapters import run_trec_eval
from gainful.base import open_atomic
from gainful.cli.output import escape_for, say
from gainful.errors import GainfulError

_SCRIPT = "#!{python}\nfrom gainful_command import trec_eval\n\ntrec_eval()\n"
_BATCH = '@"{python}" -m gainful trec_eval %*\n'


@click.command(
    "trec_eval",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS] QRELS RUN")
def trec_eval_command(arguments: tuple[str, ...]) -> None:
    """Print what trec_eval prints; with --compat, byte for byte.

    The options are trec_eval's own; -h lists them. What trec_eval gets wrong is right, unless
    --compat 9 or --compat 10 asks for the habits of 9.0.8 or 10.0. --install DIR puts a command
    called trec_eval into DIR.

    \b
    Examples:
      gainful trec_eval qrels.txt bm25.run
      gainful trec_eval -q -m map -m ndcg_cut.10,20 qrels.txt bm25.run
      gainful trec_eval -c -l 2 -M 1000 -m all_trec qrels.txt bm25.run
      gainful trec_eval --compat 9 -m official qrels.txt bm25.run
      gainful trec_eval -h -m bpref
      gainful trec_eval --install ~/bin
    """
    if arguments[:1] == ("--install",):
        print(_install(arguments[1:]))
        return
    outcome = run_trec_eval(arguments)
    print(escape_for(sys.stdout, outcome.stdout), end="")
    sys.stdout.flush()
    say(outcome.stderr, sys.stderr)
    if outcome.code:
        raise click.exceptions.Exit(outcome.code)


def _install(arguments: tuple[str, ...]) -> str:
    """Write the command and return a sentence about it."""
    if len(arguments) != 1:
        message = f"--install takes one folder, got {len(arguments)}."
        raise click.UsageError(message)
    windows = os.name == "nt"
    path = Path(arguments[0]).expanduser() / ("trec_eval.cmd" if windows else "trec_eval")
    if not path.parent.is_dir():
        message = f"{path.parent}: is no folder to put trec_eval into. Make it first."
        raise GainfulError(message, code="cannot-write")
    text = (_BATCH if windows else _SCRIPT).format(python=sys.executable)
    if path.exists() and path.read_bytes() != text.encode():
        message = f"{path}: exists already. Move it away first."
        raise GainfulError(message, code="exists-already")
    with open_atomic(str(path), executable=True) as file:
        file.write(text.encode())
    return f"{path} runs gainful trec_eval."
