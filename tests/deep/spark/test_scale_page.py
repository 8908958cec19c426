"""The examples of docs/scale.md, and that of the README, in the session of all tests of Spark."""

import pytest

from end_to_end.pages import ROOT, check_examples, read_blocks
from terminal import needs_unix

pytestmark = pytest.mark.spark


@needs_unix
def test_examples_print_what_the_page_says(spark, tmp_path):
    # The session has been started elsewhere, and looks for relative paths there.
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    page = tmp_path / "scale.md"
    page.write_text(text.replace('"shop/', f'"{tmp_path}/shop/'), encoding="utf-8")
    check_examples(page, tmp_path)


def test_the_block_of_the_readme_scores_a_table_and_writes_another(spark, tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 a 2\nq1 0 b 1\n")
    texts = [block.text for block in read_blocks(ROOT / "README.md")]
    (text,) = (text for text in texts if 'spark.table("logs.ranked")' in text)
    rows = [("q1", "b", 2.0), ("q1", "a", 1.0)]
    spark.sql("CREATE DATABASE logs")
    try:
        frame = spark.createDataFrame(rows, "search_id string, item string, score double")
        frame.write.saveAsTable("logs.ranked")
        names = {"spark": spark}
        exec(text.replace('"qrels.txt"', repr(str(tmp_path / "qrels.txt"))), names)
        assert round(names["scores"]["nDCG@10"], 4) == 0.8597
        (row,) = spark.table("scores").collect()
        assert (row["query"], row["value"]) == ("q1", names["scores"]["nDCG@10"])
    finally:
        spark.sql("DROP TABLE IF EXISTS scores")
        spark.sql("DROP DATABASE logs CASCADE")
