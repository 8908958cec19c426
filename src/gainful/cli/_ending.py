"""How a command ends: with which exit code, and which sentence where something went wrong."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

import click

from gainful.cli._printing import say
from gainful.errors import GainfulError

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_NO_MEMORY = (
    "there is not enough memory for this. Pass fewer runs or measures at once, or --threads 1."
)
# Of a library that could not be loaded; polars then lacks the classes of its native core.
_SIGNS = ("cannot allocate memory", "failed to map segment", "name 'pylazyframe'")


def exit_code(work: Callable[[], int]) -> int:
    """The exit code of what is done: what it returns, or what stands for its failure."""
    signals = Signals()
    try:
        with signals:
            code = work()
            sys.stdout.flush()
        return code
    except BaseException as error:
        # Libraries make errors of their own of an interrupt that comes while they call back.
        return signals.code or _code_after(error)


class Signals:
    """Lets the first signal that is to end the process clean up, and the next one end it at once.

    Attributes:
        code: The exit code that tells of the signal; 0 if there was none.
    """

    def __init__(self) -> None:
        self.code = 0
        self._before: dict[int, Any] = {}
        self._unheard = sys.unraisablehook

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in _SIGNALS:
            # Those that somebody else takes, or that are to be ignored, stay what they are.
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                self._before[number] = signal.signal(number, self._end)
        sys.unraisablehook = self._hear

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if not self.code:  # else the process is about to end, and drops what was half done
            sys.unraisablehook = self._unheard

    def _hear(self, failure: Any) -> None:
        # A signal that comes in a callback, of a weak reference for example, would be lost.
        if self.code and isinstance(failure.exc_value, KeyboardInterrupt):
            os._exit(self.code)
        if not self.code:  # what an interrupt leaves half done has nothing to say
            self._unheard(failure)

    def _end(self, number: int, _frame: FrameType | None) -> None:
        for one in self._before:
            signal.signal(one, signal.SIG_DFL)
        self.code = 128 + number
        raise KeyboardInterrupt


def memory_sentence(error: BaseException) -> str | None:
    """What is said where memory was missing; None where it was not.

    >>> memory_sentence(ImportError("libblas.so: failed to map segment from shared object"))[:29]
    'there is not enough memory fo'
    >>> memory_sentence(ValueError("0"))
    """
    missing = isinstance(error, MemoryError) or (
        isinstance(error, ImportError | OSError | NameError)
        and any(sign in str(error).lower() for sign in _SIGNS)
    )
    return _NO_MEMORY if missing else None


def line_of(error: BaseException) -> str | None:
    """What is printed of an error that has a sentence; None of any other."""
    if isinstance(error, GainfulError):
        return error.line
    sentence = memory_sentence(error)
    return sentence and f"error: {sentence} [no-memory]"


def _code_after(error: BaseException) -> int:
    if isinstance(error, click.ClickException):
        with suppress(OSError):  # the exit code says it, where standard error does not
            error.show()
        return error.exit_code
    elif isinstance(error, KeyboardInterrupt):
        return 128 + signal.SIGINT
    elif line := line_of(error):
        # They hold what has taken the memory.
        error.__traceback__ = error.__context__ = error.__cause__ = None
        say(f"{line}\n", sys.stderr)
    elif isinstance(error, BrokenPipeError):
        # The reader has seen enough; nothing is left to say, not even at exit.
        _silence()
        return 0
    elif isinstance(error, OSError):
        _silence()
        reason = str(error.strerror or error).lower()
        say(f"error: standard output: {reason}. [cannot-write]\n", sys.stderr)
    else:
        raise error
    return 1


def _silence() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
