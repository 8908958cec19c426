"""gainful spark in this process; tests/deep/spark/test_main.py starts python -m gainful.spark."""

import sys

import pytest

import gainful
from gainful.cli import run

pytestmark = pytest.mark.spark
QRELS = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d3 1\n"
RUN = "q1 Q0 d2 1 2.0 x\nq1 Q0 d1 2 1.0 x\nq2 Q0 d9 1 3.0 x\nq2 Q0 d3 2 1.0 x\n"


@pytest.fixture
def run_spark(spark, tmp_path, monkeypatch, capsys):
    """Return a function that runs the command on the session of the tests, beside its files."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "bm25.run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(type(spark), "stop", lambda session: None)

    def run_spark(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "spark", *map(str, arguments)])
        code = run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_spark


def test_means_are_printed_and_every_value_is_written(spark, run_spark, tmp_path):
    files = tmp_path / "qrels.txt", tmp_path / "bm25.run"
    out, err, code = run_spark(*files, "-m", "nDCG@10", "--out", tmp_path / "scores.parquet")
    assert code == 0, err
    local = gainful.evaluate(*files, "nDCG@10")
    assert out == f"nDCG@10\t{local['nDCG@10']!r}\n"
    rows = spark.read.parquet(str(tmp_path / "scores.parquet")).collect()
    actual = sorted((row.system, row.query, row.measure, row.value) for row in rows)
    values = dict(zip(local.queries, local.column("nDCG@10"), strict=True))
    assert actual == [("bm25", query, "nDCG@10", value) for query, value in sorted(values.items())]
    _, err, code = run_spark(*files, "--out", tmp_path / "scores.parquet")
    assert code == 1
    assert err.splitlines()[-1].endswith(" [exists-already]")


def test_wrong_usage_is_an_error_of_usage(run_spark):
    _, err, code = run_spark("qrels.txt")
    assert code == 2
    assert "Missing argument 'RUN'" in err
