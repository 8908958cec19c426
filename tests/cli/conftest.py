"""Files and the command line, for the tests of commands."""

import sys
from pathlib import Path

import pytest

from diagnostics.conftest import run_check  # noqa: F401 - a fixture
from gainful import cli
from gate.runs_with_values import make_runs, qrels_text, run_text

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 a 1 1 t\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("one.run").write_text(RUN)
    Path("two.run").write_text(RUN.replace("b 1 2", "b 1 0"))
    Path("other.run").write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 0 t\nq2 Q0 a 1 1 t\n")


@pytest.fixture
def run(files, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run


@pytest.fixture
def gate_command(tmp_path, monkeypatch, capsys):
    """Runs the command line in a folder of its own; standard output, error and exit code."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "gate", *map(str, arguments)])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run


@pytest.fixture
def gate_files(gate_command):
    """Writes runs of values to qrels.txt, old.run and new.run."""

    def write(before, now):
        texts = make_runs(before, now)
        Path("qrels.txt").write_text(qrels_text(texts[0]))
        for name, run in zip(("old.run", "new.run"), texts[1:], strict=True):
            Path(name).write_text(run_text(run))

    return write
