"""``checked``: write qrels and runs, call ``gainful check``, and return what it prints."""

import sys
from pathlib import Path

import pytest

from diagnostics.small_runs import QRELS
from gainful import cli


@pytest.fixture
def run_check(tmp_path, monkeypatch, capsys):
    def run_check(*texts, qrels=QRELS, options=()):
        monkeypatch.chdir(tmp_path)
        names = ["qrels.txt", *(f"{name}.run" for name, _ in zip("abc", texts, strict=False))]
        for name, text in zip(names, (qrels, *texts), strict=True):
            Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setattr(sys, "argv", ["gainful", "check", *names, *options])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_check
