"""Ids that nearly match: the change that ``check()`` and ``evaluate()`` suggest."""

import pytest

import gainful
from diagnostics.small_runs import QUERIES, SUMMARY, format_findings, make_run
from gainful import Rules, evaluate

UNJUDGED = (
    "info",
    "unjudged-items",
    "run 'a': 100.0% of the items in the first 10 ranks have no judgment; they count as not "
    "relevant.",
)


def make_no_judged_items(item):
    return (
        "error",
        "no-judged-items",
        f"run 'a' returned none of the judged items; the first ids are {item!r} (run) and 'd1' "
        "(qrels).",
    )


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
def test_ids_that_nearly_match_are_told_why(run_check, item, first, change):
    near = (
        "error",
        "near-ids",
        f"run 'a' has 0.0% of the judged items. Did you mean to {change} the items of the run? "
        "100.0% of the judged items would match.",
    )
    pattern = {"d{i}.txt": r"^(.*)\.txt$", "doc_d{i}": "^doc_(.*)$"}.get(item)
    if pattern:
        near = (*near[:2], f"{near[2]} Pass --collapse '{pattern}'.")
    out, err, code = run_check(make_run(item=item))
    # A table of columns has no other white space than what separates them.
    expected = format_findings(make_no_judged_items(first), near, UNJUDGED).replace("\xa0", " ")
    assert out.replace("\xa0", " ") == expected
    assert (err, code) == (f"2 errors, 1 note in {SUMMARY}", 1)


def test_chunks_of_judged_documents_can_be_collapsed(run_check):
    out, _, _ = run_check(make_run(item="d{i}#0"))
    assert (
        "Did you mean to cut the number of a chunk from the items of the run? 100.0% of the judged "
        "items would match. Pass --collapse '^(.*?)[#:@|/_-]+[0-9]+$'."
    ) in out


def test_a_few_ids_that_are_unlike_the_others_hide_nothing():
    qrels = {f"q{q}": {f"d{i}": 1 for i in range(1, 7)} for q in QUERIES}
    run = {f"q{q}": [f"doc_d{i}" for i in range(1, 7)] for q in QUERIES}
    run["q1"] += ["about"]
    (near,) = (
        finding for finding in gainful.check(qrels, run).findings if finding.code == "near-ids"
    )
    assert str(near).endswith(
        "Did you mean to strip 'doc_' from the items of the run? "
        "100.0% of the judged items would match. Pass --collapse '^doc_(.*)$'."
    )


def test_ids_of_the_qrels_may_be_those_to_change(run_check):
    out, _, _ = run_check(make_run(item="{i}"))
    assert "Did you mean to strip 'd' from the items of the qrels? 100.0%" in out


def test_half_of_the_ids_may_match_as_they_are(run_check):
    run = make_run().replace("d1 ", "x_d1 ").replace("d2 ", "x_d2 ").replace("d3 ", "x_d3 ")
    run = run.replace("d4 ", "x_d4 ")
    out, _, code = run_check(run)
    assert "near-ids" not in out  # there is nothing that all of them begin with
    out, _, code = run_check(run.replace("x_d", "D"))
    assert (
        "error\tnear-ids\trun 'a' has 33.3% of the judged items. Did you mean to ignore the case "
        "of the items of the run? 100.0% of the judged items would match.\n" in out
    )
    assert code == 1


def test_queries_that_nearly_match_are_told_why(run_check):
    out, err, code = run_check(make_run(query="{q}"))
    assert out == format_findings(
        (
            "error",
            "no-common-query",
            "run 'a' and the qrels share no query; the first ids are '1' (run) and 'q1' (qrels). "
            "Did you mean to strip 'q' from the queries of the qrels? 100.0% of the judged queries "
            "would match.",
        )
    )
    assert (err, code) == (f"1 error in {SUMMARY}", 1)


GRADES = {f"q{q}": {f"d{i}": i % 3 for i in range(1, 7)} for q in range(1, 6)}


def make_scored_run(score):
    return {
        query: {item: score(int(item[1:])) for item in items} for query, items in GRADES.items()
    }


def collect_notices(qrels, run, **rules):
    notices = evaluate(qrels, run, "nDCG", rules=Rules(**rules)).notices
    return {notice.code: str(notice) for notice in notices}


GOOD = make_scored_run(lambda i: 10.0 - i)


def test_items_whose_ids_nearly_match_are_told_why():
    run = {q: {f"doc_{item}": s for item, s in items.items()} for q, items in GOOD.items()}
    assert collect_notices(GRADES, run)["near-ids"] == (
        "run 'run' has 0.0% of the judged items. Did you mean to strip 'doc_' from the items of "
        "the run? 100.0% of the judged items would match. Pass --collapse '^doc_(.*)$'."
    )


def test_of_many_items_only_the_first_are_compared():
    qrels = {f"q{q}": {f"d{i}": 1 for i in range(40)} for q in range(200)}
    run = {query: [item.upper() for item in items] for query, items in qrels.items()}
    assert collect_notices(qrels, run)["near-ids"] == (
        "run 'run' has 0.0% of the judged items among the first 20 items of the first 100 queries. "
        "Did you mean to ignore the case of the items of the run? 50.0% of the judged items would "
        "match."
    )
