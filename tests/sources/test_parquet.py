"""Parquet and Arrow files: what is read, and the error that names the row."""

import gzip
import io
import subprocess
import sys

import polars as pl
import pytest

from gainful import SourceError, evaluate, read_qrels
from gainful.sources.native_errors import explain_polars_errors

FRAME = pl.DataFrame(
    {"title": ["x", "y", "z"], "qid": ["q1", "q1", "q2"], "docno": [1, 2, 1], "rel": [2, 0, 1]}
)
EXPECTED = {"q1": {"1": 2.0, "2": 0.0}, "q2": {"1": 1.0}}
WRITE = {
    "parquet": lambda frame, file: frame.write_parquet(file, row_group_size=2),
    "arrow": lambda frame, file: frame.write_ipc(file),
    "stream": lambda frame, file: frame.write_ipc_stream(file),
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(frame, kind, name=None, pack=bytes):
        buffer = io.BytesIO()
        WRITE[kind](frame, buffer)
        name = name or f"q.{kind}"
        (tmp_path / name).write_bytes(pack(buffer.getvalue()))
        return name

    return write


def labels_by_query(judgments):
    return {query: judgments.labels(query) for query in judgments.queries}


@pytest.mark.parametrize("kind", WRITE)
def test_tables_are_read_whatever_the_name_compressed_or_not(write, kind):
    assert labels_by_query(read_qrels(write(FRAME, kind, "q.txt"))) == EXPECTED
    assert labels_by_query(read_qrels(write(FRAME, kind, "q.gz", gzip.compress))) == EXPECTED


def test_a_table_comes_through_a_pipe(write):
    path = write(FRAME, "parquet")
    code = "import gainful; print(gainful.read_qrels('-'))"
    for shell in (f"cat {path} | {sys.executable} -c", f"<{path} {sys.executable} -c"):
        printed = subprocess.check_output(f'{shell} "{code}"', shell=True, text=True)
        assert printed == "<Judgments '-': 2 queries, 3 judgments>\n"


@pytest.mark.parametrize("kind", WRITE)
@pytest.mark.parametrize("ids", [pl.String, pl.Categorical, pl.Int64])
@pytest.mark.parametrize("numbers", [pl.Int8, pl.UInt64, pl.Float32, pl.String])
def test_ids_and_numbers_may_have_any_type(write, kind, ids, numbers):
    frame = FRAME.with_columns(
        pl.col("docno").cast(pl.String).cast(ids), pl.col("rel").cast(numbers)
    )
    assert labels_by_query(read_qrels(write(frame, kind))) == EXPECTED


def test_a_column_whose_name_looks_like_a_pattern_is_found(write):
    frame = FRAME.rename({"rel": "^.*$", "title": "*"})
    assert (
        labels_by_query(read_qrels(write(frame, "parquet"), columns={"label": "^.*$"})) == EXPECTED
    )


def test_runs_have_scores_or_ranks(write):
    run = pl.DataFrame({"qid": ["q1", "q1"], "docno": ["2", "1"], "rank": [1, 2]})
    assert evaluate({"q1": {"1": 1}}, write(run, "parquet"), "RR")["RR"] == 0.5
    scored = run.with_columns(score=pl.Series([0.1, 0.2], dtype=pl.Float32))
    assert evaluate({"q1": {"1": 1}}, write(scored, "arrow"), "RR")["RR"] == 1.0


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (
            FRAME.rename({"qid": "words"}),
            "q.parquet: no column is known as the query; there are 'title', 'words', 'docno', "
            "'rel'. Name it with --columns qrels.query=NAME, or columns={'query': NAME} in Python.",
        ),
        (FRAME.clear(), "q.parquet: there are no judgments in it."),
        (
            FRAME.with_columns(rel=pl.Series(["1", "0", "x"])),
            "q.parquet, row 3: label must be a finite number, got 'x'.",
        ),
        (
            FRAME.with_columns(rel=pl.Series([1.0, float("inf"), 0.0])),
            "q.parquet, row 2: label must be a finite number, got inf.",
        ),
        (
            pl.concat([FRAME, FRAME[2:].with_columns(rel=pl.lit(5, pl.Int64))]),
            "q.parquet: query 'q2' item '1' is judged twice (labels 1 and 5). "
            "Pass --duplicates max to keep the higher.",
        ),
    ],
)
def test_bad_tables_are_named_by_file_row_and_value(write, frame, sentence):
    with pytest.raises(SourceError) as error:
        read_qrels(write(frame, "parquet"))
    # What is judged twice has a row where the native core knows it.
    assert str(error.value).replace("q.parquet, row 4: query", "q.parquet: query") == sentence


@pytest.mark.parametrize(
    ("kind", "name"), [("parquet", "Parquet"), ("arrow", "Arrow"), ("stream", "Arrow")]
)
def test_a_file_that_is_cut_is_said_to_be_unreadable(write, tmp_path, kind, name):
    path = tmp_path / write(FRAME, kind)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(SourceError) as error:
        read_qrels(path)
    assert str(error.value).startswith(f"{path}: cannot be read as {name}")


def test_what_a_panic_of_polars_says_is_not_passed_on():
    class PanicException(BaseException):
        """As polars has it, which is no Exception."""

    sentence = r"^f: cannot be read as Parquet \(its bytes are damaged\)\."
    with pytest.raises(SourceError, match=sentence), explain_polars_errors("Parquet", "f"):
        raise PanicException("called `Result::unwrap()` on an `Err` value")
