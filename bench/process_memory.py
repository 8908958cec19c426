"""Memory and CPU seconds of the processes that this one started (Linux only)."""

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
        peak: Peak of resident bytes of each process, by process id.
        name: Name of each process, by process id.
    """

    def __init__(self) -> None:
        self.peak: dict[int, int] = {}
        self.name: dict[int, str] = {}
        self._first_seconds: dict[int, float] = {}
        self._last_seconds: dict[int, float] = {}
        self._processes: dict[int, _Process] = {}
        self._update()
        self._first_seconds = dict(self._last_seconds)

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds since the watch began, up to the last update of each process."""
        return sum(
            last - self._first_seconds.get(pid, 0.0) for pid, last in self._last_seconds.items()
        )

    def get_largest_mb(self, name: str, *, below: str = "") -> float:
        """Return the largest peak of processes of a name, optionally ``below`` another process."""
        peaks = [
            peak
            for pid, peak in self.peak.items()
            if self.name[pid].startswith(name) and (not below or self._has_ancestor(pid, below))
        ]
        return max(peaks, default=0) / 1e6

    def _has_ancestor(self, pid: int, name: str) -> bool:
        parent = self._processes[pid].parent
        while parent in self._processes:
            if self._processes[parent].name.startswith(name):
                return True
            parent = self._processes[parent].parent
        return False

    def _update(self) -> None:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        self._processes |= {pid: _read_process(pid) for pid in pids if pid not in self._processes}
        for pid in pids:
            if self._is_descendant(pid) and (usage := _read_usage(pid)):
                self.name[pid] = self._processes[pid].name
                self.peak[pid] = max(usage[0], self.peak.get(pid, 0))
                self._last_seconds[pid] = usage[1]

    def _is_descendant(self, pid: int) -> bool:
        while pid in self._processes and pid != os.getpid():
            pid = self._processes[pid].parent
        return pid == os.getpid()


@contextmanager
def watch_processes() -> Iterator[Watch]:
    """Yield a watch that is updated until the block ends."""
    watch, stop = Watch(), threading.Event()

    def update_watch() -> None:
        while not stop.wait(_PAUSE):
            watch._update()

    thread = threading.Thread(target=update_watch, daemon=True)
    thread.start()
    yield watch
    stop.set()
    thread.join()
    watch._update()


def _read_process(pid: int) -> _Process:
    fields = _read_stat(pid)
    return _Process(fields[0], int(fields[2])) if fields else _Process("", 0)


def _read_usage(pid: int) -> tuple[int, float] | None:
    """Return resident bytes and CPU seconds, or None if the process has ended."""
    fields = _read_stat(pid)
    if not fields:
        return None
    return int(fields[22]) * _PAGE, (int(fields[12]) + int(fields[13])) / _TICK


def _read_stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the name on, or [] if the process has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    head, _, tail = text.rpartition(")")
    return [head.partition("(")[2], *tail.split()]
