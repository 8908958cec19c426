"""Time and memory of one process, measured from outside."""

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

# Installed packages are compiled to bytecode, whatever this process was told.
_ENV = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Sample:
    """The time, memory and output of one process.

    Attributes:
        seconds: Wall-clock seconds from start to end.
        cpu_seconds: User and system seconds of all threads.
        peak_mb: Peak of the resident memory in megabytes.
        output: Standard output.
    """

    seconds: float
    cpu_seconds: float
    peak_mb: float
    output: str


def run_sample(command: Sequence[str]) -> Sample:
    """Run one process in the repository's root, and return its measurements.

    If the process fails, the benchmark exits with its error output.
    """
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=errors, cwd=ROOT, env=_ENV)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}.\n{_read_text(errors)}")
        return Sample(
            seconds, usage.ru_utime + usage.ru_stime, _convert_peak(usage), _read_text(output)
        )


@cache
def find_error(command: tuple[str, ...]) -> str | None:
    """Return the last line of the error output if the process fails, else None."""
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if result.returncode == 0:
        return None
    return result.stderr.strip().rpartition("\n")[2] or f"exit code {result.returncode}"


def get_least_peak_mb() -> float:
    """Return the least peak that can be reported: that of this parent process."""
    return _convert_peak(resource.getrusage(resource.RUSAGE_SELF))


def _convert_peak(usage: resource.struct_rusage) -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * unit / 1e6


def _read_text(file: IO[str]) -> str:
    file.seek(0)
    return file.read()
