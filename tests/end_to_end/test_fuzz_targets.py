"""Seeds and past crashes of every fuzz target; tests/deep/test_fuzz_smoke.py fuzzes them."""

import importlib
import sys
import warnings
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "fuzz"
NATIVE = sorted(path.stem for path in (FUZZ / "native").glob("*.cpp"))
PYTHON = sorted(path.stem for path in (FUZZ / "python").glob("*.py"))
INPUTS = [
    path
    for kind in ("seeds", "regressions")
    for path in sorted((FUZZ / kind).glob("*/*"))
    if path.parent.name in PYTHON
]


def test_every_target_has_seeds_and_every_input_has_a_target():
    for kind in ("seeds", "regressions"):
        assert {path.name for path in (FUZZ / kind).iterdir()} <= {*NATIVE, *PYTHON}
    assert {path.name for path in (FUZZ / "seeds").iterdir()} == {*NATIVE, *PYTHON}
    size = sum(path.stat().st_size for path in FUZZ.glob("*/*/*") if path.is_file())
    assert size < 300_000


@pytest.mark.skipif(sys.platform == "win32", reason="its files cannot be written over while read")
@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_seed_or_a_crash_of_old_is_read_or_refused(path, monkeypatch):
    monkeypatch.syspath_prepend(FUZZ)
    monkeypatch.syspath_prepend(FUZZ / "python")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.import_module(path.parent.name).check_input(path.read_bytes())
