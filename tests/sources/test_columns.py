"""Columns of a table: the names that people use, numbers, and what must be said of them."""

import pytest

from gainful import SourceError, check, evaluate, read_qrels
from sources.test_text import EXPECTED, labels_by_query, text


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


@pytest.mark.parametrize(
    "header",
    [
        ("query-id", "corpus-id", "score"),
        ("qid", "docno", "rel"),
        ("Query ID", "Item ID", "Grade"),
        ("\ufeffuser", "item", "rating"),
        ('"qid"', '"docno"', '"label"'),
    ],
)
def test_columns_are_known_by_the_names_people_use(write, header):
    assert labels_by_query(read_qrels(write("q.tsv", text("\t", header)))) == EXPECTED


def test_a_name_that_nobody_uses_is_given(write):
    path = write("q.csv", text(",", ("search", "sku", "stars")))
    columns = {"query": "search", "item": "sku", "label": "stars"}
    assert labels_by_query(read_qrels(path, columns=columns)) == EXPECTED


def test_the_numbers_of_columns_may_be_numbers(write):
    path = write("my.csv", "d1,q1,2\n")
    assert labels_by_query(read_qrels(path, columns={"query": 2, "item": 1, "label": 3})) == {
        "q1": {"d1": 2.0}
    }


@pytest.mark.parametrize("header", ["query,item,score\n", ""])
def test_comments_above_the_first_row_are_counted(write, header):
    above = "# made by hand\n\n#today\n"
    judged = read_qrels(write("qrels.csv", f"{above}{header}q1,d1,1\n"))
    run = write("run.csv", f"{above}{header}q1,d1,0.5\n#q,d1,0.5\n")
    scores = evaluate(judged, run, "P@1")
    assert [str(notice) for notice in scores.notices if notice.code == "comment-lines"] == [
        "qrels.csv: 2 lines that begin with # skipped as comments.",
        "run.csv: 2 lines that begin with # skipped as comments.",
    ]
    assert "comment-lines" in [finding.code for finding in check("qrels.csv").findings]


def test_columns_must_be_given_by_what_they_are(write):
    with pytest.raises(SourceError) as error:
        read_qrels(write("my.csv", "q1,d1,2\n"), columns=["query"])
    assert str(error.value) == (
        "columns: must say what columns are called, such as {'query': 'qid'}, got ['query']."
    )


def test_columns_without_a_header_are_numbered_from_1(write):
    columns = {"query": "1", "item": "3", "label": "2"}
    path = write("q.csv", "q1,2,d1,x\nq1,0,d2,y\nq2,1,d1,z\n")
    assert labels_by_query(read_qrels(path, columns=columns)) == EXPECTED
    path = write("words.csv", "q1,good,d1,x\nq1,bad,d2,y\nq2,fair,d1,z\n")
    labels = {"good": 2, "fair": 1, "bad": 0}
    assert labels_by_query(read_qrels(path, columns=columns, labels=labels)) == EXPECTED
    path = write("headed.csv", "a,b,c,d\nq1,2,d1,x\nq1,0,d2,y\nq2,1,d1,z\n")
    assert labels_by_query(read_qrels(path, columns=columns)) == EXPECTED
