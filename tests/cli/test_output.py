"""Output of commands: its format, and files that are written whole or not at all."""

import json
import sys
from pathlib import Path

import pytest

from gainful import cli

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 a 1 1 t\n"
EVAL = ("eval", "qrels.txt", "one.run", "-m", "CG")


@pytest.fixture
def run_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("one.run").write_text(RUN)

    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_command


@pytest.mark.parametrize(
    ("suffix", "name"),
    [("csv", "csv"), ("tsv", "tsv"), ("md", "markdown"), ("tex", "latex"), ("json", "json")],
)
def test_a_file_has_the_format_that_its_name_tells(run_command, suffix, name):
    printed, notes, _ = run_command(*EVAL, "-f", name)
    assert run_command(*EVAL, "-o", f"means.{suffix}") == ("", notes, 0)
    assert Path(f"means.{suffix}").read_text() == printed


def test_a_format_that_is_named_wins_over_the_name_of_the_file(run_command):
    assert run_command(*EVAL, "-f", "json", "-o", "means.csv")[2] == 0
    assert json.loads(Path("means.csv").read_text())["runs"][0]["mean"] == {"CG": 2.0}


def test_a_dash_is_standard_output(run_command):
    assert run_command(*EVAL, "-o", "-") == run_command(*EVAL)


def test_a_name_that_tells_no_format_is_an_error_before_anything_is_read(run_command):
    out, err, code = run_command("eval", "none.txt", "none.run", "-o", "means.dat")
    assert (out, code) == ("", 2)
    assert "-o means.dat: the name tells no format of this command. Pass -f." in err


def test_a_file_that_is_read_is_not_overwritten(run_command):
    _, err, code = run_command(*EVAL, "-f", "csv", "-o", "one.run")
    assert code == 2
    assert "-o one.run: is read by the same command. Name another file." in err
    assert Path("one.run").read_text() == RUN


def test_nothing_is_written_where_a_command_fails(run_command):
    assert run_command("eval", "qrels.txt", "none.run", "-o", "means.csv")[2] == 1
    assert not Path("means.csv").exists()


def test_every_command_that_prints_a_result_takes_both_options():
    commands = cli.gainful.commands
    other_commands = {"report", "convert", "measures", "trec_eval", "demo", "help"}
    for name in set(commands) - other_commands:
        options = {option for parameter in commands[name].params for option in parameter.opts}
        assert {"-f", "--format", "-o", "--output"} <= options, name
