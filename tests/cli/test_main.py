"""Behavior that all commands share: errors, exit codes, help, and standard output that fails."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gainful
from terminal import needs_unix, run_in_terminal


def test_a_failure_is_one_sentence_and_exit_1(run_command):
    assert run_command("eval", "qrels.txt", "none.run") == (
        "",
        "error: none.run: no such file or directory. [cannot-read]\n",
        1,
    )
    assert run_command("eval", "qrels.txt", "one.run", "-m", "ndgc") == (
        "",
        "error: unknown measure 'ndgc'. Did you mean nDCG? [unknown-measure]\n",
        1,
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["eval", "qrels.txt"], "Missing argument 'RUN...'."),
        (["evaal"], "No such command 'evaal'."),
        (
            ["eval", "qrels.txt", "one.run", "--ties", "no"],
            "Invalid value for '--ties': 'no' is not one of",
        ),
        (["eval", "qrels.txt", "one.run", "--depth", "x"], "Invalid value for '--depth'"),
    ],
)
def test_wrong_usage_exits_2(run_command, arguments, problem):
    out, err, code = run_command(*arguments)
    assert (out, code) == ("", 2)
    assert problem in err


@needs_unix
@pytest.mark.parametrize(
    ("command", "output"),
    [
        (
            "gainful eval qrels.txt one.run -m CG -f json >/dev/full; echo $?",
            "error: standard output: no space left on device. [cannot-write]\n1\n",
        ),
        ("gainful eval qrels.txt one.run -m CG -f json >&-; echo $?", "0\n"),
        (
            "gainful demo --save one.run; echo $?",
            "error: one.run: cannot be written to (File exists). [cannot-write]\n1\n",
        ),
        ("gainful eval qrels.txt one.run -m CG -f json | true; echo ${PIPESTATUS[0]}", "0\n"),
    ],
)
def test_an_output_that_cannot_be_written_is_said(files, command, output):
    assert run_in_terminal(f"bash -c '{command}'", Path.cwd()) == output


def test_every_help_teaches_by_example(run_command):
    for command in gainful.cli.gainful.commands:
        out, _, code = run_command(command, "--help")
        assert code == 0
        assert f"Examples:\n    gainful {command}" in out


def test_help_lists_the_rules_after_the_options_but_not_those_of_dialects(run_command):
    for command in ("eval", "compare", "gate"):
        out, _, _ = run_command(command, "--help")
        _, options, rules = re.split(r"^(?:Options|Rules):$", out, flags=re.M)
        assert "--help" in options
        assert "--ties" in rules
        assert "--decimals" not in out


def test_help_fits_on_two_screens_and_a_measure_on_one(run_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for arguments, n_lines in ((["eval", "--help"], 80), (["measures", "nDCG"], 40)):
        lines = run_command(*arguments)[0].splitlines()
        assert len(lines) <= n_lines
        assert max(map(len, lines)) <= 80


@needs_unix
def test_a_closed_pipe_is_silent(files):
    output = run_in_terminal(
        "gainful eval qrels.txt one.run -q -f tsv 2>/dev/null | true", Path.cwd()
    )
    assert output == ""


def test_version_is_that_of_the_package(run_command):
    assert run_command("--version")[0] == f"gainful, version {gainful.__version__}\n"


def test_output_is_utf8_whatever_the_locale(files):
    Path("u.txt").write_text("ホタル 0 é 1\n", encoding="utf-8")
    Path("u.run").write_text("ホタル Q0 é 1 1 t\n", encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-m", "gainful", "eval", "u.txt", "u.run", "-q", "-m", "CG"],
        capture_output=True,
        check=True,
        env={
            "PATH": os.environ["PATH"],
            "LC_ALL": "C",
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONUTF8": "0",
        },
    )
    assert result.stdout.decode("utf-8").splitlines()[1] == "ホタル\t1.0"
