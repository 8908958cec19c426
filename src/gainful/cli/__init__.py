"""The ``gainful`` command: arguments to library to text. The only place that prints or exits."""

import io
import os
import sys

import click

from gainful._version import __version__
from gainful.cli.demo import demo
from gainful.cli.eval import evaluation
from gainful.cli.explain import explanation
from gainful.cli.measures import measures
from gainful.errors import GainfulError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gainful")
def gainful() -> None:
    """Measure how good a ranking is.

    \b
    Start with:
      gainful demo                                  a tour on a small bundled collection
      gainful eval QRELS RUN -m nDCG@10             score a run against judgments
      gainful explain QRELS RUN QUERY               see why a query scored what it scored
      gainful measures nDCG                         read what a measure means
    """


for command in (evaluation, explanation, measures, demo):
    gainful.add_command(command)


def main() -> None:
    """Run the command line: exit 0, 1 after a failure, 2 after wrong usage."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            # Ids print as the bytes they are, whatever the locale.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.exit(_exit_code())


def _exit_code() -> int:
    # Not click's own main(): it has other ideas about interrupts and closed pipes.
    try:
        with gainful.make_context("gainful", sys.argv[1:]) as context:
            gainful.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except GainfulError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has seen enough; nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"error: standard output: {error.strerror or error}.".lower(), file=sys.stderr)
        return 1
    return 0
