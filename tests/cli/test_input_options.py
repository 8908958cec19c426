"""Options that say how files are read, and standard input."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from gainful import cli


@pytest.fixture
def run_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("q.csv").write_text("topic,sku,grade\nq1,d1,good\nq1,d2,bad\n")
    Path("r.csv").write_text("topic,sku,sim,place\nq1,d2,0.9,1\nq1,d1,0.8,2\n")
    Path("r.tsv").write_text("q1\td2\t7\nq1\td1\t8\n")

    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_command


NAMES = ("--columns", "item=sku", "--labels", "good=2,bad=0")


def test_columns_and_labels_are_named(run_command):
    assert run_command("eval", "q.csv", "r.csv", *NAMES, "-m", "RR")[::2] == ("RR\t0.5\n", 0)
    numbers = ("--columns", "item=2,query=1", "--columns", "run.score=4", "--labels", "good=1")
    printed = run_command("eval", "q.csv", "r.csv", *numbers, "--labels", "bad=0", "-m", "RR")
    assert printed[::2] == ("RR\t1.0\n", 0)
    assert "good" not in run_command("explain", "q.csv", "r.csv", "q1", *NAMES)[0]


def test_formats_are_named(run_command):
    triples = ("--qrels-format", "csv", "--run-format", "triples")
    columns = ("--columns", "qrels.item=sku", "--labels", "good=2,bad=0", "-m", "RR")
    assert run_command("eval", "q.csv", "r.tsv", *columns, *triples)[::2] == ("RR\t1.0\n", 0)
    ranks = ("--run-format", "msmarco")
    assert run_command("eval", "q.csv", "r.tsv", *columns, *ranks)[::2] == ("RR\t0.5\n", 0)


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--columns", "query", "--columns: must look like query=qid,item=docno, got 'query'."),
        ("--columns", "query=", "--columns: must look like query=qid,item=docno, got 'query='."),
        (
            "--columns",
            "topic=qid",
            "--columns: must name one of query, item, label, score, rank, got 'topic'.",
        ),
        (
            "--columns",
            "run.label=rel",
            "--columns: must name one of run.query, run.item, run.score, run.rank, "
            "got 'run.label'.",
        ),
        ("--labels", "good", "--labels: must look like good=2,bad=0, got 'good'."),
        ("--labels", "good=high", "--labels: 'good' must mean a number, got 'high'."),
    ],
)
def test_wrong_usage_is_one_sentence(run_command, option, value, sentence):
    for command in (["eval", "q.csv", "r.csv"], ["explain", "q.csv", "r.csv", "q1"]):
        _, error, code = run_command(*command, option, value)
        assert error.splitlines()[-1] == f"Error: {sentence}"
        assert code == 2


def test_an_unknown_format_is_an_error_that_lists_them(run_command):
    out, error, code = run_command("eval", "q.csv", "r.csv", *NAMES, "--run-format", "xls")
    assert (out, code) == ("", 1)
    assert error == (
        "error: run format: must be one of trec, csv, tsv, msmarco, triples, jsonl, json, "
        "parquet, arrow, predictions, got 'xls'. [unknown-format]\n"
    )


def test_a_trec_file_is_read_without_loading_the_readers_of_tables(run_command):
    Path("q.txt").write_text("q1 0 d1 1\n")
    Path("r.txt").write_text("q1 Q0 d1 1 1 t\n")
    code = "import sys; from gainful.cli import run; sys.argv[1:] = ['eval', 'q.txt', 'r.txt']; "
    code += "run(); print(*sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    loaded = set(printed.splitlines()[-1].split())
    modules = {"entries", "frames", "json", "nested", "objects"}
    table_readers = {f"gainful.sources.{name}" for name in modules}
    assert all(find_spec(name) for name in table_readers)
    assert not loaded & {"polars", "csv", "json", *table_readers}


def test_standard_input_is_read_once(run_command):
    _, err, code = run_command("eval", "-", "-")
    assert "standard input (-) can be read only once." in err
    assert code == 2
