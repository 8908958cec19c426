"""Tables about items: read as ItemData, and shown by explain()."""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from gainful import ItemData, SourceError, cli, evaluate, explain, read_items

CSV = "docid,title,link,popularity\na,Shoes,http://a,3\n2,,http://2,\nc,Red hats,,0\n"
COLUMNS = {
    "docid": ["a", "2", "c"],
    "title": ["Shoes", None, "Red hats"],
    "link": ["http://a", "http://2", None],
    "popularity": [3, None, 0],
}
BY_ITEM = {
    item: {name: column[i] for name, column in COLUMNS.items() if name != "docid"}
    for i, item in enumerate(COLUMNS["docid"])
}


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(name, content):
        Path(name).write_text(content)
        return name

    return written


def assert_is_the_same(data):
    assert data.catalogue == {"a", "2", "c"}
    assert data.titles == {"a": "Shoes", "c": "Red hats"}
    assert data.urls == {"a": "http://a", "2": "http://2"}
    assert data.popularity == {"a": 3, "c": 0}
    assert data.features is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("items.csv", CSV),
        ("items.txt", CSV),
        ("items.tsv", CSV.replace(",", "\t")),
        ("items.txt", CSV.replace(",", "\t")),
        ("items.jsonl", "".join(f"{json.dumps({'_id': i} | row)}\n" for i, row in BY_ITEM.items())),
        ("items.json", json.dumps(BY_ITEM)),
        ("items.json", json.dumps(COLUMNS)),
    ],
)
def test_every_file_with_a_header_says_the_same(written, name, content):
    assert_is_the_same(read_items(written(name, content)))


def test_parquet_says_the_same(tmp_path):
    pl.DataFrame(COLUMNS).write_parquet(tmp_path / "items.parquet")
    assert_is_the_same(read_items(tmp_path / "items.parquet"))


@pytest.mark.parametrize(
    "source",
    [COLUMNS, BY_ITEM, pl.DataFrame(COLUMNS), pa.table(COLUMNS), pd.DataFrame(COLUMNS)],
    ids=lambda source: type(source).__module__,
)
def test_every_object_says_the_same(source):
    assert_is_the_same(read_items(source))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("items.tsv", "a\t3\nb\t4\n"),
        ("items", "a 3\nb 4\n"),
        ("items", "# item\tpopularity\na\t3\nb\t4\n"),
        ("items", "item\t3\nb\t4\n"),
        ("items", "[a]\t3\n{b}\t4\n"),
    ],
)
def test_a_text_file_without_a_header_is_read_as_before(written, name, content):
    data = read_items(written(name, content))
    assert sorted(data.popularity.values()) == [3, 4]


def test_a_file_of_one_column_has_a_header_if_its_name_says_so(written):
    assert read_items(written("items.csv", "item_id\na\nb\n")).catalogue == {"a", "b"}
    assert read_items(written("items.txt", "item_id\na\nb\n")).catalogue == {"item_id", "a", "b"}


def test_where_there_is_no_title_the_text_stands_for_it():
    corpus = [{"_id": "a", "title": "", "text": "of a"}, {"_id": "b", "title": "B", "text": "of b"}]
    assert read_items(corpus).titles == {"a": "of a", "b": "B"}


def test_columns_may_be_named():
    table = {"asin": ["a"], "name": ["x"], "label": ["y"], "n": ["7"], "u": [1], "v": [2.5]}
    columns = {"item": "asin", "title": "label", "popularity": "n", "features": ["u", "v"]}
    data = read_items(table, columns=columns, n_users=9)
    assert (data.titles, data.popularity, data.n_users) == ({"a": "y"}, {"a": 7}, 9)
    assert data.features["a"].tolist() == [1, 2.5]
    table = {"item": ["a", "b"], "vector": [[1, 2], [3, 4]]}
    features = read_items(table, columns={"features": "vector"}).features
    assert np.array_equal(features["b"], [3, 4])


def test_measures_of_items_read_tables():
    qrels, run = {"u": {"a": 1}}, {"u": ["a", "c"]}
    assert evaluate(qrels, run, "Coverage", items=COLUMNS)["Coverage"] == 2 / 3


@pytest.mark.parametrize(
    ("source", "columns", "sentence"),
    [
        (
            {"a": [1], "b": [2]},
            {},
            "items: no column is known as the item; there are 'a', 'b'. Call one of them item, "
            "or pass columns={'item': NAME} to read_items().",
        ),
        (
            {"item": ["a", "a"]},
            {},
            "items, row 2: item 'a' is listed twice (first on row 1).",
        ),
        (
            {"item": ["a"], "popularity": ["many"]},
            {},
            "items: the popularity of 'a' must be 0, or from 1 to 1e+15, got 'many'.",
        ),
        (
            {"item": ["a"]},
            {"colour": "x"},
            "items: columns must be named for item, title, url, popularity, features, "
            "got 'colour'.",
        ),
        ({"item": ["a"]}, {"title": "x"}, "items: has no column 'x'; there are none."),
        (
            {"item": ["a", "b"], "u": ["1", "x"]},
            {"features": ["u"]},
            "items: the features of 'b' must be 1 finite number, got ['x'].",
        ),
    ],
)
def test_a_table_that_is_wrong_is_refused_with_a_sentence(source, columns, sentence):
    with pytest.raises(SourceError) as error:
        read_items(source, columns=columns)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"titles": ["a"]}, "items: titles must be a dict of items, got ['a']."),
        ({"urls": {"a": 7}}, "items: urls must be text, got 7 for 'a'."),
    ],
)
def test_titles_and_urls_are_text(data, sentence):
    with pytest.raises(SourceError) as error:
        ItemData(**data)
    assert str(error.value) == sentence


