"""The bytes that Spark moved between processes, from its event log."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

MARK = "the clock starts"  # the description of the job after which all counts
OPTIONS = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
    "spark.eventLog.logBlockUpdates.enabled": "true",  # these tell how large broadcasts are
}


class Transfers(NamedTuple):
    """Megabytes, of all tasks together.

    Attributes:
        shuffled: Written for other tasks to read.
        returned: Results of tasks, on their way to the driver.
        broadcast: From the driver to every executor: tasks with their closures, and tables.
    """

    shuffled: float
    returned: float
    broadcast: float


def read_transfers(folder: Path) -> Transfers:
    """Return what was moved after the job that is the mark."""
    (path,) = [one for one in folder.iterdir() if not one.name.startswith(".")]
    with path.open() as lines:
        events = list(_skip_to_mark(json.loads(line) for line in lines))
    metrics = [
        one["Task Metrics"] for one in _select_events(events, "TaskEnd") if one.get("Task Metrics")
    ]
    blocks = [one["Block Updated Info"] for one in _select_events(events, "BlockUpdated")]
    return Transfers(
        sum(one["Shuffle Write Metrics"]["Shuffle Bytes Written"] for one in metrics) / 1e6,
        sum(one["Result Size"] for one in metrics) / 1e6,
        sum(_find_piece_sizes(blocks).values()) / 1e6,
    )


def _skip_to_mark(events: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    job = None
    started = False
    for event in events:
        if started:
            yield event
        elif (event.get("Properties") or {}).get("spark.job.description") == MARK:
            job = event.get("Job ID", job)
        elif event["Event"] == "SparkListenerJobEnd" and event["Job ID"] == job:
            started = True


def _select_events(events: Iterable[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [one for one in events if one["Event"] == f"SparkListener{name}"]


def _find_piece_sizes(blocks: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Return the largest size of each broadcast piece; a dropped piece is logged again."""
    sizes: dict[str, int] = {}
    for block in blocks:
        name = block["Block ID"]
        if name.startswith("broadcast_") and "_piece" in name:
            size = block["Memory Size"] + block["Disk Size"]
            sizes[name] = max(size, sizes.get(name, 0))
    return sizes
