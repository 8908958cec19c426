"""gainful check: files in; exact standard output and exit code out."""

import json

import pytest

from diagnostics.small_runs import QRELS, SUMMARY, format_findings, make_run


def test_good_data_have_nothing_odd(run_check):
    assert run_check(make_run()) == ("", f"nothing odd in {SUMMARY}", 0)


def test_qrels_can_be_checked_alone(run_check):
    assert run_check() == ("", "nothing odd in 5 queries, 30 judgments\n", 0)


def test_distances_that_are_given_for_scores_are_an_error(run_check):
    assert run_check(make_run(score="{i}.5")) == (
        format_findings(
            (
                "error",
                "reversed-scores",
                "run 'a': scores rise with the ranks in 5 of 5 queries (first 'q1'), so its last "
                "item is ranked first. If they are distances, negate them, or pass --order rank.",
            )
        ),
        f"1 error in {SUMMARY}",
        1,
    )
    assert run_check(make_run(score="{i}.5"), options=["--order", "rank"])[2] == 0


def test_scores_that_rise_where_ranks_say_nothing_are_a_warning(run_check):
    assert run_check(make_run(score="{i}", rank="0")) == (
        format_findings(
            (
                "warning",
                "ascending-scores",
                "run 'a': scores rise from line to line in 5 of 5 queries (first 'q1'), so the "
                "last line is ranked first. If they are distances, negate them, or pass --order "
                "file.",
            )
        ),
        f"1 warning in {SUMMARY}",
        0,
    )


def test_a_score_in_the_rank_column_is_seen(run_check):
    out, _, _ = run_check(make_run(rank="0.{down}", score="{i}"))
    assert (
        "If they stand in the rank column, which holds no integers, swap the two, or pass "
        "--order file.\n" in out
    )


def test_a_few_scores_that_rise_may_be_chance(run_check):
    assert run_check(make_run(score="{i}", rank="0", n=2))[0].count("ascending-scores") == 0


def test_ranks_that_contradict_scores_are_a_warning(run_check):
    assert run_check(make_run().replace("d4 4 ", "d4 40 ")) == (
        format_findings(
            (
                "warning",
                "contradicted-ranks",
                "run 'a': 5 of 25 ranks contradict the scores, first on line 5: a better rank has "
                "a lower score. order=score goes by the scores.",
            )
        ),
        f"1 warning in {SUMMARY}",
        0,
    )


def test_equal_scores_are_a_warning(run_check):
    assert run_check(make_run(score="1")) == (
        format_findings(
            (
                "warning",
                "equal-scores",
                "run 'a': all scores are equal in 5 of 5 queries with several items (first 'q1'); "
                "ties=item-desc alone orders them.",
            ),
            (
                "info",
                "tied-items",
                "run 'a': 30 of the 30 judged items it returned share their score with another "
                "item; ties=item-desc decides their order.",
            ),
        ),
        f"1 warning, 1 note in {SUMMARY}",
        0,
    )


def test_scores_that_single_precision_ties_are_noted(run_check):
    run = make_run().replace("d1 1 9", "d1 1 8.0000001")
    assert run_check(run) == (
        format_findings(
            (
                "info",
                "close-scores",
                "run 'a': 10 of the 30 judged items it returned stand beside one whose score "
                "differs in double precision only (first in query 'q1'); trec_eval 9, and "
                "precision=float32, tie them.",
            )
        ),
        f"1 note in {SUMMARY}",
        0,
    )


def test_infinite_scores_are_a_warning(run_check):
    assert run_check(make_run().replace("d1 1 9", "d1 1 inf")) == (
        format_findings(
            (
                "warning",
                "infinite-scores",
                "run 'a': 5 scores are infinite, first on line 1; equal ones are tied.",
            )
        ),
        f"1 warning in {SUMMARY}",
        0,
    )