def test_what_is_held_is_shown():
    assert repr(read_items(COLUMNS)) == (
        "<ItemData 'items': 3 in the catalogue, 2 with popularity, 0 with features, 2 with titles, "
        "2 with urls>"
    )


# explain()

QRELS = {"q": {"a": 2, "m": 1, "z": 1}}
RUN = {"q": ["x", "a", "m"]}
TITLES = {
    "item": ["a", "x", "z", "other"],
    "title": ["A shoe that is known under a very long name", None, "Red\nhats", "Other"],
    "url": [None, "http://x", "http://z", None],
}


@pytest.fixture
def why():
    return explain(QRELS, RUN, "q", "nDCG@2", items=TITLES)


def test_explain_shows_titles_beside_items_and_urls_where_there_is_none(why):
    assert repr(why).splitlines()[2:8] == [
        "rank  item  title                            label  gain  discount  gain x discount  "
        "running  |  ideal item  title                            label  running",
        "   1  x     http://x                             -     0    1.0000           0.0000   "
        "0.0000  |  a           A shoe that is known under a...      2   2.0000",
        "   2  a     A shoe that is known under a...      2     2    0.6309           1.2619   "
        "1.2619  |  m                                                1   2.6309",
        "",
        "missed item  title     label          found  ideal rank    cost",
        "m                          1         rank 3           2  0.2398",
    ]


def test_explain_says_which_items_have_no_title(why):
    assert [str(notice) for notice in why.notices if notice.code == "untitled-items"] == [
        "items: 1 of the 4 items shown has neither title nor url ('m')."
    ]
    none = explain(QRELS, RUN, "q", "nDCG@2", items={"item": ["y"], "title": ["Y"]})
    assert [str(notice) for notice in none.notices if notice.code == "untitled-items"] == [
        "items: 4 of the 4 items shown have neither title nor url ('x', 'a', 'm', ...)."
    ]
    assert "title" not in repr(none).splitlines()[2]


def test_an_explanation_holds_what_is_known_of_the_items_it_shows(why):
    assert why.items == ("x", "a", "m", "z")
    assert why.titles == {"a": TITLES["title"][0], "z": "Red\nhats"}
    assert why.urls == {"x": "http://x", "z": "http://z"}


def test_json_and_tsv_hold_titles_in_full(why):
    data = json.loads(why.to_json())
    assert data == why.to_dict()
    assert [(p["title"], p["url"]) for p in data["positions"]] == [
        (None, "http://x"),
        (TITLES["title"][0], None),
    ]
    assert [p["title"] for p in data["ideal"]] == [TITLES["title"][0], None]
    assert data["missed"][1]["title"] == "Red\nhats"
    header, first, second = why.to_tsv().splitlines()
    assert header.split("\t")[-3:] == ["tied_with", "title", "url"]
    assert first.split("\t")[-2:] == ["", "http://x"]
    assert second.split("\t")[-2] == TITLES["title"][0]


def test_markdown_and_html_show_titles(why):
    assert "| missed item | title | label |" in why.to_markdown()
    assert "| z | Red hats | 1 |" in why.to_markdown()
    hostile = explain(QRELS, RUN, "q", items=ItemData(titles={"a": "<script>"}))
    assert "<script>" not in hostile._repr_html_()
    assert "&lt;script&gt;" in hostile._repr_html_()


def test_without_items_nothing_changes():
    why = explain(QRELS, RUN, "q", "nDCG@2")
    assert "title" not in why.to_dict()["positions"][0]
    assert "title" not in repr(why) + why.to_tsv() + why.to_markdown()
    assert (why.titles, why.urls) == ({}, {})


def test_explain_needs_no_other_column_to_be_right():
    table = {"item": ["a"], "title": ["A"], "popularity": ["often"]}
    assert explain(QRELS, RUN, "q", items=table).titles == {"a": "A"}


def test_the_command_line_shows_titles(written, monkeypatch, capsys):
    written("qrels.txt", "q 0 a 1\n")
    written("one.run", "q Q0 x 1 2 t\nq Q0 a 2 1 t\n")
    written("items.csv", "item,title\na,Shoes\nx,Hats\n")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "explain", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    out, _, code = run("qrels.txt", "one.run", "q", "--items", "items.csv")
    assert [line.split("\t")[-2:] for line in out.splitlines()] == [
        ["title", "url"],
        ["Hats", ""],
        ["Shoes", ""],
    ]
    assert code == 0
    out, err, code = run("-", "one.run", "q", "--items", "-")
    assert (out, code) == ("", 2)
    assert "standard input (-) can be read only once." in err
    assert run("qrels.txt", "one.run", "q", "--items", "none.csv") == (
        "",
        "error: none.csv: no such file or directory. [cannot-read]\n",
        1,
    )
