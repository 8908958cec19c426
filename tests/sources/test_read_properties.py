"""Files that are tables: whatever they hold, it is read as written, or refused in a sentence."""

import csv
import io
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import GainfulError, SourceError, convert, evaluate, read_qrels, read_run
from gainful.sources import text as text_files

IDS = st.text("abé#1 .,;|\t\"'\n\x0b\u2028", min_size=1, max_size=6).filter(
    lambda text: text == text.strip(" \t") and not text.startswith("#")
)
LABELS = st.one_of(st.integers(-2, 5), st.floats(allow_nan=False, allow_infinity=False))
ROWS = st.dictionaries(st.tuples(IDS, IDS), LABELS, min_size=1, max_size=12)


@pytest.fixture(autouse=True, scope="module")
def small_pieces():
    """Pieces of a few bytes, so that they end anywhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "_MIN_PIECE", 20)
        yield


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def labels_by_query(judgments):
    return {query: judgments.labels(query) for query in judgments.queries}


def nested(rows):
    labels = {}
    for (query, item), label in rows.items():
        labels.setdefault(query, {})[item] = float(label)
    return labels


@max_examples(100)
@given(
    ROWS,
    st.sampled_from(",;|\t"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    st.permutations(["query", "item", "label", "title"]),
)
def test_csv_is_read_as_it_was_written(folder, rows, separator, end, quoting, order):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerow(order)
    for (query, item), label in rows.items():
        row = {"query": query, "item": item, "label": repr(label), "title": 'a "b"'}
        writer.writerow([row[name] for name in order])
    path = folder / "q.csv"
    path.write_bytes(text.getvalue().encode())
    assert labels_by_query(read_qrels(path)) == nested(rows)


@max_examples(100)
@given(st.lists(st.sampled_from(["plain", "blank", "quoted"]), max_size=12), st.booleans())
def test_the_line_of_what_is_wrong_is_the_line_of_the_file(folder, kinds, json):
    lines = [] if json else ["qid,docno,rel"]
    for number, kind in enumerate(kinds):
        if kind == "blank":
            lines.append("")
        elif json:
            lines.append(f'{{"qid": "q", "docno": {number}, "rel": 1}}')
        else:
            lines += [f'q,"a\n{number}",1'] if kind == "quoted" else [f"q,{number},1"]
    line = "\n".join(lines).count("\n") + (2 if lines else 1)
    lines.append('{"qid": "q", "docno": "bad", "rel": "x"}' if json else "q,bad,x")
    path = folder / "q.txt"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(SourceError) as error:
        read_qrels(path)
    assert str(error.value) == f"{path}, line {line}: label must be a finite number, got 'x'."


TOKENS = st.sampled_from(["q", "0", "d", "e", "1", "2.5", "#", "x", "é", "1e3"])
SPACES = st.sampled_from([" ", "\t", "  ", " \r", "\x0b"])
LINES = st.lists(st.tuples(TOKENS, SPACES).map("".join), max_size=7).map("".join)


@max_examples(100)
@given(st.lists(st.one_of(LINES, st.just("q 0 d 1"), st.just("# c"), st.just("")), max_size=8))
def test_trec_files_as_tables_are_what_the_native_core_reads(folder, lines):
    path = folder / "qrels"
    path.write_bytes("\n".join(lines).encode())
    results = []
    for labels in (None, {}):
        try:
            results.append(
                labels_by_query(read_qrels(path, format="trec", labels=labels, duplicates="max"))
            )
        except SourceError as error:
            results.append(str(error))
    assert results[0] == results[1]


def _bytes(write):
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


FRAME = pl.DataFrame({"qid": ["q1", "q1"], "docno": ["d1", "d2"], "rel": [1, 0]})
GOOD = [
    b"q1 0 d1 1\n# c\n\nq1 0 d2 0\n",
    b"q1 Q0 d1 1 0.5 t\nq1 Q0 d2 2 0.4 t\n",
    b'query,item,label\nq1,d1,2\n"q1","d 2",0\n',
    b'qid;docid;rel;t\r\nq1;d1;1;"a\r\nb"\r\nq1;d2;0;"c"\r\n',
    b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t0\n",
    b"q1 d1 1\nq1 d2 2\n",
    b"qid docid rel\nq1 d1 1\n q2  d2 0\n",
    b'{"query_id":"q1","doc_id":1,"rel":2}\n{"query_id":"q1","doc_id":"b","rel":0.5,"x":[1]}\n',
    _bytes(FRAME.write_parquet),
    _bytes(FRAME.write_ipc_stream),
]
EDITS = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 3), st.sampled_from(b'",;\t\n\r {}[:#.e\xff\0')),
    max_size=4,
)


def edited(data, edits):
    for at, n_deleted, code in edits:
        at %= len(data) + 1
        data = data[:at] + bytes([code]) + data[at + n_deleted :]
    return data


FILES = st.one_of(st.binary(max_size=60), st.builds(edited, st.sampled_from(GOOD), EDITS))
NAMES = st.sampled_from(["x", "x.csv", "x.tsv", "x.jsonl", "x.parquet"])
CHOICES = st.sampled_from([None, None, "trec", "csv", "tsv", "triples", "jsonl", "parquet"])


@max_examples(200)
@given(FILES, NAMES, CHOICES, st.sampled_from([None, {"query": "1", "item": "2"}]))
@example(b"", "x", "csv", None)
@example(b"\r", "x.csv", "csv", None)
@example(b'"', "x.csv", "csv", {"query": "1", "item": "2"})
def test_any_file_is_read_or_refused(folder, data, name, form, columns):
    path = folder / name
    path.write_bytes(data)
    options = {"format": form, "columns": columns}
    for read in (
        lambda: read_qrels(path, **options),
        lambda: evaluate({"q1": {"d1": 1}}, read_run(path, **options), "nDCG"),
        lambda: convert(path, folder / "out.jsonl", holds="run", force=True, **options),
    ):
        message = "."
        try:
            read()
        except GainfulError as error:
            message = str(error)
        assert message.endswith(".")


@max_examples(100)
@given(ROWS, st.permutations(["csv", "tsv", "jsonl", "parquet"]))
def test_qrels_survive_every_conversion(folder, rows, order):
    frame = pl.DataFrame(
        {
            "query": [query for query, _ in rows],
            "item": [item for _, item in rows],
            "label": pl.Series([float(label) for label in rows.values()]),
        }
    )
    frame.write_parquet(folder / "first.parquet")
    source = folder / "first.parquet"
    for number, end in enumerate(order):
        target = folder / f"{number}.{end}"
        convert(source, target, force=True, holds="qrels")
        source = target
    assert labels_by_query(read_qrels(source)) == nested(rows)
