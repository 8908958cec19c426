"""Runs that share a name get distinct names."""

from pathlib import Path

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import ComparisonError, read_run
from gainful.sources.read import find_run_name, name_runs

RUN = {"q1": ["d1"]}


def names_of(runs):
    return [run.name for run in name_runs(runs)]


def test_the_keys_of_a_mapping_are_the_names():
    assert names_of({"old": RUN, "new": read_run(RUN, name="other")}) == ["old", "new"]


def test_runs_of_a_list_keep_names_that_are_their_own():
    assert names_of(["bm25.run", Path("runs/dense.run"), RUN]) == ["bm25", "dense", "run"]


def test_runs_of_a_list_that_share_a_name_are_numbered():
    assert names_of([RUN, "bm25.run", RUN]) == ["run-1", "bm25", "run-2"]


def test_a_number_does_not_make_a_name_that_another_run_has():
    runs = [RUN, RUN, read_run(RUN, name="run-1")]
    assert names_of(runs) == ["run-2", "run-3", "run-1"]


def test_runs_may_come_one_by_one():
    assert names_of(iter([RUN, RUN])) == ["run-1", "run-2"]


def test_no_runs_have_no_names():
    assert name_runs([]) == []


@given(st.lists(st.sampled_from(["a", "a-1", "a-2", "a-1-1", "b"])))
def test_names_are_always_unique_and_begin_as_they_did(given_names):
    names = names_of([read_run(RUN, name=name) for name in given_names])
    assert len(set(names)) == len(names)
    assert all(name.startswith(old) for name, old in zip(names, given_names, strict=True))


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (7, "7"),
        (None, "None"),
        (np.array([1]), "array([1])"),
    ],
)
def test_one_run_where_several_are_expected_is_an_error(runs, text):
    with pytest.raises(ComparisonError) as error:
        name_runs(runs)
    assert str(error.value) == f"runs: must be a list of runs, or {{name: run}}, got {text}."


@pytest.mark.parametrize("run", ["bm25.run", Path("bm25.run"), read_run("bm25.run")])
def test_a_file_may_stand_alone(run):
    assert [named_run.name for named_run in name_runs(run)] == ["bm25"]


def test_a_frame_is_one_run_not_many():
    with pytest.raises(ComparisonError, match=r"^runs: must be a list of runs, or {name: run}"):
        name_runs(polars.DataFrame({"query": ["q1"]}))


def test_a_name_that_is_no_text_is_an_error():
    with pytest.raises(ComparisonError) as error:
        name_runs({1: RUN})
    assert str(error.value) == "runs: the name of a run must be text, got 1."


@pytest.mark.parametrize("run", [{"q1": {"d1": 1.5}}, {"q1": ["d1", "d2"]}])
def test_one_run_in_place_of_names_is_an_error(run):
    with pytest.raises(ComparisonError) as error:
        name_runs(run)
    assert str(error.value) == (
        "runs: must be {name: run}, got one run, whose first query is 'q1'. Pass it in a list."
    )
    assert [named_run.name for named_run in name_runs({"mine": run})] == ["mine"]


def test_a_baseline_is_found_by_its_name_its_path_or_its_file():
    runs = name_runs(["a/bm25.run", "b/bm25.run", "dense.run", {"q1": ["d1"]}])
    for baseline in ("dense", "dense.run", "./dense.run", Path("dense.run")):
        assert find_run_name(baseline, runs) == "dense"
    assert find_run_name("b/bm25.run", runs) == "bm25-2"
    assert find_run_name(None, runs) is None
    with pytest.raises(ComparisonError) as error:
        find_run_name("bm25.run", runs)
    assert str(error.value) == (
        "baseline: must be one of bm25-1, bm25-2, dense, run, got 'bm25.run'."
    )
