"""Memory for polars, which ends the process, or waits forever, where it gets none: asked for first.

Only limits of a process (``ulimit``) refuse memory, and only Linux tells how much of them is left.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from gainful.sources._reading import cores

_MB = 1 << 20
# By limit: the field of /proc that counts towards it, what polars takes when it is loaded and
# starts its threads, what each of these adds, and what a table of a million rows takes.
_NEEDS = {
    "RLIMIT_AS": ("ulimit -v", "VmSize", 1500, 16, 200),
    "RLIMIT_DATA": ("ulimit -d", "VmData", 250, 6, 200),
}


class NoRoomError(MemoryError):
    """A limit leaves too little for polars; its text is the way out."""


def with_room(tables: Iterable[Any]) -> Iterator[Any]:
    """The tables that polars makes, each made once there is memory for it; NoRoomError if not."""
    making = iter(tables)
    while True:
        ask_for_room()
        try:
            table = next(making)
        except StopIteration:
            return
        yield table


def ask_for_room() -> None:
    """NoRoomError where a limit of the process leaves less than polars may take for a table."""
    if sys.platform != "linux":
        return
    import resource

    for name, (said, field, starting, per_thread, table) in _NEEDS.items():
        most, _ = resource.getrlimit(getattr(resource, name))
        if most == resource.RLIM_INFINITY:
            continue
        needed = table if "polars" in sys.modules else starting + per_thread * _threads()
        left = (most - _taken(field)) // _MB
        if left < needed:
            message = (
                f"polars takes {needed:,} MB, and {said} leaves {left:,}. "
                "Raise that limit, or set POLARS_MAX_THREADS=1."
            )
            raise NoRoomError(message)


def _threads() -> int:
    """How many polars starts."""
    said = os.environ.get("POLARS_MAX_THREADS", "")
    return int(said) if said.isdigit() else cores()


def _taken(field: str) -> int:
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith(f"{field}:"))
    return int(line.split()[1]) * 1024
