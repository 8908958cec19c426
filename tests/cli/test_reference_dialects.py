"""``gainful dialects``: the list, one dialect explained, and JSON."""

import json
import sys

import pytest

from gainful import cli
from gainful.dialects import DIALECTS, FAMILIES
from gainful.report.views.dialects import list_dialects
from terminal import needs_unix, run_in_terminal


@pytest.fixture
def run_command(monkeypatch, capsys):
    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_command


def test_in_a_pipe_there_is_a_line_for_each_with_tool_and_summary(run_command) -> None:
    out, err, code = run_command("dialects")
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines == [[d.name, d.tool, d.summary] for d in DIALECTS.values()]
    assert (err, code) == ("", 0)


@needs_unix
def test_on_a_terminal_they_are_listed_by_family(tmp_path) -> None:
    screen = run_in_terminal("python -m gainful dialects", tmp_path, COLUMNS="70")
    assert screen == list_dialects(70)
    for family in FAMILIES:
        assert f"{family}\n" in screen


def test_xgboost_is_explained_to_the_letter(run_command) -> None:
    out, err, code = run_command("dialects", "XGBoost")
    assert (err, code) == ("", 0)
    assert out.startswith(
        "xgboost: XGBoost, eval_metric=ndcg\n\n"
        "As LightGBM, with scores in single precision; without @k it is cut at rank 32.\n\n"
        "Formula:\n"
        "  nDCG@k  DCG@k / IDCG@k\n"
        "  DCG@k   sum over i = 1..k of g(l_i) / d(i)\n"
        "  IDCG@k  sum over i = 1..k of g_(i) / d(i)\n"
        "  g(l)    2^label - 1\n"
        "  d(i)    log2(rank + 1)\n"
    )
    assert "  cutoff=32  " in out
    assert "  empty_weight=one    empty queries not weighted\n" in out
    assert (
        "Versions:\n  xgboost    from 2.0 on; checked against 3.2.0\n  xgboost@1  before 2.0\n"
    ) in out


def test_json_has_one_or_all_with_what_measures_mean_in_it(run_command) -> None:
    dialects = json.loads(run_command("dialects", "-f", "json")[0])["dialects"]
    assert [dialect["name"] for dialect in dialects] == list(DIALECTS)
    [dialect] = json.loads(run_command("dialects", "es", "-f", "json")[0])["dialects"]
    assert dialect["name"] == "elasticsearch"
    assert set(dialect["measures"]) == {"nDCG", "DCG"}
    assert dialect["settings"]["ideal_depth"] == "retrieved"
    assert dialect["options"]["unknown_doc_rating=X"] == "unjudged_label=X"


def test_an_unknown_name_is_an_error_that_names_the_nearest(run_command) -> None:
    assert run_command("dialects", "sklern") == (
        "",
        "error: unknown dialect 'sklern'. Did you mean sklearn? [unknown-dialect]\n",
        1,
    )
