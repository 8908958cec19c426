"""What convert() writes, what it refuses, and what is left after an error."""

import os
from pathlib import Path

import polars as pl
import pytest

import gainful
from gainful import Columns, SourceError, convert, evaluate

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d2 1 0.90 tag\nq1 Q0 d1 2 1e-5 tag\nq2 Q0 d1 1 -3 tag\n"
FORMATS = ["txt", "csv", "tsv", "jsonl", "parquet"]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("my.run").write_text(RUN)


@pytest.mark.parametrize("to", FORMATS)
def test_queries_without_items_are_refused_unless_they_may_be_left_out(to):
    Path("in.json").write_text('{"q1": {"d1": 1}, "q2": {}, "3": {}}')
    for source in ("in.json", {"q1": {"d1": 1}, "q2": {}, 3: {}}):
        with pytest.raises(SourceError) as error:
            convert(source, f"out.{to}", holds="qrels")
        place = source if isinstance(source, str) else "source"
        name = "trec" if to == "txt" else to
        assert str(error.value) == (
            f"{place}: 2 queries have no items ('q2', '3'), and {name} has a place for items "
            "alone. Pass --lossy to leave them out."
        )
        assert not Path(f"out.{to}").exists()
        assert convert(source, f"out.{to}", holds="qrels", lossy=True, force=True).n_rows == 1
        Path(f"out.{to}").unlink()


@pytest.mark.parametrize("first", FORMATS)
@pytest.mark.parametrize("second", FORMATS)
def test_there_and_back_gives_the_same_scores(first, second):
    expected = evaluate("qrels.txt", "my.run", ["nDCG", "AP", "RR"]).to_dict()
    for source, name, holds in (("qrels.txt", "a", "qrels"), ("my.run", "my", "run")):
        convert(source, f"{name}.1.{first}", holds=holds)
        convert(f"{name}.1.{first}", f"{name}.2.{second}", holds=holds)
        convert(f"{name}.2.{second}", f"{name}.trec", holds=holds)
    Path("my.trec").rename("back.run")
    again = evaluate("a.trec", gainful.read_run("back.run", name="my"), ["nDCG", "AP", "RR"])
    assert again.to_dict() == expected
    through = evaluate(f"a.1.{first}", gainful.read_run(f"my.2.{second}", name="my"), ["RR"])
    assert through.mean() == {"RR": expected_rr()}


def expected_rr():
    return evaluate("qrels.txt", "my.run", ["RR"])["RR"]


def test_objects_are_converted_too():
    convert({"q": {"a": 2, 7: 0.5}}, "dict.txt", holds="qrels")
    assert Path("dict.txt").read_text() == "q 0 a 2.0\nq 0 7 0.5\n"
    convert({"q": {"a"}}, "sets.txt")
    assert Path("sets.txt").read_text() == "q 0 a 1\n"
    convert({"q": ["a", "b"]}, "lists.csv", holds="run")
    assert Path("lists.csv").read_text() == "query,item,rank\nq,a,1\nq,b,2\n"
    convert(gainful.read_run({"q": ["a"]}), "read.csv")
    assert Path("read.csv").read_text() == "query,item,rank\nq,a,1\n"
    convert(Columns(query=["q"], item=["a"], score=[0.5]), "columns.run")
    assert Path("columns.run").read_text() == "q Q0 a 1 0.5 gainful\n"


def test_words_become_the_labels_they_mean():
    Path("words.csv").write_text("qid,docno,rel\nq1,d1,good\nq1,d2,bad\n")
    convert("words.csv", "out.txt", labels={"good": 2, "bad": 0.5})
    assert Path("out.txt").read_text() == "q1 0 d1 2\nq1 0 d2 0.5\n"


