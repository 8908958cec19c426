"""gainful gate: files in; output, written files and exit code out."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from terminal import needs_unix

FILES = ("qrels.txt", "old.run", "new.run")
ARGUMENTS = (*FILES, "-m", "CG@1")


def test_a_candidate_that_passes_exits_0(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.49])
    out, err, code = run_gate(*ARGUMENTS)
    assert out.startswith("pass: run 'new' against 'old': 1 check on 2 queries, 1 passed.\n\n")
    assert (err.startswith("rules: "), code) == (True, 0)


def test_a_candidate_that_fails_exits_1(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    out, err, code = run_gate(*ARGUMENTS, "--max-drop", 0.01)
    assert out.startswith("FAIL: run 'new' against 'old': 1 check on 2 queries, 1 failed.\n\n")
    assert (err.startswith("rules: "), code) == (True, 1)
    assert run_gate(*ARGUMENTS, "--max-drop", 0.05)[2] == 0


def test_what_is_not_told_exits_1(run_gate):
    Path("qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\n")
    Path("old.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n")
    Path("new.run").write_text("q1 Q0 x 1 2 t\nq1 Q0 a 2 1 t\n")
    out, _, code = run_gate(*FILES, "-m", "nDCG@2")
    assert out.startswith("CANNOT TELL: run 'new' against 'old'")
    assert "gainful unjudged QRELS BASELINE CANDIDATE" in out
    assert code == 1


@pytest.mark.parametrize(("mode", "code"), [("point", 1), ("regression", 0), ("noninferior", 1)])
def test_the_mode_decides(run_gate, write_gate_files, mode, code):
    write_gate_files([0.9, 0.1, 0.5], [0.1, 0.2, 0.5])
    assert run_gate(*ARGUMENTS, "--mode", mode)[2] == code


def test_several_measures_are_gated(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    out, _, code = run_gate(*ARGUMENTS, "-m", "CG@2", "-f", "json")
    assert [m["measure"] for m in json.loads(out)["measures"]] == ["CG@1", "CG@2"]
    assert code == 1


def test_a_minimum_needs_no_baseline(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    assert run_gate("qrels.txt", "new.run", "-m", "CG@1", "--min", 0.45)[2] == 0
    assert run_gate("qrels.txt", "new.run", "-m", "CG@1", "--min", 0.46)[2] == 1


def test_pinned_queries_come_from_a_file(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5, 0.5], [0.5, 0.5, 0.1])
    Path("pinned.txt").write_text("# the ones that everybody looks at\nq0\n\n  q1  \nq0\n")
    assert run_gate(*ARGUMENTS, "--max-drop", 1, "--pinned", "pinned.txt")[2] == 0
    Path("pinned.txt").write_text("q2\r\n")
    assert run_gate(*ARGUMENTS, "--max-drop", 1, "--pinned", "pinned.txt")[2] == 1
    assert (
        run_gate(*ARGUMENTS, "--max-drop", 1, "--pinned", "pinned.txt", "--query-max-drop", 0.4)[2]
        == 0
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ("qrels.txt", "none.run", "new.run"),
            "error: none.run: no such file or directory. [cannot-read]\n",
        ),
        (
            ("none.txt", "old.run", "new.run"),
            "error: none.txt: no such file or directory. [cannot-read]\n",
        ),
        (
            (*FILES, "-m", "ndgc"),
            "error: unknown measure 'ndgc'. Did you mean nDCG? [unknown-measure]\n",
        ),
        (
            (*FILES, "--max-drop", "-1"),
            "error: gate: max_drop must be a number >= 0, got -1.0. [bad-threshold]\n",
        ),
        (
            ("qrels.txt", "new.run"),
            "error: gate: without a baseline there is nothing to hold a candidate to. Give one, "
            "or min. [bad-threshold]\n",
        ),
        (
            (*FILES, "--pinned", "none.txt"),
            "error: none.txt: no such file or directory. [cannot-read]\n",
        ),
        (
            (*FILES, "--pinned", "empty.txt"),
            "error: empty.txt: there are no queries in it; write one id a line. [nothing-in-it]\n",
        ),
        (
            (*FILES, "--pinned", "pinned.txt"),
            "error: pinned.txt: query 'Q1' has no judgments. Did you mean 'q1'? [unknown-query]\n",
        ),
        ((*FILES, "--load", "none.py"), "error: --load none.py: cannot be imported "),
        (
            (*FILES, "--config", "none.toml"),
            "error: none.toml: no such file or directory. [cannot-read]\n",
        ),
        (("qrels.txt", "bad.run", "new.run"), "error: bad.run, line 1: expected 6 fields, found 2"),
        ((*FILES, "--collapse", "("), "error: rules: collapse must be "),
        ((*FILES, "--max-drop", "much"), "Usage: gainful gate "),
        ((*FILES, "--mode", "strict"), "Usage: gainful gate "),
        ((*FILES, "more.run"), "Usage: gainful gate "),
        ((), "Usage: gainful gate "),
        (("new.run",), "Usage: gainful gate "),
        (("-", "-", "new.run"), "Usage: gainful gate "),
        ((*FILES, "--config", "x", "--no-config"), "Usage: gainful gate "),
    ],
)
def test_what_is_wrong_exits_2(run_gate, write_gate_files, arguments, problem):
    write_gate_files([0.5, 0.5], [0.5, 0.5])
    Path("pinned.txt").write_text("q0\nQ1\n")
    Path("empty.txt").write_text("# nothing\n")
    Path("bad.run").write_text("q0 old\n")
    out, err, code = run_gate(*arguments)
    assert (out, code) == ("", 2)
    assert err.startswith(problem)
    assert "Traceback" not in err


def test_the_same_wrong_file_exits_1_in_other_commands(run_gate, monkeypatch, capsys):
    from gainful import cli

    monkeypatch.setattr(sys, "argv", ["gainful", "eval", "none.txt", "none.run"])
    assert cli.run() == 1


def test_junit_is_written_beside_what_is_printed(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    out, err, code = run_gate(*ARGUMENTS, "--junit", "gate.xml")
    assert (err.startswith("rules: "), code) == (True, 1)
    suite = ElementTree.parse("gate.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite.find("system-out").text.startswith(out)
    assert sorted(os.listdir()) == ["gate.xml", "new.run", "old.run", "qrels.txt"]


def test_junit_that_cannot_be_written_exits_2(run_gate, write_gate_files):
    write_gate_files([0.5], [0.5])
    _, err, code = run_gate(*ARGUMENTS, "--junit", "none/gate.xml")
    assert err.endswith(
        "\nerror: none/gate.xml: cannot be written to (No such file or directory). [cannot-write]\n"
    )
    assert code == 2


def test_github_gets_a_summary_and_annotations(run_gate, write_gate_files, monkeypatch):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    Path("summary.md").write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    out, err, code = run_gate(*ARGUMENTS, "-f", "json")
    assert json.loads(out)["verdict"] == "fail"
    assert err == (
        "::error title=gainful gate%3A CG@1 point::CG@1 drops by 0.0500, from 0.5000 to 0.4500; "
        "no more than 0.01 is allowed.\n"
    )
    assert code == 1
    summary = Path("summary.md").read_text()
    assert summary.startswith("before\n### gainful gate\n\nFAIL: run 'new' against 'old'")
    run_gate(*ARGUMENTS)
    assert Path("summary.md").read_text().count("### gainful gate") == 2


def test_a_summary_that_cannot_be_written_changes_no_verdict(
    run_gate, write_gate_files, monkeypatch
):
    write_gate_files([0.5], [0.5])
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "none/summary.md")
    _, err, code = run_gate(*ARGUMENTS)
    assert err.endswith(
        "\nwarning: none/summary.md: cannot be written to (No such file or directory).\n"
    )
    assert code == 0


def test_elsewhere_nothing_is_written_for_github(run_gate, write_gate_files, monkeypatch):
    write_gate_files([0.5], [0.4])
    monkeypatch.setenv("GITHUB_ACTIONS", "false")
    assert "::" not in run_gate(*ARGUMENTS)[1]


def test_the_output_may_be_markdown_or_json(run_gate, write_gate_files):
    write_gate_files([0.5], [0.5])
    assert run_gate(*ARGUMENTS, "-f", "markdown")[0].startswith("pass: run 'new'")
    plain = json.loads(run_gate(*ARGUMENTS, "-f", "json")[0])
    assert (plain["verdict"], plain["candidate"], plain["baseline"]) == ("pass", "new", "old")


def test_rules_and_formats_are_options_as_elsewhere(run_gate):
    Path("qrels.csv").write_text("search,sku,verdict\nq1,a,good\nq1,b,bad\n")
    for name, items in (("old", "ab"), ("new", "ba")):
        rows = "".join(f"q1,{item},{3 - i}\n" for i, item in enumerate(items))
        Path(f"{name}.csv").write_text(f"search,sku,sim\n{rows}")
    options = (
        "--columns",
        "query=search,item=sku,label=verdict,score=sim",
        "--labels",
        "good=1,bad=0",
    )
    files = ("qrels.csv", "old.csv", "new.csv")
    assert run_gate(*files, *options, "-m", "P@1")[2] == 1
    out, _, code = run_gate(*files, *options, "-m", "P@2", "--ties", "average", "-f", "json")
    assert (json.loads(out)["rules"]["ties"], code) == ("average", 0)


def test_a_candidate_may_come_from_a_pipe(run_gate, write_gate_files):
    write_gate_files([0.5], [0.4])
    result = subprocess.run(
        [sys.executable, "-m", "gainful", "gate", "qrels.txt", "old.run", "-", "-m", "CG@1"],
        input=Path("new.run").read_text(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.startswith("FAIL: run 'stdin' against 'old'")
    assert result.returncode == 1


@needs_unix
@pytest.mark.parametrize(("value", "code"), [(0.5, 0), (0.1, 1)])
def test_a_reader_that_has_seen_enough_does_not_change_the_verdict(
    run_gate, write_gate_files, value, code
):
    write_gate_files([0.5], [value])
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [sys.executable, "-m", "gainful", "gate", *ARGUMENTS],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (b"cannot-write" in result.stderr, result.returncode) == (False, code)


@needs_unix
@pytest.mark.parametrize(
    "arguments", [["gate", *ARGUMENTS, "--config", "w.toml"], ["check", "bad.run"]]
)
def test_neither_does_one_of_both_streams(run_gate, write_gate_files, arguments):
    write_gate_files([0.5], [0.1])
    Path("w.toml").write_text("[gate]\nmax-drop = 0.01\n")
    Path("bad.run").write_text("q0 0 d1 x\n")
    reader, writer = os.pipe()
    os.close(reader)
    options = {"stdout": writer, "stderr": writer, "env": {**os.environ, "GITHUB_ACTIONS": "true"}}
    result = subprocess.run([sys.executable, "-m", "gainful", *arguments], check=False, **options)
    os.close(writer)
    assert result.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has such a disk")
def test_a_full_disk_exits_2(run_gate, write_gate_files):
    write_gate_files([0.5], [0.1])
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "gainful", "gate", *ARGUMENTS],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert result.stderr == b"error: standard output: no space left on device. [cannot-write]\n"
    assert result.returncode == 2
