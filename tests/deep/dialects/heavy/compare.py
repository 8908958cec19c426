"""Dialects beside libraries that take long to install: ``make test-dialects``.

A library that cannot be installed fails its tests, and the others go on. ``GAINFUL_SEED=9`` draws
other lists; ``GAINFUL_GOLD=write`` writes what came of them to ``live_values.json``, which the
documentation shows. The file has no name that pytest looks for by itself.
"""

import json
import math
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import gainful
from dialects.heavy.environments import MissingError, python_with, run_suite, version_of
from dialects.heavy.libraries import LIBRARIES, Library
from gainful.dialects import find_dialect
from gainful.report.views.dialects import RecordedValues
from oracles.dialects.random_lists import Listed, as_qrels, as_run, random_lists
from oracles.ulps import ulps

HERE = Path(__file__).parent
SUITES = [
    pytest.param(library, suite, id=f"{library.name}-{suite}")
    for library in LIBRARIES
    for suite in library.suites
]


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_every_value_is_that_of_the_library(library, record_property):
    python = _installed(library, record_property)
    lists = random_lists(int(os.environ.get("GAINFUL_SEED", "8")))
    theirs = _asked(python, library, lists)
    found = [
        _distance(theirs[name][q][i], ours, library)
        for name, dialect in library.dialects.items()
        for q, values in enumerate(_ours(lists, dialect, library.cutoffs))
        for i, ours in enumerate(values)
    ]
    near = [distance for distance in found if distance <= max(library.ulps, library.single)]
    excused = [_tied(one, library.ties) for one in lists]
    wrong = [
        f"{place}: {distance} off"
        for place, distance in zip(_places(library, len(lists)), found, strict=True)
        if distance > max(library.ulps, library.single) and not excused[place[1]]
    ]
    unmatched = {library.why: len(found) - len(near) - len(wrong)}
    row = RecordedValues(
        library=library.package.partition("=")[0],
        version=version_of(library),
        dialects=list(dict.fromkeys(library.dialects.values())),
        within=_within(max(near, default=0), library),
        matched=len(near),
        total=len(found),
        unmatched={why: n for why, n in unmatched.items() if n},
    )
    record_property("compared", row._asdict())
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:20])


@pytest.mark.parametrize(("library", "suite"), SUITES)
def test_adapters_give_its_values_where_it_is_installed(library, suite, record_property):
    done = run_suite(_installed(library, record_property), HERE / suite)
    record_property("suite", (suite, done.stdout.strip().rpartition("\n")[2]))
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def _installed(library: Library, record_property) -> Path:
    try:
        return python_with(library)
    except MissingError as error:
        record_property("missing", library.package)
        pytest.fail(f"{library.package} cannot be installed:\n{error}", pytrace=False)


def _asked(python: Path, library: Library, lists: list[Listed]) -> dict[str, list[list[float]]]:
    told = {
        "lists": [(one.labels.tolist(), one.scores.tolist()) for one in lists],
        "cutoffs": library.cutoffs,
    }
    command = [str(python), str(HERE / "oracles.py"), library.name]
    answer = subprocess.run(
        command, input=json.dumps(told), capture_output=True, text=True, check=False
    )
    if answer.returncode:
        pytest.fail(f"{library.name} fails:\n{answer.stderr[-3000:]}", pytrace=False)
    return json.loads(answer.stdout)


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


def _places(library: Library, n_lists: int) -> list[tuple[str, int, int]]:
    """What each value is, in order: its name, list and cutoff."""
    return [
        (name, q, k) for name in library.dialects for q in range(n_lists) for k in library.cutoffs
    ]


def _distance(theirs: float | None, ours: float, library: Library) -> float:
    """How far two values are from each other, in units of the last place."""
    if theirs is None or math.isnan(theirs) or math.isnan(ours):
        return 0 if (theirs is None or math.isnan(theirs)) and math.isnan(ours) else math.inf
    if library.single:
        return math.ceil(abs(theirs - ours) / float(np.spacing(np.float32(theirs))))
    return ulps(theirs, ours)


def _within(distance: float, library: Library) -> str:
    if not distance:
        return "bit for bit"
    units = f"{distance} unit{'s' * (distance > 1)} in the last place"
    return f"{units}, in single precision" if library.single else units


def _tied(one: Listed, most: int) -> bool:
    """Whether a list has tied scores, and more items than such a list may have."""
    return len(one.scores) > most and len(set(one.scores.tolist())) < len(one.scores)