def test_everything_that_cannot_be_read_is_said_at_once(run_check):
    qrels = QRELS + "q1 0 e1 x\nq1 0 e2 nan\nq7 0\n"
    run = make_run().replace("d3 3 7", "d3 3 nan").replace("q2 Q0 d1 1 9 t", "q2 Q0 d1 1 9")
    assert run_check(run.replace("q4 Q0 d2 2 8", "q4 Q0 d2 2 x8"), qrels=qrels) == (
        format_findings(
            (
                "error",
                "bad-label",
                "qrels.txt, line 31: label must be a finite number, got 'x'. 1 more is wrong in "
                "the same way.",
            ),
            (
                "error",
                "malformed-line",
                "qrels.txt, line 33: expected 4 fields, found 2: 'q7 0'. A line of qrels is: query "
                "iteration item label.",
            ),
            (
                "error",
                "nan-score",
                "a.run, line 3: score must be a number that can be ordered, got NaN. 4 more are "
                "wrong in the same way.",
            ),
            (
                "error",
                "malformed-line",
                "a.run, line 7: expected 6 fields, found 5: 'q2 Q0 d1 1 9'. A line of a run is: "
                "query Q0 item rank score tag.",
            ),
            ("error", "bad-score", "a.run, line 20: score must be a number, got 'x8'."),
        ),
        "5 errors in 5 queries, 30 judgments, 1 run of 23 items\n",
        1,
    )


def test_everything_is_said_of_files_that_are_described_too(run_check):
    text = "who,what,how\nq1,d1,good\nq1,d2,bad\nq1,d3,ugly\nq1,d1,good\n"
    options = ["--columns", "query=who,item=what,label=how", "--labels", "good=1"]
    out, err, code = run_check(qrels=text, options=[*options, "--qrels-format", "csv"])
    assert [line.split("\t")[:2] for line in out.splitlines()] == [
        ["error", "bad-label"],
        ["error", "judged-twice"],
        ["info", "one-label"],
    ]
    assert out.splitlines()[0].endswith(
        "qrels.txt, line 3: label must be a finite number, got 'bad'. Say what words "
        "mean with --labels bad=NUMBER, or labels= in Python. "
        "1 more is wrong in the same way."
    )
    assert (err, code) == ("2 errors, 1 note in 1 query, 1 judgment\n", 1)


def test_items_that_are_repeated_are_an_error_unless_a_rule_chooses(run_check):
    qrels, run = QRELS + "q1 0 d1 2\n", make_run() + "q5 Q0 d1 7 1 t\nq5 Q0 d2 8 0 t\n"
    assert run_check(run, qrels=qrels) == (
        format_findings(
            (
                "error",
                "judged-twice",
                "qrels.txt, line 31: query 'q1' item 'd1' is judged twice (labels 1 and 2). Pass "
                "--duplicates max to keep the higher.",
            ),
            (
                "error",
                "retrieved-twice",
                "a.run, line 31: query 'q5' item 'd1' is retrieved twice (first on line 25). Pass "
                "--duplicates first, last or max to keep one. 1 more is repeated.",
            ),
        ),
        "2 errors in 5 queries, 30 judgments, 1 run of 32 items\n",
        1,
    )
    assert run_check(run, qrels=qrels, options=["--duplicates", "first"]) == (
        format_findings(
            (
                "warning",
                "duplicate-judgments",
                "the qrels repeat 1 judgment; duplicates=first keeps one label of each item.",
            ),
            (
                "warning",
                "duplicate-items",
                "run 'a' repeats 2 items within a query; duplicates=first keeps one mention of "
                "each.",
            ),
        ),
        "2 warnings in 5 queries, 30 judgments, 1 run of 32 items\n",
        0,
    )


def test_queries_that_one_side_lacks_are_said(run_check):
    assert run_check(make_run(queries=[1, 2, 9])) == (
        format_findings(
            (
                "warning",
                "missing-queries",
                "run 'a' has no items for 3 of 5 judged queries ('q3', 'q4', 'q5'); they score 0.",
            ),
            ("info", "unjudged-queries", "run 'a' has 1 query without judgments ('q9'); left out."),
        ),
        "1 warning, 1 note in 5 queries, 30 judgments, 1 run of 18 items\n",
        0,
    )


