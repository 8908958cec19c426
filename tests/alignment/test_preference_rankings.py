"""A run joined with preferences: fulfilled pairs, and preferences that are refused."""

import numpy as np
import pytest

import gainful
from gainful import (
    AlignError,
    Columns,
    ItemData,
    PreferenceError,
    PreferenceRankings,
    Rules,
    read_preferences,
)
from gainful.alignment.preference_rankings import align_preferences
from gainful.diagnostics.diagnose import diagnose_kind, name_sources


def align(preferences, run, **rules):
    judgments, source = read_preferences(preferences), gainful.read_run(run)
    ranked, stats, locator = align_preferences(judgments, source, Rules(**rules))
    names = name_sources(judgments, source, locator)
    notices = diagnose_kind(PreferenceRankings, stats, names, Rules(**rules), ItemData())
    return ranked, tuple(notices)


def catch_error(preferences, run=None, **rules):
    with pytest.raises(gainful.GainfulError) as error:
        align(preferences, run or {"q": ["a"]}, **rules)
    return type(error.value), str(error.value)


TWICE = Columns(query=["q"] * 3, item=["a", "a", "b"], label=[0, 2, 1], group=["anna"] * 3)


def test_an_item_judged_twice_in_a_subgroup_is_refused():
    assert catch_error(TWICE) == (
        PreferenceError,
        "preferences: query 'q' item 'a' is judged twice in group 'anna', subgroup '0' "
        "(levels 0 and 2). Pass --duplicates max to keep the higher.",
    )


@pytest.mark.parametrize(("rule", "level"), [("first", 0), ("last", 2), ("max", 2)])
def test_or_a_rule_keeps_one_of_its_levels(rule, level):
    judgments = read_preferences(TWICE, duplicates=rule)
    assert dict(zip(judgments.item, judgments.level, strict=True)) == {"a": level, "b": 1}
    scores = gainful.evaluate(TWICE, {"q": ["a"]}, "PrefsSimp", rules=Rules(duplicates=rule))
    assert scores["PrefsSimp"] == (level == 2)
    assert "duplicate-judgments" in [notice.code for notice in scores.notices]


def test_subgroups_that_contradict_each_other_are_refused():
    split = {"1": {"a": 3, "b": 2}, "2": {"b": 3, "c": 2}, "3": {"c": 3, "a": 2}}
    assert catch_error({"q": {"anna": split}}, {"q": ["b", "c"]}) == (
        PreferenceError,
        "preferences: query 'q' item 'b' is preferred to 'c' and 'c' to 'b' in group 'anna'.",
    )


def test_an_item_that_is_relevant_in_one_subgroup_only_is_refused():
    split = {"1": {"a": 1, "b": 0}, "2": {"b": 1, "c": 0}}
    assert catch_error({"q": {"anna": split}}) == (
        PreferenceError,
        "preferences: query 'q' item 'b' has level 0 and a level above 0 in group 'anna'.",
    )


def test_groups_may_contradict_each_other():
    ranked, _ = align({"q": {"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}}}, {"q": ["a", "b"]})
    assert ranked.fulfilled.tolist() == [1, 0]
    assert ranked.pair_shares.tolist() == [0.5]


@pytest.mark.parametrize("ties", ["best", "worst"])
def test_ties_cannot_be_broken_by_label(ties):
    assert catch_error({"q": {"anna": {"a": 1}}}, ties=ties) == (
        AlignError,
        f"ties={ties} orders by label, but an item has one for every group. "
        "Pass another --ties, for example item-desc.",
    )


EMPTY = {"q1": {"anna": {"a": 1, "b": 0}}, "q2": {"anna": {"a": 1, "b": 1}}}
RUN = {"q1": ["a", "b"], "q2": ["a", "b"]}


def test_queries_without_preferences_are_spoken_of():
    _, notices = align(EMPTY, RUN)
    assert [str(notice) for notice in notices] == [
        "there are no preferences for 1 of 2 judged queries ('q2'); "
        "measures that divide by them score 0."
    ]


def test_queries_without_preferences_can_be_skipped_or_refused():
    ranked, notices = align(EMPTY, RUN, empty="skip")
    assert ranked.queries == ("q1",)
    assert "they are left out" in str(notices[-1])
    assert catch_error(EMPTY, RUN, empty="error") == (
        AlignError,
        "no item is preferred to another for query 'q2', got empty=error.",
    )


def test_groups_stand_in_the_order_of_their_names_and_select_keeps_them():
    preferences = {
        "q1": {"é": {"a": 1, "b": 0}, "Z": {"a": 0, "b": 0}, "a": {"b": 1, "a": 0, "c": 2}},
        "q2": {"x": {"c": 1, "a": 0}},
    }
    ranked, _ = align(preferences, {"q1": ["a", "b"], "q2": ["c"]})
    assert ranked.possible.tolist() == [0, 3, 1, 1]  # Z, a, é; x
    assert ranked.n_groups.tolist() == [3, 1]
    swapped = ranked.select(np.array([1, 0]))
    assert swapped.queries == ("q2", "q1")
    assert swapped.possible.tolist() == [1, 0, 3, 1]
    assert swapped.pairs.tolist() == [1, 3]
