"""Files and the command line, for the tests of commands."""

import sys
from pathlib import Path

import pytest

from diagnostics.small_runs import QRELS as CHECK_QRELS
from gainful import cli
from gate.runs_with_values import format_qrels, format_run, make_runs

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
def run_command(files, monkeypatch, capsys):
    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_command


@pytest.fixture
def run_check(tmp_path, monkeypatch, capsys):
    """Return a function that writes qrels and runs, and runs ``gainful check`` on them."""

    def run_check(*texts, qrels=CHECK_QRELS, options=()):
        monkeypatch.chdir(tmp_path)
        names = ["qrels.txt", *(f"{name}.run" for name, _ in zip("abc", texts, strict=False))]
        for name, text in zip(names, (qrels, *texts), strict=True):
            Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setattr(sys, "argv", ["gainful", "check", *names, *options])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_check


@pytest.fixture
def run_gate(tmp_path, monkeypatch, capsys):
    """Return a function that runs ``gainful gate`` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)

    def run_gate(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "gate", *map(str, arguments)])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_gate


@pytest.fixture
def write_gate_files(run_gate):
    """Return a function that writes runs with these values to qrels.txt, old.run and new.run."""

    def write_gate_files(old_values, new_values):
        texts = make_runs(old_values, new_values)
        Path("qrels.txt").write_text(format_qrels(texts[0]))
        for name, run in zip(("old.run", "new.run"), texts[1:], strict=True):
            Path(name).write_text(format_run(run))

    return write_gate_files
