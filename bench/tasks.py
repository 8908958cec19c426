"""The registry of tasks, which are timed inside their process: see ``bench.all_tasks``."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Timing = tuple[float, ...]
TASKS: dict[str, "Task"] = {}


@dataclass(frozen=True)
class Task:
    """A function to be timed.

    Attributes:
        package: Package that must be installed, and whose version is printed.
        run: Function from the arguments on the command line to seconds and value.
    """

    package: str
    run: Callable[..., Timing]


def task(name: str, *, package: str) -> Callable[[Callable[..., Timing]], Callable[..., Timing]]:
    """Register the decorated function as a task; the function itself imports the package."""

    def declare(run: Callable[..., Timing]) -> Callable[..., Timing]:
        TASKS[name] = Task(package, run)
        return run

    return declare


def measure_time(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of one call and its result."""
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result
