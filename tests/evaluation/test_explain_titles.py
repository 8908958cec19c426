"""Titles and urls of items in explanations."""

import json

import pytest

from gainful import ItemData, explain

QRELS = {"q": {"a": 2, "m": 1, "z": 1}}
RUN = {"q": ["x", "a", "m"]}
TITLES = {
    "item": ["a", "x", "z", "other"],
    "title": ["A shoe that is known under a very long name", None, "Red\nhats", "Other"],
    "url": [None, "http://x", "http://z", None],
}


@pytest.fixture
def explanation():
    return explain(QRELS, RUN, "q", "nDCG@2", items=TITLES)


def test_explain_shows_titles_beside_items_and_urls_where_there_is_none(explanation):
    header, first, second, _, missed, m = repr(explanation).splitlines()[3:9]
    assert header.split()[:3] == ["rank", "item", "title"]
    assert "ideal item  ideal title" in header
    assert first.split()[:3] == ["1", "x", "http://x"]
    assert second.count("A shoe that is known under a...") == 1
    assert first.count("A shoe that is known under a...") == 1
    assert missed.split()[:3] == ["missed", "item", "title"]
    assert m.split()[:4] == ["m", "1", "rank", "3"]


def test_explain_says_which_items_have_no_title(explanation):
    assert [str(notice) for notice in explanation.notices if notice.code == "untitled-items"] == [
        "items: 1 of the 4 items shown has neither title nor url ('m')."
    ]
    untitled = explain(QRELS, RUN, "q", "nDCG@2", items={"item": ["y"], "title": ["Y"]})
    assert [str(notice) for notice in untitled.notices if notice.code == "untitled-items"] == [
        "items: 4 of the 4 items shown have neither title nor url ('x', 'a', 'm', ...)."
    ]
    assert "title" not in repr(untitled).splitlines()[2]


def test_an_explanation_holds_what_is_known_of_the_items_it_shows(explanation):
    assert explanation.items == ("x", "a", "m", "z")
    assert explanation.titles == {"a": TITLES["title"][0], "z": "Red\nhats"}
    assert explanation.urls == {"x": "http://x", "z": "http://z"}


def test_json_and_tsv_hold_titles_in_full(explanation):
    data = json.loads(explanation.to_json())
    assert data == explanation.to_dict()
    assert [(p["title"], p["url"]) for p in data["positions"]] == [
        (None, "http://x"),
        (TITLES["title"][0], None),
    ]
    assert [p["title"] for p in data["ideal"]] == [TITLES["title"][0], None]
    assert data["missed"][1]["title"] == "Red\nhats"
    header, first, second = explanation.to_tsv().splitlines()
    assert header.split("\t")[-3:] == ["tied_with", "title", "url"]
    assert first.split("\t")[-2:] == ["-", "http://x"]
    assert second.split("\t")[-2] == TITLES["title"][0]


def test_markdown_and_html_show_titles(explanation):
    assert "| missed item | title | label |" in explanation.to_markdown()
    assert "| z | Red hats | 1 |" in explanation.to_markdown()
    hostile = explain(QRELS, RUN, "q", items=ItemData(titles={"a": "<script>"}))
    assert "<script>" not in hostile._repr_html_()
    assert "&lt;script&gt;" in hostile._repr_html_()


def test_without_items_nothing_changes():
    explanation = explain(QRELS, RUN, "q", "nDCG@2")
    assert "title" not in explanation.to_dict()["positions"][0]
    assert "title" not in repr(explanation) + explanation.to_tsv() + explanation.to_markdown()
    assert (explanation.titles, explanation.urls) == ({}, {})


def test_explain_needs_no_other_column_to_be_right():
    table = {"item": ["a"], "title": ["A"], "popularity": ["often"]}
    assert explain(QRELS, RUN, "q", items=table).titles == {"a": "A"}
