"""The formats that qrels and runs are written in: columns, digits and compression."""

import bz2
import gzip
import lzma
from pathlib import Path

import polars as pl
import pytest

from gainful import convert
from sources.test_convert import QRELS, RUN


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("my.run").write_text(RUN)


def test_text_formats_keep_every_column_and_the_digits_of_numbers():
    assert convert("my.run", "my.csv").n_rows == 3
    assert Path("my.csv").read_text() == (
        "query,item,score,rank,tag\nq1,d2,0.90,1,tag\nq1,d1,1e-5,2,tag\nq2,d1,-3,1,tag\n"
    )
    convert("qrels.txt", "qrels.tsv")
    assert Path("qrels.tsv").read_text() == (
        "query\titem\tlabel\titeration\nq1\td1\t2\t0\nq1\td2\t0\t0\nq2\td1\t1\t0\n"
    )
    convert("my.run", "my.jsonl")
    assert Path("my.jsonl").read_text().splitlines()[1:] == [
        '{"query":"q1","item":"d1","score":0.00001,"rank":2,"tag":"tag"}',
        '{"query":"q2","item":"d1","score":-3.0,"rank":1,"tag":"tag"}',
    ]


def test_parquet_has_numbers():
    convert("my.run", "my.parquet")
    frame = pl.read_parquet("my.parquet")
    assert frame.schema == {
        "query": pl.String,
        "item": pl.String,
        "score": pl.Float64,
        "rank": pl.Int64,
        "tag": pl.String,
    }
    assert frame["score"].to_list() == [0.9, 1e-5, -3.0]


@pytest.mark.parametrize(
    ("end", "unpack"), [("gz", gzip.decompress), ("bz2", bz2.decompress), ("xz", lzma.decompress)]
)
def test_the_name_says_how_to_compress(end, unpack):
    convert("qrels.txt", f"out.txt.{end}")
    assert unpack(Path(f"out.txt.{end}").read_bytes()).decode() == QRELS


def test_zstandard_is_written_and_read():
    convert("qrels.txt", "out.csv.zst")
    convert("out.csv.zst", "out.txt")
    assert Path("out.txt").read_text() == QRELS


def test_single_precision_is_read_back_as_the_same_number():
    score = pl.Series([0.1, 1e-30, 16777217.0], dtype=pl.Float32)
    frame = pl.DataFrame({"qid": ["q"] * 3, "docno": ["a", "b", "c"], "score": score})
    frame.write_parquet("in.parquet")
    for end in ("csv", "jsonl"):
        convert("in.parquet", f"out.{end}", holds="run")
        convert(f"out.{end}", f"{end}.parquet", holds="run")
        assert pl.read_parquet(f"{end}.parquet")["score"].to_list() == score.to_list()


def test_a_run_without_scores_gets_its_negative_ranks_and_one_without_ranks_its_places():
    Path("ranks.tsv").write_text("q1\td1\t1\nq1\td2\t2\nq2\td1\t1\n")
    convert("ranks.tsv", "ranks.run", holds="run")
    assert Path("ranks.run").read_text() == (
        "q1 Q0 d1 1 -1 gainful\nq1 Q0 d2 2 -2 gainful\nq2 Q0 d1 1 -1 gainful\n"
    )
    Path("scores.csv").write_text("qid,docno,sim\nq1,d1,3\nq2,d1,2\nq1,d2,1\n")
    convert("scores.csv", "scores.run")
    assert Path("scores.run").read_text() == (
        "q1 Q0 d1 1 3 gainful\nq2 Q0 d1 1 2 gainful\nq1 Q0 d2 2 1 gainful\n"
    )
