"""Calls that begin at the same moment on threads of their own, and what is compared of them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any, TypeVar

import gainful

T = TypeVar("T")


def call_at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """What each call gives; threads take turns as often as Python lets them."""
    begin = Barrier(len(calls))

    def wait_and_call(call: Callable[[], T]) -> T:
        begin.wait()
        return call()

    with _switch_often(), ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(wait_and_call, calls))


@contextmanager
def _switch_often() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


def summarize_scores(scores: gainful.Scores) -> dict[str, Any]:
    """All that scores tell, numbers as their bits."""
    return {
        "run": scores.run,
        "queries": scores.queries,
        "values": scores.values.tobytes(),
        "means": {name: mean.hex() for name, mean in scores.mean().items()},
        "judged": {str(measure): share.tobytes() for measure, share in scores.judged.items()},
        "notices": [str(notice) for notice in scores.notices],
    }
