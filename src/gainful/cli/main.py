"""The ``gainful`` command: arguments to library to text. The only place that prints or exits."""

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module

import click

from gainful._version import __version__

# Loaded before signals are caught: an interrupt in the middle of it would abort the process.
from gainful.base import _native  # noqa: F401
from gainful.cli.output import say
from gainful.errors import GainfulError

_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
_NO_MEMORY = (
    "there is not enough memory for this. Pass fewer runs or measures at once, or --threads 1."
)
# The module that holds each command, as a function called <name>_command.
COMMANDS = {
    "eval": "eval",
    "compare": "compare",
    "correlate": "correlate",
    "explain": "explain",
    "report": "report",
    "unjudged": "unjudged",
    "convert": "convert",
    "check": "check",
    "power": "power",
    "gate": "gate",
    "reconcile": "reconcile",
    "measures": "reference",
    "dialects": "reference",
    "trec_eval": "trec_eval",
    "spark": "spark",
    "demo": "demo",
    "help": "reference",
}
# Exit codes of failures where 1 has a meaning of its own: that the candidate did not pass.
_FAILURE_CODES = {"gate": 2}
_STANDARD_ERROR = 2


class _LazyCommands(Mapping[str, click.Command]):
    """Every command under its name, imported when it is asked for: no start pays for the others."""

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"gainful.cli.{COMMANDS[name]}")
        command: click.Command = getattr(module, f"{name}_command")
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@click.group(commands=_LazyCommands(), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gainful")
def gainful() -> None:
    """Measure how good a ranking is.

    \b
    Start with:
      gainful demo                                  a tour on a small bundled collection
      gainful eval QRELS RUN -m nDCG@10             score a run against judgments
      gainful compare QRELS RUN RUN                 see which run is better, and how sure that is
      gainful correlate QRELS RUN RUN               see whether measures and runs agree
      gainful explain QRELS RUN QUERY               see why a query scored what it scored
      gainful report QRELS RUN...                   see all of it on one page, in a browser
      gainful unjudged QRELS RUN...                 see what unjudged items could change
      gainful convert IN OUT                        write qrels or a run in another format
      gainful check QRELS RUN                       see what is odd about the data
      gainful power QRELS BASELINE RUN              see how many queries show a difference
      gainful gate QRELS BASELINE CANDIDATE         let a run replace another, or not
      gainful reconcile QRELS RUN                   see what other tools would say, and why
      gainful measures nDCG                         read what a measure means
      gainful dialects lightgbm                     read what another tool means by it
      gainful trec_eval QRELS RUN                   print what trec_eval prints
      gainful spark QRELS RUN                       score a run on Spark
      gainful help CODE                             read what [code] in a message means
    """


def main() -> None:
    """Run the command line and end the process.

    The exit code is 0, 1 after a failure, 2 after wrong usage, 128 and its number after a signal.

    After a gate 1 means that it did not pass, and 2 that it could not be decided.
    """
    _keep_low_descriptors()
    code = run()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    # Not sys.exit(): there is nothing to clean up, and to unload NumPy takes longer than a command.
    os._exit(code)


def _keep_low_descriptors() -> None:
    """Open descriptors 0, 1 and 2 if they are closed, so that no file gets their numbers."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        pass
    os.close(descriptor)


def run() -> int:
    """Run the command line and return the exit code."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            # Ids print as the bytes they are, whatever the locale.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    received: list[int] = []
    try:
        with _catch_signals(received):
            code = _invoke()
            sys.stdout.flush()
        return code
    except BaseException as error:
        # Libraries make errors of their own of an interrupt that comes while they call back.
        return 128 + received[0] if received else _report_failure(error)


def _invoke() -> int:
    # Not click's own main(): it has other ideas about interrupts and closed pipes.
    try:
        with gainful.make_context(gainful.name, sys.argv[1:]) as context:
            gainful.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0


@contextmanager
def _catch_signals(received: list[int]) -> Iterator[None]:
    """Let signals that end the process raise KeyboardInterrupt, so that it cleans up.

    Args:
        received: The numbers of the signals that came; they are added as they come.
    """

    def interrupt(number: int, _frame: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    def handle_unraisable(failure: "sys.UnraisableHookArgs") -> None:
        if isinstance(failure.exc_value, KeyboardInterrupt):
            # In a callback, of a weak reference for example, it would be lost: do it once more.
            threading.Timer(0.01, signal.raise_signal, received[-1:]).start()
        elif not received:  # what an interrupt leaves half done has nothing to say
            previous_hook(failure)

    handlers, previous_hook = {}, sys.unraisablehook
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            # Those that somebody else takes, or that are to be ignored, stay what they are.
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                handlers[number] = signal.signal(number, interrupt)
    sys.unraisablehook = handle_unraisable
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.unraisablehook = previous_hook


def _report_failure(error: BaseException) -> int:
    """Print an error that is expected, and return its exit code; raise any other."""
    code = _FAILURE_CODES.get("".join(sys.argv[1:2]), 1)
    if isinstance(error, click.ClickException):
        with suppress(OSError):  # the exit code says it, where standard error does not
            error.show()
        return error.exit_code
    if isinstance(error, KeyboardInterrupt):
        return 128 + signal.SIGINT
    if isinstance(error, GainfulError):
        say(f"{error.line}\n", sys.stderr)
    elif isinstance(error, MemoryError):
        say(f"error: {_NO_MEMORY} [no-memory]\n", sys.stderr)
    elif isinstance(error, OSError):
        # Nothing is written to standard output any more, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader has seen enough
            return 0
        reason = str(error.strerror or error).lower()
        say(f"error: standard output: {reason}. [cannot-write]\n", sys.stderr)
    else:
        raise error
    return code
