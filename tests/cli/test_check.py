"""gainful check: output formats, and standard input."""

import json

from diagnostics.small_runs import SUMMARY, run_of


def test_a_table_says_each_finding_on_a_line(run_check):
    out, err, _ = run_check(run_of(score="1"), options=["-f", "table"])
    assert out == (
        "warning: run 'a': all scores are equal in 5 of 5 queries with several items (first 'q1'); "
        "ties=item-desc alone orders them. [equal-scores]\n"
        "info: run 'a': 30 of the 30 judged items it returned share their score with another item; "
        "ties=item-desc decides their order. [tied-items]\n"
        f"1 warning, 1 note in {SUMMARY}"
    )
    assert err == ""


def test_markdown_and_json_hold_the_same(run_check):
    out, err, _ = run_check(run_of(queries=[1, 2, 3, 4]), options=["-f", "markdown"])
    assert out == (
        "- **warning**: run 'a' has no items for 1 of 5 judged queries ('q5'); they score 0. "
        "`[missing-queries]`\n\n1 warning in 5 queries, 30 judgments, 1 run of 24 items.\n"
    )
    out, _, code = run_check(run_of(queries=[1, 2, 3, 4]), options=["-f", "json"])
    found = json.loads(out)
    assert (err, code) == ("", 0)
    assert found["counts"] == {"error": 0, "warning": 1, "info": 0}
    assert found["findings"][0]["severity"] == "warning"
    assert (found["n_queries"], found["n_judgments"], found["rows"]) == (5, 30, {"a": 24})


def test_standard_input_can_be_read_only_once(run_check):
    _, err, code = run_check(options=["-", "-"])
    assert err.splitlines()[-1] == "Error: standard input (-) can be read only once."
    assert code == 2
