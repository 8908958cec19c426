"""gainful gate --report: the page that goes with a verdict."""

import os
import sys
from pathlib import Path

import pytest

ARGUMENTS = ("qrels.txt", "old.run", "new.run", "-m", "CG@1")


def format_size(path):
    return f"{os.path.getsize(path) / 1e6:.1f} MB"


@pytest.mark.parametrize(
    ("new_values", "code", "verdict"),
    [
        ([0.5, 0.5], 0, "pass: run 'new' against 'old': 1 check on 2 queries, 1 passed."),
        ([0.5, 0.4], 1, "FAIL: run 'new' against 'old': 1 check on 2 queries, 1 failed."),
    ],
)
def test_the_report_says_what_the_gate_said(run_gate, write_gate_files, new_values, code, verdict):
    write_gate_files([0.5, 0.5], new_values)
    out, err, exit_code = run_gate(*ARGUMENTS, "--report", "gate.html")
    assert out.splitlines()[0] == verdict
    line = f"\nreport: gate.html ({format_size('gate.html')}); open it in a browser.\n"
    assert err.endswith(line)
    assert exit_code == code
    page = Path("gate.html").read_text(encoding="utf-8")
    assert verdict.partition(": ")[2].replace("'", "&#39;") in page
    assert "gainful gate qrels.txt old.run new.run -m CG@1 --report gate.html" in page


def test_a_gate_without_a_baseline_reports_one_run(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    _, _, code = run_gate(
        "qrels.txt", "new.run", "-m", "CG@1", "--min", "0.4", "--report", "gate.html"
    )
    assert code == 0
    assert "1 check on 2 queries, 1 passed." in Path("gate.html").read_text(encoding="utf-8")


def test_the_file_of_thresholds_may_name_the_report(run_gate, write_gate_files, monkeypatch):
    write_gate_files([0.5, 0.5], [0.5, 0.5])
    Path("gainful.toml").write_text('[gate]\nreport = "gate.html"\n')
    Path("deep").mkdir()
    root = Path.cwd()
    monkeypatch.chdir("deep")
    paths = [root / name for name in ARGUMENTS[:3]]
    _, err, code = run_gate(*paths, "-m", "CG@1")
    assert code == 0
    assert err.splitlines()[-1].startswith(f"report: {root / 'gate.html'} (")
    assert (root / "gate.html").exists()


def test_runs_of_one_name_are_told_apart_as_the_gate_does(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    for folder in ("a", "b"):
        Path(folder).mkdir()
    os.rename("old.run", "a/bm25.run")
    os.rename("new.run", "b/bm25.run")
    out, _, _ = run_gate("qrels.txt", "a/bm25.run", "b/bm25.run", "--report", "gate.html")
    assert out.startswith("FAIL: run 'b/bm25.run' against 'a/bm25.run'")
    page = Path("gate.html").read_text(encoding="utf-8")
    assert "a/bm25.run" in page
    assert "b/bm25.run" in page


@pytest.mark.parametrize(
    ("report", "problem"),
    [
        ("new.run", "Error: --report new.run: is read by the same command. Name another file.\n"),
        ("-", "Error: --report takes a file, got standard output (-).\n"),
    ],
)
def test_a_report_that_has_no_place_is_refused_before_anything_is_read(
    run_gate, write_gate_files, report, problem
):
    write_gate_files([0.5], [0.5])
    out, err, code = run_gate(*ARGUMENTS, "--report", report)
    assert (out, code) == ("", 2)
    assert err.endswith(problem)


def test_a_report_that_cannot_be_written_exits_2_after_the_verdict(run_gate, write_gate_files):
    write_gate_files([0.5], [0.5])
    out, err, code = run_gate(*ARGUMENTS, "--report", "none/gate.html")
    assert out.startswith("pass: ")
    assert (
        err.splitlines()[-1]
        == "error: none/gate.html: cannot be written to (No such file or directory). "
        "[cannot-write]"
    )
    assert code == 2


def test_the_extra_that_a_report_takes_is_named_before_anything_is_read(
    run_gate, write_gate_files, monkeypatch
):
    write_gate_files([0.5], [0.5])
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert run_gate(*ARGUMENTS, "--report", "gate.html") == (
        "",
        "error: report: vl_convert is not installed. "
        "Install it with: pip install 'gainful[report]' [missing-package]\n",
        2,
    )
    assert run_gate(*ARGUMENTS)[2] == 0
