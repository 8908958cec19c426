"""Dialects beside libraries that take long to install: ``make test-dialects``.

A library that cannot be installed fails its tests, and the others go on. ``GAINFUL_SEED=9`` draws
other lists; ``GAINFUL_GOLD=write`` writes the results to ``live_values.json``, which the
documentation shows. pytest does not collect a file of this name by itself.
"""

import json
import math
import os
import subprocess
from pathlib import Path

import pytest

import gainful
from dialects.heavy.environments import MissingError, install_library, read_version, run_suite
from dialects.heavy.libraries import LIBRARIES, Library
from gainful.dialects import find_dialect
from gainful.report.views.dialects import RecordedValues
from oracles.dialects.random_lists import ScoredItems, draw_lists, make_qrels, make_run

HERE = Path(__file__).parent
SUITES = [
    pytest.param(library, suite, id=f"{library.name}-{suite}")
    for library in LIBRARIES
    for suite in library.suites
]


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_every_value_is_that_of_the_library(library, record_property):
    python = _install(library, record_property)
    lists = draw_lists(int(os.environ.get("GAINFUL_SEED", "8")))
    expected = _compute_library_values(python, library, lists)
    distances = [
        _compute_distance(expected[name][q][i], value)
        for name, dialect in library.dialects.items()
        for q, values in enumerate(_compute_dialect_values(lists, dialect, library.cutoffs))
        for i, value in enumerate(values)
    ]
    matches = [distance for distance in distances if distance <= library.tolerance]
    excused = [_has_too_many_ties(ranking, library.max_tied_items) for ranking in lists]
    mismatches = [
        f"{place}: {distance:g} off"
        for place, distance in zip(_list_places(library, len(lists)), distances, strict=True)
        if distance > library.tolerance and not excused[place[1]]
    ]
    unmatched = {library.tie_reason: len(distances) - len(matches) - len(mismatches)}
    row = RecordedValues(
        library=library.package.partition("=")[0],
        version=read_version(library),
        dialects=list(dict.fromkeys(library.dialects.values())),
        within=f"within {library.tolerance:g}",
        matched=len(matches),
        total=len(distances),
        unmatched={reason: n for reason, n in unmatched.items() if n},
    )
    record_property("compared", row._asdict())
    assert not mismatches, f"{len(mismatches)} differ:\n" + "\n".join(mismatches[:20])


@pytest.mark.parametrize(("library", "suite"), SUITES)
def test_adapters_give_its_values_where_it_is_installed(library, suite, record_property):
    result = run_suite(_install(library, record_property), HERE / suite)
    record_property("suite", (suite, result.stdout.strip().rpartition("\n")[2]))
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-2000:]


def _install(library: Library, record_property) -> Path:
    try:
        return install_library(library)
    except MissingError as error:
        record_property("missing", library.package)
        pytest.fail(f"{library.package} cannot be installed:\n{error}", pytrace=False)


def _compute_library_values(
    python: Path, library: Library, lists: list[ScoredItems]
) -> dict[str, list[list[float]]]:
    request = {
        "lists": [(ranking.labels.tolist(), ranking.scores.tolist()) for ranking in lists],
        "cutoffs": library.cutoffs,
    }
    command = [str(python), str(HERE / "oracles.py"), library.name]
    result = subprocess.run(
        command, input=json.dumps(request), capture_output=True, text=True, check=False
    )
    if result.returncode:
        pytest.fail(f"{library.name} fails:\n{result.stderr[-3000:]}", pytrace=False)
    return json.loads(result.stdout)


def _compute_dialect_values(
    lists: list[ScoredItems], name: str, cutoffs: tuple[int, ...]
) -> list[list[float]]:
    """Return one row per list; NaN where the dialect leaves a list out."""
    qrels, run = make_qrels(lists), make_run(lists)
    measures = [f"nDCG@{k}" for k in cutoffs]
    dialect = find_dialect(name)
    if dialect.rules.empty == "error":
        dialect = dialect.with_rules(
            empty="nan"
        )  # the lists that the library refuses have no value
    values = gainful.evaluate(qrels, run, measures, dialect=dialect).per_query()
    missing = dict.fromkeys(measures, math.nan)
    return [[values.get(query, missing)[measure] for measure in measures] for query in run]


def _list_places(library: Library, n_lists: int) -> list[tuple[str, int, int]]:
    """Return the name, list and cutoff of each value, in order."""
    return [
        (name, q, k) for name in library.dialects for q in range(n_lists) for k in library.cutoffs
    ]


def _compute_distance(expected: float | None, actual: float) -> float:
    """Return the relative distance of two values."""
    if expected is None or math.isnan(expected) or math.isnan(actual):
        return 0 if (expected is None or math.isnan(expected)) and math.isnan(actual) else math.inf
    largest = max(abs(expected), abs(actual))
    return abs(expected - actual) / largest if largest else 0.0


def _has_too_many_ties(ranking: ScoredItems, max_items: int) -> bool:
    """Return whether a list has tied scores, and more items than such a list may have."""
    return len(ranking.scores) > max_items and len(set(ranking.scores.tolist())) < len(
        ranking.scores
    )