def test_what_the_rules_refuse_is_an_error(run_check):
    out, _, code = run_check(make_run(queries=[1]), options=["--missing", "error"])
    assert out == format_findings(
        ("error", "refused-missing", "run 'a' has no items for query 'q2', got missing=error.")
    )
    assert code == 1


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        (
            (" 2\n", " 100\n"),
            (
                "warning",
                "high-labels",
                "the qrels have labels up to 100 (3 different); gains such as exp2 grow without "
                "measure. Pass a gain table, or other "
                "labels, if they are no grades.",
            ),
        ),
        (
            (" 2\n", " 0.5\n"),
            (
                "info",
                "fractional-labels",
                "10 of the 30 labels of the qrels are no whole numbers, such as 0.5; where a "
                "measure has rel=1, those below 1 are not relevant.",
            ),
        ),
        (
            (" 2\n", " 4\n"),
            (
                "info",
                "skipped-labels",
                "the qrels have the labels 0, 1, 4, and never 2, 3.",
            ),
        ),
        (
            (" 2\n", " -1\n"),
            (
                "info",
                "negative-labels",
                "the qrels have 10 labels below 0 (lowest -1); they gain nothing unless a measure "
                "sets negatives or a signed gain.",
            ),
        ),
    ],
)
def test_labels_that_are_no_usual_grades_are_said(run_check, changed, finding):
    out, _, code = run_check(make_run(), qrels=QRELS.replace(*changed))
    assert (out, code) == (format_findings(finding), 0)


def test_qrels_with_one_label_are_noted(run_check):
    out, _, code = run_check(qrels="q 0 a 1\nq 0 b 1\n")
    assert out == format_findings(
        (
            "info",
            "one-label",
            "every label of the qrels is 1 (2 judgments): items that are not judged are the only "
            "ones that are not relevant.",
        )
    )
    assert code == 0


def test_of_qrels_alone_the_same_is_said_as_with_a_run(run_check):
    qrels = "# a comment\n" + QRELS.replace("q3 0 d1 1", "q3 0 d1 -1") + "p 0 a 0\n"
    out, _, code = run_check(qrels=qrels)
    assert out == format_findings(
        (
            "warning",
            "empty-queries",
            "nothing is relevant for 1 of 6 judged queries ('p'); normalized measures score them "
            "0.",
        ),
        (
            "info",
            "negative-labels",
            "the qrels have 1 label below 0 (lowest -1); they gain nothing unless a measure sets "
            "negatives or a signed gain.",
        ),
        (
            "info",
            "comment-lines",
            "qrels.txt: 1 line that begins with # skipped as comments.",
        ),
    )
    assert code == 0
    out_with_run, _, _ = run_check(make_run() + "p Q0 a 1 1 t\n", qrels=qrels)
    assert out_with_run == out


def test_qrels_in_which_nothing_is_relevant_are_an_error(run_check):
    out, _, code = run_check("q Q0 a 1 1 t\n", qrels="q 0 a 0\n")
    assert out == format_findings(
        ("error", "nothing-relevant", "no label of the qrels is above 0 (the highest is 0)."),
        (
            "warning",
            "empty-queries",
            "nothing is relevant for 1 of 1 judged queries ('q'); normalized measures score them "
            "0.",
        ),
    )
    assert code == 1


def test_queries_cut_short_are_noted(run_check):
    qrels = "q1 0 d1 1\nq2 0 d1 0\nq3 0 d1 1\n"
    lines = make_run(n=20, queries=[1, 2, 3]).splitlines(keepends=True)
    out, _, _ = run_check("".join(lines[:41]), qrels=qrels)
    assert out.splitlines()[-1] == (
        "info\tshort-rankings\trun 'a' has 20 items for most queries, and less than a tenth of "
        "that for 1 ('q3')."
    )


def test_runs_of_different_depth_are_a_warning(run_check):
    assert run_check(make_run(n=2), make_run()) == (
        format_findings(
            (
                "warning",
                "unequal-depths",
                "the runs are cut at different depths ('a' 2, 'b' 6 items at most); measures "
                "without a cutoff favor the deeper. Pass --depth to cut them alike.",
            )
        ),
        "1 warning in 5 queries, 30 judgments, 2 runs of 40 items\n",
        0,
    )


