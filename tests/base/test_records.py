"""Frozen and Record behave as frozen dataclasses do."""

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from gainful import Rules
from gainful.diagnostics.notices import CommentLines
from gainful.measures import nDCG
from gainful.measures._gains import Gain


def test_a_field_cannot_be_assigned_or_deleted():
    rules = Rules(depth=5)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'depth'"):
        rules.depth = 6
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'depth'"):
        del rules.depth


def test_records_are_compared_and_hashed_by_what_they_hold():
    assert Rules(depth=5) == Rules(depth=5) != Rules()
    assert {Gain("exp2"), Gain("exp2"), Gain("linear")} == {Gain("linear"), Gain("exp2")}
    assert CommentLines("run", 1) == CommentLines("run", 1) != CommentLines("run", 2)
    assert Gain("exp2") != "exp2"


def test_records_are_shown_as_they_are_made():
    assert repr(Gain("exp2")) == "Gain(name='exp2', table=())"
    assert repr(CommentLines("run", 1)) == "CommentLines(source='run', n_lines=1)"


def test_a_measure_that_is_pickled_still_knows_which_settings_were_stated():
    measure = nDCG(gain="linear") @ 10
    measure_copy = pickle.loads(pickle.dumps(measure))
    assert (measure_copy, measure_copy.stated) == (measure, ("gain", "cutoff"))


def test_records_are_replaced_copied_and_pickled():
    rules = replace(Rules(depth=5), ties="average")
    assert rules == Rules(depth=5, ties="average")
    assert copy.deepcopy(rules) == pickle.loads(pickle.dumps(rules)) == rules


def test_a_notice_takes_all_that_it_says_and_no_more():
    assert CommentLines(source="run", n_lines=1) == CommentLines("run", 1)
    with pytest.raises(TypeError, match="must be given source, n_lines"):
        CommentLines("run")
    with pytest.raises(TypeError, match="must be given source, n_lines"):
        CommentLines("run", n_lines=1, other=2)
