"""Tables about queries: values of any type, the key column, and tables that are refused."""

import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import GainfulError, QueryData, SourceError, read_queries
from sources.test_queries import CSV


@pytest.fixture
def write_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, content):
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return write_file


def test_a_single_line_of_json_may_hold_lists_and_dicts(write_file):
    path = write_file("q.jsonl", '{"_id": "a", "text": "x", "tags": ["y"], "metadata": {}}\n')
    assert read_queries(path).texts("text") == {"a": "x"}


def test_numbers_read_the_same_from_a_frame_and_from_a_file(write_file):
    path = write_file("q.csv", "qid,n\na,2\nb,2.5\nc,\n")
    frame = pd.DataFrame({"qid": ["a", "b", "c"], "n": [2, 2.5, None]})
    assert read_queries(path).texts("n") == read_queries(frame).texts("n")
    assert read_queries(frame).texts("n") == {"a": "2", "b": "2.5", "c": None}


def test_a_frame_of_whole_numbers_with_gaps_prints_them_whole():
    frame = pd.DataFrame({"qid": [1, 2], "n": [3, None]})
    assert read_queries(frame).texts("n") == {"1": "3", "2": None}


@pytest.mark.parametrize(
    ("columns", "chosen"),
    [
        (["query", "qid"], "qid"),
        (["user_id", "query"], "query"),
        (["_id", "text"], "_id"),
        (["Query-ID", "text"], "Query-ID"),
        (["user_id", "text"], "user_id"),
    ],
)
def test_the_query_column_is_told_by_its_name(columns, chosen):
    data = read_queries({name: [f"{name} 1", f"{name} 2"] for name in columns})
    assert list(data.queries) == [f"{chosen} 1", f"{chosen} 2"]


def test_the_query_column_may_be_named():
    data = read_queries({"search": ["a"], "query": ["words"]}, columns={"query": "search"})
    assert list(data.queries) == ["a"]


def test_dates_bytes_and_truths_are_values_too():
    from datetime import date

    data = read_queries({"q": {"day": date(2026, 1, 2), "raw": b"x", "new": True}})
    assert [data.texts(name)["q"] for name in ("day", "raw", "new")] == ["2026-01-02", "x", "true"]


@pytest.mark.parametrize(
    ("name", "content", "code", "values"),
    [
        ("q.csv", "", "nothing-in-it", "q.csv: queries"),
        ("q.csv", "query,category\n", "nothing-in-it", "q.csv: queries"),
        ("q.csv", "a,b\n1,2\n", "missing-column", "q.csv: 'a', 'b'. columns={'query': NAME}"),
        ("q.csv", "query,b\nq1,2\n\nq1,3\n", "listed-twice", "q.csv, line 4: 'q1' line 2"),
        ("q.csv", "query,b\nq1,2\n,3\n", "bad-id", "q.csv, line 3: query"),
        ("q.csv", "query,b,b\n", "repeated-column", "q.csv, line 1: 'b'"),
        (
            "q.csv",
            'query,b\n"q\n1",2\nq2,3,4\n',
            "malformed-line",
            "q.csv, line 4: 2 fields, found 3: 'q2,3,4'",
        ),
        ("q.csv", 'query,b\nq1,"2\n', "malformed-line", "q.csv, line 2: quotes"),
        ("q.jsonl", '{"query": "a"}\n{"query": \n', "not-json", "q.jsonl, line 2, column 11"),
        ("q.jsonl", '{"query": "a"}\n7\n', "wrong-structure", "q.jsonl, line 2: 7."),
        (
            "q.jsonl",
            '{"query": "a"}\n{"query": "b", "query": "c"}\n',
            "repeated-column",
            "q.jsonl, line 2: {'query': 'b', 'query': 'c'}",
        ),
        (
            "q.jsonl",
            '{"query": "a"}\n\n{"query": "a"}\n',
            "listed-twice",
            "q.jsonl, line 3: 'a' line 1",
        ),
        ("q.json", "[1]", "wrong-structure", "q.json, row 1: 1."),
        ("q.json", '{"query": ["a", "b"], "n": [1]}', "unequal-lengths", "q.json: 2, 1."),
        ("none.csv", None, "cannot-read", "none.csv: no such file or directory."),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_code_place_and_value(
    write_file, name, content, code, values
):
    if content is not None:
        write_file(name, content)
    with pytest.raises(SourceError) as error:
        read_queries(name)
    assert error.value.code == code
    message = str(error.value)
    for value in values.split():
        assert value in message
        message = message.partition(value)[2]


def test_a_damaged_parquet_file_is_refused_with_a_sentence(write_file):
    with pytest.raises(SourceError) as error:
        read_queries(write_file("q.parquet", b"PAR1 and no more"))
    assert str(error.value).startswith("q.parquet: cannot be read as Parquet (")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            7,
            "queries: must be a file with a header (CSV, TSV, JSON lines or Parquet), a data "
            "frame, {query: {column: value}}, or {column: [value, ...]}, got 7.",
        ),
        ({}, "queries: there are no queries in it."),
        ([], "queries: there are no queries in it."),
        (
            {"q1": "shoes"},
            "queries: must hold a dict for every id, or a list for every column, "
            "got 'shoes' for 'q1'.",
        ),
        (
            {"query": ["a", "b"], "n": [1]},
            "queries: columns must be equally long, got 'query' 2, 'n' 1.",
        ),
        (
            {"query": [1, "1"]},
            "queries, row 2: query '1' is listed twice (first on row 1).",
        ),
        ({"query": ["a", None]}, "queries, row 2: the query is empty."),
        (
            {"query": [1.5]},
            "queries: an id must be a string, an integer, bytes or a UUID, got 1.5.",
        ),
        (
            pd.DataFrame([["a", 1, 2]], columns=["query", "b", "b"]),
            "queries: column 'b' is there twice.",
        ),
    ],
)
def test_an_object_that_is_wrong_is_refused_with_a_sentence(source, sentence):
    with pytest.raises(SourceError) as error:
        read_queries(source)
    assert str(error.value) == sentence


CELL = st.one_of(
    st.none(),
    st.text(max_size=3),
    st.floats(),
    st.integers(),
    st.booleans(),
    st.binary(max_size=2),
    st.lists(st.integers(), max_size=2),
    st.sampled_from([pd.NA, pd.NaT, np.array([1, 2]), np.float32(2), np.int8(1)]),
)


@given(st.dictionaries(st.sampled_from(["query", "a"]), st.lists(CELL, max_size=3)))
def test_any_cells_are_read_or_refused(columns):
    with suppress(GainfulError):
        data = read_queries(columns)
        for column in data.columns:
            with suppress(GainfulError):
                data.texts(column)
            with suppress(GainfulError):
                data.weights(column, list(data.queries))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "q"
    for start in (b"", b"query,a\n", b"query\ta\n", b'{"query": ', b"PAR1", b"ARROW1"):
        path.write_bytes(start + data)
        with suppress(GainfulError):
            assert isinstance(read_queries(path), QueryData)


def test_reading_a_text_table_loads_no_polars(write_file):
    import subprocess

    path = write_file("q.csv", CSV)
    code = f"import sys, gainful; gainful.read_queries({path!r}); print('polars' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"