def test_qrels_and_run_that_are_swapped_are_said_in_one_sentence(run_check):
    assert run_check(QRELS, qrels=make_run()) == (
        format_findings(
            (
                "error",
                "looks-swapped",
                "qrels.txt has the columns of a run, and a.run those of qrels. Swap the two: qrels "
                "come first.",
            )
        ),
        "1 error in 0 queries, 0 judgments, 1 run of 0 items\n",
        1,
    )


def test_lines_that_end_in_a_carriage_return_alone_are_an_error(run_check):
    out, _, code = run_check(make_run().replace("\n", "\r"))
    assert out.splitlines()[0] == (
        "error\tcarriage-returns\ta.run: 1 line has carriage returns inside, so that several are "
        "read as one. End lines in a line feed."
    )
    assert code == 1
    out, _, code = run_check(qrels="q 0 a 1\rq 0 b 1\r")
    assert out == format_findings(
        (
            "error",
            "malformed-line",
            "qrels.txt, line 1: expected 4 fields, found 8: 'q 0 a 1\\rq 0 b 1\\r'. Its lines end "
            "in a carriage return alone; end them in a line feed.",
        )
    )
    assert run_check(make_run().replace("\n", "\r\n")) == ("", f"nothing odd in {SUMMARY}", 0)


def test_text_in_utf_16_is_an_error(run_check):
    out, _, code = run_check(make_run(queries=[1], n=2).encode("utf-16-le"))
    assert out.splitlines()[0] == (
        "error\tnot-text\ta.run, line 1: the text must be UTF-8, got NUL bytes; it may be UTF-16. "
        "2 more are wrong in the same way."
    )
    assert code == 1


def test_what_cannot_be_opened_does_not_keep_the_rest_from_being_checked(run_check):
    out, err, code = run_check(make_run(score="1"), options=["nosuch.run"])
    assert out.splitlines()[0] == "error\tcannot-read\tnosuch.run: no such file or directory."
    assert "equal-scores" in out
    assert (err.splitlines()[-1], code) == (
        "1 error, 1 warning, 1 note in 5 queries, 30 judgments, 2 runs of 30 items",
        1,
    )


def test_empty_files_are_an_error(run_check):
    assert run_check("", qrels="") == (
        format_findings(("error", "nothing-in-it", "qrels.txt: there are no judgments in it.")),
        "1 error in 0 queries, 0 judgments, 1 run of 0 items\n",
        1,
    )
    assert run_check("")[0] == format_findings(
        ("error", "nothing-in-it", "a.run: there are no items in it.")
    )


def test_a_table_says_each_finding_on_a_line(run_check):
    out, err, _ = run_check(make_run(score="1"), options=["-f", "table"])
    assert out == (
        "warning  run 'a': all scores are equal in 5 of 5 queries with several items (first 'q1'); "
        "ties=item-desc alone orders them. [equal-scores]\n"
        "info     run 'a': 30 of the 30 judged items it returned share their score with another "
        "item; ties=item-desc decides their order. [tied-items]\n"
        f"\n1 warning, 1 note in {SUMMARY}"
    )
    assert err == ""


def test_markdown_and_json_hold_the_same(run_check):
    out, err, _ = run_check(make_run(queries=[1, 2, 3, 4]), options=["-f", "markdown"])
    assert out == (
        "| severity | finding |\n|:--|:--|\n"
        "| warning | run 'a' has no items for 1 of 5 judged queries ('q5'); they score 0. "
        "[missing-queries] |\n\n1 warning in 5 queries, 30 judgments, 1 run of 24 items\n"
    )
    out, _, code = run_check(make_run(queries=[1, 2, 3, 4]), options=["-f", "json"])
    result = json.loads(out)
    assert (err, code) == ("", 0)
    assert result["counts"] == {"error": 0, "warning": 1, "info": 0}
    assert result["findings"][0]["severity"] == "warning"
    assert (result["n_queries"], result["n_judgments"], result["rows"]) == (5, 30, {"a": 24})


def test_standard_input_can_be_read_only_once(run_check):
    _, err, code = run_check(options=["-", "-"])
    assert err.splitlines()[-1] == "Error: standard input (-) can be read only once."
    assert code == 2
