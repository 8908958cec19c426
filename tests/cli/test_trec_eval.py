"""gainful trec_eval: standard input, help, exit codes and installation."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gainful import cli
from terminal import needs_unix

QRELS = "1 0 a 1\n1 0 b 2\n2 0 a 1\n3 0 c 1\n"
RUN = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n1 Q0 x 3 0 t\n2 Q0 a 1 1 t\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)


def format_result(name, query, value):
    return f"{name:<22}\t{query}\t{value}\n"


def run_trec_eval(*arguments, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["gainful", "trec_eval", *arguments])
    return cli.run()


@needs_unix
def test_a_run_is_read_from_standard_input(capsys, monkeypatch):
    for text in (RUN.encode(), gzip.compress(RUN.encode())):
        reader, writer = os.pipe()
        os.write(writer, text)
        os.close(writer)
        with os.fdopen(reader) as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            code = run_trec_eval("-c", "-m", "runid", "qrels", "-", monkeypatch=monkeypatch)
        assert (capsys.readouterr().out, code) == (format_result("runid", "all", "t"), 0)


def test_the_command_prints_says_and_exits_as_trec_eval(capsys, monkeypatch):
    code = run_trec_eval("-m", "foo", "qrels", "run", monkeypatch=monkeypatch)
    printed = capsys.readouterr()
    assert (printed.out, printed.err, code) == ("", "trec_eval: illegal measure 'foo'\n", 1)


def test_help_describes_the_measures_that_are_named(capsys, monkeypatch):
    assert run_trec_eval("-h", "-m", "bpref", "-m", "rbp", monkeypatch=monkeypatch) == 0
    out = capsys.readouterr().out
    assert "bpref: Gainful's Bpref: " in out
    assert "rbp: Gainful's RBP(p=0.9, gain=linear, scale=query)" in out
    assert "--compat 9|10" in out


@needs_unix
def test_a_command_trec_eval_is_installed_where_that_is_asked_for(capsys, monkeypatch):
    assert run_trec_eval("--install", ".", monkeypatch=monkeypatch) == 0
    assert capsys.readouterr().out == "trec_eval runs gainful trec_eval.\n"
    result = subprocess.run(
        ["./trec_eval", "-c", "-m", "map", "qrels", "run"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == format_result("map", "all", "0.6667")
    assert run_trec_eval("--install", ".", monkeypatch=monkeypatch) == 0
    Path("trec_eval").write_text("another")
    capsys.readouterr()
    assert run_trec_eval("--install", ".", monkeypatch=monkeypatch) == 1
    err = capsys.readouterr().err
    assert err == "error: trec_eval: exists already. Move it away first. [exists-already]\n"
    assert run_trec_eval("--install", "nowhere", monkeypatch=monkeypatch) == 1
    assert run_trec_eval("--install", monkeypatch=monkeypatch) == 2
