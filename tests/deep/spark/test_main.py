"""python -m gainful.spark, run as people do, and by spark-submit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gainful

pytestmark = pytest.mark.spark
QRELS = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d3 1\n"
RUN = "q1 Q0 d2 1 2.0 x\nq1 Q0 d1 2 1.0 x\nq2 Q0 d9 1 3.0 x\nq2 Q0 d3 2 1.0 x\n"
MAIN = Path(gainful.__file__).parent / "spark" / "__main__.py"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "bm25.run").write_text(RUN)
    return tmp_path


def run_command(folder, *command):
    home = Path(gainful.__file__).parent.parent
    variables = {"PYTHONPATH": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONWARNINGS": "ignore"}
    variables |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    environment = os.environ | variables
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_means_are_printed_and_every_value_is_written(spark, folder):
    options = ["-m", "nDCG@10", "--out", "scores.parquet"]
    done = run_command(
        folder, sys.executable, "-m", "gainful.spark", "qrels.txt", "bm25.run", *options
    )
    assert done.returncode == 0, done.stderr
    local = gainful.evaluate(folder / "qrels.txt", folder / "bm25.run", "nDCG@10")
    assert done.stdout == f"nDCG@10\t{local['nDCG@10']!r}\n"
    assert "rules: ties=item-desc" in done.stderr
    assert "out: values of queries are in scores.parquet.\n" in done.stderr
    rows = spark.read.parquet(str(folder / "scores.parquet")).collect()
    score_rows = sorted((row.system, row.query, row.measure, row.value) for row in rows)
    values = dict(zip(local.queries, local.column("nDCG@10"), strict=True))
    assert score_rows == [
        ("bm25", query, "nDCG@10", value) for query, value in sorted(values.items())
    ]


def test_spark_submit_runs_it_and_a_failure_writes_nothing(folder):
    import pyspark

    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    options = ["--master", "local[1]", "--conf", "spark.ui.enabled=false"]
    options += ["--conf", "spark.driver.host=127.0.0.1", "--driver-memory", "1g"]
    with (folder / "bm25.run").open("a") as run:
        run.write("q2 Q0 d4 3 high x\n")
    done = run_command(
        folder, submit, *options, MAIN, "qrels.txt", "bm25.run", "--out", "scores.parquet"
    )
    sentence = (
        "error: bm25.run: query 'q2' item 'd4': score must be a number, got 'high'. [bad-score]"
    )
    # It prints what Python says, wherever Python said it, on standard output.
    assert done.stdout.splitlines() == [sentence]
    assert done.returncode == 1
    assert not (folder / "scores.parquet").exists()


def test_a_path_that_is_not_there_is_an_error_without_what_java_says_of_it(folder):
    done = run_command(folder, sys.executable, "-m", "gainful.spark", "qrels.txt", "no.run")
    assert done.returncode == 1
    sentence = "no.run: there is no table and no path of that name that Spark can read."
    assert done.stderr.splitlines()[-1] == f"error: {sentence} [cannot-read]"
    assert "Exception" not in done.stderr
