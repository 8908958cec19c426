"""What workers find wrong: carried to the driver, and put into words there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from gainful import _native, errors
from gainful._version import __version__
from gainful.engines.spark.frames import Given
from gainful.errors import GainfulError
from gainful.ragged import IntArray

# Where a fault stands among others: the local pipeline would have met the lowest first.
_STAGES = {"judged-twice": 1, "retrieved-twice": 3}
_READ = {"qrels": 0, "run": 2}
_LATER = {"qrels": 1.5, "run": 4}  # where no row is known
_AT_ONCE = -1
# What a worker tells that could not do its part, as Spark asks for it. No id looks like it, for in
# ids quotes are escaped; and what begins otherwise are rankings.
FAULTY = (
    "startswith(cast(about as string), '{') and (contains(cast(about as string), '\"fault\":') or "
    "not startswith(cast(about as string), '{\"facts\":'))"
)
CHANGED = (
    "spark: the rows have changed since they were evaluated, and Spark no longer has the values. "
    "Evaluate them again."
)
NO_ROWS: IntArray = np.zeros(0, dtype=np.int64)  # the positions of what errors name no rows of


class WorkerError(Exception):
    """A fault, as the row of a worker has it. It does not leave the worker."""


@contextmanager
def faulty(holds: str, position: IntArray) -> Iterator[None]:
    """Turn errors into faults.

    Args:
        holds: What is being read.
        position: The position of each of its rows.
    """
    try:
        yield
    except GainfulError as error:
        raise WorkerError({"fault": _fault(error, holds, position)}) from error


def other_version(wanted: str) -> dict[str, Any] | None:
    """The fault that a worker has another version of the package than the driver, if it has."""
    if wanted == __version__:
        return None
    message = (
        f"spark: the workers have gainful {__version__}, and the driver {wanted}. "
        "Install the same version on both."
    )
    told: dict[str, Any] = {"kind": "EngineError", "code": "spark-workers", "message": message}
    told |= {"holds": "run", "found": None}
    return {"fault": told | {"stage": _AT_ONCE, "first": ""}}


def _fault(error: GainfulError, holds: str, position: IntArray) -> dict[str, Any]:
    found = getattr(error, "found", None)
    told: dict[str, Any] = {"kind": type(error).__name__, "code": error.code}
    told |= {"message": str(error), "holds": holds, "found": None}
    if found is None:
        return told | {"stage": _LATER[holds], "first": error.query}
    reason, line, column, text, query, item, first, second = found
    line = int(position[line - 1]) if line else 0
    if reason == "retrieved-twice":
        first, second = (int(position[int(row) - 1]) for row in (first, second))
    named = [part.decode("utf-8", "surrogateescape") for part in (text, query, item)]
    stage = _STAGES.get(reason, _READ[holds])
    return told | {
        "stage": stage,
        "first": line,
        "found": [reason, line, column, *named, first, second],
    }


def raise_first(faults: Sequence[dict[str, Any]], qrels: Given, run: Given) -> None:
    """Raise the fault that the local pipeline would have met first, if there is any."""
    if not faults:
        return
    first = min(faults, key=lambda one: (one["stage"], one["first"]))
    if first["found"] is None:
        kind: type[GainfulError] = getattr(errors, first["kind"])
        raise kind(first["message"], code=first["code"], query=first["first"])
    reason, line, column, text, query, item, one, other = first["found"]
    given = qrels if first["holds"] == "qrels" else run
    named = [part.encode("utf-8", "surrogateescape") for part in (text, query, item)]
    raise given.worded(_native.BadInput(reason, line, column, *named, one, other)) from None
