"""Comparison of the whole output of the program with that of trec_eval, byte for byte.

``trec_eval_outputs.jsonl`` has command lines, files, and trec_eval's output, standard error and
exit code. They were recorded with GCC 12 builds of NIST's sources, as ``trec_eval ARGUMENTS`` in a
folder with the files: 10.0, with the uninitialized range of rbp set to 0, and 9.0.8, which is 10.0
with the files that differ reverted.
"""

import json
from pathlib import Path

import pytest

from gainful.adapters.trec_eval import run_trec_eval
from oracles.tally import count_compared

RECORDED = Path(__file__).with_name("trec_eval_outputs.jsonl")
CASES = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


def format_case_name(case):
    return f"{case['compat']} {' '.join(case['arguments'])}"[:80]


@pytest.mark.parametrize("case", CASES, ids=format_case_name)
def test_the_program_prints_what_trec_eval_printed(case, tmp_path, monkeypatch):
    for file in ("qrels", "results", "zscores"):
        if file in case:
            text = case[file].encode("utf-8", "surrogateescape")
            (tmp_path / file).write_bytes(text)
    monkeypatch.chdir(tmp_path)
    outcome = run_trec_eval(["--compat", str(case["compat"]), *case["arguments"]])
    assert outcome == (case["printed"], case["said"], case["code"])
    count_compared("trec_eval (recorded lines)", case["printed"].count("\n"))


def test_both_versions_and_every_exit_code_are_recorded():
    outcomes = {(case["compat"], case["code"]) for case in CASES}
    assert outcomes >= {(version, code) for version in (9, 10) for code in (0, 1, 2, 4)}
    assert (9, 7) in outcomes
