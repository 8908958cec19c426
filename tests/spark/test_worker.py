"""A worker reads the rows of a partition, but not those of queries that are too large."""

import pyarrow as pa

from gainful.spark.worker import collect_rows, evaluate_partition, parse_lines


def make_batches(queries, size=2):
    n = len(queries)
    columns = {"query": list(queries), "is_run": [True] * n, "position": list(range(n))[::-1]}
    return pa.table(columns).to_batches(size)


def test_rows_are_in_their_order():
    rows, large = collect_rows(iter(make_batches("cab")), 10)
    assert (rows.column("query").to_pylist(), large) == (["b", "a", "c"], ())


def test_queries_with_too_many_rows_are_left_out():
    rows, large = collect_rows(iter(make_batches("abaaacbaac")), 3)
    assert large == ("a",)
    assert sorted(rows.column("query").to_pylist()) == ["b", "b", "c", "c"]
    rows, large = collect_rows(iter(make_batches("abcabc")), 2)
    assert (len(rows), large) == (6, ())


def test_rows_without_a_query_stay_however_many_there_are():
    queries = ["a", None, None, "a", None, "a", "b"]
    rows, large = collect_rows(iter(make_batches(queries, len(queries))), 2)
    assert large == ("a",)
    assert rows.column("query").to_pylist() == ["b", None, None, None]


def parse(*lines, holds="qrels"):
    batches = pa.table({"value": pa.array(lines, pa.binary())}).to_batches()
    return pa.Table.from_batches(parse_lines(iter(batches), "qrels.txt", holds)).to_pylist()


def test_lines_are_parsed_up_to_the_first_bad_one():
    assert parse(b"# judged", b"", b"q1 0 d1 2\r", b"q2 0 d1") == [
        {"query": "q1", "item": "d1", "label": "2", "bad_line": None},
        {
            "query": None,
            "item": None,
            "label": None,
            "bad_line": "malformed-line qrels.txt: expected 4 fields, found 3: 'q2 0 d1'. "
            "A line of qrels is: query iteration item label.",
        },
    ]


def test_lines_that_are_not_utf8_are_refused():
    (row,) = parse(b"q1 0 d1 2", b"q1 0 d\xff 2")
    assert row["bad_line"].startswith("not-text qrels.txt: has a line that is not UTF-8")


def test_a_partition_without_rows_has_no_outcome():
    assert list(evaluate_partition(iter(()), None)) == []
