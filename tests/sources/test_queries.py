"""Query attributes: read from any table, or refused with an error."""

import gzip
import io
import json
from collections import namedtuple
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from gainful import QueryData, SourceError, read_queries

CSV = "query,category,weight\n001,shoes,3\n2,hats,1\nq3,,0.5\n"
ROWS = [
    {"query": "001", "category": "shoes", "weight": 3.0},
    {"query": "2", "category": "hats", "weight": 1.0},
    {"query": "q3", "category": None, "weight": 0.5},
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}
BY_QUERY = {row["query"]: {k: v for k, v in row.items() if k != "query"} for row in ROWS}
Row = namedtuple("Row", COLUMNS)


def parquet(frame):
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


def ipc(frame):
    out = io.BytesIO()
    frame.write_ipc(out)
    return out.getvalue()


FILES = {
    "q.csv": CSV,
    "bom.csv": "\ufeff" + CSV,
    "crlf.csv": CSV.replace("\n", "\r\n"),
    "q.txt": CSV.replace(",", ";"),
    "spaced.csv": CSV.replace(",", ", "),
    "q.tsv": CSV.replace(",", "\t"),
    "quoted.tsv": '"query"\t"category"\t"weight"\n"001"\t"shoes"\t3\n2\thats\t1\nq3\t\t0.5\n',
    "q.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "rows.json": json.dumps(ROWS, indent=1),
    "columns.json": json.dumps(COLUMNS),
    "by_query.json": json.dumps(BY_QUERY),
    "q.csv.gz": gzip.compress(CSV.encode()),
    "q.parquet": parquet(pl.DataFrame(COLUMNS)),
    "q.arrow": ipc(pl.DataFrame(COLUMNS)),
}
OBJECTS = {
    "rows": ROWS,
    "named tuples": [Row(**row) for row in ROWS],
    "columns": COLUMNS,
    "by query, with other gaps": BY_QUERY | {"q3": {"category": pd.NA, "weight": 0.5}},
    "arrays": {name: np.array(column, dtype=object) for name, column in COLUMNS.items()},
    "by query": BY_QUERY,
    "polars": pl.DataFrame(COLUMNS),
    "lazy": pl.LazyFrame(COLUMNS),
    "pyarrow": pa.table(COLUMNS),
    "pandas": pd.DataFrame(COLUMNS),
    "pandas by index": pd.DataFrame(COLUMNS).set_index("query"),
    "pandas categories": pd.DataFrame(COLUMNS).astype({"category": "category"}),
    "categories": pl.DataFrame(COLUMNS).cast({"category": pl.Categorical}),
}


@pytest.fixture
def write_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, content):
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return write_file


def assert_has_all_data(data):
    assert list(data.queries) == ["001", "2", "q3"]
    assert data.texts("category") == {"001": "shoes", "2": "hats", "q3": None}
    assert data.weights("weight", ["q3", "001"]).tolist() == [0.5, 3]


@pytest.mark.parametrize("name", FILES)
def test_every_file_says_the_same(write_file, name):
    assert_has_all_data(read_queries(write_file(name, FILES[name])))


@pytest.mark.parametrize("name", OBJECTS)
def test_every_object_says_the_same(name):
    assert_has_all_data(read_queries(OBJECTS[name]))


def test_what_was_read_comes_back_as_it_is():
    data = read_queries(COLUMNS)
    assert read_queries(data) is data
    assert repr(data) == "<QueryData 'queries': 3 queries, category, weight>"


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(SourceError) as error:
        read_queries(COLUMNS).texts("color")
    assert str(error.value) == ("queries: has no column 'color'; there are 'category', 'weight'.")
    with pytest.raises(SourceError) as error:
        read_queries(COLUMNS, columns={"query": "color"})
    assert str(error.value) == (
        "queries: has no column 'color'; there are 'query', 'category', 'weight'."
    )


def test_data_that_do_not_fit_together_are_refused():
    with pytest.raises(SourceError) as error:
        QueryData(["a", "b"], {"n": [1]})
    assert str(error.value) == (
        "queries: column 'n' must have a value for each of the 2 queries, got 1 value."
    )
    with pytest.raises(SourceError) as error:
        QueryData([1, "1"], {})
    assert str(error.value) == "queries: query '1' is listed twice."


def test_a_list_is_no_value_of_a_slice():
    with pytest.raises(SourceError) as error:
        read_queries({"q": {"tags": ["a", "b"]}}).texts("tags")
    assert str(error.value) == "queries: 'tags' must be one value, got ['a', 'b'] for query 'q'."


@pytest.mark.parametrize("column", ["categroy", "Category", "catgory"])
def test_a_column_that_is_misspelled_is_guessed(column):
    data = read_queries({"q1": {"text": "red shoes", "category": "shoes"}})
    with pytest.raises(SourceError) as error:
        data.texts(column)
    assert str(error.value) == (
        f"queries: has no column {column!r}; there are 'text', 'category'. Did you mean category?"
    )
