"""One evaluation per kind of source that Spark takes; tests/deep/spark has unusual ones."""

import pytest

import gainful
from gainful.spark import evaluate

pytestmark = pytest.mark.spark
QRELS = {"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 1}}
ROWS = [("q1", "d2", 2.0), ("q1", "d1", 1.0), ("q2", "d9", 3.0), ("q2", "d3", 1.0)]
TREC = "q1 Q0 d2 1 2.0 x\nq1 Q0 d1 2 1.0 x\nq2 Q0 d9 1 3.0 x\nq2 Q0 d3 2 1.0 x\n"


@pytest.fixture(scope="module")
def run(spark):
    return spark.createDataFrame(ROWS, "qid string, docno string, score double").coalesce(1)


@pytest.fixture(scope="module")
def qrels(spark):
    rows = [(query, item, label) for query, items in QRELS.items() for item, label in items.items()]
    return spark.createDataFrame(rows, "query string, item string, label int").coalesce(1)


def describe_scores(scores):
    values = dict(zip(scores.queries, scores.values.tolist(), strict=True))
    return scores.run, values, scores.mean(), scores.notices


def assert_as_here(scores, source, name="run"):
    local = gainful.read_run(source, name=name)
    assert describe_scores(scores) == describe_scores(gainful.evaluate(QRELS, local, "nDCG@10"))


def test_frames_are_evaluated_as_on_one_machine(qrels, run):
    assert_as_here(evaluate(qrels, run, "nDCG@10"), run.toArrow())


def test_local_judgments_and_a_named_run_are_evaluated_as_on_one_machine(run):
    assert_as_here(evaluate(QRELS, run, "nDCG@10", name="bm25"), run.toArrow(), "bm25")


def test_a_table_is_evaluated_as_on_one_machine(qrels, run):
    run.createOrReplaceTempView("bm25")
    assert_as_here(evaluate(qrels, "bm25", "nDCG@10"), run.toArrow(), "bm25")


@pytest.mark.parametrize("form", ["csv", "json", "orc", "parquet"])
def test_a_folder_of_files_is_evaluated_as_on_one_machine(run, tmp_path, form):
    run.write.options(header=True).format(form).save(str(tmp_path / "run"))
    assert_as_here(evaluate(QRELS, tmp_path / "run", "nDCG@10"), run.toArrow())


def test_a_trec_file_is_evaluated_as_on_one_machine(spark, tmp_path):
    path = tmp_path / "bm25.run"
    path.write_text(TREC)
    assert_as_here(evaluate(QRELS, path, "nDCG@10", spark=spark), path, "bm25")


def test_a_wrong_row_is_named_with_its_table(spark, tmp_path):
    path = tmp_path / "bm25.run"
    path.write_text(f"{TREC}q2 Q0 d4 3 1d x\n")
    with pytest.raises(gainful.SourceError) as error:
        evaluate(QRELS, path, "nDCG@10", spark=spark)
    assert str(error.value) == f"{path}: query 'q2' item 'd4': score must be a number, got '1d'."
