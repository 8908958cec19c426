"""JSON lines: what is read, and the error that names the line."""

import pytest

from gainful import SourceError, evaluate, read_qrels


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name="q.jsonl"):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


def labels_by_query(judgments):
    return {query: judgments.labels(query) for query in judgments.queries}


@pytest.mark.parametrize("name", ["q.jsonl", "q.txt", "q"])
def test_rows_are_objects_with_any_names_in_any_order(write, name):
    text = '{"docno": "d1", "qid": "q1", "rel": 2}\n{"qid": "q1", "rel": 0.5, "docno": "d2"}\n'
    assert labels_by_query(read_qrels(write(text, name))) == {"q1": {"d1": 2.0, "d2": 0.5}}


def test_integers_and_texts_meet_and_keep_every_digit(write):
    text = (
        '{"qid": 1, "docno": 9007199254740993, "rel": 1}\n'
        '{"qid": "1", "docno": "9007199254740992", "rel": 0.1}\n'
        '{"qid": 1, "docno": 18446744073709551615, "rel": "3"}\n'
        '{"qid": 1, "docno": 123456789012345678901234567890, "rel": 1e2}\n'
        '{"qid": "01", "docno": "1.0", "rel": 12345678901234567}\n'
    )
    assert labels_by_query(read_qrels(write(text))) == {
        "1": {
            "9007199254740993": 1.0,
            "9007199254740992": 0.1,
            "18446744073709551615": 3.0,
            "123456789012345678901234567890": 100.0,
        },
        "01": {"1.0": 12345678901234567.0},
    }


def test_other_keys_blank_lines_byte_order_mark_and_carriage_returns_do_no_harm(write):
    text = (
        '\ufeff\r\n{"qid": "q", "docno": "\\u00e9", "rel": 1, "more": {"docno": 1.5}}\r\n\r\n'
        '{"qid": "q", "docno": "b", "rel": 2, "title": "x"}'
    )
    assert labels_by_query(read_qrels(write(text))) == {"q": {"é": 1.0, "b": 2.0}}


def test_infinite_scores_are_read_as_python_writes_them(write):
    text = '{"qid": "q", "docno": "a", "score": 1}\n{"qid": "q", "docno": "b", "score": Infinity}\n'
    assert evaluate({"q": {"b": 1}}, write(text), "RR")["RR"] == 1.0


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            '{"qid": "q", "docno": 1.0, "rel": 1}',
            "q.jsonl, line 3: the item must be a string or an integer, got 1.0.",
        ),
        (
            '{"qid": true, "docno": "d", "rel": 1}',
            "q.jsonl, line 3: the query must be a string or an integer, got true.",
        ),
        (
            '{"qid": "q", "docno": ["d"], "rel": 1}',
            'q.jsonl, line 3: the item must be a string or an integer, got ["d"].',
        ),
        ('{"docno": "d", "rel": 1}', "q.jsonl, line 3: has no 'qid', the query."),
        ('{"qid": "q", "docno": null, "rel": 1}', "q.jsonl, line 3: has no 'docno', the item."),
        ('{"qid": "q", "docno": "d"}', "q.jsonl, line 3: has no 'rel', the label."),
        (
            '{"qid": "q", "docno": "d", "rel": "x"}',
            "q.jsonl, line 3: label must be a finite number, got 'x'.",
        ),
        (
            '{"qid": "q", "docno": "d", "rel": true}',
            "q.jsonl, line 3: label must be a finite number, got 'true'. Say what words "
        "mean with --labels true=NUMBER, or labels= in Python.",
        ),
        (
            '{"qid": "q", "docno": "d", "rel": NaN}',
            "q.jsonl, line 3: label must be a finite number, got 'nan'.",
        ),
        (
            '{"qid": "q", "docno": "d", "rel": 1',
            "q.jsonl, line 3: must be a JSON object, got '{\"qid\": \"q\", \"docno\": \"d\", "
            "\"rel\": 1'.",
        ),
        (
            '{"qid": "q", "docno": "d", "rel": 1, "rel": 2}',
            "q.jsonl, line 3: has the key 'rel' twice in one object: "
            "{'qid': 'q', 'docno': 'd', 'rel': 1, 'rel': 2}.",
        ),
        (
            '{"qid": "q", "docno": "d", "rel": {"a": 1, "a": 2}}',
            "q.jsonl, line 3: label must be a finite number, got '\"{\\'a\\': 1, \\'a\\': 2}\"'.",
        ),
        (
            '{"qid": {"a": 1, "a": 2}, "docno": "d", "rel": 1}',
            "q.jsonl, line 3: the query must be a string or an integer, got \"{'a': 1, 'a': 2}\".",
        ),
        ("[" * 9000, f"q.jsonl, line 3: must be a JSON object, got '{'[' * 77}...'."),
        ("[1, 2]", "q.jsonl, line 3: must be a JSON object, got '[1, 2]'."),
        (
            '{"qid": "q1", "docno": "d1", "rel": 2}',
            "q.jsonl, line 3: query 'q1' item 'd1' is judged twice (labels 1 and 2). "
            "Pass --duplicates max to keep the higher.",
        ),
        (
            b'{"qid": "q", "docno": "\xe9", "rel": 1}',
            "q.jsonl, line 3: must be UTF-8 text, got "
            "b'{\"qid\": \"q\", \"docno\": \"\\xe9\", \"rel\": 1}'.",
        ),
    ],
)  # fmt: skip
def test_bad_lines_are_named_by_file_line_and_value(write, line, sentence):
    first = b'{"qid": "q1", "docno": "d1", "rel": 1}\n\n'
    with pytest.raises(SourceError) as error:
        read_qrels(write(first + (line if isinstance(line, bytes) else line.encode())))
    assert str(error.value) == sentence


def test_unknown_names_are_told(write):
    path = write('{"a": "q", "b": "d", "c": 1}\n')
    with pytest.raises(SourceError) as error:
        read_qrels(path)
    assert str(error.value) == (
        "q.jsonl: no column is known as the query; there are 'a', 'b', 'c'. "
        "Name it with --columns qrels.query=NAME, or columns={'query': NAME} in Python."
    )
    columns = {"query": "a", "item": "b", "label": "c"}
    assert labels_by_query(read_qrels(path, columns=columns)) == {"q": {"d": 1.0}}


def test_a_key_that_stands_twice_is_refused_wherever_it_stands(write):
    row = '{"qid": "q1", "docno": "d1", "rel": 1, "rel": 3}\n'
    for text in (row, row + "\n"):
        with pytest.raises(SourceError) as error:
            read_qrels(write(text, "q.jsonl"))
        assert str(error.value).startswith("q.jsonl, line 1: has the key 'rel' twice in one object")
