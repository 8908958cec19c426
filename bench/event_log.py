"""The bytes that Spark moved between processes, read from its event log."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

MARK = "the clock starts"  # description of the job after which events count
OPTIONS = {
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
    "spark.eventLog.logBlockUpdates.enabled": "true",  # these have the sizes of broadcasts
}


class Transfers(NamedTuple):
    """Megabytes moved by all tasks together.

    Attributes:
        shuffle: Megabytes written for other tasks to read.
        results: Megabytes of task results sent to the driver.
        broadcast: Megabytes sent from the driver to every executor: closures and tables.
    """

    shuffle: float
    results: float
    broadcast: float


def read_transfers(folder: Path) -> Transfers:
    """Return the megabytes moved after the job that is described by MARK."""
    (path,) = [path for path in folder.iterdir() if not path.name.startswith(".")]
    with path.open() as lines:
        events = list(_skip_to_mark(json.loads(line) for line in lines))
    metrics = [
        event["Task Metrics"]
        for event in _select_events(events, "TaskEnd")
        if event.get("Task Metrics")
    ]
    blocks = [event["Block Updated Info"] for event in _select_events(events, "BlockUpdated")]
    return Transfers(
        sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in metrics) / 1e6,
        sum(task["Result Size"] for task in metrics) / 1e6,
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
    return [event for event in events if event["Event"] == f"SparkListener{name}"]


def _find_piece_sizes(blocks: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Return the largest size of each broadcast piece; a dropped piece is logged again."""
    sizes: dict[str, int] = {}
    for block in blocks:
        name = block["Block ID"]
        if name.startswith("broadcast_") and "_piece" in name:
            size = block["Memory Size"] + block["Disk Size"]
            sizes[name] = max(size, sizes.get(name, 0))
    return sizes
