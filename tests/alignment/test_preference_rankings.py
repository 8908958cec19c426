"""Preferences, read and joined with a run."""

import numpy as np
import pytest

import gainful
from gainful import AlignError, Columns, PreferenceError, Rules, SourceError, read_preferences
from gainful.alignment.preference_rankings import align_preferences
from gainful.diagnostics.diagnose import diagnose_preferences, name_sources

FILE = """\
# judges, 2026
q1 anna 1 a 2

q1 anna 1 b 1
q1 bert\t1 b 0.5
q2 anna 1 é -1
"""


def rows(judgments):
    columns = judgments.query, judgments.group, judgments.subgroup, judgments.item
    return [*zip(*columns, judgments.level.tolist(), strict=True)]


def aligned(preferences, run, **rules):
    judgments, source = read_preferences(preferences), gainful.read_run(run)
    ranked, stats, locator = align_preferences(judgments, source, Rules(**rules))
    names = name_sources(judgments, source, locator)
    return ranked, diagnose_preferences(stats, names, Rules(**rules))


def error_of(preferences, run=None, **rules):
    with pytest.raises(gainful.GainfulError) as error:
        aligned(preferences, run or {"q": ["a"]}, **rules)
    return type(error.value), str(error.value)


def test_a_file_has_five_columns_and_may_have_comments(tmp_path):
    path = tmp_path / "preferences"
    path.write_text(FILE, encoding="utf-8")
    judgments = read_preferences(path)
    assert rows(judgments) == [
        ("q1", "anna", "1", "a", 2.0),
        ("q1", "anna", "1", "b", 1.0),
        ("q1", "bert", "1", "b", 0.5),
        ("q2", "anna", "1", "é", -1.0),
    ]
    assert judgments.n_comments == 1
    assert repr(judgments) == f"<PreferenceJudgments {str(path)!r}: 3 groups, 4 judgments>"
    scores = gainful.evaluate(path, {"q1": ["a", "b"]}, "prefs_simp")
    assert scores["PrefsSimp"] == 0.5
    assert [notice.code for notice in scores.notices] == [
        "missing-queries",
        "no-preferences",
        "comment-lines",
    ]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "q1 anna a 2",
            "expected 5 fields, found 4: 'q1 anna a 2'. "
            "A line of preferences is: query group subgroup item level.",
        ),
        ("q1 anna 1 a high", "label must be a finite number, got 'high'."),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line, sentence, tmp_path):
    path = tmp_path / "preferences"
    path.write_text(f"q1 anna 1 b 1\n{line}\n", encoding="utf-8")
    with pytest.raises(SourceError) as error:
        read_preferences(path)
    assert str(error.value) == f"{path}, line 2: {sentence}"


def test_an_empty_file_is_refused(tmp_path):
    path = tmp_path / "preferences"
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(SourceError) as error:
        read_preferences(path)
    assert str(error.value) == f"{path}: there are no judgments in it."


def test_a_dict_may_hold_subgroups_or_not():
    held = {"q": {"anna": {"a": 1, "b": 0}, 7: {"x": {"a": 2}, "y": {"b": 3}}}}
    assert rows(read_preferences(held)) == [
        ("q", "anna", "0", "a", 1.0),
        ("q", "anna", "0", "b", 0.0),
        ("q", "7", "x", "a", 2.0),
        ("q", "7", "y", "b", 3.0),
    ]


@pytest.mark.parametrize("groups", [["a"], {"anna": ["a"]}, {"anna": 1}])
def test_a_dict_of_another_shape_is_refused(groups):
    with pytest.raises(SourceError) as error:
        read_preferences({"q": groups})
    assert str(error.value) == (
        "preferences: query 'q' must hold a dict of groups and each of them a dict of items, "
        f"got {groups!r}."
    )


def test_columns_may_leave_out_group_and_subgroup():
    columns = {"query": ["q", "q"], "item": ["a", "b"], "label": [1, 0]}
    plain = read_preferences(Columns(**columns))
    assert rows(plain) == [("q", "0", "0", "a", 1.0), ("q", "0", "0", "b", 0.0)]
    named = read_preferences(Columns(**columns, group=["x", "y"], subgroup=[1, 2]))
    assert rows(named) == [("q", "x", "1", "a", 1.0), ("q", "y", "2", "b", 0.0)]
    with pytest.raises(SourceError) as error:
        read_preferences(Columns(query=["q"], item=["a"]))
    assert str(error.value) == (
        "preferences: columns must hold the levels as labels, got none. "
        "Pass Columns(..., label=...)."
    )


