"""The targets of fuzz/: what once was a crash is none, and a minute finds no new one."""

import importlib
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

FUZZ = Path(__file__).parent.parent / "fuzz"
NATIVE = sorted(path.stem for path in (FUZZ / "native").glob("*.cpp"))
PYTHON = sorted(path.stem for path in (FUZZ / "python").glob("*.py"))
KEPT = [
    path
    for kind in ("seeds", "regressions")
    for path in sorted((FUZZ / kind).glob("*/*"))
    if path.parent.name in PYTHON
]
SECONDS = 4  # for each target: about a minute in all
HANG = 1500  # seconds, builds included: an end to what would never end


def test_every_target_has_seeds_and_every_input_has_a_target():
    for kind in ("seeds", "regressions"):
        assert {path.name for path in (FUZZ / kind).iterdir()} <= {*NATIVE, *PYTHON}
    assert {path.name for path in (FUZZ / "seeds").iterdir()} == {*NATIVE, *PYTHON}
    size = sum(path.stat().st_size for path in FUZZ.glob("*/*/*") if path.is_file())
    assert size < 300_000


@pytest.mark.skipif(sys.platform == "win32", reason="its files cannot be written over while read")
@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_seed_or_a_crash_of_old_is_read_or_refused(path, monkeypatch):
    monkeypatch.syspath_prepend(FUZZ)
    monkeypatch.syspath_prepend(FUZZ / "python")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.import_module(path.parent.name).one(path.read_bytes())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="sanitizers and fuzzers are those of Linux")
def test_a_minute_over_all_targets_finds_nothing():
    command = [sys.executable, FUZZ / "run.py", "--smoke", "--time", str(SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    ran = {row[0]: int(row[1]) for row in rows if len(row) == 4 and row[1].isdigit()}
    assert sorted(ran) == sorted([*NATIVE, *PYTHON])
    assert min(ran.values()) > 0
