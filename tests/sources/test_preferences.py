"""Preferences read from files, dicts, columns and other judgments."""

import pytest

import gainful
from gainful import Columns, SourceError, read_preferences

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
    judgments = {"q": {"anna": {"a": 1, "b": 0}, 7: {"x": {"a": 2}, "y": {"b": 3}}}}
    assert rows(read_preferences(judgments)) == [
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
    preferences = read_preferences(Columns(**columns, group=["x", "y"], subgroup=[1, 2]))
    assert rows(preferences) == [("q", "x", "1", "a", 1.0), ("q", "y", "2", "b", 0.0)]
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