@pytest.mark.parametrize(
    ("rows", "to", "sentence"),
    [
        (
            "qid,docno,rel\nq1,d1,1\n\nq1,d 2,1\n",
            "txt",
            "in.csv, line 4: the item 'd 2' is empty, has white space in it or begins with #, "
            "which TREC files cannot hold. Pass --lossy to change such ids.",
        ),
        (
            "qid,docno,rel\n#q1,d1,1\n",
            "txt",
            "in.csv, line 2: the query '#q1' is empty, has white space in it or begins with #, "
            "which TREC files cannot hold. Pass --lossy to change such ids.",
        ),
        (
            "qid,docno,rel,title,lang\nq1,d1,1,x,en\n",
            "txt",
            "in.csv: trec has no place for the columns 'title', 'lang'. "
            "Pass --lossy to leave them out.",
        ),
        (
            "qid,docno,rel\nq1,d1,1\nq1,d2,good\n",
            "csv",
            "in.csv, line 3: label must be a finite number, got 'good'.",
        ),
        (
            "qid,docno,sim\nq1,d1,nan\n",
            "txt",
            "in.csv, line 2: score must be a number, got 'nan'.",
        ),
        (
            "qid,docno,sim\nq1,d1,inf\n",
            "jsonl",
            "in.csv, line 2: jsonl has no infinite numbers, got 'inf'.",
        ),
        (
            "qid,docno,sim,rank\nq1,d1,1,first\n",
            "txt",
            "in.csv, line 2: rank must be an integer, got 'first'. "
            "Pass --lossy to leave the ranks out.",
        ),
        ("qid,docno,rel\n", "txt", "in.csv: there are no judgments in it."),
        ("qid,docno,rank\n", "parquet", "in.csv: there are no items in it."),
        (
            "qid,docno,score\nq1,d1,1\n",
            "txt",
            "in.csv: cannot tell whether it holds qrels or a run. "
            "Pass --holds qrels or --holds run, holds= in Python.",
        ),
        (
            "q1 d1 1\n",
            "txt",
            "in.csv: cannot tell whether it holds qrels or a run. "
            "Pass --holds qrels or --holds run, holds= in Python.",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_left(rows, to, sentence):
    Path("in.csv").write_text(rows)
    before = sorted(os.listdir())
    with pytest.raises(SourceError) as error:
        convert("in.csv", f"out.{to}")
    assert str(error.value) == sentence
    assert sorted(os.listdir()) == before


def test_a_lossy_conversion_leaves_out_and_changes():
    Path("in.csv").write_text("qid,docno,rel,title\n#q 1,d 1,1,x\n")
    convert("in.csv", "out.txt", lossy=True)
    assert Path("out.txt").read_text() == "_q_1 0 d_1 1\n"
    pl.DataFrame({"qid": [" q "], "docno": ["d"], "rel": [1], "list": [[1]]}).write_parquet(
        "in.parquet"
    )
    with pytest.raises(SourceError) as error:
        convert("in.parquet", "out.csv")
    assert str(error.value) == (
        "in.parquet, row 1: the query ' q ' is empty or begins or ends in white space, "
        "which CSV files do not keep. Pass --lossy to change such ids."
    )
    convert("in.parquet", "out.csv", lossy=True)
    assert Path("out.csv").read_text() == "query,item,label\nq,d,1\n"
    convert("in.parquet", "out.parquet")
    assert pl.read_parquet("out.parquet").rows() == [(" q ", "d", 1, [1])]


@pytest.mark.parametrize(
    ("column", "values", "sentence"),
    [
        ("docno", [1.5], "in.parquet: the item must be strings or integers, got float64 such as "
         "1.5."),
        ("docno", [None], "in.parquet, row 1: the item is missing."),
        ("docno", [b"\xff"], "in.parquet, row 1: the item must be UTF-8 text."),
        ("rel", [None], "in.parquet, row 1: label must be a finite number, got None."),
    ],
)  # fmt: skip
def test_tables_that_hold_no_qrels_are_refused(column, values, sentence):
    columns = {"qid": ["q"], "docno": ["d"], "rel": [1]} | {column: values}
    pl.DataFrame(columns).write_parquet("in.parquet")
    with pytest.raises(SourceError) as error:
        convert("in.parquet", "out.txt")
    assert str(error.value) == sentence


def test_a_link_stays_a_link_and_another_format_is_named():
    Path("real").write_text("old")
    os.symlink("real", "link.csv")
    convert("qrels.txt", "link.csv", force=True)
    assert Path("link.csv").is_symlink()
    assert Path("real").read_text().startswith("query,item,label")
    with pytest.raises(SourceError, match=r"^to: must be one of trec, csv, tsv, jsonl, parquet"):
        convert("qrels.txt", "out", to="xls")
    with pytest.raises(SourceError) as error:
        convert("qrels.txt", "out.csv", holds="x")
    assert str(error.value) == "holds: must be qrels or run, got 'x'."
