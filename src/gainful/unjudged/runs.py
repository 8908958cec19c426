"""The runs that were given, no two of the same name."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from gainful.errors import ComparisonError
from gainful.sources import Run, read_run


def as_runs(runs: Any) -> list[Run]:
    """The runs, to be read when they are needed: one, several in a list, or ``{name: run}``.

    >>> [run.name for run in as_runs("bm25.run")]
    ['bm25']
    >>> [run.name for run in as_runs(["a/bm25.run", "b/bm25.run"])]
    ['bm25-1', 'bm25-2']
    """
    if isinstance(runs, str | os.PathLike | Run):
        runs = [runs]
    if isinstance(runs, Mapping):
        return [read_run(run, name=str(name)) for name, run in runs.items()]
    if not isinstance(runs, Iterable) or hasattr(runs, "__arrow_c_stream__"):
        message = f"runs: must be a list of runs, or {{name: run}}, got {runs!r:.60}."
        raise ComparisonError(message)
    read = [read_run(run) for run in runs]
    times, met = Counter(run.name for run in read), Counter[str]()
    named = []
    for run in read:
        met[run.name] += 1
        name = run.name if times[run.name] == 1 else f"{run.name}-{met[run.name]}"
        named.append(read_run(run, name=name))
    return named
