"""The format of a file is detected from its content, then from its name."""

import json

import pytest

from gainful.sources.detect import FileStart, detect_file_format


@pytest.mark.parametrize(
    ("text", "name", "qrels", "run"),
    [
        (b"", "x.csv", "trec", "trec"),
        (b"# nothing\n", "x", "trec", "trec"),
        (b"q1 0 d1 1\n", "x.csv", "trec", "trec"),
        (b"q1\t0\td1\t1\n", "x.tsv", "trec", "trec"),
        (b"query 0 doc 1\n", "x", "trec", "trec"),
        (b"q1 Q0 d1 1 0.5 tag\n", "x.jsonl", "trec", "trec"),
        (b"q1 Q0 d1 1 0.5 a tag of words\n", "x", "trec", "trec"),
        (b"a,b 0 c,d 1\n", "x.csv", "trec", "trec"),
        (b"q1 0 d1\n", "x", "trec", "trec"),  # a line that is too short
        (b"q1 0 17\nq1 0 d2 1\n", "x", "trec", "trec"),
        (b"q1 0 d1 x\n", "x", "trec", "trec"),
        (b"q1 Q0 d1 1 0.5\n", "x", "trec", "trec"),
        (b"PAR1...", "x.csv", "parquet", "parquet"),
        (b"ARROW1\0\0", "x", "arrow", "arrow"),
        (b"\xff\xff\xff\xff\x70\0\0\0", "x", "arrow", "arrow"),
        (b"qid,docno,rel\n", "x", "csv", "csv"),
        (b'"qid";"docno";"rel"\n', "x.txt", "csv", "csv"),
        (b"qid|docno|rel\n", "x.tsv", "csv", "csv"),
        (b"qid docno rel\n", "x", "csv", "csv"),
        (b"qid\tdocno\trel\n", "x.csv", "tsv", "tsv"),
        (b"\xef\xbb\xbf# c\r\nqid,docno,rel\r\n", "x", "csv", "csv"),
        (b"query-id\tcorpus-id\tscore\n", "x", "beir", "tsv"),
        (b"a,b,c,d\ne,f,g,h\n", "x", "csv", "csv"),
        (b"a,b,c,d\n", "x.csv", "csv", "csv"),
        (b"a\tb\tc\td e\n", "x.tsv", "tsv", "tsv"),
        (b"q d 1\nq e 2\n", "x", "triples", "msmarco"),
        (b"q,d,0\nq,e,1\n", "x", "triples", "msmarco"),
        (b"q d 1\nr d 1\nq e 2\n", "x", "triples", "msmarco"),
        (b"new york\td\t1\nsan jose\te\t2\n", "x.tsv", "triples", "msmarco"),
        (b"new york\td\t0.5\nsan jose\te\t2\n", "x.tsv.gz", "triples", "triples"),
        (b"q d 1\nq e 0.5\n", "x", "triples", "triples"),
        (b"q d -1e3\n", "x", "triples", "triples"),
        (b'{"qid": 1, "docno": 2, "rel": 1}\n', "x", "jsonl", "jsonl"),
        (b'{"a": 1, "b": 2, "c": 1}\n', "x", "jsonl", "jsonl"),
        (b'{"qid": 1, "docno": 2, "rel": 1, "more": {"a": [1]}}\n', "x", "jsonl", "jsonl"),
    ],
)
def test_content_tells_the_format(text, name, qrels, run):
    assert detect_file_format(FileStart(name, text), "qrels") == qrels
    assert detect_file_format(FileStart(name, text), "run") == run


@pytest.mark.parametrize(
    "value",
    [
        {"q1": {"d1": 1}},
        {"q1": ["d1", "d2"]},
        [{"qid": "q1", "docno": "d1", "rel": 1}],
        {"qid": "q1", "docno": ["d1", "d2"]},
        {"query": "q1", "doc": {"d1": 1}},
        {"recommend_result": [], "relevant_items": {}},
    ],
)
def test_json_that_is_no_line_of_a_row_is_json(value):
    from gainful.sources.detect import detect_json_format

    for indent in (None, 2):
        start = FileStart("x", json.dumps(value, indent=indent).encode())
        assert detect_json_format(start) == "json"


def test_json_on_one_line_that_is_longer_than_what_is_looked_at_is_json():
    from gainful.sources.detect import detect_json_format

    text = json.dumps({f"q{n}": {"d1": 1} for n in range(9000)}).encode()[:65536]
    assert detect_json_format(FileStart("x.jsonl", text)) == "json"


def test_a_line_that_is_cut_is_not_looked_at():
    text = (b"q d 1.5\n" * 9000)[: 65536 - 5]
    assert FileStart("x", text + b"q d 1").lines[-1] == b"q d 1.5"
    assert len(FileStart("x", b"q d 1.5\nq").lines) == 2
