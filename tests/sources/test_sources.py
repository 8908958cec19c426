"""Files and dicts, read; and the exact sentence for each that cannot be."""

import bz2
import gzip
import lzma
from collections import UserDict, defaultdict

import numpy as np
import pytest

import gainful
from gainful import Columns, Rules, SourceError, evaluate, read_qrels, read_run

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


@pytest.mark.parametrize("module", [gzip, bz2, lzma])
def test_compressed_files_give_the_same_values(write, module):
    extension = {gzip: ".gz", bz2: ".bz2", lzma: ".xz"}[module]
    plain = evaluate(write("qrels.txt", QRELS), write("my.run", RUN))
    packed = evaluate(
        write("qrels.txt" + extension, module.compress(QRELS.encode())),
        write("my.run" + extension, module.compress(RUN.encode())),
    )
    assert packed.to_dict() == plain.to_dict()
    assert packed.run == "my"


def test_compression_is_recognised_by_content_whatever_the_name(write):
    assert read_qrels(write("packed", gzip.compress(QRELS.encode()))).queries == ("q1", "q2")


def test_an_id_that_begins_like_a_compressed_file_is_an_id(write):
    assert read_qrels(write("plain", "BZhang 0 d 1\n")).queries == ("BZhang",)


def test_a_run_may_be_given_another_name():
    assert read_run(read_run({"q": ["a"]}), name="new").name == "new"


def test_an_item_that_is_relevant_twice_is_an_error():
    with pytest.raises(SourceError, match="judged twice"):
        read_qrels({"q": ["a", "a"]})
    assert read_qrels({"q": {"a"}, "p": set()}).queries == ("q", "p")


def test_sets_and_lists_of_relevant_items_are_qrels():
    run = {"u1": ["i2", "i9"], "u2": ["i9"]}
    for relevant in ({"u1": {"i2"}, "u2": {"i9"}}, {"u1": ["i2"], "u2": ("i9",)}):
        assert evaluate(relevant, run, "nDCG")["nDCG"] == 1.0


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


def test_dicts_of_any_mapping_type_and_id_type_are_read():
    qrels = defaultdict(dict, {1: {10: 1.5, b"x": 0}})
    run = UserDict({"1": UserDict({"10": 3, "x": 2})})
    assert evaluate(qrels, run, "nDCG")["nDCG"] == 1.0


def test_lists_are_ranked_as_they_stand_under_every_order():
    qrels, run = {"q": {"a": 1}}, {"q": ("c", "b", "a")}
    for order in ("score", "rank", "file"):
        assert evaluate(qrels, run, "DCG", rules=Rules(order=order))["DCG"] == 0.5


def test_judgments_are_read_once_for_many_runs():
    judgments = read_qrels({"q": {"a": 1}})
    assert read_qrels(judgments) is judgments
    assert repr(judgments) == "<Judgments 'qrels': 1 query, 1 judgment>"
    assert [evaluate(judgments, {"q": [i]}, "nDCG")["nDCG"] for i in "ab"] == [1.0, 0.0]


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


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        (
            {"q": {"a": "x"}},
            {},
            "qrels: query 'q' item 'a': label must be a finite number, got 'x'.",
        ),
        (
            {"q": {"a": None}},
            {},
            "qrels: query 'q' item 'a': label must be a finite number, got None.",
        ),
        ({"q": {"a": 1}, "r": {"a"}}, {}, "qrels: query 'r' must hold a dict of items, got {'a'}."),
        (
            {"q": {"a"}, "r": {"a": 1}},
            {},
            "qrels: query 'r' must hold a set of items, got {'a': 1}.",
        ),
        (
            {1.5: {"a": 1}},
            {},
            "qrels: an id must be a string, an integer, bytes or a UUID, got 1.5.",
        ),
        (
            {"q": {"a": 1}},
            {"q": {"a": float("nan")}},
            "run 'run': query 'q' item 'a': score must be a number that can be ordered, got NaN.",
        ),
        (
            {"q": {"a": 1}},
            {"q": ["a"], "r": 3},
            "run 'run': query 'r' must hold a list of items, got 3.",
        ),
        (
            {"q": {"a": 1}},
            {"q": {"a": 1}, "r": ["a"]},
            "run 'run': query 'r' must hold a dict of items, got ['a'].",
        ),
        (
            {"q": {"a": 1}},
            {"q": ["a", "a"]},
            "run 'run': query 'q' item 'a' is retrieved twice. "
            "Pass --duplicates first, last or max to keep one.",
        ),
        (
            {1: {"a": 1}, "1": {"a": 2}},
            {},
            "qrels: query '1' item 'a' is judged twice (labels 1 and 2). "
            "Pass --duplicates max to keep the higher.",
        ),
        ({}, {}, "qrels: there are no judgments in it."),
    ],
)
def test_bad_dicts_are_named_by_query_item_and_value(qrels, run, sentence):
    with pytest.raises(SourceError) as error:
        evaluate(qrels, run)
    assert str(error.value) == sentence


