"""The progress bar on standard error."""

import sys
from pathlib import Path

import pytest

from gainful import cli
from gainful.cli import output
from terminal import needs_unix, run_in_terminal

QRELS = "q1 0 a 2\nq1 0 b 1\n"


@pytest.fixture(autouse=True)
def _write_input_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text("q1 Q0 a 1 1 t\n")


class Terminal:
    """Standard error that says it is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def test_a_bar_shows_only_after_a_while_and_vanishes(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with output.progress_bar() as progress:
        progress("quick", 1, 2)
    assert terminal.text == ""
    monkeypatch.setattr(output, "_PATIENCE", 0)
    with output.progress_bar() as progress:
        progress("one", 10, 200)
        progress("two", 0, None)
        progress("[red]three", 100, 200)
    assert "reading [red]three" in terminal.text
    assert "50%" in terminal.text
    assert terminal.text.endswith(("\x1b[2K", "\x1b[?25h", "\r"))


def test_nobody_is_told_where_standard_error_is_no_terminal(monkeypatch, capsys):
    monkeypatch.setattr(output, "_PATIENCE", 0)
    with output.progress_bar() as progress:
        assert progress is None
    monkeypatch.setattr(sys, "argv", ["gainful", "eval", "qrels", "run", "-m", "CG"])
    assert cli.run() == 0
    assert "reading" not in capsys.readouterr().err


@needs_unix
def test_a_slow_pipe_shows_a_bar_on_a_terminal():
    feed = "(printf 'q1 Q0 a 1 1 t\\n'; sleep 1.5; printf 'q1 Q0 b 2 0 t\\n'; sleep 0.5)"
    screen = run_in_terminal(f"{feed} | TERM=xterm gainful eval qrels - -m CG", Path.cwd())
    assert "reading -" in screen
    assert "CG      3.0000\n" in screen
    quiet = run_in_terminal(
        f"{feed} | TERM=xterm gainful eval qrels - -m CG 2>errors; cat errors", Path.cwd()
    )
    assert "reading" not in quiet
    assert quiet.startswith("CG      3.0000\nJudged  1.0000\nrules: ")
