"""Processes that end with the one that started them, whatever ends it. Needs Linux.

Every process started here has a mark in its environment, which all that it starts inherit. Another
process, the keeper, waits for the end of a pipe that only the starting process holds. It then kills
whatever has the mark, and removes the folder: after the last line of a ``with``, after Ctrl-C, and
after a signal that no one can catch.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping
from pathlib import Path

MARK = "GAINFUL_CLUSTER"
_PROCESSES = Path("/proc")


class OwnedProcesses:
    """A folder and processes, all gone after its ``with``."""

    def __init__(self) -> None:
        self.name = uuid.uuid4().hex
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "OwnedProcesses":
        self.folder = Path(tempfile.mkdtemp(prefix="gainful-cluster-"))
        keeper = [sys.executable, "-S", __file__, self.name, str(self.folder)]
        self._keeper = subprocess.Popen(keeper, stdin=subprocess.PIPE, start_new_session=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._keeper.stdin.close()
        for process in (self._keeper, *self._started):
            process.wait()

    def start(
        self, command: list[str], environment: Mapping[str, str], log: str, part: str = ""
    ) -> None:
        """Start a process that writes to a file of the folder.

        Args:
            command: Its arguments.
            environment: What it has besides that of this process.
            log: The name of the file.
            part: What ``end`` knows it by, and all that it starts.
        """
        with (self.folder / log).open("wb") as log_file:
            started = subprocess.Popen(
                command,
                env=self.mark_environment(environment, part),
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._started.append(started)

    def mark_environment(self, environment: Mapping[str, str], part: str = "") -> dict[str, str]:
        """The environment of a process that is to end with the others."""
        return {**os.environ, **environment, MARK: f"{self.name}-{part}"}

    def end(self, part: str) -> int:
        """Kill the processes of a part, and tell how many there were."""
        return end_all(f"{self.name}-{part}")

    def alive(self) -> list[int]:
        """The ids of processes that have not ended."""
        return alive(self.name)


def alive(name: str) -> list[int]:
    """The ids of processes that were mark_environment with a name, or one that begins with it."""
    marker = f"{MARK}={name}".encode()
    numbers = (int(folder.name) for folder in _PROCESSES.iterdir() if folder.name.isdecimal())
    return [number for number in numbers if _has(number, marker)]


def _has(number: int, marker: bytes) -> bool:
    try:
        environment = (_PROCESSES / str(number) / "environ").read_bytes()
    except OSError:  # it has ended, or is not ours
        return False
    return any(variable.startswith(marker) for variable in environment.split(b"\0"))


def end_all(name: str) -> int:
    """Kill mark_environment processes until there are none, and tell how many there were."""
    ended = set()
    while numbers := alive(name):
        for number in numbers:
            _kill(number)
        ended.update(numbers)
        time.sleep(0.05)
    return len(ended)


def _kill(number: int) -> None:
    try:
        os.kill(number, signal.SIGKILL)
    except ProcessLookupError:  # it was faster
        return


def _keep(name: str, folder: str) -> None:
    for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, signal.SIG_IGN)
    sys.stdin.read()
    end_all(name)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _keep(*sys.argv[1:])
