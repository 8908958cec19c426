"""Notices of ``evaluate()`` about the data: an example of each, and none for good data."""

import pytest

from gainful import Rules, evaluate
from gainful.errors import SourceError

QRELS = {f"q{q}": {f"d{i}": i % 3 for i in range(1, 7)} for q in range(1, 6)}


def make_run(score):
    return {query: {item: score(int(item[1:])) for item in items} for query, items in QRELS.items()}


def collect_notices(qrels, run, **rules):
    notices = evaluate(qrels, run, "nDCG", rules=Rules(**rules)).notices
    return {notice.code: str(notice) for notice in notices}


GOOD = make_run(lambda i: 10.0 - i)


def test_good_data_have_no_notice():
    assert collect_notices(QRELS, GOOD) == {}
    assert collect_notices(QRELS, {query: list(items) for query, items in GOOD.items()}) == {}


def test_binary_judgments_of_relevant_items_alone_have_no_notice():
    assert collect_notices({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": ["d1"], "q2": ["d2"]}) == {}


def test_a_rise_of_all_scores_is_said_of_objects_too():
    assert collect_notices(QRELS, make_run(float))["ascending-scores"] == (
        "run 'run': scores rise from line to line in 5 of 5 queries (first 'q1'), so the last line "
        "is ranked first. If they are distances, negate them, or pass --order file."
    )
    assert collect_notices(QRELS, make_run(float), order="file") == {}


def test_scores_that_rise_with_the_ranks_and_ranks_that_contradict_them_are_said(tmp_path):
    path = tmp_path / "a.run"
    lines = [f"{q} Q0 d{i} {i} {i} t\n" for q in QRELS for i in range(1, 7)]
    path.write_text("".join(lines))
    assert collect_notices(QRELS, path) == {
        "reversed-scores": "run 'a': scores rise with the ranks in 5 of 5 queries (first 'q1'), so "
        "its last item is ranked first. If they are distances, negate them, or pass --order rank."
    }
    lines = [f"{q} Q0 d{i} {i % 6} {9 - i} t\n" for q in QRELS for i in range(1, 7)]
    path.write_text("".join(lines))
    assert collect_notices(QRELS, path) == {
        "contradicted-ranks": "run 'a': 5 of 25 ranks contradict the scores, first on line 6: a "
        "better rank has a lower score. order=score goes by the scores."
    }
    assert collect_notices(QRELS, path, order="rank") == {}


def test_close_scores_are_said_where_they_are_many():
    run = make_run(lambda i: 1.0 - i * 1e-9)
    assert collect_notices(QRELS, run)["close-scores"] == (
        "run 'run': 30 of the 30 judged items it returned stand beside one whose score differs in "
        "double precision only (first in query 'q1'); trec_eval 9, and precision=float32, tie them."
    )
    assert "close-scores" not in collect_notices(QRELS, run, precision="float32")
    qrels = {f"q{q}": {f"d{i}": 1 for i in range(100)} for q in range(10)}
    close_run = {q: {item: 200.0 - int(item[1:]) for item in items} for q, items in qrels.items()}
    close_run["q0"]["d1"] = 200.0 - 1e-9
    assert "close-scores" not in collect_notices(qrels, close_run)


@pytest.mark.parametrize(("n_equal", "is_said"), [(0, False), (1, False), (2, True)])
def test_equal_scores_are_said_of_a_tenth_of_the_queries(n_equal, is_said):
    qrels = {f"q{q:02}": {"d1": 1, "d2": 0} for q in range(20)}
    run = {query: {"d1": 2.0, "d2": 1.0} for query in qrels}
    run |= {query: {"d1": 2.0, "d2": 2.0} for query in sorted(qrels)[:n_equal]}
    assert ("equal-scores" in collect_notices(qrels, run)) == is_said
    if is_said:
        assert collect_notices(qrels, run, ties="average")["equal-scores"] == (
            "run 'run': all scores are equal in 2 of 20 queries with several items (first 'q00'); "
            "ties=average averages over all orders."
        )


def test_infinite_scores_are_said_of_objects_too():
    assert collect_notices(QRELS, make_run(lambda i: float("inf") if i == 1 else -i))[
        "infinite-scores"
    ] == ("run 'run': 5 scores are infinite, first on row 1; equal ones are tied.")


def test_labels_of_another_scale_are_said():
    assert collect_notices({"q": {"a": 100, "b": 0}}, {"q": ["a", "b"]}) == {
        "high-labels": "the qrels have labels up to 100 (2 different); gains such as exp2 grow "
        "without measure. Pass a gain table, or other "
        "labels, if they are no grades."
    }
    assert collect_notices({"q": {"a": 1.5, "b": 0}}, {"q": ["a", "b"]}) == {
        "fractional-labels": "1 of the 2 labels of the qrels are no whole numbers, such as 1.5; "
        "where a measure has rel=1, those below 1 are not relevant."
    }
    assert collect_notices({"q": {"a": 10, "b": 0}}, {"q": ["a", "b"]}) == {}


def test_labels_that_stand_for_numbers_of_items_are_not_spoken_of():
    qrels = {"q": {"t": {f"d{i}": 1 for i in range(20)}}}
    scores = evaluate(qrels, {"q": [f"d{i}" for i in range(20)]}, "StRecall@10")
    assert [notice.code for notice in scores.notices] == []


def test_lines_with_a_carriage_return_inside_are_said(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(b"q1 Q0 d1 1 2 t\rq1 Q0 d2 2 1 t\r")
    assert collect_notices(QRELS, path)["carriage-returns"] == (
        f"{path}: 1 line has carriage returns inside, so that several are read as one. End lines "
        "in a line feed."
    )


def test_text_in_utf_16_is_refused_with_its_reason(tmp_path):
    path = tmp_path / "a.run"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        path.write_bytes("q1 Q0 d1 1 2 t\n".encode(encoding))
        with pytest.raises(SourceError) as error:
            evaluate(QRELS, path)
        with_mark = f"{path}: is UTF-16 text. Save it as UTF-8."
        without_mark = f"{path}, line 1: the text must be UTF-8, got NUL bytes; it may be UTF-16."
        assert str(error.value) == (with_mark if encoding == "utf-16" else without_mark)
