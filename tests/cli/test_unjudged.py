"""gainful unjudged: arguments in; exact standard output, standard error and exit code out."""

import json
import sys
from pathlib import Path

import pytest

import gainful
from gainful import cli

QRELS = "q1 0 a 1\nq2 0 a 1\nq2 0 b 0\n"
OLD = "q1 Q0 u 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 a 1 1 t\n"
NEW = "q1 Q0 a 1 2 t\nq1 Q0 u 2 1 t\nq2 Q0 b 1 2 t\nq2 Q0 a 2 1 t\n"
RULES = f"rules: {gainful.Rules(ties='item-desc')} (2 queries)\n"
BOUNDS = ("unjudged", "--part", "bounds")
ITEMS = ("unjudged", "--part", "items")
LABELS = "nDCG@10: every unjudged item may get any of the labels 0, 1.\n"
# The second of two perfect items is worth 1 / log2(3).
SECOND = 0.6309297535714575


def format_unjudged_note(run, share):
    return (
        f"note: run '{run}': {share} of the items in the first 10 ranks have no judgment; they "
        "count as not relevant. [unjudged-items]\n"
    )


@pytest.fixture
def run_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("old.run").write_text(OLD)
    Path("new.run").write_text(NEW)

    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_command


def test_what_could_change_comes_first_and_what_to_judge_next(run_command):
    out, err, code = run_command("unjudged", "qrels.txt", "old.run", "-f", "table")
    assert out == (
        "run   value     low    high  judged\n"
        "old  0.8155  0.8155  1.0000  0.7500\n"
        "\n"
        "query  item  rank  runs   impact  mean_impact\n"
        "q1     u        1  old:1  0.3691       0.1845\n"
        "\n"
        "1 unjudged item in the first 10 ranks.\n"
    )
    assert (err, code) == (LABELS + RULES + format_unjudged_note("old", "33.3%"), 0)
    out, _, _ = run_command("unjudged", "qrels.txt", "old.run", "-f", "json")
    assert list(json.loads(out)) == ["bounds", "items"]
    assert json.loads(out)["items"][0]["runs"] == {"old": 1}


def test_lines_of_items_hold_no_bounds(run_command):
    out, err, code = run_command(
        "unjudged", "qrels.txt", "old.run", "--part", "bounds", "-f", "trec"
    )
    assert (out, code) == ("", 2)
    assert err.endswith("-f trec holds the items only. Pass another format for --part bounds.\n")


def test_bounds_of_one_run(run_command):
    out, err, code = run_command(*BOUNDS, "qrels.txt", "old.run", "-f", "table")
    assert out == "run   value     low    high  judged\nold  0.8155  0.8155  1.0000  0.7500\n"
    assert (err, code) == (LABELS + RULES + format_unjudged_note("old", "33.3%"), 0)


def test_bounds_of_two_runs_tell_where_their_difference_lies(run_command):
    out, err, code = run_command(
        "unjudged", "qrels.txt", "old.run", "new.run", "-f", "table", "--part", "bounds"
    )
    assert out == (
        "run   value     low    high  judged\n"
        "old  0.8155  0.8155  1.0000  0.7500\n"
        "new  0.8155  0.8155  0.8155  0.7500\n"
        "\n"
        "difference   value      low    high\n"
        "new - old   0.0000  -0.1845  0.0000\n"
        "\n"
        "new does not rise above old whatever their unjudged items are: the difference is +0.0000 "
        "and lies in\n  [-0.1845, 0.0000].\n"
    )
    assert err == LABELS + RULES + format_unjudged_note("old", "33.3%") + format_unjudged_note(
        "new", "25.0%"
    )
    assert code == 0


def test_bounds_in_a_pipe_have_one_table(run_command):
    mean, low = (SECOND + 1) / 2, (SECOND + 1) / 2 - 1
    assert run_command(*BOUNDS, "qrels.txt", "old.run", "new.run")[0] == (
        "run\tbaseline\tquery\tvalue\tlow\thigh\tjudged\n"
        f"old\t-\tall\t{mean}\t{mean}\t1.0\t0.75\n"
        f"new\t-\tall\t{mean}\t{mean}\t{mean}\t0.75\n"
        f"new\told\tall\t0.0\t{low}\t0.0\tnan\n"
    )


def test_bounds_of_every_query(run_command):
    out, _, _ = run_command(
        "unjudged", "qrels.txt", "old.run", "new.run", "-q", "-f", "csv", "--part", "bounds"
    )
    assert out.splitlines()[:4] == [
        "run,baseline,query,value,low,high,judged",
        f"old,,q1,{SECOND},{SECOND},1.0,0.5",
        "old,,q2,1.0,1.0,1.0,1.0",
        f"old,,all,{(SECOND + 1) / 2},{(SECOND + 1) / 2},1.0,0.75",
    ]
    assert out.splitlines()[7:9] == [
        f"new,old,q1,{1 - SECOND},0.0,{1 - SECOND},",
        f"new,old,q2,{SECOND - 1},{SECOND - 1},{SECOND - 1},",
    ]
    out, _, _ = run_command(*BOUNDS, "qrels.txt", "old.run", "-q", "-f", "table")
    assert out == (
        "run  query   value     low    high  judged\n"
        "old  q1     0.6309  0.6309  1.0000  0.5000\n"
        "old  q2     1.0000  1.0000  1.0000  1.0000\n"
        "old  all    0.8155  0.8155  1.0000  0.7500\n"
    )


