"""Dicts, sets and lists within each other, and the error for each that is wrong."""

from collections import UserDict, defaultdict

import pytest

from gainful import Rules, SourceError, evaluate, read_qrels


def test_an_item_that_is_relevant_twice_is_an_error():
    with pytest.raises(SourceError, match="judged twice"):
        read_qrels({"q": ["a", "a"]})
    assert read_qrels({"q": {"a"}, "p": set()}).queries == ("q", "p")


def test_sets_and_lists_of_relevant_items_are_qrels():
    run = {"u1": ["i2", "i9"], "u2": ["i9"]}
    for relevant in ({"u1": {"i2"}, "u2": {"i9"}}, {"u1": ["i2"], "u2": ("i9",)}):
        assert evaluate(relevant, run, "nDCG")["nDCG"] == 1.0


def test_dicts_of_any_mapping_type_and_id_type_are_read():
    qrels = defaultdict(dict, {1: {10: 1.5, b"x": 0}})
    run = UserDict({"1": UserDict({"10": 3, "x": 2})})
    assert evaluate(qrels, run, "nDCG")["nDCG"] == 1.0


def test_lists_are_ranked_as_they_stand_under_every_order():
    qrels, run = {"q": {"a": 1}}, {"q": ("c", "b", "a")}
    for order in ("score", "rank", "file"):
        assert evaluate(qrels, run, "DCG", rules=Rules(order=order))["DCG"] == 0.5


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        (
            {"q": {"a": "x"}},
            {},
            "qrels: query 'q' item 'a': label must be a finite number, got 'x'.",
        ),
        (
            {"q": {"a": None}},
            {},
            "qrels: query 'q' item 'a': label must be a finite number, got None.",
        ),
        ({"q": {"a": 1}, "r": {"a"}}, {}, "qrels: query 'r' must hold a dict of items, got {'a'}."),
        (
            {"q": {"a"}, "r": {"a": 1}},
            {},
            "qrels: query 'r' must hold a set of items, got {'a': 1}.",
        ),
        (
            {1.5: {"a": 1}},
            {},
            "qrels: an id must be a string, an integer, bytes or a UUID, got 1.5.",
        ),
        (
            {"q": {"a": 1}},
            {"q": {"a": float("nan")}},
            "run 'run': query 'q' item 'a': score must be a number that can be ordered, got NaN.",
        ),
        (
            {"q": {"a": 1}},
            {"q": ["a"], "r": 3},
            "run 'run': query 'r' must hold a list of items, got 3.",
        ),
        (
            {"q": {"a": 1}},
            {"q": {"a": 1}, "r": ["a"]},
            "run 'run': query 'r' must hold a dict of items, got ['a'].",
        ),
        (
            {"q": {"a": 1}},
            {"q": ["a", "a"]},
            "run 'run': query 'q' item 'a' is retrieved twice. "
            "Pass --duplicates first, last or max to keep one.",
        ),
        (
            {1: {"a": 1}, "1": {"a": 2}},
            {},
            "qrels: query '1' item 'a' is judged twice (labels 1 and 2). "
            "Pass --duplicates max to keep the higher.",
        ),
        ({}, {}, "qrels: there are no judgments in it."),
    ],
)
def test_bad_dicts_are_named_by_query_item_and_value(qrels, run, sentence):
    with pytest.raises(SourceError) as error:
        evaluate(qrels, run)
    assert str(error.value) == sentence
