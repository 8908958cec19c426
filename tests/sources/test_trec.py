"""TREC files: white space, comments and ids, and the error for each line that is wrong."""

import pytest

import gainful
from gainful import Rules, SourceError, evaluate, read_qrels

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d2 1 0.9 tag\nq1 Q0 d1 2 0.8 tag\nq2 Q0 d1 1 0.7 tag\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


def test_any_white_space_line_end_comment_and_byte_order_mark_is_read(write):
    odd = "\ufeff# judged by hand\r\nq1\t0  d1\t2\r\n\r\n  q1 0 d2 0 \nq2 0 d1 1"
    assert read_qrels(write("q.txt", odd)).labels("q1") == {"d1": 2.0, "d2": 0.0}
    assert read_qrels("q.txt").queries == ("q1", "q2")


def test_ids_that_are_no_text_survive(write):
    qrels = write("q.txt", b"q\xff 0 d\xfe\x00 1\n")
    run = write("r.txt", b"q\xff Q0 d\xfe\x00 1 0.5 t\n")
    scores = evaluate(qrels, run, "nDCG")
    assert scores["nDCG"] == 1.0
    assert scores.queries == (b"q\xff".decode("utf-8", "surrogateescape"),)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "q1 0 d1\n",
            "qrels.txt, line 1: expected 4 fields, found 3: 'q1 0 d1'. "
            "A line of qrels is: query iteration item label.",
        ),
        ("q1 0 d1 1\nq1 0 d2 x\n", "qrels.txt, line 2: label must be a finite number, got 'x'."),
        ("q1 0 d1 nan\n", "qrels.txt, line 1: label must be a finite number, got 'nan'."),
        (
            RUN,
            "qrels.txt, line 1: expected 4 fields, found 6: 'q1 Q0 d2 1 0.9 tag'. "
            "This looks like a run; qrels come first.",
        ),
        (
            "q7 0 d12 1\nq7 0 d12 0\n",
            "qrels.txt, line 2: query 'q7' item 'd12' is judged twice (labels 1 and 0). "
            "Pass --duplicates max to keep the higher.",
        ),
        (
            "q 0 d 4\nq 0 d 6\n",
            "qrels.txt, line 2: query 'q' item 'd' is judged twice (labels 4 and 6). "
            "Pass --duplicates max to keep the higher.",
        ),
        ("", "qrels.txt: there are no judgments in it."),
        ("# nothing\n\n", "qrels.txt: there are no judgments in it."),
    ],
)
def test_bad_qrels_are_named_by_file_line_and_value(write, text, sentence):
    with pytest.raises(SourceError) as error:
        read_qrels(write("qrels.txt", text))
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("text", "rules", "sentence"),
    [
        (
            "q1 Q0 d1 1 0.5\n",
            {},
            "my.run, line 1: expected 6 fields, found 5: 'q1 Q0 d1 1 0.5'. "
            "A line of a run is: query Q0 item rank score tag.",
        ),
        (
            QRELS,
            {},
            "my.run, line 1: expected 6 fields, found 4: 'q1 0 d1 2'. This looks like qrels; they "
            "come first, the run second.",
        ),
        ("q1 Q0 d1 1 high t\n", {}, "my.run, line 1: score must be a number, got 'high'."),
        (
            "q1 Q0 d1 1 0 t\nq1 Q0 d2 2 NaN t\n",
            {},
            "my.run, line 2: score must be a number that can be ordered, got NaN.",
        ),
        (
            "q1 Q0 d1 1.5 0 t\n",
            {"order": "rank"},
            "my.run, line 1: rank must be an integer to order by it, got '1.5'.",
        ),
        (
            "q1 Q0 d1 1 5 t\nq1 Q0 d2 2 4 t\nq1 Q0 d1 3 3 t\n",
            {},
            "my.run, line 3: query 'q1' item 'd1' is retrieved twice (first on line 1). "
            "Pass --duplicates first, last or max to keep one.",
        ),
        ("", {}, "my.run: there are no items in it."),
    ],
)
def test_bad_runs_are_named_by_file_line_and_value(write, text, rules, sentence):
    with pytest.raises(gainful.GainfulError) as error:
        evaluate(write("qrels.txt", QRELS), write("my.run", text), rules=Rules(**rules))
    assert str(error.value) == sentence
