"""gainful correlate: arguments in; exact standard output, standard error and exit code out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import gainful
from gainful import cli

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\nq2 0 c 0\n"
RULES = str(gainful.Rules(ties="item-desc"))
SETTINGS = "2 queries, 95% intervals, p 0.9, top 100, 2,000 resamples, seed 0"
FEW_SYSTEMS_NOTE = (
    "note: 2 systems are few: two orders of them that have nothing to do with each other agree "
    "1 time in 2, with tau 1. [few-systems]\n"
)
SUMMARY = (
    "P@1 and RR order both systems alike: tau 1.00 [0.00, 1.00].\n"
    "one and two share 100% of the items in their first 100 ranks: rank-biased overlap 0.95 "
    "[0.31, 1.00] over 2 queries.\n"
)


@pytest.fixture
def run_correlate(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("one.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 2 t\nq2 Q0 c 2 1 t\n")
    Path("two.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 c 1 2 t\nq2 Q0 a 2 1 t\n")

    def run_correlate(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "correlate", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_correlate


ALL = ("qrels.txt", "one.run", "two.run", "-m", "P@1", "-m", "RR")


def test_a_table_ends_with_sentences(run_correlate):
    out, err, code = run_correlate(*ALL, "-f", "table")
    assert out == (
        "measure  with     tau          interval  tau_ap  weighted tau     RBO  alike  swaps\n"
        "P@1      RR    1.0000  [0.0000, 1.0000]  1.0000        1.0000  1.0000    1/1      0\n"
        "\n"
        "run  with     RBO          interval            bounds  shared@100     tau\n"
        "one  two   0.9500  [0.3147, 1.0000]  [0.3617, 0.9500]      1.0000  0.0000\n"
        "\n" + SUMMARY.replace(" over 2", "\n  over 2")
    )
    assert (err, code) == (f"rules: {RULES} ({SETTINGS})\n{FEW_SYSTEMS_NOTE}", 0)


def test_a_pipe_gets_one_line_for_every_statistic_and_the_sentences_go_to_standard_error(
    run_correlate,
):
    out, err, code = run_correlate(*ALL)
    assert [line.split("\t")[:4] for line in out.splitlines()] == [
        ["between", "first", "second", "statistic"],
        ["measures", "P@1", "RR", "tau"],
        ["measures", "P@1", "RR", "tau_ap"],
        ["measures", "P@1", "RR", "weighted_tau"],
        ["measures", "P@1", "RR", "rbo"],
        ["runs", "one", "two", "rbo"],
        ["runs", "one", "two", "shared"],
        ["runs", "one", "two", "tau"],
    ]
    assert (err, code) == (f"{SUMMARY}rules: {RULES} ({SETTINGS})\n{FEW_SYSTEMS_NOTE}", 0)


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_complete_forms_leave_nothing_to_standard_error(run_correlate, form):
    out, err, code = run_correlate(*ALL, "-f", form)
    assert (err, code) == ("", 0)
    assert "few-systems" in out
    assert SUMMARY.splitlines()[0] in out


def test_options_are_arguments_of_the_library(run_correlate):
    out, _, _ = run_correlate(
        *ALL, "--p", "0.5", "--top", "1", "--seed", "3", "--ties", "input", "-f", "json"
    )
    data = json.loads(out)
    assert (data["p"], data["top"], data["seed"], data["rules"]["ties"]) == (0.5, 1, 3, "input")
    assert data["runs"][0]["shared"] == 0.5


def test_runs_of_the_same_name_are_called_by_their_path(run_correlate):
    Path("old").mkdir()
    Path("old/one.run").write_text(Path("two.run").read_text())
    out, _, _ = run_correlate("qrels.txt", "one.run", "old/one.run", "-m", "P@1", "-f", "csv")
    assert out.splitlines()[1].startswith("runs,one.run,old/one.run,rbo,0.95,")


@pytest.mark.usefixtures("run_correlate")
def test_qrels_may_be_standard_input():
    command = [sys.executable, "-m", "gainful", "correlate", "-", *ALL[1:], "-f", "csv"]
    result = subprocess.run(command, input=QRELS, capture_output=True, text=True, check=True)
    assert len(result.stdout.splitlines()) == 8


def test_one_run_is_an_error(run_correlate):
    out, err, code = run_correlate("qrels.txt", "one.run")
    assert (out, code) == ("", 1)
    assert err == "error: correlate: must be given two runs or more, got 1. [too-few-runs]\n"
