"""LETOR files, predictions and ``Grouped`` arrays: what is read, and the error for the rest."""

import bz2

import numpy as np
import pytest

from gainful import Grouped, Rules, SourceError, check, evaluate, read_qrels, read_run

FEATURES = "1:0.000000 2:0.5 3:1"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name="test.txt"):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


def labels(path):
    read = read_qrels(path, format="letor")
    return {query: read.labels(query) for query in read.queries}


def test_without_a_docid_the_line_is_the_item(write):
    path = write(f"2 qid:10 {FEATURES}\n0 qid:10 {FEATURES}\n1.5 qid:x {FEATURES}")
    assert labels(path) == {"10": {"1": 2.0, "2": 0.0}, "x": {"3": 1.5}}


@pytest.mark.parametrize(
    "comment", ["#docid = {}", "# docid={} inc = 1 docid = no", "#x doc_id = {}"]
)
def test_the_docid_of_the_comment_is_the_item(write, comment):
    first, second = comment.format("GX-1"), comment.format("GX-2")
    path = write(f"2 qid:10 {FEATURES} {first}\n0 qid:10 {FEATURES} {second}\n")
    assert labels(path) == {"10": {"GX-1": 2.0, "GX-2": 0.0}}


def test_a_docid_that_is_missing_once_is_used_nowhere(write):
    path = write("2 qid:10 1:1 # docid = a docid = b\n0 qid:10 1:1\n")
    assert labels(path) == {"10": {"1": 2.0, "2": 0.0}}


def test_blank_lines_and_comments_are_skipped_and_counted_as_lines(write):
    path = write(f"\ufeff# docid = head\n\n 2\tqid:10\t{FEATURES}\r\n  \n# end\n-1 qid:9\n")
    assert labels(path) == {"10": {"3": 2.0}, "9": {"6": -1.0}}
    scores = evaluate(read_qrels(path, format="letor"), [1, 2])
    assert str(scores.notices[-1]) == "test.txt: 2 lines that begin with # skipped as comments."


def test_long_ids_and_short_lines_are_read(write):
    long = "q" * 100
    assert labels(write(f"1 qid:{long} 1:1\n2 qid:{long}\n")) == {long: {"1": 1.0, "2": 2.0}}
    assert labels(write("1 qid:a\n2 qid:b\n3 qid:c")) == {
        "a": {"1": 1.0},
        "b": {"2": 2.0},
        "c": {"3": 3.0},
    }


def test_pieces_join_into_lines(write, monkeypatch):
    monkeypatch.setattr("gainful.base.files._PIECE", 7)
    text = f"2 qid:10 {FEATURES} # docid = a\n0 qid:10 {FEATURES} # docid = b\n"
    assert labels(write(bz2.compress(text.encode()))) == {"10": {"a": 2.0, "b": 0.0}}


A_LINE = "A line is: label qid:QUERY feature:value ... # docid = ITEM."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", ": there are no judgments in it."),
        ("1 qid:1 1:1\n2 1:0.5\n", f", line 2: has no qid, got '2 1:0.5'. {A_LINE}"),
        ("1 qid:1 1:1\n2 qid: 1:0.5\n", f", line 2: has no qid, got '2 qid: 1:0.5'. {A_LINE}"),
        ("1\n", f", line 1: has no qid, got '1'. {A_LINE}"),
        ("\nx qid:1 1:1\n", ", line 2: label must be a finite number, got 'x'."),
        ("1 qid:1\nnan qid:1\n", ", line 2: label must be a finite number, got 'nan'."),
        ("1_0 qid:1\n", ", line 1: label must be a finite number, got '1_0'."),
        ("inf qid:1\n", ", line 1: label must be a finite number, got 'inf'."),
        (
            "1 qid:1 # docid = a\n0 qid:1 # docid = a",
            ": query '1' item 'a' is judged twice (labels 1 and 0). "
            "Pass --duplicates max to keep the higher.",
        ),
    ],
)
def test_files_that_cannot_be_read_say_why(write, text, sentence):
    with pytest.raises(SourceError) as error:
        labels(write(text))
    assert str(error.value) == "test.txt" + sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1\n", ": must hold a score for each of the 2 rows of the qrels, got 1."),
        ("1\n2\n3\n", ": must hold a score for each of the 2 rows of the qrels, got 3."),
        ("1\nx\n", ", line 2: expected one score that can be ordered, got 'x'."),
        ("1\n\nnan\n", ", line 3: expected one score that can be ordered, got 'nan'."),
        ("1 2\n", ", line 1: expected one score that can be ordered, got '1 2'."),
        ("1_0\n1\n", ", line 1: expected one score that can be ordered, got '1_0'."),
    ],
)
def test_predictions_that_do_not_fit_say_why(write, text, sentence):
    qrels = read_qrels(write("1 qid:1\n0 qid:1\n"), format="letor")
    with pytest.raises(SourceError) as error:
        evaluate(qrels, read_run(write(text, "scores"), format="predictions"))
    assert str(error.value) == "scores" + sentence


def test_progress_is_told(write):
    calls = []
    read_qrels(write("1 qid:1\n"), format="letor", progress=lambda *told_of: calls.append(told_of))
    assert calls == [("test.txt", 8, 8)]


def test_predictions_need_rows_to_follow(write):
    with pytest.raises(SourceError) as error:
        evaluate({"q": {"a": 1}}, read_run(write("1\n", "scores"), format="predictions"))
    assert str(error.value) == (
        "scores: is scores alone, which needs qrels with rows that they follow. "
        "Pass a LETOR file, Grouped(...) or Columns(...) as qrels."
    )


def test_comments_are_said_without_a_run_too(tmp_path):
    path = tmp_path / "judged.letor"
    path.write_text("# head\n1 qid:1 1:0.5\n0 qid:1 1:0.1\n")
    assert [str(finding) for finding in check(path).findings] == [
        f"{path}: 1 line that begins with # skipped as comments."
    ]


def test_scores_alone_may_be_infinite_and_tied():
    qrels = Grouped([1, 0, 0], group_sizes=[3])
    run = [-np.inf, 2, np.inf]
    assert evaluate(qrels, run, "RR")["RR"] == 1 / 3
    averaged = evaluate(qrels, [1, 1, 1], "P@1", rules=Rules(ties="average"))
    assert averaged["P@1"] == 1 / 3


@pytest.mark.parametrize(
    ("options", "count"), [({}, "none"), ({"group_sizes": [1], "query_ids": [1]}, "several")]
)
def test_groups_are_cut_by_one_thing(options, count):
    with pytest.raises(SourceError) as error:
        Grouped([1], **options)
    assert str(error.value) == (
        f"Grouped: needs one of group_sizes, query_ids and group_offsets, got {count}."
    )


def test_a_group_without_rows_is_a_query():
    from gainful import Grouped, read_qrels

    assert read_qrels(Grouped([1, 0], group_sizes=[2, 0])).queries == ("0", "1")
    assert read_qrels(Grouped([1, 0], group_offsets=[0, 0, 2])).queries == ("0", "1")
