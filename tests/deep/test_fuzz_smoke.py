"""The targets of fuzz/, run for a short while: none crashes."""

import subprocess
import sys

import pytest

from end_to_end.test_fuzz_targets import FUZZ, NATIVE, PYTHON

SECONDS = 2  # for each target: about half a minute in all
HANG = 1500  # seconds, builds included: an end to what would never end


@pytest.mark.skipif(sys.platform != "linux", reason="sanitizers and fuzzers are those of Linux")
def test_a_short_while_over_all_targets_finds_nothing():
    command = [sys.executable, FUZZ / "run.py", "--smoke", "--time", str(SECONDS)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=HANG)
    assert result.returncode == 0, result.stdout + result.stderr
    rows = [line.split() for line in result.stdout.splitlines()]
    counts = {row[0]: int(row[1]) for row in rows if len(row) == 4 and row[1].isdigit()}
    assert sorted(counts) == sorted([*NATIVE, *PYTHON])
    assert min(counts.values()) > 0
