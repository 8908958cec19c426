"""The ``gainful`` command: arguments to library to text. The only place that prints or exits."""

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType, TracebackType
from typing import IO, Any, TextIO, cast

import click

from gainful._version import __version__
from gainful.cli.output import SectionedCommand, say
from gainful.errors import GainfulError

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_NO_MEMORY = (
    "there is not enough memory for this. Pass fewer runs or measures at once, or --threads 1."
)
# Of a library that could not be loaded; polars then lacks the classes of its native core.
_SIGNS = ("cannot allocate memory", "failed to map segment", "name 'pylazyframe'")


def run_and_report(work: Callable[[], int]) -> int:
    """Run a function and return the exit code: its own, or that of its failure."""
    signals = Signals()
    try:
        with signals:
            code = work()
            sys.stdout.flush()
        return code
    except BaseException as error:
        # Libraries make errors of their own of an interrupt that comes while they call back.
        return signals.code or _report_failure(error)


class Signals:
    """Lets the first signal that is to end the process clean up, and the next one end it at once.

    Attributes:
        code: The exit code of the signal; 0 if there was none.
    """

    def __init__(self) -> None:
        self.code = 0
        self._handlers: dict[int, Any] = {}
        self._previous_hook = sys.unraisablehook

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in _SIGNALS:
            # Those that somebody else takes, or that are to be ignored, stay what they are.
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                self._handlers[number] = signal.signal(number, self._handle_signal)
        sys.unraisablehook = self._handle_unraisable

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        if not self.code:  # else the process is about to end, and drops what was half done
            sys.unraisablehook = self._previous_hook

    def _handle_unraisable(self, failure: "sys.UnraisableHookArgs") -> None:
        # A signal that comes in a callback, of a weak reference for example, would be lost.
        if self.code and isinstance(failure.exc_value, KeyboardInterrupt):
            os._exit(self.code)
        if not self.code:  # what an interrupt leaves half done has nothing to say
            self._previous_hook(failure)

    def _handle_signal(self, number: int, _frame: FrameType | None) -> None:
        for handled in self._handlers:
            signal.signal(handled, signal.SIG_DFL)
        self.code = 128 + number
        raise KeyboardInterrupt


def describe_memory_error(error: BaseException) -> str | None:
    """Return the sentence for an error that a lack of memory caused; None for any other.

    >>> describe_memory_error(ImportError("libblas.so: failed to map segment"))[:29]
    'there is not enough memory fo'
    >>> describe_memory_error(ValueError("0"))
    """
    lacks_memory = isinstance(error, MemoryError) or (
        isinstance(error, ImportError | OSError | NameError)
        and any(sign in str(error).lower() for sign in _SIGNS)
    )
    return _NO_MEMORY if lacks_memory else None


def format_error(error: BaseException) -> str | None:
    """Return the line that is printed for an expected error; None for any other."""
    if isinstance(error, GainfulError):
        return error.line
    sentence = describe_memory_error(error)
    return sentence and f"error: {sentence} [no-memory]"


def _report_failure(error: BaseException) -> int:
    if isinstance(error, click.ClickException):
        with suppress(OSError):  # the exit code says it, where standard error does not
            error.show()
        return error.exit_code
    elif isinstance(error, KeyboardInterrupt):
        return 128 + signal.SIGINT
    elif line := format_error(error):
        # They hold what has taken the memory.
        error.__traceback__ = error.__context__ = error.__cause__ = None
        say(f"{line}\n", sys.stderr)
    elif isinstance(error, BrokenPipeError):
        # The reader has seen enough; nothing is left to say, not even at exit.
        _silence_stdout()
        return 0
    elif isinstance(error, OSError):
        _silence_stdout()
        reason = str(error.strerror or error).lower()
        say(f"error: standard output: {reason}. [cannot-write]\n", sys.stderr)
    else:
        raise error
    return 1


def _silence_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    # Not click's own main(): it has other ideas about interrupts and closed pipes.
    return run_and_report(_invoke)


def _invoke() -> int:
    try:
        with gainful.make_context(gainful.name, sys.argv[1:]) as context:
            gainful.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0


FAILURE = 2


class RefusedError(click.ClickException):
    """An error of a command whose exit code 1 has a meaning of its own."""

    exit_code = FAILURE

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line of the error."""
        say(f"{self.message}\n", cast("TextIO", file or sys.stderr))


class StrictCommand(SectionedCommand):
    """A command that exits with 2 where others exit with 1."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments."""
        with _refuse_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        with _refuse_errors():
            return super().invoke(context)


@contextmanager
def _refuse_errors() -> Iterator[None]:
    try:
        yield
    except (GainfulError, MemoryError, ImportError, NameError) as error:
        line = format_error(error)
        if line is None:
            raise
        raise RefusedError(line) from error
