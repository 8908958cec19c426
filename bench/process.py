"""One process, measured from outside."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import IO

from bench.data import ROOT


@dataclass(frozen=True)
class Sample:
    """The time, memory and output of one process.

    Attributes:
        seconds: From start to end, by the clock on the wall.
        cpu_seconds: Of all its threads, user and system.
        peak_mb: The most memory it had resident at once.
        output: What it printed.
    """

    seconds: float
    cpu_seconds: float
    peak_mb: float
    output: str


def run_sample(command: Sequence[str]) -> Sample:
    """Run one process in the repository's root, and return its measurements.

    A process that fails ends the benchmark with what it said.
    """
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=errors, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}.\n{_read_text(errors)}")
        return Sample(
            seconds, usage.ru_utime + usage.ru_stime, _convert_peak(usage), _read_text(output)
        )


@cache
def find_complaint(command: tuple[str, ...]) -> str | None:
    """Return the last line that the process prints when it fails, if it does."""
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if ended.returncode == 0:
        return None
    return ended.stderr.strip().rpartition("\n")[2] or f"exit code {ended.returncode}"


def get_least_peak_mb() -> float:
    """Return the least peak that can be reported: that of this process, which starts the others."""
    return _convert_peak(resource.getrusage(resource.RUSAGE_SELF))


def _convert_peak(usage: resource.struct_rusage) -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * unit / 1e6


def _read_text(file: IO[str]) -> str:
    file.seek(0)
    return file.read()
