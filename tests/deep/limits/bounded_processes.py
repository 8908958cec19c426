"""Programs in a process of their own: what they print, and how much memory they take at most."""

import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

needs_resource = pytest.mark.skipif(
    sys.platform != "linux", reason="peak memory of a child in kilobytes is told by Linux alone"
)

_HANG = 300  # seconds: no assertion on speed, only an end to what would never end
_MEASURED = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(status)
"""


@dataclass(frozen=True)
class Ended:
    """A process that has ended.

    Attributes:
        status: Its exit code.
        out: What it printed.
        err: What it printed to standard error.
        peak_mb: The memory that it had at most, in megabytes.
    """

    status: int
    out: str
    err: str
    peak_mb: float


def gainful(*arguments, stdin=None, **variables):
    """What the command line does, in a process of its own; ``GainfulError`` is status 1."""
    command = [sys.executable, "-m", "gainful", *map(str, arguments)]
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *command],
        stdin=stdin if stdin is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_HANG,
        env=os.environ | variables,
    )
    *err, peak = done.stderr.splitlines()
    return Ended(done.returncode, done.stdout, "\n".join(err), int(peak) / 1000)


def python(code, *arguments):
    """What a program prints; a hang is a failure."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        check=True,
        capture_output=True,
        text=True,
        timeout=_HANG,
    )
    return done.stdout
