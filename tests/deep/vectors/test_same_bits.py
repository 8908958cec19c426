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
from measures.every_measure import complete_measure
from oracles.tally import count_compared
from vectors.all_values import make_texts


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vectors")
    for name, text in zip(("qrels", "subtopics", "run"), make_texts(5), strict=True):
        (folder / name).write_text(text)
    return folder


def run_program(folder: Path, scanner: str, **environment: str) -> dict:
    """All that the program finds, in a process of its own."""
    measures = {name: str(complete_measure(name)) for name in REGISTRY}
    result = subprocess.run(
        [sys.executable, "-W", "error", Path(__file__).with_name("all_values.py"), scanner],
        input=json.dumps({"folder": str(folder), "asked": measures}),
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert result.stderr == ""
    return json.loads(result.stdout)


def list_numpy_features() -> str:
    """The features of this processor that NumPy chooses code by."""
    from numpy._core import _multiarray_umath as numpy

    return " ".join(
        feature for feature in numpy.__cpu_dispatch__ if numpy.__cpu_features__[feature]
    )


def pop_numbers(tree: Any, name: str) -> list[float]:
    """All numbers that are called so, and are then gone: SciPy takes powers as NumPy does."""
    numbers = []
    if isinstance(tree, dict):
        numbers += tree.pop(name, None) or []
    for child in tree.values() if isinstance(tree, dict) else tree:
        numbers += pop_numbers(child, name) if isinstance(child, dict | list) else []
    return numbers


def test_vector_code_changes_no_bit(folder):
    features = list_numpy_features()
    if not features and len(_native.scanners()) == 1:
        pytest.skip("this processor has no vectors that anything is chosen by")
    plain = run_program(folder, _native.scanners()[0], NPY_DISABLE_CPU_FEATURES=features)
    wide = run_program(folder, _native.scanners()[-1])
    ends = [pop_numbers(result["statistics"], "interval") for result in (plain, wide)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-14)
    assert len(ends[0]) >= 12
    assert plain.keys() == wide.keys()
    differing = [name for name in plain if plain[name] != wide[name]]
    assert differing == []
    values = [of for entry in plain.values() if "each" in entry for of in entry["each"].values()]
    assert len(values) > 300
    count_compared("the same without vectors", sum(map(len, values)))
