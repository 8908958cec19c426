"""assert_ranking(): a gate inside a test."""

import subprocess
import sys

import pytest

from gainful import Collection, ComparisonError, Rules, SourceError, assert_ranking
from gainful.cli.demo import COLLECTION

QRELS = {f"q{i}": {"a": 2, "b": 1, "c": 0} for i in range(7)}
GOOD = {query: ["a", "b", "c"] for query in QRELS}
BAD = {query: ["c", "b", "a"] for query in QRELS}


def find_failure(*arguments, **thresholds):
    with pytest.raises(AssertionError) as error:
        assert_ranking(*arguments, **thresholds)
    return str(error.value)


def test_a_ranking_that_passes_returns_nothing():
    assert assert_ranking(QRELS, GOOD, "nDCG@10", min=0.9, baseline=BAD) is None


def test_a_failure_lists_the_five_worst_queries_and_explains_them():
    lines = find_failure(QRELS, BAD, "nDCG@3", baseline=GOOD, min=0.9).splitlines()
    assert lines[:4] == [
        "FAIL: run 'candidate' against 'baseline': 2 checks on 7 queries, 2 failed.",
        "nDCG@3: baseline 1.0000, candidate 0.6199, difference -0.3801",
        "  FAIL point: nDCG@3 drops by 0.3801, from 1.0000 to 0.6199; no more than 0.01 is "
        "allowed.",
        "  FAIL min: nDCG@3 is 0.6199, below 0.9.",
    ]
    worst = lines[lines.index("The worst queries:") + 1 :]
    assert len(worst) == 5
    assert worst[0] == (
        "  'q0' 0.6199, was 1.0000 (-0.3801): nDCG@3 is 0.6199: 2 of 2 relevant items are among "
        "the first 3; the largest loss is a (label 2), at rank 3 where the ideal has it at 1."
    )


def test_measures_that_cannot_be_explained_list_their_queries_all_the_same():
    lines = find_failure(QRELS, BAD, "P@1", min=0.9).splitlines()
    assert lines[-1] == "  'q4' 0.0000"


def test_only_measures_that_missed_are_spoken_of():
    text = find_failure(QRELS, BAD, ["nDCG@3", "P@3"], min=0.65)
    assert "P@3:" not in text


def test_files_work_as_well():
    files = (COLLECTION / "qrels.txt", COLLECTION / "semantic.run")
    text = find_failure(*files, "nDCG@10", baseline=COLLECTION / "hybrid.run", min_judged=0.9)
    assert text.startswith("CANNOT TELL: run 'semantic' against 'hybrid': 27.4% new unjudged")
    assert "  'q06' 0.0000, was 0.6088 (-0.6088): nDCG@10 is 0.0000: " in text


def test_rows_that_can_be_read_once_work_as_well():
    rows = ((query, item, -rank) for query, items in BAD.items() for rank, item in enumerate(items))
    judged = ((query, item, v) for query, labels in QRELS.items() for item, v in labels.items())
    assert "the largest loss is a (label 2)" in find_failure(judged, rows, "nDCG@3", min=0.9)


def test_thresholds_are_those_of_the_gate():
    assert_ranking(QRELS, BAD, baseline=GOOD, max_drop=0.5)
    find_failure(QRELS, BAD, baseline=GOOD, max_drop=0.5, pinned=["q1"])
    find_failure(QRELS, BAD, baseline=GOOD, max_drop=0.5, query_max_drop=0.1)
    find_failure(QRELS, BAD, baseline=GOOD, mode="regression")
    assert_ranking(QRELS, BAD, baseline=GOOD, max_drop=0.5, rules=Rules(ties="average"))


def test_a_collection_is_asked_by_the_names_of_its_runs():
    collection = Collection(QRELS, {"old": GOOD, "new": BAD})
    assert_ranking(collection, "old", min=0.9, baseline="new")
    first_line = find_failure(collection, "new", baseline="old").splitlines()[0]
    assert first_line == "FAIL: run 'new' against 'old': 1 check on 7 queries, 1 failed."


def test_what_is_wrong_is_no_failed_assertion():
    with pytest.raises(ComparisonError):
        assert_ranking(QRELS, GOOD)
    with pytest.raises(SourceError):
        assert_ranking(QRELS, "none.run", min=0.5)


def test_pytest_shows_the_test_and_not_the_helper(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(
        "from gainful import assert_ranking\n"
        "def test_it():\n"
        "    assert_ranking({'q': {'a': 1, 'b': 0}}, {'q': ['b', 'a']}, min=0.9)\n"
    )
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "AssertionError: FAIL: run 'run': 1 check on 1 query, 1 failed." in result.stdout
    assert "testing.py" not in result.stdout
