"""How qrels and runs come to Spark: frames, tables, paths, and what is here already."""

import pytest

import gainful
from gainful import Rules
from gainful.errors import SourceError, SparkError
from gainful.spark import evaluate
from spark.score_equality import select_common

pytestmark = pytest.mark.spark
QRELS = {"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 1}}
ROWS = [("q1", "d2", 2.0), ("q1", "d1", 1.0), ("q2", "d9", 3.0), ("q2", "d3", 1.0)]
TREC = "# a run\nq1 Q0 d2 1 2.0 x\nq1\tQ0 d1  2 1.0 x y\r\n\nq2 Q0 d9 1 3e0 x\nq2 Q0 d3 2 1 x\n"


@pytest.fixture(scope="module")
def run(spark):
    return spark.createDataFrame(ROWS, "qid string, docno string, score double").coalesce(1)


@pytest.fixture(scope="module")
def qrels(spark):
    rows = [(query, item, label) for query, items in QRELS.items() for item, label in items.items()]
    return spark.createDataFrame(rows, "query string, item string, label int").coalesce(1)


def describe_scores(scores):
    values = dict(zip(scores.queries, scores.values.tolist(), strict=True))
    return scores.run, values, scores.mean(), select_common(scores.notices)


def evaluate_on_one_machine(source, **options):
    return describe_scores(gainful.evaluate(QRELS, source, "nDCG@10", **options))


def read_error(*arguments, **options):
    with pytest.raises(gainful.GainfulError) as error:
        evaluate(*arguments, "nDCG@10", **options)
    return str(error.value)


def test_qrels_may_be_here_and_the_run_named(run):
    local = evaluate_on_one_machine(gainful.read_run(run.toArrow(), name="bm25"))
    assert describe_scores(evaluate(QRELS, run, "nDCG@10", name="bm25")) == local
    assert describe_scores(evaluate(QRELS, gainful.read_run(run, name="bm25"), "nDCG@10")) == local
    assert (
        describe_scores(evaluate(gainful.read_qrels(QRELS), run, "nDCG@10", name="bm25")) == local
    )


def test_trec_files_are_read_as_they_are_here(spark, tmp_path):
    path = tmp_path / "bm25.run"
    path.write_bytes(TREC.encode())
    assert describe_scores(
        evaluate(QRELS, path, "nDCG@10", spark=spark)
    ) == evaluate_on_one_machine(path)


@pytest.mark.parametrize(
    "line", ["q2 Q0 d4 3 1d x", "q2 Q0 d4 3 0x1p3 x", "q2 Q0 d4 3", "q1 Q0 d1 3 7 x"]
)
def test_a_wrong_line_is_the_same_error_as_here(spark, tmp_path, line):
    path = tmp_path / "bm25.run"
    path.write_text(f"{TREC}{line}\n")
    with pytest.raises(SourceError) as local:
        gainful.evaluate(QRELS, path, "nDCG@10")
    with pytest.raises(SourceError, match=rf"^{path}: ") as error:
        evaluate(QRELS, path, "nDCG@10", spark=spark)
    assert error.value.code == local.value.code


def test_fields_stand_between_the_white_space_that_they_do_here(spark, tmp_path):
    path = tmp_path / "bm25.run"
    path.write_bytes(b"\x0bq1\x0bQ0 d2\f1 2 x\r\n q1 Q0 d1\r2 1 x\nq2 Q0 d\xc2\xa03 1 1 x\n")
    assert describe_scores(
        evaluate(QRELS, path, "nDCG@10", spark=spark)
    ) == evaluate_on_one_machine(path)


@pytest.mark.parametrize("rank", ["1", "+1", "-1", "007"])
def test_ranks_are_integers_with_or_without_a_sign(spark, tmp_path, rank):
    path, rules = write_ranks(tmp_path, rank), Rules(order="rank")
    scores = evaluate(QRELS, path, "nDCG@10", spark=spark, rules=rules)
    assert describe_scores(scores) == evaluate_on_one_machine(path, rules=rules)


@pytest.mark.parametrize("rank", ["+", "high"])
def test_ranks_that_are_no_integers_are_refused_where_they_are_read(spark, tmp_path, rank):
    path = write_ranks(tmp_path, rank)
    assert read_error(QRELS, path, spark=spark, rules=Rules(order="rank")) == (
        f"{path}: query 'q1' item 'd1': rank must be an integer to order by it, got {rank!r}."
    )
    assert describe_scores(
        evaluate(QRELS, path, "nDCG@10", spark=spark)
    ) == evaluate_on_one_machine(path)


def write_ranks(folder, rank):
    path = folder / "bm25.run"
    path.write_text(f"q1 Q0 d2 0 2 x\nq1 Q0 d1 {rank} 1 x\n")
    return path


def test_a_line_that_is_not_utf8_is_refused(spark, tmp_path):
    path = tmp_path / "bm25.run"
    path.write_bytes(b"q1 Q0 d1 1 2 x\nq1 Q0 d\xff 2 1 x\n")
    assert read_error(QRELS, path, spark=spark) == (
        f"{path}: has a line that is not UTF-8, and all text on Spark is. Convert it first."
    )


def test_columns_that_a_trec_file_does_not_have_are_refused(spark, tmp_path):
    path = tmp_path / "bm25.run"
    path.write_text(TREC)
    assert read_error(QRELS, path, spark=spark, columns={"query": "qid", "run.item": "docno"}) == (
        f"{path}: is a TREC file, whose columns have no names, and columns= names 'run.item'. "
        "Leave that out."
    )


def test_a_judged_query_without_items_is_refused(run):
    assert read_error(QRELS | {"q3": {}}, run) == (
        "qrels: query 'q3' has no judged items, and Spark knows of queries by their items. Leave "
        "it out, or evaluate without Spark."
    )


def test_columns_may_have_other_names_on_either_side(qrels, run):
    odd = qrels.withColumnRenamed("label", "how_good").withColumnRenamed("query", "q")
    odd = odd.withColumnRenamed("item", "d")
    column_names = {"qrels.query": "q", "qrels.item": "d", "qrels.label": "how_good"}
    result = describe_scores(evaluate(odd, run, "nDCG@10", columns=column_names))
    assert result == evaluate_on_one_machine(run.toArrow())


def test_numbers_are_read_as_here_whatever_their_type(qrels, run):
    text = run.withColumn("score", run["score"].cast("string"))
    decimal = run.withColumn("score", run["score"].cast("decimal(9, 3)"))
    for frame in (text, decimal):
        assert describe_scores(evaluate(qrels, frame, "nDCG@10")) == evaluate_on_one_machine(
            run.toArrow()
        )


def test_wrong_columns_and_types_are_said_as_here(qrels, run):
    frames = {
        "no column": run.withColumnRenamed("qid", "foo"),
        "no score": run.drop("score"),
        "distance": run.withColumnRenamed("score", "distance"),
        "dates": run.selectExpr("qid", "docno", "current_date() as score"),
        "floats": run.selectExpr("score as qid", "docno", "score"),
        "words": run.selectExpr("qid", "docno", "'high' as score"),
        "nulls": run.selectExpr("qid", "docno", "cast(null as double) as score"),
    }
    for why, frame in frames.items():
        with pytest.raises(gainful.GainfulError) as local:
            gainful.evaluate(QRELS, frame.toArrow(), "nDCG@10")
        with pytest.raises(gainful.GainfulError, match=r"^run 'run'") as error:
            evaluate(qrels, frame, "nDCG@10")
        assert error.value.code == local.value.code, why


def test_nothing_in_it_is_said_as_here(qrels, run):
    assert read_error(qrels.limit(0), run) == "qrels: there are no judgments in it."
    assert read_error(qrels, run.limit(0)) == "run 'run': there are no items in it."


def test_rules_that_look_at_the_order_of_rows_are_noticed(qrels, run):
    scores = evaluate(qrels, run, "nDCG@10", rules=Rules(order="file"))
    assert str(scores.notices[-1]) == (
        "run 'run': order=file looks at the order of rows, and a DataFrame has none of its own; "
        "they were taken as collect() returns them."
    )
    assert "row-order" not in {notice.code for notice in evaluate(qrels, run, "nDCG@10").notices}


def test_what_is_not_there_and_what_is_no_run_is_a_sentence(spark, qrels):
    sentence = "there is no table and no path of that name that Spark can read."
    assert read_error(qrels, "bm26") == f"bm26: {sentence}"
    assert read_error(qrels, "/no/bm26.run") == f"/no/bm26.run: {sentence}"
    assert read_error(qrels, {"q1": ["d1"]}) == (
        "run: must be a DataFrame of Spark, a table or a path, got a dict. Make it one "
        "with spark.createDataFrame(...), or collect the qrels with df.toArrow()."
    )


def test_wrong_settings_are_sentences(qrels, run, tmp_path):
    assert read_error(qrels, run, partitions=0) == "partitions: must be an integer >= 1, got 0."
    assert read_error(qrels, str(tmp_path), format="nosuch") == (
        "format: Spark knows none that is called 'nosuch'. Pass trec, csv, tsv, json, parquet, "
        "orc, or one whose package the session has."
    )
    assert read_error(qrels, run, columns={"doc": "x"}) == (
        "columns: must name one of query, item, label, score, rank, got 'doc'."
    )


def test_an_error_of_spark_keeps_its_cause(qrels, tmp_path):
    with pytest.raises(SparkError) as error:
        evaluate(qrels, tmp_path / "bm*", "nDCG@10")
    assert type(error.value.__cause__).__module__.startswith("pyspark")
