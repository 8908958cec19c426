"""Files and the command line, for the tests of the gate."""

import sys
from pathlib import Path

import pytest

from gainful import cli
from gate.valued import qrels_text, run_text, valued


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
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
def files(command):
    """Writes runs of values to qrels.txt, old.run and new.run."""

    def write(before, now):
        texts = valued(before, now)
        Path("qrels.txt").write_text(qrels_text(texts[0]))
        for name, run in zip(("old.run", "new.run"), texts[1:], strict=True):
            Path(name).write_text(run_text(run))

    return write
