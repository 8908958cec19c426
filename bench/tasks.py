"""What a task is: work that is timed inside its process, see ``bench.inside``."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Timed = tuple[float, ...]
TASKS: dict[str, "Task"] = {}


@dataclass(frozen=True)
class Task:
    """A piece of work.

    Attributes:
        package: What it needs installed, and whose version is printed.
        run: From the arguments on the command line to seconds and value.
    """

    package: str
    run: Callable[..., Timed]


def task(name: str, *, package: str) -> Callable[[Callable[..., Timed]], Callable[..., Timed]]:
    """Declare the decorated function as a task; it imports the package itself."""

    def declare(run: Callable[..., Timed]) -> Callable[..., Timed]:
        TASKS[name] = Task(package, run)
        return run

    return declare


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds of one call, and what it returned."""
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result
