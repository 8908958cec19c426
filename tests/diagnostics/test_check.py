"""gainful check: files in; exact standard output and exit code out."""

import json
import sys
from pathlib import Path

import pytest

import gainful
from gainful import cli
from gainful.cli.demo import COLLECTION, RUNS
from gainful.diagnostics.notices import SEVERITIES, Notice

QUERIES = range(1, 6)
QRELS = "".join(f"q{q} 0 d{i} {i % 3}\n" for q in QUERIES for i in range(1, 7))


def run_of(query="q{q}", item="d{i}", rank="{i}", score="{down}", n=6, queries=QUERIES):
    """A run of several queries; ``down`` falls from item to item, ``i`` rises."""
    line = f"{query} Q0 {item} {rank} {score} t\n"
    return "".join(line.format(q=q, i=i, down=10 - i) for q in queries for i in range(1, n + 1))


@pytest.fixture
def checked(tmp_path, monkeypatch, capsys):
    def checked(*texts, qrels=QRELS, options=()):
        monkeypatch.chdir(tmp_path)
        names = ["qrels.txt", *(f"{name}.run" for name, _ in zip("abc", texts, strict=False))]
        for name, text in zip(names, (qrels, *texts), strict=True):
            Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setattr(sys, "argv", ["gainful", "check", *names, *options])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return checked


def lines_of(*findings):
    return "".join(f"{severity}\t{code}\t{text}\n" for severity, code, text in findings)


SUMMARY = "5 queries, 30 judgments, 1 run of 30 items\n"
UNJUDGED = (
    "info",
    "unjudged-items",
    "run 'a': 100.0% of the items in the first 10 ranks have no judgment; they count as not "
    "relevant.",
)


def none_judged(item):
    return (
        "error",
        "no-judged-items",
        f"run 'a' returned none of the judged items; the first ids are {item!r} (run) and 'd1' "
        "(qrels).",
    )


def test_good_data_have_nothing_odd(checked):
    assert checked(run_of()) == ("", f"nothing odd in {SUMMARY}", 0)


def test_qrels_can_be_checked_alone(checked):
    assert checked() == ("", "nothing odd in 5 queries, 30 judgments\n", 0)


@pytest.mark.parametrize(
    ("item", "first", "change"),
    [
        ("doc_d{i}", "doc_d1", "strip 'doc_' from"),
        ("d00{i}", "d001", "strip leading zeros from the numbers in"),
        ("D{i}", "D1", "ignore the case of"),
        ("d{i}.0", "d1.0", "strip '.0' from"),
        ("d{i}.txt", "d1.txt", "strip '.txt' from"),
        ('"d{i}"', '"d1"', "strip quotes from"),
        ("d{i}\xa0", "d1\xa0", "strip white space from"),
    ],
)
def test_ids_that_nearly_match_are_told_why(checked, item, first, change):
    near = (
        "error",
        "near-ids",
        f"run 'a' has 0.0% of the judged items. Did you mean to {change} the items of the run? "
        "100.0% of the judged items would match.",
    )
    pattern = {"d{i}.txt": r"^(.*)\.txt$", "doc_d{i}": "^doc_(.*)$"}.get(item)
    if pattern:
        near = (*near[:2], f"{near[2]} Pass --collapse '{pattern}'.")
    out, err, code = checked(run_of(item=item))
    # A table of columns has no other white space than what separates them.
    expected = lines_of(none_judged(first), near, UNJUDGED).replace("\xa0", " ")
    assert out.replace("\xa0", " ") == expected
    assert (err, code) == (f"2 errors, 1 note in {SUMMARY}", 1)


def test_chunks_of_judged_documents_can_be_collapsed(checked):
    out, _, _ = checked(run_of(item="d{i}#0"))
    assert (
        "Did you mean to cut the number of a chunk from the items of the run? 100.0% of the judged "
        "items would match. Pass --collapse '^(.*?)[#:@|/_-]+[0-9]+$'."
    ) in out


def test_a_few_ids_that_are_unlike_the_others_hide_nothing():
    qrels = {f"q{q}": {f"d{i}": 1 for i in range(1, 7)} for q in QUERIES}
    run = {f"q{q}": [f"doc_d{i}" for i in range(1, 7)] for q in QUERIES}
    run["q1"] += ["about"]
    (near,) = (one for one in gainful.check(qrels, run).findings if one.code == "near-ids")
    assert near.question == (
        "Did you mean to strip 'doc_' from the items of the run? "
        "100.0% of the judged items would match. Pass --collapse '^doc_(.*)$'."
    )


