"""Runs under names that tell them apart."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gainful.errors import ComparisonError
from gainful.sources import Run, read_run
from gainful.wording import meant

_ONE_TABLE = ("__arrow_c_stream__", "__array__", "__dataframe__")


def named_runs(runs: Any) -> list[Run]:
    """The runs, to be read when they are evaluated, no two of the same name.

    Args:
        runs: ``{name: run}``, or runs in a list, which have their own names. Those that share a
            name in a list are numbered: ``bm25-1``, ``bm25-2``. A file may stand alone.

    >>> [run.name for run in named_runs(["a/bm25.run", "b/bm25.run", "dense.run"])]
    ['bm25-1', 'bm25-2', 'dense']
    >>> [run.name for run in named_runs({"old": "a/bm25.run", "new": "b/bm25.run"})]
    ['old', 'new']
    """
    if isinstance(runs, Mapping):
        _not_one_run(runs)
        return [read_run(run, name=_checked(name)) for name, run in runs.items()]
    if isinstance(runs, str | os.PathLike | Run):
        runs = [runs]
    if not _are_several(runs):
        message = f"runs: must be a list of runs, or {{name: run}}, got {runs!r:.60}."
        raise ComparisonError(message, code="wrong-type")
    read = [read_run(run) for run in runs]
    names = apart([run.name for run in read])
    return [read_run(run, name=name) for run, name in zip(read, names, strict=True)]


def name_of(baseline: str | os.PathLike[str] | None, runs: Sequence[Run]) -> str | None:
    """The name of the baseline, which may be given by its path, or by its file's name.

    >>> name_of("a/bm25.run", named_runs(["a/bm25.run", "dense.run"]))
    'bm25'
    """
    if baseline is None:
        return None
    asked, names = os.fspath(baseline), [run.name for run in runs]
    of_path = [run.name for run in runs if _path(run) == os.path.normpath(asked)]
    of_file = [run.name for run in runs if os.path.basename(_path(run)) == asked]
    if asked in names:
        return asked
    if of_path or len(of_file) == 1:
        return (of_path or of_file)[0]
    message = f"baseline: must be one of {', '.join(names)}, got {asked!r}.{meant(asked, names)}"
    raise ComparisonError(message, code="unknown-run")


def _path(run: Run) -> str:
    return os.path.normpath(run.source) if isinstance(run.source, str | os.PathLike) else ""


def _are_several(runs: object) -> bool:
    """Whether it is no table, which would be one run, and nothing that is none."""
    return isinstance(runs, Iterable) and not (
        isinstance(runs, bytes) or any(hasattr(runs, name) for name in _ONE_TABLE)
    )


def _not_one_run(runs: Mapping[Any, Any]) -> None:
    """An error where queries stand in place of names."""
    first = next(iter(runs.values()), None)
    inside = first.values() if isinstance(first, Mapping) else first
    inner = next(iter(inside), None) if isinstance(inside, Collection) else None
    items = isinstance(first, Mapping) and isinstance(inner, int | float)
    if items or (isinstance(first, list | tuple) and isinstance(inner, str)):
        message = (
            f"runs: must be {{name: run}}, got one run, whose first query is {next(iter(runs))!r}. "
            "Pass it in a list."
        )
        raise ComparisonError(message, code="wrong-type")


def _checked(name: object) -> str:
    if not isinstance(name, str):
        message = f"runs: the name of a run must be text, got {name!r:.60}."
        raise ComparisonError(message, code="wrong-type")
    return name


def apart(names: list[str]) -> Iterator[str]:
    """The names, numbered where they are not the only one; no number makes a name of another."""
    times = Counter(names)
    taken = {name for name in names if times[name] == 1}
    for name in names:
        if times[name] == 1:
            yield name
            continue
        number = next(n for n in range(1, 2 * len(names) + 1) if f"{name}-{n}" not in taken)
        taken.add(f"{name}-{number}")
        yield f"{name}-{number}"
