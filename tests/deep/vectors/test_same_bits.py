"""The same bits with the widest vectors that the processor has, and with none of them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gainful.base import _native
from gainful.measures import REGISTRY
from measures.every_measure import complete
from oracles.tally import compared
from vectors.all_values import made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vectors")
    for name, text in zip(("qrels", "subtopics", "run"), made(5), strict=True):
        (folder / name).write_text(text)
    return folder


def worked_out(folder: Path, scanner: str, **environment: str) -> dict:
    """All that the program finds, in a process of its own."""
    asked = {name: str(complete(name)) for name in REGISTRY}
    done = subprocess.run(
        [sys.executable, "-W", "error", Path(__file__).with_name("all_values.py"), scanner],
        input=json.dumps({"folder": str(folder), "asked": asked}),
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


def vectors_of_numpy() -> str:
    """The features of this processor that NumPy chooses code by."""
    from numpy._core import _multiarray_umath as numpy

    return " ".join(one for one in numpy.__cpu_dispatch__ if numpy.__cpu_features__[one])


def taken_out(told: Any, name: str) -> list[float]:
    """All numbers that are called so, and are then gone: SciPy takes powers as NumPy does."""
    found = []
    if isinstance(told, dict):
        found += told.pop(name, None) or []
    for one in told.values() if isinstance(told, dict) else told:
        found += taken_out(one, name) if isinstance(one, dict | list) else []
    return found


def test_vector_code_changes_no_bit(folder):
    features = vectors_of_numpy()
    if not features and len(_native.scanners()) == 1:
        pytest.skip("this processor has no vectors that anything is chosen by")
    plain = worked_out(folder, _native.scanners()[0], NPY_DISABLE_CPU_FEATURES=features)
    wide = worked_out(folder, _native.scanners()[-1])
    ends = [taken_out(one["statistics"], "interval") for one in (plain, wide)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-14)
    assert len(ends[0]) >= 12
    assert plain.keys() == wide.keys()
    differing = [name for name in plain if plain[name] != wide[name]]
    assert differing == []
    values = [of for one in plain.values() if "each" in one for of in one["each"].values()]
    assert len(values) > 300
    compared("the same without vectors", sum(map(len, values)))
