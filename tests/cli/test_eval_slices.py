"""gainful eval with slices and weights of queries, in every output."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gainful import Rules, cli

QRELS = {f"q{i}": {"a": 1} for i in (1, 2, 3, 4)}
RUN = {"q1": ["a"], "q2": ["x", "a"], "q3": ["a"], "q4": ["x"]}  # P@1 is 1, 0, 1, 0
RULES = str(Rules(ties="item-desc"))


@pytest.fixture
def run_eval(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [f"{q} 0 a 1\n" for q in QRELS]
    Path("qrels.txt").write_text("".join(lines))
    lines = [f"{q} Q0 {d} {i} {9 - i} t\n" for q, ds in RUN.items() for i, d in enumerate(ds)]
    Path("one.run").write_text("".join(lines))
    Path("two.run").write_text("".join(line for line in lines if " x " not in line))
    Path("queries.csv").write_text(
        "query,category,traffic\nq1,shoes,3\nq2,shoes,1\nq3,hats,2\nq4,,2\n"
    )

    def run_eval(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "eval", "qrels.txt", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_eval


BY_CATEGORY = ("-m", "P@1", "--queries", "queries.csv", "--by", "category")


NO_CATEGORY_NOTE = (
    "note: queries.csv: 1 of 4 queries has no 'category' ('q4'); it is a slice apart. "
    "[queries-without-value]\n"
)


UNJUDGED_NOTE = (
    "note: run 'one': 40.0% of the items in the first 10 ranks have no judgment; "
    "they count as not relevant. [unjudged-items]\n"
)


def test_eval_reports_each_slice_with_its_count(run_eval):
    assert run_eval("one.run", *BY_CATEGORY) == (
        "category\tqueries\tP@1\nhats\t1\t1.0\nshoes\t2\t0.5\n(no category)\t1\t0.0\nall\t4\t0.5\n",
        f"rules: {RULES} (4 queries)\n{UNJUDGED_NOTE}{NO_CATEGORY_NOTE}",
        0,
    )


def test_eval_reports_the_slices_of_several_runs(run_eval):
    out, err, code = run_eval(
        "one.run", "two.run", *BY_CATEGORY, "--weights", "traffic", "-f", "table"
    )
    assert out == (
        "run  category       queries  weight     P@1\n"
        "one  hats                 1       2  1.0000\n"
        "one  shoes                2       4  0.7500\n"
        "one  (no category)        1       2  0.0000\n"
        "one  all                  4       8  0.6250\n"
        "two  hats                 1       2  1.0000\n"
        "two  shoes                2       4  1.0000\n"
        "two  (no category)        1       2  0.0000\n"
        "two  all                  4       8  0.7500\n"
    )
    assert err.count("[weighted-means]") == err.count("[queries-without-value]") == 1
    assert code == 0


def test_eval_writes_slices_as_csv_markdown_and_json(run_eval):
    assert run_eval("one.run", *BY_CATEGORY, "-f", "csv")[0] == (
        "run,category,queries,P@1\n"
        "one,hats,1,1.0\none,shoes,2,0.5\none,(no category),1,0.0\none,all,4,0.5\n"
    )
    out, err, _ = run_eval("one.run", *BY_CATEGORY, "-f", "markdown")
    assert out == (
        "| category | queries | P@1 |\n|:--|--:|--:|\n| hats | 1 | 1.0000 |\n"
        "| shoes | 2 | 0.5000 |\n| (no category) | 1 | 0.0000 |\n| all | 4 | 0.5000 |\n"
        f"\n- rules: {RULES} (4 queries)\n- {UNJUDGED_NOTE}- {NO_CATEGORY_NOTE}"
    )
    assert err == ""
    out, err, _ = run_eval("one.run", *BY_CATEGORY, "-f", "json")
    (data,) = json.loads(out)["runs"]
    assert (data["run"], data["by"], data["n_queries"]) == ("one", "category", 4)
    assert data["slices"] == [
        {"value": "hats", "n_queries": 1, "mean": {"P@1": 1.0}},
        {"value": "shoes", "n_queries": 2, "mean": {"P@1": 0.5}},
        {"value": None, "n_queries": 1, "mean": {"P@1": 0.0}},
    ]
    assert err == ""


def test_tidy_has_a_line_for_every_run_slice_and_measure(run_eval):
    out, _, _ = run_eval("one.run", *BY_CATEGORY, "-f", "tidy")
    assert out == (
        "system,category,queries,measure,value\none,hats,1,P@1,1.0\none,shoes,2,P@1,0.5\n"
        "one,(no category),1,P@1,0.0\none,all,4,P@1,0.5\n"
    )


def test_slices_may_be_made_by_a_column_called_queries(run_eval):
    Path("queries.csv").write_text("query,queries\nq1,5\nq2,5\nq3,7\nq4,7\n")
    by = ("-m", "P@1", "--queries", "queries.csv", "--by", "queries")
    out, _, _ = run_eval("one.run", *by, "-f", "tidy")
    assert out == (
        "system,queries,queries,measure,value\none,5,2,P@1,0.5\none,7,2,P@1,0.5\n"
        "one,all,4,P@1,0.5\n"
    )


def test_latex_has_a_row_for_every_slice(run_eval):
    out, err, _ = run_eval("one.run", *BY_CATEGORY, "-f", "latex")
    assert "category & queries & P@1 \\\\\n\\midrule\nhats & 1 & 1.0000 \\\\\n" in out
    assert err == ""


def test_what_a_slice_has_no_value_for_is_empty_in_csv_and_nan_in_a_pipe(run_eval):
    options = (*BY_CATEGORY, "-m", "JudgedShare@1")
    assert run_eval("one.run", *options, "-f", "csv")[0].splitlines()[1] == "one,hats,1,1.0,"
    assert run_eval("one.run", *options, "-f", "tsv")[0].splitlines()[1] == "hats\t1\t1.0\tnan"


def test_eval_weighs_means(run_eval):
    assert run_eval("one.run", "-m", "P@1", "--queries", "queries.csv", "--weights", "traffic") == (
        "P@1\t0.625\n",
        f"rules: {RULES} (4 queries)\njudged: Judged@1 0.6250\n{UNJUDGED_NOTE}"
        "note: means are weighted by 'traffic' of queries.csv, from 1 to 3; counts and numbers of "
        "whole runs are not. [weighted-means]\n",
        0,
    )
    options = ("-m", "P@1", "--queries", "queries.csv", "--weights", "traffic", "-f", "json")
    assert "weights" not in json.loads(run_eval("one.run", *options)[0])["runs"][0]
    assert json.loads(run_eval("one.run", *options, "-q")[0])["runs"][0]["weights"]["q1"] == 3


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--by", "x"], "--by names a column of --queries, got no --queries."),
        (["--weights", "x"], "--weights names a column of --queries, got no --queries."),
        ([*BY_CATEGORY, "-q"], "--by prints slices and --per-query prints queries, got both."),
        (["-", "--queries", "-"], "standard input (-) can be read only once."),
    ],
)
def test_options_that_mean_nothing_together_exit_2(run_eval, options, problem):
    out, err, code = run_eval("one.run", *options)
    assert (out, code) == ("", 2)
    assert problem in err


def test_a_column_that_is_not_there_is_refused_before_the_run_is_read(run_eval):
    sentence = (
        "error: queries.csv: has no column 'x'; there are 'category', 'traffic'. [missing-column]\n"
    )
    for option in ("--by", "--weights"):
        assert run_eval("none.run", "--queries", "queries.csv", option, "x") == ("", sentence, 1)


def test_who_has_no_data_about_queries_loads_nothing_for_them(run_eval):
    code = "import sys; from gainful.cli import run; sys.argv[1:] = sys.argv[2:]; run(); "
    code += "print(*sys.modules)"
    arguments = ["-c", code, "-", "eval", "qrels.txt", "one.run"]
    printed = subprocess.check_output([sys.executable, *arguments], text=True)
    loaded = set(printed.splitlines()[-1].split())
    assert "gainful.evaluation.evaluate" in loaded
    assert not {
        "evaluation.slices",
        "sources.queries",
        "sources.metadata",
    } & {name.removeprefix("gainful.") for name in loaded}
