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
    """What was seen of this process and its descendants.

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
        """Of all processes, since the watch began, but for the last moment of those that ended."""
        return sum(last - self._first.get(pid, 0.0) for pid, last in self._last.items())

    def largest_mb(self, name: str, *, below: str = "") -> float:
        """The peak of the largest process of that name, among descendants of another if named."""
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
        self._known |= {pid: _process(pid) for pid in pids if pid not in self._known}
        for pid in pids:
            if self._ours(pid) and (seen := _seen(pid)):
                self.name[pid] = self._known[pid].name
                self.peak[pid] = max(seen[0], self.peak.get(pid, 0))
                self._last[pid] = seen[1]

    def _ours(self, pid: int) -> bool:
        while pid in self._known and pid != os.getpid():
            pid = self._known[pid].parent
        return pid == os.getpid()


@contextmanager
def watched() -> Iterator[Watch]:
    """Look again and again, as long as the block runs."""
    watch, ended = Watch(), threading.Event()

    def looking() -> None:
        while not ended.wait(_PAUSE):
            watch._look()

    thread = threading.Thread(target=looking, daemon=True)
    thread.start()
    yield watch
    ended.set()
    thread.join()
    watch._look()


def _process(pid: int) -> _Process:
    fields = _stat(pid)
    return _Process(fields[0], int(fields[2])) if fields else _Process("", 0)


def _seen(pid: int) -> tuple[int, float] | None:
    """Resident bytes and CPU seconds; None if it has ended."""
    fields = _stat(pid)
    if not fields:
        return None
    return int(fields[22]) * _PAGE, (int(fields[12]) + int(fields[13])) / _TICK


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the name on, without those that ended meanwhile."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    before, _, after = text.rpartition(")")
    return [before.partition("(")[2], *after.split()]