@pytest.mark.parametrize("source", [42, None, b"qrels", {"a", "b"}, object()])
def test_an_object_of_no_known_kind_is_an_error_that_names_the_kinds(source):
    with pytest.raises(SourceError) as error:
        read_qrels(source)
    kinds = (
        "a path, a dict of sets, a dict of dicts, dicts and lists within each other, rows, "
        "columns, a data frame or table, a DataFrame of Spark, a data set of ir_datasets, "
        "a data set of Hugging Face, a matrix, grouped"
    )
    assert str(error.value) == f"qrels: must be one of {kinds}, got {source!r:.60}."


def test_unreadable_files_say_why(write, tmp_path):
    for path, sentence in (
        ("none.txt", "none.txt: no such file or directory."),
        (str(tmp_path), f"{tmp_path}: is a directory."),
        (
            write("cut.gz", gzip.compress(QRELS.encode())[:20]),
            "cut.gz: the compressed data end too early; the file was cut short.",
        ),
    ):
        with pytest.raises(SourceError) as error:
            read_qrels(path)
        assert str(error.value) == sentence


def test_columns_give_what_the_same_rows_in_files_give(write):
    rows = [line.split() for line in QRELS.splitlines()]
    qrels = Columns(
        query=[r[0] for r in rows],
        item=np.array([r[2] for r in rows]),
        label=[float(r[3]) for r in rows],
    )
    rows = [line.split() for line in RUN.splitlines()][::-1]  # queries need not stand together
    run = Columns(
        query=np.array([r[0] for r in rows]),
        item=[r[2] for r in rows],
        score=np.array([float(r[4]) for r in rows]),
        rank=[int(r[3]) for r in rows],
    )
    files = evaluate(write("qrels.txt", QRELS), write("run.txt", RUN))
    assert evaluate(qrels, run).to_dict() == files.to_dict()
    by_rank = Rules(order="rank")
    assert evaluate(qrels, run, rules=by_rank).mean() == files.mean()
    ranks_alone = Columns(query=run.query, item=run.item, rank=run.rank)
    assert evaluate(qrels, ranks_alone).mean() == files.mean()


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        (
            {"label": [1]},
            {"score": [1, 2]},
            "columns: must have the same length, got query 1, item 1, score 2.",
        ),
        (
            {},
            {"score": [1]},
            "qrels: columns must hold labels, got none. Pass Columns(..., label=...).",
        ),
        (
            {"label": [1]},
            {},
            "run: columns must hold scores or ranks, got neither. Pass Columns(..., score=...).",
        ),
        ({"label": [1]}, {"rank": [1.5]}, "rank: must be integers, got [1.5]."),
        ({"label": [1]}, {"rank": [2**63]}, "rank: must be integers, got [9223372036854775808]."),
        (
            {"label": [1]},
            {"score": [float("nan")]},
            "scores: must be numbers that can be ordered, got nan at position 0.",
        ),
        (
            {"label": [float("inf")]},
            {"score": [1]},
            "labels: must be finite numbers, got inf at position 0.",
        ),
        (
            {"item": [None], "label": [1]},
            {"score": [1]},
            "qrels, row 1: query 'q': an id must be a string, an integer, bytes or a UUID, "
            "got None.",
        ),
    ],
)
def test_bad_columns_are_named(qrels, run, sentence):
    with pytest.raises(SourceError) as error:
        evaluate(
            Columns(**{"query": ["q"], "item": ["a"]} | qrels),
            Columns(query=["q"], item=["a"], **run),
        )
    assert str(error.value) == sentence
