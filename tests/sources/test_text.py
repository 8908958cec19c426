"""CSV, TSV and rows of three fields: what is read, and the error that names the line."""

import gzip

import pytest

from gainful import Rules, SourceError, evaluate, read_qrels, read_run

EXPECTED = {"q1": {"d1": 2.0, "d2": 0.0}, "q2": {"d1": 1.0}}
ROWS = [("q1", "d1", "2"), ("q1", "d2", "0"), ("q2", "d1", "1")]


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


def labels_by_query(judgments):
    return {query: judgments.labels(query) for query in judgments.queries}


def text(separator, header, end="\n"):
    return "".join(separator.join(row) + end for row in [header, *ROWS])


@pytest.mark.parametrize("name", ["q.csv", "q.txt", "q"])
@pytest.mark.parametrize("separator", [",", ";", "|", "\t", " ", "   "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_separator_line_end_and_name_gives_the_same_judgments(write, name, separator, end):
    header = ("query_id", "doc_id", "relevance")
    assert labels_by_query(read_qrels(write(name, text(separator, header, end)))) == EXPECTED


@pytest.mark.parametrize("separator", [",", "\t", " "])
def test_three_fields_without_a_header_are_query_item_and_label(write, separator):
    path = write("q.txt", "".join(separator.join(row) + "\n" for row in ROWS))
    assert labels_by_query(read_qrels(path)) == EXPECTED


def test_ids_stay_as_they_are_written(write):
    path = write("q.csv", "qid,docid,rel\n001,1e5,1\n1,100000,0\n01,NULL,1\n")
    expected = {"001": {"1e5": 1.0}, "1": {"100000": 0.0}, "01": {"NULL": 1.0}}
    assert labels_by_query(read_qrels(path)) == expected


def test_quotes_enclose_separators_quotes_and_line_feeds(write):
    path = write("q.csv", 'qid,docid,rel\n"q,1","say ""a""",1\n"q\n2",d,"2"\nq3,5" pipe,1\n')
    expected = {"q,1": {'say "a"': 1.0}, "q\n2": {"d": 2.0}, "q3": {'5" pipe': 1.0}}
    assert labels_by_query(read_qrels(path)) == expected


def test_white_space_around_fields_blank_lines_and_comments_above_the_header_are_left_out(write):
    path = write("q.csv", "# judged by hand\n\nqid, docid , rel\n q1,d1 , 2\n\n  \nq1, d2,0\n")
    assert labels_by_query(read_qrels(path)) == {"q1": {"d1": 2.0, "d2": 0.0}}


def test_a_trec_file_is_one_whatever_its_name(write):
    path = write("q.csv", "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n")
    assert labels_by_query(read_qrels(path)) == EXPECTED
    assert labels_by_query(read_qrels(write("words.csv", "query 0 item 1\n"))) == {
        "query": {"item": 1.0}
    }


def test_words_are_labels_where_it_is_said_what_they_mean(write):
    labels = {"good": 2, "fair": 1, "bad": 0}
    path = write("q.csv", "qid,docid,rel\nq1,d1,good\nq1,d2,bad\nq2,d1,fair\n")
    assert labels_by_query(read_qrels(path, labels=labels)) == EXPECTED
    path = write("q.txt", "q1 0 d1 good\nq1 0 d2 bad\nq2 0 d1 fair\n")
    assert labels_by_query(read_qrels(path, labels=labels)) == EXPECTED


def test_compressed_text_is_read_as_well(write):
    packed = gzip.compress(text(",", ("qid", "docid", "rel")).encode())
    assert labels_by_query(read_qrels(write("q.csv.gz", packed))) == EXPECTED


QRELS = {"q1": {"d1": 1}, "q2": {"d1": 1}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("q1\td2\t1\nq1\td1\t2\nq2\td1\t1\n", 0.75),  # ranks, as MS MARCO has them
        ("q1 d2 0\nq1 d1 1\nq2 d1 0\n", 0.75),
        ("q1 d2 1.5\nq1 d1 2.5\nq2 d1 1\n", 1.0),  # scores
        ("qid,docid,rank\nq1,d2,1\nq1,d1,2\nq2,d1,1\n", 0.75),
        ("qid,docid,score\nq1,d2,1\nq1,d1,2\nq2,d1,1\n", 1.0),
        ("qid,docid,rank,sim\nq1,d2,x,1\nq1,d1,x,2\nq2,d1,x,1\n", 1.0),
    ],
)
def test_ranks_or_scores_order_a_run(write, text, value):
    assert evaluate(QRELS, write("my.tsv", text), "RR")["RR"] == value


def test_the_rank_column_of_a_table_orders_if_the_rules_say_so(write):
    path = write("my.csv", "qid,docid,rank,score\nq1,d2,1,0.1\nq1,d1,2,0.9\nq2,d1,1,1\n")
    assert evaluate(QRELS, path, "RR")["RR"] == 1.0
    assert evaluate(QRELS, path, "RR", rules=Rules(order="rank"))["RR"] == 0.75


@pytest.mark.parametrize("numbers", ["10", "11", "120", "01"])
def test_whole_numbers_are_ranks_only_if_they_rise(write, numbers):
    path = write("my.tsv", "".join(f"q1\td{n}\t{number}\n" for n, number in enumerate(numbers, 1)))
    if list(numbers) == sorted(set(numbers)):
        assert evaluate(QRELS, path, "RR")["RR"] == 0.5
        return
    with pytest.raises(SourceError, match="cannot tell whether the third column holds ranks or"):
        evaluate(QRELS, path, "RR")


def test_rows_of_whole_numbers_are_read_as_the_user_says(write):
    path = write("my.tsv", "q1\td2\t7\nq1\td1\t8\nq2\td1\t7\n")
    with pytest.raises(SourceError) as error:
        evaluate(QRELS, path, "RR")
    assert str(error.value) == (
        "my.tsv: cannot tell whether the third column holds ranks or scores. Pass --run-format "
        "msmarco for ranks, triples for scores, or format= in Python."
    )
    assert evaluate(QRELS, read_run(path, format="triples"), "RR")["RR"] == 1.0
    assert evaluate(QRELS, read_run(path, format="msmarco"), "RR")["RR"] == 0.75


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "qid,docid,rel\nq1,d1,1\n\nq1,d2,x\n",
            "q.csv, line 4: label must be a finite number, got 'x'.",
        ),
        (
            'qid,docid,rel,title\nq1,d1,1,"a\nb"\nq1,d2,x,c\n',
            "q.csv, line 4: label must be a finite number, got 'x'.",
        ),
        (
            "\ufeff# by hand\r\nqid;docid;rel\r\nq1;d1;0,5\r\n",
            "q.csv, line 3: label must be a finite number, got '0,5'. Write a decimal point.",
        ),
        ("qid,docid,rel\nq1,d1,\n", "q.csv, line 2: label must be a finite number, got ''."),
        ("qid,docid,rel\nq1,d1\n", "q.csv, line 2: expected 3 fields, found 2: 'q1,d1'."),
        (
            "qid,docid,rel\nq1,d1,1\nq1,d2,1,\n",
            "q.csv, line 3: expected 3 fields, found 4: 'q1,d2,1,'.",
        ),
        (
            'qid,docid,rel\nq1,"d\n1",1\nq1,d2\n',
            "q.csv, line 4: expected 3 fields, found 2: 'q1,d2'.",
        ),
        (
            "qid,docid,rel\nq1,d1,1\nq1,d2,x\nq1\n",  # the first that is wrong comes first
            "q.csv, line 3: label must be a finite number, got 'x'.",
        ),
        ("qid,docid,rel\nq1,,1\n", "q.csv, line 2: the item is empty."),
        ("qid,docid,rel\nq1,d1,1\n  ,d1,1\n", "q.csv, line 3: the query is empty."),
        (
            'qid,docid,rel\nq1,d1,1\nq1,"d2,1\n',
            "q.csv, line 3: the quotes of a field are not closed.",
        ),
        (
            'qid,docid,rel\nq1,"d' + "2" * 200_000,
            "q.csv, line 2: the quotes of a field are not closed.",
        ),
        (
            "qid,docid,rel\nq1,d1,1\nq1,d1,2\n",
            "q.csv, line 3: query 'q1' item 'd1' is judged twice (labels 1 and 2). "
            "Pass --duplicates max to keep the higher.",
        ),
        (
            "search,sku,stars\nq1,d1,1\n",
            "q.csv: no column is known as the query; there are 'search', 'sku', 'stars'. "
            "Name it with --columns qrels.query=NAME, or columns={'query': NAME} in Python.",
        ),
        (
            "qid,docid,stars\nq1,d1,1\n",
            "q.csv: no column is known as the label; there are 'qid', 'docid', 'stars'. "
            "Name it with --columns qrels.label=NAME, or columns={'label': NAME} in Python.",
        ),
        (
            "qid,docid,docid,rel\nq1,d1,d2,1\n",
            "q.csv: 'docid' is the name of 2 columns. "
            "Give the number of the item, from 1: --columns item=2.",
        ),
        ("qid,docid,rel\n", "q.csv: there are no judgments in it."),
        (
            "qid,docid,rel\nq1,d1,1\nq1,dé,1\n".encode("latin-1"),
            "q.csv, line 3: must be UTF-8 text, got b'q1,d\\xe9,1'.",
        ),
        ("qid,docid,rel\nq1,d1,1\n".encode("utf-16"), "q.csv: is UTF-16 text. Save it as UTF-8."),
        (
            b"PK\x03\x04 and so on",
            "q.csv: is a zip archive, as Excel files are. Unpack it, or save the table as CSV.",
        ),
        (
            b"FEA1 and so on",
            "q.csv: is the first version of Feather. Write the second, which is Arrow, or Parquet.",
        ),
    ],
)
def test_bad_tables_are_named_by_file_line_and_value(write, text, sentence):
    with pytest.raises(SourceError) as error:
        read_qrels(write("q.csv", text))
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "qid,docid,score\nq1,d1,nan\n",
            "my.csv, line 2: score must be a number that can be ordered, got NaN.",
        ),
        ("qid,docid,rank\nq1,d1,1.5\n", "my.csv, line 2: rank must be an integer to order by it, "
        "got '1.5'."),
        (
            "qid,docid,score\nq1,d1,1\n\nq1,d2,2\nq1,d1,3\n",
            "my.csv, line 5: query 'q1' item 'd1' is retrieved twice (first on line 2). "
            "Pass --duplicates first, last or max to keep one.",
        ),
    ],
)  # fmt: skip
def test_bad_runs_in_tables_are_named_by_file_line_and_value(write, text, sentence):
    with pytest.raises(SourceError) as error:
        evaluate(QRELS, write("my.csv", text), "RR")
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"format": "xls"},
            "qrels format: must be one of trec, csv, tsv, beir, triples, jsonl, json, parquet, "
            "arrow, letor, got 'xls'.",
        ),
        (
            {"columns": {"query": "topic"}},
            "q.csv: has no column 'topic'; there are 'qid', 'docid', 'rel'.",
        ),
        (
            {"columns": {"topic": "qid"}},
            "columns: must name one of query, item, label, score, rank, got 'topic'.",
        ),
    ],
)
def test_what_the_user_says_of_a_file_must_fit(write, settings, sentence):
    with pytest.raises(SourceError) as error:
        read_qrels(write("q.csv", "qid,docid,rel\nq1,d1,1\n"), **settings)
    assert str(error.value) == sentence
