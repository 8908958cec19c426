"""Dialects beside libraries that take long to install: ``make test-dialects``.

Every library has an environment of its own below ``.venv-dialects``, made when it is missing, since
no two of them agree on the rest. A library that cannot be installed fails its test, and the others
go on. The file has no name that pytest looks for by itself.
"""

import json
import math
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

import gainful
from dialects.random_lists import Listed, as_qrels, as_run, random_lists
from gainful.dialects import find_dialect
from oracles.tally import matched
from oracles.ulps import ulps

ENVIRONMENTS = Path(__file__).parents[3] / ".venv-dialects"
ORACLES = Path(__file__).with_name("oracles.py")


@dataclass(frozen=True)
class Library:
    """One library.

    Attributes:
        oracle: The function of ``oracles`` that asks it.
        requirements: What to install.
        dialects: The dialect of each of its values, by the name that the oracle gives them.
        cutoffs: Where it is asked to cut.
        ulps: How many units in the last place values may be off.
        single: The same in single precision, for libraries that have no other.
        ties: Up to how many items a list with tied scores may have to be compared.
        why: Why others are not.
    """

    oracle: str
    requirements: str
    dialects: dict[str, str]
    cutoffs: tuple[int, ...] = (1, 5, 10, 60)
    ulps: int = 0
    single: int = 0
    ties: int = 60
    why: str = field(default="", compare=False)


# PyTorch from PyPI brings CUDA, some gigabytes. Its build for CPUs comes from an index of its own:
# PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make test-dialects
LIBRARIES = [
    Library(
        "catboost",
        "catboost",
        {
            "NDCG:type=Base": "catboost",
            "NDCG:type=Exp": "catboost-exp",
            "NDCG:type=Base;denominator=Position": "catboost-position",
        },
        ulps=4,
    ),
    Library(
        "ranx",
        "ranx",
        {"ndcg": "ranx", "ndcg_burges": "ranx-burges"},
        ulps=1,
        ties=15,
        why="its sort is unstable from 16 items on",
    ),
    Library("cornac", "cornac", {"ndcg": "cornac"}),
    Library("llama_index", "llama-index-core", {"ndcg": "llama-index"}),
    Library("haystack", "haystack-ai", {"binary": "haystack", "graded": "haystack-graded"}),
    Library(
        "rectools", "rectools", {"ones": "rectools", "achievable": "rectools-achievable"}, ulps=4
    ),
    Library(
        "recommenders",
        "recommenders",
        {"binary": "recommenders", "raw": "recommenders-raw", "exp": "recommenders-exp"},
        cutoffs=(10,),
        ulps=8,
    ),
    Library(
        "evidently", "evidently pandas<3", {"ndcg": "evidently-no-feedback"}, cutoffs=(10,), ulps=4
    ),
    Library("mlflow", "mlflow-skinny scikit-learn pandas", {"ndcg": "mlflow"}, ulps=4),
    Library("lenskit", "lenskit", {"ndcg": "lenskit"}),
    Library("torchmetrics", "torch torchmetrics", {"ndcg": "torchmetrics"}),
    Library("rax", "rax jax", {"ndcg": "rax"}, cutoffs=(10,), single=8),
    Library("replay", "replay-rec", {"ndcg": "replay"}),
    Library("pyspark", "pyspark==3.5.5 setuptools", {"ndcg": "spark"}, cutoffs=(10,)),
]


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.oracle)
def test_every_value_is_that_of_the_library(library):
    lists = random_lists(8)
    python = _environment(library)
    theirs = _asked(python, library, lists)
    compared = [one for one in range(len(lists)) if not _tied(lists[one], library.ties)]
    wrong: list[str] = []
    for name, dialect in library.dialects.items():
        ours = _ours(lists, dialect, library.cutoffs)
        differing = [
            f"{name}, list {q}, k={k}: {theirs[name][q][i]}, got {ours[q][i]}"
            for q in range(len(lists))
            for i, k in enumerate(library.cutoffs)
            if not _same(theirs[name][q][i], ours[q][i], library)
        ]
        total = len(lists) * len(library.cutoffs)
        label = f"{library.oracle} {_version(python, library)}, as {dialect}"
        matched(label, total - len(differing), total)
        wrong += [one for one in differing if int(one.split("list ")[1].split(",")[0]) in compared]
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:20])


def _environment(library: Library) -> Path:
    """The interpreter of the library's environment, which is made if there is none."""
    home = ENVIRONMENTS / library.oracle
    python, stamp = home / "bin" / "python", home / "installed.txt"
    if not stamp.exists() or stamp.read_text() != library.requirements:
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        made = subprocess.run(
            [*install, *library.requirements.split()], capture_output=True, text=True, check=False
        )
        if made.returncode:
            pytest.fail(f"{library.requirements} cannot be installed:\n{made.stderr[-2000:]}")
        stamp.write_text(library.requirements)
    return python


def _asked(python: Path, library: Library, lists: list[Listed]) -> dict[str, list[list[float]]]:
    told = {
        "lists": [(one.labels.tolist(), one.scores.tolist()) for one in lists],
        "cutoffs": library.cutoffs,
    }
    command = [str(python), str(ORACLES), library.oracle]
    answer = subprocess.run(
        command, input=json.dumps(told), capture_output=True, text=True, check=False
    )
    if answer.returncode:
        pytest.fail(f"{library.oracle} fails:\n{answer.stderr[-3000:]}")
    return json.loads(answer.stdout)


def _version(python: Path, library: Library) -> str:
    package = library.requirements.split()[0].partition("=")[0]
    if library.oracle == "torchmetrics":
        package = "torchmetrics"
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.check_output([str(python), "-c", code], text=True).strip()


def _ours(lists: list[Listed], dialect: str, cutoffs: tuple[int, ...]) -> list[list[float]]:
    """One row per list; NaN where the dialect leaves a list out."""
    qrels, run = as_qrels(lists), as_run(lists)
    measures = [f"nDCG@{k}" for k in cutoffs]
    spoken = find_dialect(dialect)
    if spoken.rules.empty == "error":
        spoken = spoken.with_rules(empty="nan")  # the lists that the library refuses have no value
    found = gainful.evaluate(qrels, run, measures, dialect=spoken).per_query()
    none = dict.fromkeys(measures, math.nan)
    return [[found.get(query, none)[one] for one in measures] for query in run]


def _same(theirs: float | None, ours: float, library: Library) -> bool:
    if theirs is None or math.isnan(theirs) or math.isnan(ours):
        return (theirs is None or math.isnan(theirs)) and math.isnan(ours)
    if library.single:
        return abs(theirs - ours) <= library.single * float(np.spacing(np.float32(theirs)))
    return ulps(theirs, ours) <= library.ulps


def _tied(one: Listed, most: int) -> bool:
    """Whether a list has tied scores, and more items than such a list may have."""
    return len(one.scores) > most and len(set(one.scores.tolist())) < len(one.scores)
