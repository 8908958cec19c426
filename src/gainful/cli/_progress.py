"""A progress bar for work that takes longer than a second."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gainful.sources import Progress

_PATIENCE = 1.0  # seconds


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """Whom to tell how far the reading is; None where nobody looks.

    The bar goes to standard error and vanishes at the end.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    """Called with the name of a file, the bytes that are read, and how many there are."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._display: Any = None
        self._name: str | None = None
        self._task: Any = None

    def __call__(self, name: str, done: int, total: int | None) -> None:
        if self._display is None:
            if time.monotonic() - self._begin < _PATIENCE:
                return
            self._display = _display()
            self._display.start()
        if name != self._name:
            if self._task is not None:
                self._display.remove_task(self._task)
            self._name = name
            self._task = self._display.add_task(name, total=total)
        self._display.update(self._task, completed=done, total=total)

    def close(self) -> None:
        """Leaves the terminal as it was."""
        if self._display is not None:
            self._display.stop()


def _display() -> Any:
    from rich import progress
    from rich.console import Console

    return progress.Progress(
        progress.TextColumn("reading {task.description}", markup=False),
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.DownloadColumn(),
        progress.TransferSpeedColumn(),
        progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
