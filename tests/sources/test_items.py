"""Item data from text files, tables and objects, and the error for what is wrong."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from gainful import (
    ItemData,
    SourceError,
    evaluate,
    read_items,
)

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
def write_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, content):
        Path(name).write_text(content)
        return name

    return write_file


def assert_has_all_data(data):
    assert data.catalog == {"a", "2", "c"}
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
def test_every_file_with_a_header_says_the_same(write_file, name, content):
    assert_has_all_data(read_items(write_file(name, content)))


def test_parquet_says_the_same(tmp_path):
    pl.DataFrame(COLUMNS).write_parquet(tmp_path / "items.parquet")
    assert_has_all_data(read_items(tmp_path / "items.parquet"))


@pytest.mark.parametrize(
    "source",
    [COLUMNS, BY_ITEM, pl.DataFrame(COLUMNS), pa.table(COLUMNS), pd.DataFrame(COLUMNS)],
    ids=lambda source: type(source).__module__,
)
def test_every_object_says_the_same(source):
    assert_has_all_data(read_items(source))


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
def test_a_text_file_without_a_header_is_read_as_before(write_file, name, content):
    data = read_items(write_file(name, content))
    assert sorted(data.popularity.values()) == [3, 4]


def test_a_file_of_one_column_has_a_header_if_its_name_says_so(write_file):
    assert read_items(write_file("items.csv", "item_id\na\nb\n")).catalog == {"a", "b"}
    assert read_items(write_file("items.txt", "item_id\na\nb\n")).catalog == {"item_id", "a", "b"}


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
            {"color": "x"},
            "items: columns must be named for item, title, url, popularity, features, got 'color'.",
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
        "<ItemData 'items': 3 in the catalog, 2 with popularity, 0 with features, 2 with titles, "
        "2 with urls>"
    )


QRELS, RUN = {"u": {"a": 1}, "v": {"b": 2}}, {"u": ["b", "a", "x"], "v": ["c", "b"]}


@pytest.fixture
def write_items(tmp_path):
    def write_file(text):
        path = tmp_path / "items.txt"
        path.write_text(text)
        return str(path)

    return write_file


def test_a_file_of_ids_is_a_catalog(write_items):
    data = read_items(write_items("a\nb\n"))
    assert data.catalog == {"a", "b"}
    assert data.popularity is data.features is None


def test_a_file_holds_popularity_and_features(write_items):
    data = read_items(
        write_items("# item popularity features\na 3 1 0.5\nb\t0  -1 2e1\n"), n_users=3
    )
    assert data.popularity == {"a": 3, "b": 0}
    assert {item: vector.tolist() for item, vector in data.features.items()} == {
        "a": [1, 0.5],
        "b": [-1, 20],
    }
    assert (data.n_users, data.n_comments) == (3, 1)
    notices = evaluate(QRELS, RUN, "Coverage", items=data).notices
    assert any(notice.code == "comment-lines" and "items.txt" in str(notice) for notice in notices)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "PATH: there are no items in it."),
        (
            "a 1\nb\n",
            "PATH, line 2: expected 2 fields, found 1: 'b'. A line of items is: item popularity.",
        ),
        ("a 1\n\na 2\n", "PATH, line 3: item 'a' is listed twice (first on line 1)."),
        ("a 1\nb x\n", "PATH, line 2: popularity must be a finite number, got 'x'."),
        ("a 1 nan\n", "PATH, line 1: a feature must be a finite number, got 'nan'."),
        ("a 1\nb -1\n", "PATH: the popularity of 'b' must be 0, or from 1 to 1e+15, got -1.0."),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_a_sentence(write_items, text, sentence):
    path = write_items(text)
    with pytest.raises(SourceError) as error:
        read_items(path)
    assert str(error.value) == sentence.replace("PATH", path)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"catalog": []}, "items: the catalog must hold the ids of items, got []."),
        ({"catalog": "abc"}, "items: the catalog must hold the ids of items, got 'abc'."),
        (
            {"catalog": [1.5]},
            "items: an id must be a string, an integer, bytes or a UUID, got 1.5.",
        ),
        ({"popularity": [1]}, "items: popularity must be a dict of items, got [1]."),
        (
            {"popularity": {"a": 0.5}},
            "items: the popularity of 'a' must be 0, or from 1 to 1e+15, got 0.5.",
        ),
        (
            {"popularity": {"a": "1"}},
            "items: the popularity of 'a' must be 0, or from 1 to 1e+15, got '1'.",
        ),
        (
            {"popularity": {"1": 1, 1: 2}},
            "items: popularity must name every item once, got an id as text and as a number.",
        ),
        ({"n_users": 0}, "items: n_users must be an integer >= 1, got 0."),
        (
            {"popularity": {"a": 4}, "n_users": 3},
            "items: the popularity of 'a' must be at most n_users=3, got 4.",
        ),
        ({"features": {}}, "items: features must be a dict of items, got {}."),
        (
            {"features": {"a": [1, 2], "b": [1]}},
            "items: the features of 'b' must be 2 finite numbers, got [1].",
        ),
        ({"features": {"a": []}}, "items: the features of 'a' must be finite numbers, got []."),
        ({"features": {"a": "x"}}, "items: the features of 'a' must be finite numbers, got 'x'."),
        (
            {"features": {"a": [float("inf")]}},
            "items: the features of 'a' must be 1 finite number, got [inf].",
        ),
    ],
)
def test_data_that_are_wrong_are_refused_with_a_sentence(data, sentence):
    with pytest.raises(SourceError) as error:
        ItemData(**data)
    assert str(error.value) == sentence


def test_what_holds_no_items_is_refused():
    with pytest.raises(SourceError) as error:
        evaluate(QRELS, RUN, "Coverage", items={"a": 1})
    assert str(error.value) == (
        "items: must hold a dict for every id, or a list for every column, got 1 for 'a'."
    )


def test_ids_may_be_numbers_or_bytes():
    data = ItemData(catalog=[1, b"2", np.int64(3), "4"])
    assert data.catalog == {"1", "2", "3", "4"}
    assert evaluate({1: {1: 1}}, {1: [1, 2]}, "Coverage", items=data)["Coverage"] == 0.5
