"""gainful reconcile: arguments in; exact standard output, standard error and exit code out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gainful import cli

QRELS = "q1 0 a 3\nq1 0 b 1\nq2 0 c 0\nq3 0 d 1\n"
RUN = "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 c 1 1 t\n"


@pytest.fixture
def run_reconcile(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("qrels.txt").write_text(QRELS)
    Path("bm25.run").write_text(RUN)

    def run_reconcile(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "reconcile", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_reconcile


def test_the_table_has_a_row_for_each_group(run_reconcile):
    out, err, code = run_reconcile(
        "qrels.txt", "bm25.run", "-f", "table", "--reference", "trec_eval"
    )
    text, lines = " ".join(out.split()), out.splitlines()
    assert lines[0].startswith("nDCG@10 in ")
    assert lines[0].endswith(" dialects, 2 queries, of run 'bm25'")
    assert "depending on whose definition; yours (trec_eval@10) is 0.3984." in text
    reference = next(line for line in lines if "+0.000000" in line)
    assert reference.startswith("0.398354   +0.000000  trec_eval@10 (also @9)")
    assert reference.endswith("  the reference")
    assert err.splitlines()[0] == (
        "Differences are from trec_eval@10. Values no more than 0.0000005 apart (times the value "
        "if it is above 1) stand together; what changes less is called last bits."
    )
    assert code == 0


def test_a_pipe_gets_a_line_for_each_dialect(run_reconcile):
    out, _, code = run_reconcile("qrels.txt", "bm25.run")
    header, *lines = [line.split("\t") for line in out.splitlines()]
    assert header == ["dialect", "value", "difference", "group", "choices"]
    by_name = {line[0]: line[1:] for line in lines}
    assert by_name["gainful"][:2] == ["0.26556919366350223", "0.0"]
    assert by_name["gainful"][3] == "-"
    assert by_name["trec_eval@10"][0] == "0.3983537904952533"
    assert by_name["trec_eval@10"][3] == "missing=skip(+0.132785)"
    assert code == 0


def test_dialects_may_be_named_and_no_others_are_looked_at(run_reconcile):
    out, err, code = run_reconcile(
        "qrels.txt", "bm25.run", "--dialect", "trec_eval", "--dialect", "lightgbm"
    )
    assert [line.split("\t")[0] for line in out.splitlines()[1:]] == [
        "gainful",
        "trec_eval@10",
        "lightgbm",
    ]
    assert "Left out" not in err
    assert code == 0


def test_two_dialects_take_a_sentence(run_reconcile):
    out, _, code = run_reconcile(
        *("qrels.txt", "bm25.run", "-f", "table"),
        *("--reference", "trec_eval", "--dialect", "lightgbm"),
    )
    assert out == (
        "nDCG@10 in 2 dialects, 2 queries, of run 'bm25'\n"
        "lightgbm 0.854905, trec_eval@10 0.398354: a query with nothing relevant scores 1 "
        "(+0.5000),\n"
        "  exponential gain (-0.0434).\n"
    )
    assert code == 0


def test_rules_that_are_set_hold_in_every_dialect(run_reconcile):
    Path("qrels.txt").write_text(QRELS.replace("c 0", "c -1"))
    arguments = ("qrels.txt", "bm25.run", "--dialect", "lightgbm")
    out, _, _ = run_reconcile(*arguments)
    assert out.splitlines()[2].split("\t")[1:] == [
        *("nan", "nan", "2"),
        "query 'q2' has the label -1, got negatives=error. "
        "State negatives=zero, as in nDCG(negatives=zero)@10, to count it as 0.",
    ]
    out, _, code = run_reconcile(*arguments, "-m", "nDCG(negatives=zero)")
    assert out.splitlines()[2].split("\t")[:2] == ["lightgbm", "0.8549048706984328"]
    assert code == 0


def test_older_versions_have_rows_where_they_are_asked_for(run_reconcile):
    Path("qrels.txt").write_text(QRELS.replace("c 0", "c -1"))
    out, err, _ = run_reconcile("qrels.txt", "bm25.run", "-f", "table")
    assert "sklearn@1.1" not in out
    assert "Older versions that differ: " in err
    out, err, _ = run_reconcile("qrels.txt", "bm25.run", "-f", "table", "--versions")
    assert "sklearn@1.1" in out
    assert "Older versions" not in err


def test_json_and_markdown_are_complete(run_reconcile):
    out, err, code = run_reconcile("qrels.txt", "bm25.run", "-f", "json", "-k", "1")
    assert json.loads(out)["measure"] == "nDCG@1"
    assert (err, code) == ("", 0)
    out, err, code = run_reconcile(
        "qrels.txt", "bm25.run", "-f", "markdown", "-k", "all", "-m", "DCG"
    )
    assert "| value | difference | dialects | what sets them apart |\n|--:|--:|:--|" in out
    assert (err, code) == ("", 0)


@pytest.mark.parametrize("cutoff", ["0", "-3", "ten"])
def test_a_cutoff_is_a_whole_number_or_all(run_reconcile, cutoff):
    _, err, code = run_reconcile("qrels.txt", "bm25.run", "-k", cutoff)
    sentence = f"Error: -k: must be an integer >= 1, or all, got {cutoff!r}.\n"
    assert err.endswith(sentence)
    assert code == 2


def test_qrels_or_a_run_may_come_through_a_pipe(run_reconcile, monkeypatch):
    from_files, _, _ = run_reconcile("qrels.txt", "bm25.run")
    for files in (["-", "bm25.run"], ["qrels.txt", "-"]):
        with subprocess.Popen(
            ["cat", *({"qrels.txt", "bm25.run"} - {*files})], stdout=subprocess.PIPE
        ) as cat:
            monkeypatch.setattr(sys, "stdin", cat.stdout)
            out, _, code = run_reconcile(*files)
        assert (out.replace("stdin", "bm25"), code) == (from_files, 0)


def test_an_unknown_reference_is_an_error(run_reconcile):
    _, err, code = run_reconcile("qrels.txt", "bm25.run", "--reference", "lightgmb")
    assert (err, code) == (
        "error: unknown dialect 'lightgmb'. Did you mean lightgbm? [unknown-dialect]\n",
        1,
    )
