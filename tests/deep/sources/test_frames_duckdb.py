"""Relations of DuckDB as qrels, runs and queries, and our results as tables of DuckDB."""

import re

import duckdb
import pyarrow as pa
import pytest

import gainful

QRELS = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "label": [2, 1, 1]}
RUN = {"query": ["q1", "q1", "q2"], "item": ["b", "a", "c"], "score": [3.0, 2.0, 1.0]}
QUERIES = {"query": ["q1", "q2"], "category": ["x", "y"]}


def make_relation(columns):
    return duckdb.from_arrow(pa.table(columns))


def test_relations_are_read_as_tables_are():
    queries = gainful.read_queries(make_relation(QUERIES))
    scores = gainful.evaluate(make_relation(QRELS), make_relation(RUN), "nDCG@10", queries=queries)
    expected = gainful.evaluate(
        pa.table(QRELS), pa.table(RUN), "nDCG@10", queries=pa.table(QUERIES)
    )
    assert scores.per_query() == expected.per_query()
    assert str(scores.by("category")) == str(expected.by("category"))


def test_what_it_says_of_its_query_is_part_of_a_sentence():
    broken = duckdb.sql("select 'q' as qid, 'd' as docno, cast('x' as int) as score")
    with pytest.raises(gainful.SourceError) as error:
        gainful.evaluate(pa.table(QRELS), broken, "nDCG@10")
    sentence = r"run 'run': cannot be read as a table \([^\n]{9,}[^.]\)\."
    assert re.fullmatch(sentence, str(error.value))


def test_scores_and_pairs_are_tables_to_it():
    scores = gainful.evaluate(pa.table(QRELS), pa.table(RUN), "nDCG@10")
    assert duckdb.sql("select * from scores").fetchall() == scores.to_polars().rows()
    assert duckdb.sql("select avg(value) from scores").fetchall() == [(scores["nDCG@10"],)]
    pairs = gainful.compare(pa.table(QRELS), [pa.table(RUN), pa.table(RUN)], "nDCG@10")
    assert len(duckdb.from_arrow(pa.table(pairs)).fetchall()) == 1
