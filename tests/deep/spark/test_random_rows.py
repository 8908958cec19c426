"""Small sets of rows, drawn at random with their rules: no bit, notice or error differs."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import Rules
from spark.local_and_spark import assert_same, table

pytestmark = pytest.mark.spark

QUERIES = st.sampled_from([f"q{i}" for i in range(6)])
ITEMS = st.sampled_from(["a", "b", "c", "d", "é", "\U0001f600", "\uffee"])
LABELS = st.sampled_from([-1.0, 0.0, 0.0, 0.5, 1.0, 2.0])
SCORES = st.sampled_from([-1.0, -0.0, 0.0, 0.5, 0.5, 1.0, float("inf")])
RULES = st.builds(
    Rules,
    ties=st.sampled_from(["item-desc", "item-asc", "input", "input-reversed", "best", "worst"]),
    order=st.sampled_from(["score", "file"]),
    missing=st.sampled_from(["zero", "skip"]),
    empty=st.sampled_from(["zero", "one", "nan", "skip"]),
    depth=st.sampled_from([None, 1, 3]),
    precision=st.sampled_from(["float64", "float32"]),
    unjudged=st.sampled_from(["nonrelevant", "condense", "undefined"]),
)


def rows(numbers, unique):
    keys = (lambda row: row[:2]) if unique else None
    return st.lists(st.tuples(QUERIES, ITEMS, numbers), min_size=1, max_size=40, unique_by=keys)


@max_examples(8)
@example(  # the first row with a judged query is not the first of its partition
    qrels=[("q0", "a", -1.0), ("q1", "a", -1.0)],
    run=[("q2", "a", -1.0), ("q0", "b", -1.0), ("q1", "c", -1.0)],
    rules=Rules(),
    partitions=2,
)
@given(qrels=rows(LABELS, True), run=rows(SCORES, True), rules=RULES, partitions=st.integers(1, 5))
def test_any_rows_give_the_same(spark, qrels, run, rules, partitions):
    tables = table(sorted(qrels, key=lambda row: row[0]), "label"), table(run, "score")
    options = {"partitions": partitions, "rules": rules}
    assert_same(spark, *tables, ["nDCG@1,3", "nDCG", "AP", "P@2"], **options)


@max_examples(5)
@given(qrels=rows(LABELS, False), run=rows(SCORES, False), partitions=st.integers(1, 5))
def test_any_rows_with_repeats_give_the_same(spark, qrels, run, partitions):
    tables = table(sorted(qrels, key=lambda row: row[0]), "label"), table(run, "score")
    options = {"partitions": partitions}
    assert_same(spark, *tables, "nDCG@3", **options)
    assert_same(spark, *tables, "nDCG@3", rules=Rules(duplicates="count"), **options)
