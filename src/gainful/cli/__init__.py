"""The ``gainful`` command: arguments to library to text. The only place that prints or exits."""

import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module

import click

from gainful._version import __version__
from gainful.cli._ending import exit_code

COMMANDS = {
    "eval": "evaluation",
    "compare": "comparison",
    "agree": "agreeing",
    "explain": "explanation",
    "report": "reporting",
    "bounds": "bounding",
    "holes": "finding",
    "convert": "conversion",
    "check": "checking",
    "power": "planning",
    "gate": "gating",
    "rosetta": "rosetta",
    "measures": "measures",
    "dialects": "dialects",
    "trec_eval": "trec_eval",
    "demo": "demo",
    "help": "helping",
}


_STANDARD_ERROR = 2


class _Commands(Mapping[str, click.Command]):
    """Every command under its name, imported when it is asked for: no start pays for the others."""

    def __getitem__(self, name: str) -> click.Command:
        attribute = COMMANDS[name]
        command: click.Command = getattr(import_module(f"gainful.cli.{name}"), attribute)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@click.group(commands=_Commands(), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gainful")
def gainful() -> None:
    """Measure how good a ranking is.

    \b
    Start with:
      gainful demo                                  a tour on a small bundled collection
      gainful eval QRELS RUN -m nDCG@10             score a run against judgments
      gainful compare QRELS RUN RUN                 see which run is better, and how sure that is
      gainful agree QRELS RUN RUN                   see whether measures and runs agree
      gainful explain QRELS RUN QUERY               see why a query scored what it scored
      gainful report QRELS RUN...                   see all of it on one page, in a browser
      gainful bounds QRELS RUN...                   see what unjudged items could change
      gainful holes QRELS RUN...                    see what to judge next
      gainful convert IN OUT                        write qrels or a run in another format
      gainful check QRELS RUN                       see what is odd about the data
      gainful power QRELS BASELINE RUN              see how many queries show a difference
      gainful gate QRELS BASELINE CANDIDATE         let a run replace another, or not
      gainful rosetta QRELS RUN                     see what other tools would say, and why
      gainful measures nDCG                         read what a measure means
      gainful dialects lightgbm                     read what another tool means by it
      gainful trec_eval QRELS RUN                   print what trec_eval prints
      gainful help CODE                             read what [code] in a message means
    """


def main(command: click.Command | None = None) -> None:
    """Run the command line, or another command, and end the process.

    The exit code is 0, 1 after a failure, 2 after wrong usage, 128 and its number after a signal.

    After a gate 1 means that it did not pass, and 2 that it could not be decided.
    """
    _keep_low_descriptors()
    code = run(command or gainful)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    # Not sys.exit(): there is nothing to clean up, and to unload NumPy takes longer than a command.
    os._exit(code)


def _keep_low_descriptors() -> None:
    """Open what is closed of 0, 1 and 2, lest a file get their number and what is printed there."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        pass
    os.close(descriptor)


def run(command: click.Command = gainful) -> int:
    """Run the command line; the exit code."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            # Ids print as the bytes they are, whatever the locale.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    # Not click's own main(): it has other ideas about interrupts and closed pipes.
    return exit_code(lambda: _invoked(command))


def _invoked(command: click.Command) -> int:
    try:
        with command.make_context(command.name, sys.argv[1:]) as context:
            command.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0
