"""Memory for polars, which ends the process, or waits forever, where it gets none: asked for first.

Only limits of a process (``ulimit``) refuse memory, and only Linux tells how much of them is left.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

_MB = 1 << 20
# By limit: the field of /proc that counts towards it, what polars takes when it is loaded and
# starts its threads, what each of these adds, and what a table of a million rows takes.
_NEEDS = {
    "RLIMIT_AS": ("VmSize", 1500 * _MB, 16 * _MB, 200 * _MB),
    "RLIMIT_DATA": ("VmData", 250 * _MB, 6 * _MB, 200 * _MB),
}


def with_room(tables: Iterable[Any]) -> Iterator[Any]:
    """The tables that polars makes, each made once there is memory for it; MemoryError if not."""
    making = iter(tables)
    while True:
        ask_for_room()
        try:
            table = next(making)
        except StopIteration:
            return
        yield table


def ask_for_room() -> None:
    """MemoryError where a limit of the process leaves less than polars may take for a table."""
    if sys.platform != "linux":
        return
    import resource

    for name, (field, starting, per_thread, table) in _NEEDS.items():
        most, _ = resource.getrlimit(getattr(resource, name))
        if most == resource.RLIM_INFINITY:
            continue
        threads = int(os.environ.get("POLARS_MAX_THREADS") or os.cpu_count() or 1)
        needed = table if "polars" in sys.modules else starting + per_thread * threads
        if most - _taken(field) < needed:
            raise MemoryError


def _taken(field: str) -> int:
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith(f"{field}:"))
    return int(line.split()[1]) * 1024
