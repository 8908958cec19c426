"""``gainful convert``: output and errors."""

import io
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from gainful import cli, convert

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d2 1 0.90 tag\nq1 Q0 d1 2 1e-5 tag\nq2 Q0 d1 1 -3 tag\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("my.run").write_text(RUN)


@pytest.fixture
def run_convert(monkeypatch, capsys):
    def run_convert(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "convert", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_convert


@pytest.mark.parametrize(
    ("arguments", "sentence", "error_code"),
    [
        (["qrels.txt", "out.xls"], "out.xls: the format to write cannot be detected from its name. "
         "Pass --to trec, csv, tsv, jsonl, parquet, to= in Python.", "unknown-format"),
        (["qrels.txt", "qrels.txt", "--force"],
         "qrels.txt: is what is read. Write to another file.", "writes-over-input"),
        (["qrels.txt", "my.run"], "my.run: exists already. "
         "Pass --force to replace it, force=True in Python.", "exists-already"),
        (["qrels.txt", "q.parquet.gz"], "q.parquet.gz: parquet is compressed already. "
         "Leave out .gz.", "unknown-format"),
        (["none.txt", "out.csv"], "none.txt: no such file or directory.", "cannot-read"),
        (["qrels.txt", "none/out.csv"],
         "none/out.csv: cannot be written to (No such file or directory).", "cannot-write"),
        (["qrels.txt", "out.csv", "--from", "xls", "--holds", "qrels"],
         "qrels format: must be one of trec, csv, tsv, beir, triples, jsonl, json, parquet, "
         "arrow, letor, got 'xls'.", "unknown-format"),
        (["qrels.txt", "/dev/full", "--to", "csv"],
         "/dev/full: cannot be written to (No space left on device).", "cannot-write"),
    ],
)  # fmt: skip
def test_the_command_refuses_in_a_sentence(run_convert, arguments, sentence, error_code):
    files_at_start = sorted(os.listdir())
    assert run_convert(*arguments) == ("", f"error: {sentence} [{error_code}]\n", 1)
    assert sorted(os.listdir()) == files_at_start


def test_the_command_says_what_it_wrote(run_convert):
    assert run_convert("qrels.txt", "out.csv") == ("", "3 judgments written to out.csv.\n", 0)
    assert run_convert("my.run", "out.csv", "--force") == ("", "3 items written to out.csv.\n", 0)
    Path("in.tsv").write_text("a\tb\tgood\n")
    columns = "--columns", "query=1,item=2,label=3", "--labels", "good=3"
    assert run_convert("in.tsv", "out.txt", *columns)[1:] == ("1 judgment written to out.txt.\n", 0)
    assert Path("out.txt").read_text() == "a 0 b 3\n"


@pytest.mark.parametrize("to", ["trec", "csv", "parquet"])
def test_standard_input_goes_to_standard_output(to):
    command = [sys.executable, "-m", "gainful", "convert", "-", "-", "--to", to]
    result = subprocess.run(command, input=RUN.encode(), capture_output=True, check=True)
    assert result.stderr == b"3 items written to standard output.\n"
    if to == "parquet":
        assert pl.read_parquet(io.BytesIO(result.stdout)).height == 3
    else:
        convert("my.run", f"out.{to}")
        assert result.stdout == Path(f"out.{to}").read_bytes()