def test_ids_of_the_qrels_may_be_those_to_change(checked):
    out, _, _ = checked(run_of(item="{i}"))
    assert "Did you mean to strip 'd' from the items of the qrels? 100.0%" in out


def test_half_of_the_ids_may_match_as_they_are(checked):
    run = run_of().replace("d1 ", "x_d1 ").replace("d2 ", "x_d2 ").replace("d3 ", "x_d3 ")
    run = run.replace("d4 ", "x_d4 ")
    out, _, code = checked(run)
    assert "near-ids" not in out  # there is nothing that all of them begin with
    out, _, code = checked(run.replace("x_d", "D"))
    assert (
        "error\tnear-ids\trun 'a' has 33.3% of the judged items. Did you mean to ignore the case "
        "of the items of the run? 100.0% of the judged items would match.\n" in out
    )
    assert code == 1


def test_queries_that_nearly_match_are_told_why(checked):
    out, err, code = checked(run_of(query="{q}"))
    assert out == lines_of(
        (
            "error",
            "no-common-query",
            "run 'a' and the qrels share no query; the first ids are '1' (run) and 'q1' (qrels). "
            "Did you mean to strip 'q' from the queries of the qrels? 100.0% of the judged queries "
            "would match.",
        )
    )
    assert (err, code) == (f"1 error in {SUMMARY}", 1)


