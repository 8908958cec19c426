"""``gainful eval --dialect``: output and errors."""

import json
import sys
from pathlib import Path

import pytest

import gainful
from gainful import cli
from gainful.dialects import find_dialect

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0}, "q3": {"z": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}, "q2": {"a": 3.0, "b": 2.0}}
RULES = find_dialect("lightgbm").rules


@pytest.fixture
def run_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 a 0\nq3 0 z 1\n")
    Path("one.run").write_text("q1 Q0 b 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 a 1 3 t\n")

    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_command


def test_rounded_values_are_printed_rounded_for_every_query(run_command) -> None:
    arguments = ["eval", "qrels.txt", "one.run", "-m", "nDCG", "-q", "--dialect", "recbole"]
    out, _, _ = run_command(*arguments, "-f", "tidy")
    assert out.splitlines()[1] == "one,q1,nDCG,0.6934"


def test_eval_scores_in_the_dialect_that_is_named_and_says_so(run_command) -> None:
    out, err, code = run_command(
        "eval", "qrels.txt", "one.run", "-m", "nDCG@10", "--dialect", "LightGBM"
    )
    value = gainful.evaluate(QRELS, RUN, "nDCG@10", dialect="lightgbm")["nDCG@10"]
    assert (out, code) == (f"nDCG@10\t{value!r}\n", 0)
    assert err.splitlines()[0] == (
        f"dialect: lightgbm (as in LightGBM 4.7.0); rules: {RULES} (2 queries)"
    )


def test_rules_that_are_given_beside_the_dialect_win(run_command) -> None:
    arguments = ["eval", "qrels.txt", "one.run", "-m", "nDCG", "--dialect", "lightgbm"]
    out, _, code = run_command(*arguments, "--empty", "zero", "--missing", "zero", "-f", "json")
    scores = json.loads(out)["runs"][0]
    assert code == 0
    assert (scores["rules"]["empty"], scores["rules"]["missing"]) == ("zero", "zero")
    assert scores["rules"]["max_label"] == 30
    assert scores["dialect"]["name"] == "lightgbm"


def test_judged_is_of_the_ranks_that_the_dialect_looks_at(run_command) -> None:
    _, err, _ = run_command("eval", "qrels.txt", "one.run", "-m", "nDCG", "--dialect", "xgboost")
    assert err.splitlines()[1] == "judged: Judged@32 1.0000"


def test_an_unknown_dialect_is_an_error_that_names_the_nearest(run_command) -> None:
    assert run_command("eval", "qrels.txt", "one.run", "--dialect", "xgbost") == (
        "",
        "error: unknown dialect 'xgbost'. Did you mean xgboost? [unknown-dialect]\n",
        1,
    )


def test_two_dialects_at_once_are_an_error_that_names_the_command_for_it(run_command) -> None:
    _, err, code = run_command(
        "eval", "qrels.txt", "one.run", "--dialect", "sklearn", "--dialect", "lightgbm"
    )
    assert code == 2
    assert err.splitlines()[-1] == (
        "Error: --dialect: must be one, got sklearn, lightgbm. gainful reconcile takes several."
    )


@pytest.mark.parametrize("command", ["compare", "report", "gate", "explain", "check"])
def test_a_command_without_dialects_says_which_ones_have_them(run_command, command: str) -> None:
    _, err, code = run_command(command, "qrels.txt", "one.run", "one.run", "--dialect", "lightgbm")
    assert code == 2
    assert err.splitlines()[-1] == (
        "Error: No such option '--dialect'. gainful eval and gainful reconcile have it."
    )
