"""Name runs, so that no two have the same name."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gainful.base import suggest_name
from gainful.errors import ComparisonError
from gainful.sources import Run, read_run

_ONE_TABLE = ("__arrow_c_stream__", "__array__", "__dataframe__")


def name_runs(runs: Any) -> list[Run]:
    """Return the runs, to be read when they are evaluated, no two of the same name.

    Args:
        runs: ``{name: run}``, or runs in a list, which have their own names. Those that share a
            name in a list are numbered: ``bm25-1``, ``bm25-2``. A file may stand alone.

    >>> [run.name for run in name_runs(["a/bm25.run", "b/bm25.run", "dense.run"])]
    ['bm25-1', 'bm25-2', 'dense']
    >>> [run.name for run in name_runs({"old": "a/bm25.run", "new": "b/bm25.run"})]
    ['old', 'new']
    """
    if isinstance(runs, Mapping):
        _check_mapping(runs)
        return [read_run(run, name=_check_name(name)) for name, run in runs.items()]
    if isinstance(runs, str | os.PathLike | Run):
        runs = [runs]
    if not _is_collection(runs):
        message = f"runs: must be a list of runs, or {{name: run}}, got {runs!r:.60}."
        raise ComparisonError(message, code="wrong-type")
    unnamed = [read_run(run) for run in runs]
    names = make_names_distinct([run.name for run in unnamed])
    return [read_run(run, name=name) for run, name in zip(unnamed, names, strict=True)]


def find_run_name(baseline: str | os.PathLike[str] | None, runs: Sequence[Run]) -> str | None:
    """Return the name of the baseline, which may be given by its path, or by its file's name.

    >>> find_run_name("a/bm25.run", name_runs(["a/bm25.run", "dense.run"]))
    'bm25'
    """
    if baseline is None:
        return None
    target, names = os.fspath(baseline), [run.name for run in runs]
    matches_by_path = [run.name for run in runs if _get_path(run) == os.path.normpath(target)]
    matches_by_file = [run.name for run in runs if os.path.basename(_get_path(run)) == target]
    if target in names:
        return target
    if matches_by_path or len(matches_by_file) == 1:
        return (matches_by_path or matches_by_file)[0]
    message = (
        f"baseline: must be one of {', '.join(names)}, got {target!r}.{suggest_name(target, names)}"
    )
    raise ComparisonError(message, code="unknown-run")


def _get_path(run: Run) -> str:
    return os.path.normpath(run.source) if isinstance(run.source, str | os.PathLike) else ""


def _is_collection(runs: object) -> bool:
    """Return whether it is a collection of runs, and not a table, which would be one run."""
    return isinstance(runs, Iterable) and not (
        isinstance(runs, bytes) or any(hasattr(runs, name) for name in _ONE_TABLE)
    )


def _check_mapping(runs: Mapping[Any, Any]) -> None:
    """Raise an error if the keys are queries, not names of runs."""
    first = next(iter(runs.values()), None)
    content = first.values() if isinstance(first, Mapping) else first
    first_value = next(iter(content), None) if isinstance(content, Collection) else None
    items = isinstance(first, Mapping) and isinstance(first_value, int | float)
    if items or (isinstance(first, list | tuple) and isinstance(first_value, str)):
        message = (
            f"runs: must be {{name: run}}, got one run, whose first query is {next(iter(runs))!r}. "
            "Pass it in a list."
        )
        raise ComparisonError(message, code="wrong-type")


def _check_name(name: object) -> str:
    if not isinstance(name, str):
        message = f"runs: the name of a run must be text, got {name!r:.60}."
        raise ComparisonError(message, code="wrong-type")
    return name


def make_names_distinct(names: list[str]) -> Iterator[str]:
    """Number names that occur more than once, so that all are distinct."""
    times = Counter(names)
    used = {name for name in names if times[name] == 1}
    for name in names:
        if times[name] == 1:
            yield name
            continue
        number = next(n for n in range(1, 2 * len(names) + 1) if f"{name}-{n}" not in used)
        used.add(f"{name}-{number}")
        yield f"{name}-{number}"
