"""Ids that tempt engines to order, join or cut them in ways of their own."""

import pyarrow as pa
import pytest

from gainful import Rules
from spark.local_and_spark import assert_same, table

pytestmark = pytest.mark.spark

# The first is above the second in UTF-8 and below it in UTF-16, which Java goes by.
ASTRAL, PRIVATE = "\U0001f600", "\uffee"
ODD = [
    ASTRAL, PRIVATE, f"{ASTRAL}{PRIVATE}", f"{PRIVATE}{ASTRAL}", "é", "e\u0301", "E", "e", "z",
    "ß", "a b", " a", "a ", "a\tb", "a\nb", "", "0", "00", "1", "1.0", "null", "None", "NaN",
    "x" * 20_000, "x" * 20_000 + "y",
]  # fmt: skip


@pytest.mark.parametrize("ties", ["item-desc", "item-asc", "average", "input"])
def test_odd_items_are_tied(spark, ties):
    qrels = table([("q", item, i % 4) for i, item in enumerate(ODD)], "label")
    run = table([("q", item, 1.0) for item in reversed(ODD)], "score")
    options = {"rules": Rules(ties=ties)}
    assert_same(spark, qrels, run, ["nDCG@3,7", "nDCG", "AP"], **options)


def test_odd_queries_stand_in_the_order_of_their_bytes(spark):
    odd = sorted(ODD)
    qrels = table([(query, f"d{i % 3}", i % 4) for i, query in enumerate(odd)], "label")
    run = table([(query, "d1", 1.0) for query in [*odd[::-1], f"{ASTRAL}?", "?"]], "score")
    result = assert_same(spark, qrels, run, "nDCG@3", partitions=7)
    assert result["queries"].index(PRIVATE) < result["queries"].index(ASTRAL)


def test_ids_may_be_numbers_on_one_side(spark):
    qrels = pa.table({"query": [1, 2, 9], "item": [1, 2, 10], "label": [1, 2, 3]})
    run = pa.table({"query": ["9", "2", "1"], "item": ["10", "2", "1"], "score": [1.0, 2.0, 3.0]})
    result = assert_same(spark, qrels, run, "nDCG@10")
    assert result["means"] == {"nDCG@10": (1.0).hex()}
    assert_same(spark, *swap_types(qrels, run), "nDCG@10")


def swap_types(qrels, run):
    texts = pa.table({name: qrels.column(name).cast(pa.string()) for name in ("query", "item")})
    numbers = {name: run.column(name).cast(pa.int64()) for name in ("query", "item")}
    return (
        texts.append_column("label", qrels.column("label")),
        pa.table(numbers).append_column("score", run.column("score")),
    )


@pytest.mark.parametrize("side", ["qrels", "run"])
@pytest.mark.parametrize("column", ["query", "item"])
def test_an_id_that_is_missing_is_refused(spark, column, side):
    rows = [("q1", "a", 1.0), ("q2", "b", 2.0), ("q3", "c", 0.0), ("q4", "d", 1.0)]
    broken = [*rows[:2], (None, "c", 0.0) if column == "query" else ("q3", None, 0.0), rows[3]]
    qrels, run = (broken, rows) if side == "qrels" else (rows, broken)
    tables = table(qrels, "label"), table(run, "score")
    assert assert_same(spark, *tables, "nDCG@5") == ("SourceError", "bad-id")