def test_distances_that_are_given_for_scores_are_an_error(checked):
    assert checked(run_of(score="{i}.5")) == (
        lines_of(
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
    assert checked(run_of(score="{i}.5"), options=["--order", "rank"])[2] == 0


def test_scores_that_rise_where_ranks_say_nothing_are_a_warning(checked):
    assert checked(run_of(score="{i}", rank="0")) == (
        lines_of(
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


def test_a_score_in_the_rank_column_is_seen(checked):
    out, _, _ = checked(run_of(rank="0.{down}", score="{i}"))
    assert (
        "If they stand in the rank column, which holds no integers, swap the two, or pass "
        "--order file.\n" in out
    )


def test_a_few_scores_that_rise_may_be_chance(checked):
    assert checked(run_of(score="{i}", rank="0", n=2))[0].count("ascending-scores") == 0


def test_ranks_that_contradict_scores_are_a_warning(checked):
    assert checked(run_of().replace("d4 4 ", "d4 40 ")) == (
        lines_of(
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


def test_equal_scores_are_a_warning(checked):
    assert checked(run_of(score="1")) == (
        lines_of(
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


def test_scores_that_single_precision_ties_are_noted(checked):
    run = run_of().replace("d1 1 9", "d1 1 8.0000001")
    assert checked(run) == (
        lines_of(
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


def test_infinite_scores_are_a_warning(checked):
    assert checked(run_of().replace("d1 1 9", "d1 1 inf")) == (
        lines_of(
            (
                "warning",
                "infinite-scores",
                "run 'a': 5 scores are infinite, first on line 1; equal ones are tied.",
            )
        ),
        f"1 warning in {SUMMARY}",
        0,
    )


def test_everything_that_cannot_be_read_is_said_at_once(checked):
    qrels = QRELS + "q1 0 e1 x\nq1 0 e2 nan\nq7 0\n"
    run = run_of().replace("d3 3 7", "d3 3 nan").replace("q2 Q0 d1 1 9 t", "q2 Q0 d1 1 9")
    assert checked(run.replace("q4 Q0 d2 2 8", "q4 Q0 d2 2 x8"), qrels=qrels) == (
        lines_of(
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


def test_everything_is_said_of_files_that_are_described_too(checked):
    text = "who,what,how\nq1,d1,good\nq1,d2,bad\nq1,d3,ugly\nq1,d1,good\n"
    options = ["--columns", "query=who,item=what,label=how", "--labels", "good=1"]
    out, err, code = checked(qrels=text, options=[*options, "--qrels-format", "csv"])
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


def test_items_that_are_repeated_are_an_error_unless_a_rule_chooses(checked):
    qrels, run = QRELS + "q1 0 d1 2\n", run_of() + "q5 Q0 d1 7 1 t\nq5 Q0 d2 8 0 t\n"
    assert checked(run, qrels=qrels) == (
        lines_of(
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
    assert checked(run, qrels=qrels, options=["--duplicates", "first"]) == (
        lines_of(
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


def test_queries_that_one_side_lacks_are_said(checked):
    assert checked(run_of(queries=[1, 2, 9])) == (
        lines_of(
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


def test_what_the_rules_refuse_is_an_error(checked):
    out, _, code = checked(run_of(queries=[1]), options=["--missing", "error"])
    assert out == lines_of(
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
def test_labels_that_are_no_usual_grades_are_said(checked, changed, finding):
    out, _, code = checked(run_of(), qrels=QRELS.replace(*changed))
    assert (out, code) == (lines_of(finding), 0)


def test_qrels_with_one_label_are_noted(checked):
    out, _, code = checked(qrels="q 0 a 1\nq 0 b 1\n")
    assert out == lines_of(
        (
            "info",
            "one-label",
            "every label of the qrels is 1 (2 judgments): items that are not judged are the only "
            "ones that are not relevant.",
        )
    )
    assert code == 0


def test_of_qrels_alone_the_same_is_said_as_with_a_run(checked):
    qrels = "# a comment\n" + QRELS.replace("q3 0 d1 1", "q3 0 d1 -1") + "p 0 a 0\n"
    out, _, code = checked(qrels=qrels)
    assert out == lines_of(
        (
            "warning",
            "empty-queries",
            "nothing is relevant for 1 of 6 judged queries ('p'); normalised measures score them "
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
    both, _, _ = checked(run_of() + "p Q0 a 1 1 t\n", qrels=qrels)
    assert both == out


def test_qrels_in_which_nothing_is_relevant_are_an_error(checked):
    out, _, code = checked("q Q0 a 1 1 t\n", qrels="q 0 a 0\n")
    assert out == lines_of(
        ("error", "nothing-relevant", "no label of the qrels is above 0 (the highest is 0)."),
        (
            "warning",
            "empty-queries",
            "nothing is relevant for 1 of 1 judged queries ('q'); normalised measures score them "
            "0.",
        ),
    )
    assert code == 1


def test_queries_cut_short_are_noted(checked):
    qrels = "q1 0 d1 1\nq2 0 d1 0\nq3 0 d1 1\n"
    lines = run_of(n=20, queries=[1, 2, 3]).splitlines(keepends=True)
    out, _, _ = checked("".join(lines[:41]), qrels=qrels)
    assert out.splitlines()[-1] == (
        "info\tshort-rankings\trun 'a' has 20 items for most queries, and less than a tenth of "
        "that for 1 ('q3')."
    )


def test_runs_of_different_depth_are_a_warning(checked):
    assert checked(run_of(n=2), run_of()) == (
        lines_of(
            (
                "warning",
                "unequal-depths",
                "the runs are cut at different depths ('a' 2, 'b' 6 items at most); measures "
                "without a cutoff favour the deeper. Pass --depth to cut them alike.",
            )
        ),
        "1 warning in 5 queries, 30 judgments, 2 runs of 40 items\n",
        0,
    )


def test_qrels_and_run_that_are_swapped_are_said_in_one_sentence(checked):
    assert checked(QRELS, qrels=run_of()) == (
        lines_of(
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


def test_lines_that_end_in_a_carriage_return_alone_are_an_error(checked):
    out, _, code = checked(run_of().replace("\n", "\r"))
    assert out.splitlines()[0] == (
        "error\tcarriage-returns\ta.run: 1 line has carriage returns inside, so that several are "
        "read as one. End lines in a line feed."
    )
    assert code == 1
    out, _, code = checked(qrels="q 0 a 1\rq 0 b 1\r")
    assert out == lines_of(
        (
            "error",
            "malformed-line",
            "qrels.txt, line 1: expected 4 fields, found 8: 'q 0 a 1\\rq 0 b 1\\r'. Its lines end "
            "in a carriage return alone; end them in a line feed.",
        )
    )
    assert checked(run_of().replace("\n", "\r\n")) == ("", f"nothing odd in {SUMMARY}", 0)


def test_text_in_utf_16_is_an_error(checked):
    out, _, code = checked(run_of(queries=[1], n=2).encode("utf-16-le"))
    assert out.splitlines()[0] == (
        "error\tnot-text\ta.run, line 1: the text must be UTF-8, got NUL bytes; it may be UTF-16. "
        "2 more are wrong in the same way."
    )
    assert code == 1


def test_what_cannot_be_opened_does_not_keep_the_rest_from_being_checked(checked):
    out, err, code = checked(run_of(score="1"), options=["nosuch.run"])
    assert out.splitlines()[0] == "error\tcannot-read\tnosuch.run: no such file or directory."
    assert "equal-scores" in out
    assert (err.splitlines()[-1], code) == (
        "1 error, 1 warning, 1 note in 5 queries, 30 judgments, 2 runs of 30 items",
        1,
    )


def test_empty_files_are_an_error(checked):
    assert checked("", qrels="") == (
        lines_of(("error", "nothing-in-it", "qrels.txt: there are no judgments in it.")),
        "1 error in 0 queries, 0 judgments, 1 run of 0 items\n",
        1,
    )
    assert checked("")[0] == lines_of(
        ("error", "nothing-in-it", "a.run: there are no items in it.")
    )


def test_a_table_says_each_finding_on_a_line(checked):
    out, err, _ = checked(run_of(score="1"), options=["-f", "table"])
    assert out == (
        "warning: run 'a': all scores are equal in 5 of 5 queries with several items (first 'q1'); "
        "ties=item-desc alone orders them. [equal-scores]\n"
        "info: run 'a': 30 of the 30 judged items it returned share their score with another item; "
        "ties=item-desc decides their order. [tied-items]\n"
        f"1 warning, 1 note in {SUMMARY}"
    )
    assert err == ""


def test_markdown_and_json_hold_the_same(checked):
    out, err, _ = checked(run_of(queries=[1, 2, 3, 4]), options=["-f", "markdown"])
    assert out == (
        "- **warning**: run 'a' has no items for 1 of 5 judged queries ('q5'); they score 0. "
        "`[missing-queries]`\n\n1 warning in 5 queries, 30 judgments, 1 run of 24 items.\n"
    )
    out, _, code = checked(run_of(queries=[1, 2, 3, 4]), options=["-f", "json"])
    found = json.loads(out)
    assert (err, code) == ("", 0)
    assert found["counts"] == {"error": 0, "warning": 1, "info": 0}
    assert found["findings"][0]["severity"] == "warning"
    assert (found["n_queries"], found["n_judgments"], found["rows"]) == (5, 30, {"a": 24})


def test_standard_input_can_be_read_only_once(checked):
    _, err, code = checked(options=["-", "-"])
    assert err.splitlines()[-1] == "Error: standard input (-) can be read only once."
    assert code == 2


def test_the_bundled_collection_has_nothing_wrong():
    found = gainful.check(COLLECTION / "qrels.txt", *(COLLECTION / run for run in RUNS))
    assert found.counts() == {"error": 0, "warning": 2, "info": 5}
    assert not found.has_errors


def test_objects_are_checked_as_files_are():
    qrels = {"q1": {"d1": 1, "d2": 0}}
    found = gainful.check(qrels, {"q1": {"d1": float("nan"), "d2": 1.0}}, {"q1": ["d1", "d2"]})
    assert [str(one) for one in found.findings] == [
        "run 'run 1': query 'q1' item 'd1': score must be a number that can be ordered, got NaN.",
        "the runs are cut at different depths ('run 1' 1, 'run 2' 2 items at most); measures "
        "without a cutoff favour the deeper. Pass --depth to cut them alike.",
    ]
    assert gainful.check(gainful.read_qrels(qrels), {"q1": ["d1"]}).findings == ()
    labels = gainful.Columns(query=["q1"], item=["d1"], label=[float("nan")])
    assert gainful.check(labels).findings[0].code == "not-numbers"


def test_findings_show_themselves():
    found = gainful.check({"q": {"a": 1, "b": 0}}, {"q": {"a": 1, "b": 1}})
    assert repr(found).splitlines()[-1] == (
        "1 warning, 1 note in 1 query, 2 judgments, 1 run of 2 items"
    )
    assert found._repr_html_().startswith("<table><thead><tr><th>severity</th><th>code</th>")
    assert json.loads(found.to_json()) == found.to_dict()


def test_every_notice_has_a_severity_and_a_code_of_its_own():
    kinds = Notice.__subclasses__()
    assert {kind.severity for kind in kinds} == set(SEVERITIES)
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all("severity" in vars(kind) for kind in kinds)
