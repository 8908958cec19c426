"""Parts of items, such as the chunks of a document, are collapsed into the item."""

import json
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import RuleError, Rules, SourceError, check, evaluate, explain, read_qrels

CHUNKS = Rules(collapse=r"^(.*)#\d+$")
QRELS = pl.DataFrame({"query": ["q", "q"], "item": ["d1", "d2"], "label": [2, 1]})


def run_of(*items):
    scores = [float(len(items) - i) for i in range(len(items))]
    return pl.DataFrame({"query": ["q"] * len(items), "item": items, "score": scores})


def test_the_best_part_of_an_item_counts_once():
    scores = evaluate(QRELS, run_of("d3#1", "d1#2", "d2#0", "d1#9"), "nDCG", rules=CHUNKS)
    whole = evaluate(QRELS, run_of("d3", "d1", "d2"), "nDCG")
    assert scores["nDCG"] == whole["nDCG"]


def test_what_was_collapsed_is_said():
    scores = evaluate(QRELS, run_of("d1#2", "d2", "d1#9", "d1#7"), "nDCG", rules=CHUNKS)
    messages = [str(notice) for notice in scores.notices if notice.code == "collapsed-items"]
    assert messages == [
        "run 'run': collapse takes 3 of its 4 items for parts of another; 2 were dropped, a better "
        "part of the same item standing above."
    ]


def test_judged_parts_count_as_the_item_with_the_highest_label():
    qrels = pl.DataFrame({"query": ["q"] * 2, "item": ["d1#1", "d1#2"], "label": [1, 3]})
    assert read_qrels(qrels, collapse=CHUNKS.collapse).labels("q") == {"d1": 3.0}


def test_an_explanation_collapses_the_judgments_too():
    qrels = pl.DataFrame({"query": ["q"] * 2, "item": ["d1#1", "d2#2"], "label": [1, 3]})
    run = run_of("d1#7", "d2#8")
    why = explain(qrels, run, "q", "nDCG", rules=CHUNKS)
    assert why.value == evaluate(qrels, run, "nDCG", rules=CHUNKS)["nDCG"] > 0


def test_parts_of_one_item_are_no_repeats_to_a_check():
    qrels = pl.DataFrame({"query": ["q"] * 2, "item": ["d1#1", "d1#2"], "label": [0, 1]})
    result = check(qrels, run_of("d1#7", "d1#8"), rules=CHUNKS)
    assert "retrieved-twice" not in [finding.code for finding in result.findings]
    assert not result.has_errors


def test_comments_of_files_are_said_as_without(tmp_path):
    path = tmp_path / "my.run"
    path.write_text("# one\n\nq Q0 d1#1 1 0.5 tag\n# two\n")
    for rules in (Rules(), CHUNKS):
        notices = evaluate(QRELS, path, "RR", rules=rules).notices
        assert f"{path}: 2 lines that begin with # skipped as comments." in map(str, notices)


QUERIES = '{"q1": {"d1#1": 1}, "q2": {}}'


def test_queries_without_items_stay_where_items_are_collapsed(tmp_path):
    path = tmp_path / "qrels.json"
    path.write_text(QUERIES)
    for source in (path, json.loads(QUERIES), {"q1": [["d1#1", 1]], "q2": []}):
        assert read_qrels(source, collapse=CHUNKS.collapse).queries == ("q1", "q2")
        run = {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}, "q3": {"d3": 1.0}}
        assert evaluate(run, source, "RR", rules=replace(CHUNKS, missing="skip")).queries == (
            "q1",
            "q2",
        )


def test_queries_without_items_stay_where_labels_are_words(tmp_path):
    path = tmp_path / "qrels.json"
    path.write_text('{"q1": {"d1": "good"}, "q2": {}}')
    assert read_qrels(path, labels={"good": 1}).queries == ("q1", "q2")


def test_columns_are_no_queries_where_items_are_collapsed():
    columns = {"a": ["q1"], "b": ["d1#1"], "c": [1]}
    names = {"query": "a", "item": "b", "label": "c"}
    assert read_qrels(columns, columns=names, collapse=CHUNKS.collapse).queries == ("q1",)


@pytest.mark.parametrize("pattern", ["#", "(", 3])
def test_a_pattern_needs_a_group(pattern):
    with pytest.raises(RuleError) as error:
        Rules(collapse=pattern)
    assert str(error.value) == (
        "rules: collapse must be a regular expression with a group, such as '^(.*)#', "
        f"got {pattern!r}."
    )


def test_a_pattern_that_looks_around_is_refused():
    with pytest.raises(SourceError) as error:
        evaluate(QRELS, run_of("d1"), rules=Rules(collapse="(?=d)(.*)#"))
    assert str(error.value) == (
        "collapse: look-around, including look-ahead and look-behind, is not supported, "
        "got '(?=d)(.*)#'."
    )


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), unique=True, min_size=1))
def test_collapsing_is_the_same_as_keeping_the_first_part_of_each(chunks):
    run = run_of(*(f"{item}#{part}" for item, part in chunks))
    firsts = run_of(*dict.fromkeys(item for item, _ in chunks))
    qrels = {"q": {"a": 2, "b": 1}}
    rules = Rules(collapse=CHUNKS.collapse, order="file")
    judgments = read_qrels(qrels)
    values = evaluate(judgments, run, "nDCG", rules=rules)
    assert values["nDCG"] == evaluate(judgments, firsts, "nDCG", rules=Rules(order="file"))["nDCG"]


def test_subtopics_and_preferences_are_collapsed_too():
    run, rules = {"q": ["d1#4", "d2#0"]}, Rules(collapse=r"^(.*)#")
    parts = {"q": {"s": {"d1#1": 1, "d1#2": 0}}}
    assert evaluate(parts, run, "alpha_nDCG@5", rules=rules)["alpha_nDCG@5"] == 1.0
    preferred = {"q": {"anna": {"d1#1": 2, "d2#7": 1}}}
    assert evaluate(preferred, run, "PrefsSimp", rules=rules)["PrefsSimp"] == 1.0