def test_qrels_become_preferences_of_one_group():
    qrels = gainful.read_qrels({"q1": {"a": 2, "b": 0}, "q2": {"a": 1}})
    assert sorted(rows(read_preferences(qrels))) == [
        ("q1", "0", "0", "a", 2.0),
        ("q1", "0", "0", "b", 0.0),
        ("q2", "0", "0", "a", 1.0),
    ]


def test_subtopics_become_groups():
    judgments = read_preferences(gainful.read_subtopics({"q": {"s1": {"a": 2}, "s2": {"a": 0}}}))
    assert rows(judgments) == [("q", "s1", "0", "a", 2.0), ("q", "s2", "0", "a", 0.0)]


def test_what_was_read_before_comes_back_as_it_is():
    judgments = read_preferences({"q": {"anna": {"a": 1}}})
    assert read_preferences(judgments) is judgments


def test_a_preference_measure_asks_for_preferences():
    qrels = gainful.read_qrels({"q": {"a": 1}})
    with pytest.raises(AlignError) as error:
        gainful.evaluate(qrels, {"q": ["a"]}, "PrefsSimp")
    assert str(error.value) == (
        "PrefsSimp needs judgments from read_preferences(), "
        "got <Judgments 'qrels': 1 query, 1 judgment>."
    )


TWICE = Columns(query=["q"] * 3, item=["a", "a", "b"], label=[0, 2, 1], group=["anna"] * 3)


def test_an_item_judged_twice_in_a_subgroup_is_refused():
    assert error_of(TWICE) == (
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
    assert error_of({"q": {"anna": split}}, {"q": ["b", "c"]}) == (
        PreferenceError,
        "preferences: query 'q' item 'b' is preferred to 'c' and 'c' to 'b' in group 'anna'.",
    )


def test_an_item_that_is_relevant_in_one_subgroup_only_is_refused():
    split = {"1": {"a": 1, "b": 0}, "2": {"b": 1, "c": 0}}
    assert error_of({"q": {"anna": split}}) == (
        PreferenceError,
        "preferences: query 'q' item 'b' has level 0 and a level above 0 in group 'anna'.",
    )


def test_groups_may_contradict_each_other():
    ranked, _ = aligned({"q": {"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}}}, {"q": ["a", "b"]})
    assert ranked.fulfilled.tolist() == [1, 0]
    assert ranked.pair_shares.tolist() == [0.5]


@pytest.mark.parametrize("ties", ["best", "worst"])
def test_ties_cannot_be_broken_by_label(ties):
    assert error_of({"q": {"anna": {"a": 1}}}, ties=ties) == (
        AlignError,
        f"ties={ties} orders by label, but an item has one for every group. "
        "Pass another --ties, for example item-desc.",
    )


EMPTY = {"q1": {"anna": {"a": 1, "b": 0}}, "q2": {"anna": {"a": 1, "b": 1}}}
RUN = {"q1": ["a", "b"], "q2": ["a", "b"]}


def test_queries_without_preferences_are_spoken_of():
    _, notices = aligned(EMPTY, RUN)
    assert [str(notice) for notice in notices] == [
        "there are no preferences for 1 of 2 judged queries ('q2'); "
        "measures that divide by them score 0."
    ]


def test_queries_without_preferences_can_be_skipped_or_refused():
    ranked, notices = aligned(EMPTY, RUN, empty="skip")
    assert ranked.queries == ("q1",)
    assert "they are left out" in str(notices[-1])
    assert error_of(EMPTY, RUN, empty="error") == (
        AlignError,
        "no item is preferred to another for query 'q2', got empty=error.",
    )


def test_groups_stand_in_the_order_of_their_names_and_select_keeps_them():
    held = {
        "q1": {"é": {"a": 1, "b": 0}, "Z": {"a": 0, "b": 0}, "a": {"b": 1, "a": 0, "c": 2}},
        "q2": {"x": {"c": 1, "a": 0}},
    }
    ranked, _ = aligned(held, {"q1": ["a", "b"], "q2": ["c"]})
    assert ranked.possible.tolist() == [0, 3, 1, 1]  # Z, a, é; x
    assert ranked.n_groups.tolist() == [3, 1]
    swapped = ranked.select(np.array([1, 0]))
    assert swapped.queries == ("q2", "q1")
    assert swapped.possible.tolist() == [1, 0, 3, 1]
    assert swapped.pairs.tolist() == [1, 3]
