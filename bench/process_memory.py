"""The memory and the CPU seconds of processes that this one started; Linux alone."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_PAUSE = 0.05  # seconds
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    name: str
    parent: int


class Watch:
    """Memory and CPU seconds of this process and its descendants.

    Attributes:
        peak: The most bytes that were resident at once in each process, by its id.
        name: What each process runs.
    """

    def __init__(self) -> None:
        self.peak: dict[int, int] = {}
        self.name: dict[int, str] = {}
        self._first: dict[int, float] = {}
        self._last: dict[int, float] = {}
        self._known: dict[int, _Process] = {}
        self._look()
        self._first = dict(self._last)

    @property
    def cpu_seconds(self) -> float:
        """Return all seconds since the watch began, except the last moment of ended processes."""
        return sum(last - self._first.get(pid, 0.0) for pid, last in self._last.items())

    def get_largest_mb(self, name: str, *, below: str = "") -> float:
        """Return the peak of the largest process of that name, below another if named."""
        chosen = [
            bytes
            for pid, bytes in self.peak.items()
            if self.name[pid].startswith(name) and (not below or self._descends(pid, below))
        ]
        return max(chosen, default=0) / 1e6

    def _descends(self, pid: int, name: str) -> bool:
        parent = self._known[pid].parent
        while parent in self._known:
            if self._known[parent].name.startswith(name):
                return True
            parent = self._known[parent].parent
        return False

    def _look(self) -> None:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        self._known |= {pid: _read_process(pid) for pid in pids if pid not in self._known}
        for pid in pids:
            if self._is_ours(pid) and (seen := _read_usage(pid)):
                self.name[pid] = self._known[pid].name
                self.peak[pid] = max(seen[0], self.peak.get(pid, 0))
                self._last[pid] = seen[1]

    def _is_ours(self, pid: int) -> bool:
        while pid in self._known and pid != os.getpid():
            pid = self._known[pid].parent
        return pid == os.getpid()


@contextmanager
def watch_processes() -> Iterator[Watch]:
    """Yield a watch that looks again and again, as long as the block runs."""
    watch, ended = Watch(), threading.Event()

    def look() -> None:
        while not ended.wait(_PAUSE):
            watch._look()

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    yield watch
    ended.set()
    thread.join()
    watch._look()


def _read_process(pid: int) -> _Process:
    fields = _read_stat(pid)
    return _Process(fields[0], int(fields[2])) if fields else _Process("", 0)


def _read_usage(pid: int) -> tuple[int, float] | None:
    """Return resident bytes and CPU seconds; None if it has ended."""
    fields = _read_stat(pid)
    if not fields:
        return None
    return int(fields[22]) * _PAGE, (int(fields[12]) + int(fields[13])) / _TICK


def _read_stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the name on; none if the process has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    before, _, after = text.rpartition(")")
    return [before.partition("(")[2], *after.split()]