def test_bounds_as_json(run_command):
    out, err, _ = run_command(
        "unjudged", "qrels.txt", "old.run", "new.run", "-f", "json", "--part", "bounds"
    )
    bounds = json.loads(out)["bounds"]
    assert err == ""
    assert [run["run"] for run in bounds["runs"]] == ["old", "new"]
    assert "per_query" not in bounds["runs"][0]
    out, _, _ = run_command(*BOUNDS, "qrels.txt", "old.run", "-q", "-f", "json")
    assert json.loads(out)["bounds"]["runs"][0]["per_query"]["q2"] == {
        "value": 1,
        "low": 1,
        "high": 1,
    }


def test_bounds_with_possible_labels_and_a_baseline(run_command):
    arguments = "qrels.txt", "old.run", "new.run", "--possible-labels", "0,0.5", "--baseline", "new"
    out, err, _ = run_command(*BOUNDS, *arguments)
    assert "nDCG@10: every unjudged item may get any of the labels 0, 0.5.\n" in err
    assert out.splitlines()[-1].split("\t")[:3] == ["old", "new", "all"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--possible-labels", "a,b"],
            "Error: --possible-labels: must look like 0,1,2,3, got 'a,b'.\n",
        ),
        (
            ["--possible-labels", "0;1"],
            "Error: --possible-labels: must look like 0,1,2,3, got '0;1'.\n",
        ),
        (
            ["--baseline", "older"],
            "Error: --baseline: must be one of old, new, got 'older'. Did you mean old?\n",
        ),
    ],
)
def test_wrong_options_are_refused(run_command, arguments, sentence):
    out, err, code = run_command("unjudged", "qrels.txt", "old.run", "new.run", *arguments)
    assert (out, code) == ("", 2)
    assert err.endswith(sentence)


def test_what_is_not_known_of_other_measures_is_said(run_command):
    assert run_command("unjudged", "qrels.txt", "old.run", "-m", "P@10") == (
        "",
        "error: P@10: what unjudged items could change is known for CG, nCG, DCG, nDCG, MSnDCG "
        "alone. Pass one of them, for example nDCG@10; RBP has RBPResidual. [unfit-measure]\n",
        1,
    )
    assert run_command("unjudged", "qrels.txt", "old.run", "--ties", "best")[1] == (
        "error: ties=best orders by label, but an unjudged item may get any. "
        "Pass another --ties, for example item-desc. [refused-rule]\n"
    )


def test_standard_input_is_read_once(run_command):
    assert run_command("unjudged", "-", "-")[1:] == (
        "Usage: gainful unjudged [OPTIONS] QRELS RUN...\n"
        "Try 'gainful unjudged --help' for help.\n\n"
        "Error: standard input (-) can be read only once.\n",
        2,
    )


def test_items_of_two_runs(run_command):
    out, err, code = run_command(
        "unjudged", "qrels.txt", "old.run", "new.run", "-f", "table", "--part", "items"
    )
    assert out == (
        "query  item  rank  runs         impact  mean_impact  verdict_impact\n"
        "q1     u        1  old:1 new:2  0.3691       0.1845          0.1845\n"
        "\n"
        "1 unjudged item in the first 10 ranks.\n"
        "old does not fall below new whatever their unjudged items are: the difference is +0.0000 "
        "and lies in\n  [0.0000, 0.1845].\n"
    )
    notices = format_unjudged_note("old", "33.3%") + format_unjudged_note("new", "25.0%")
    assert err == LABELS + RULES + notices
    assert code == 0


def test_items_in_other_formats(run_command):
    impact = 1 - SECOND
    head = "query,item,rank,n_runs,runs,impact,mean_impact,verdict_impact\n"
    line = f"q1,u,1,1,old:1,{impact},{impact / 2},\n"
    assert run_command(*ITEMS, "qrels.txt", "old.run", "-f", "csv")[0] == head + line
    out, err, _ = run_command(*ITEMS, "qrels.txt", "old.run")
    assert out == (head + line.replace(",\n", ",nan\n")).replace(",", "\t")
    assert err.startswith(
        "1 unjudged item in the first 10 ranks.\nJudging them all could "
        "move nDCG@10 of old from 0.8155 to a value in [0.8155, 1.0000].\n"
    )
    out, _, _ = run_command(*ITEMS, "qrels.txt", "old.run", "-f", "trec")
    assert out == f"q1 Q0 u 1 {impact} gainful\n"
    out, _, _ = run_command(*ITEMS, "qrels.txt", "old.run", "-f", "jsonl")
    assert json.loads(out)["runs"] == {"old": 1}


def test_items_may_be_few(run_command):
    out, err, _ = run_command(
        "unjudged", "qrels.txt", "old.run", "-n", "0", "-m", "nDCG", "-f", "csv", "--part", "items"
    )
    assert out.count("\n") == 1
    assert "1 unjudged item retrieved, 0 shown.\nJudging" in err


def test_condensed_lists_are_spoken_of_loudly(run_command):
    _, err, _ = run_command("eval", "qrels.txt", "old.run", "-m", "nDCG", "--unjudged", "condense")
    assert err.splitlines()[-1:] == [
        "note: run 'old': 1 item without a judgment was taken out of the rankings before they were "
        "cut and scored; such condensed lists overestimate runs of which little is judged. "
        "[condensed-lists]"
    ]
    _, err, _ = run_command(
        "eval", "qrels.txt", "old.run", "--unjudged", "condense", "--depth", "5"
    )
    assert "note: run 'old': items without a judgment were taken out of the rankings" in err


def test_a_baseline_may_be_given_by_its_path(run_command):
    by_name = run_command("unjudged", "qrels.txt", "old.run", "new.run", "--baseline", "new")
    assert (
        run_command("unjudged", "qrels.txt", "old.run", "new.run", "--baseline", "new.run")
        == by_name
    )
