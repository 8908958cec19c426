"""One collection in every format, container, compression and type of id: the same Scores."""

import bz2
import gzip
import io
import json
import lzma
import uuid
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from gainful import Columns, Grouped, Matrix, Rules, evaluate
from gainful.base.files import import_zstd

MEASURES = ["nDCG@3", "AP", "RR", "DCG", "P@2", "Judged@3"]
JUDGED = [(7, 21, 2), (7, 22, 0), (7, 23, 1), (8, 21, 1), (8, 25, 3), (9, 24, 0), (9, 21, 1)]
RANKED = [
    (7, 23, 3.5), (7, 21, 2.25), (7, 29, 1.125), (7, 22, -0.5),
    (8, 24, 0.1), (8, 25, 0.3), (8, 21, 0.2),
    (9, 24, 16.0), (9, 25, 1e-3), (9, 21, 15.9),
]  # fmt: skip
IDS: dict[str, Callable[[int], Any]] = {
    "integers": int,
    "text": str,
    "bytes": lambda number: str(number).encode(),
    "NumPy integers": np.int16,
}
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: import_zstd().compress(data),
}


def nest(rows, make=str):
    numbers_by_item: dict[Any, Any] = {}
    for query, item, number in rows:
        numbers_by_item.setdefault(make(query), {})[make(item)] = number
    return numbers_by_item


def sort_by_score(rows):
    """In the order of the queries, then of the scores."""
    return sorted(rows, key=lambda row: (row[0], -row[2]))


def as_rankings(rows):
    return {
        str(query): [str(i) for q, i, _ in sort_by_score(rows) if q == query] for query, *_ in rows
    }


def all_but_notices(scores):
    """All that Scores hold but the notices, which name the source."""
    return scores.queries, scores.values.tobytes(), [str(m) for m in scores.measures], scores.rules


EXPECTED = all_but_notices(evaluate(nest(JUDGED), nest(RANKED), MEASURES))


def lines(rows, form, header=""):
    return (header + "".join(form.format(*row) + "\n" for row in rows)).encode()


def as_json(value):
    return json.dumps(value).encode()


def frame(rows, number, make=str, query="query_id", item="doc_id"):
    columns = [[make(cell) for cell in column] for column in list(zip(*rows, strict=True))[:2]]
    return {query: columns[0], item: columns[1], number: [row[2] for row in rows]}


def write_frame(rows, number, method):
    file = io.BytesIO()
    getattr(pl.DataFrame(frame(rows, number)), method)(file)
    return file.getvalue()


def objects(rows, number):
    names = ("query_id", "doc_id", number)
    return [dict(zip(names, (str(q), i, value), strict=True)) for q, i, value in rows]


def replace_scores_by_ranks(rows):
    """The rows with the rank, from 1, in the place of the score."""
    ranks: dict[int, int] = {}
    for query, item, _ in sort_by_score(rows):
        ranks[query] = ranks.get(query, 0) + 1
        yield query, item, ranks[query]


QRELS_FILES: dict[str, bytes] = {
    "trec.qrels": lines(JUDGED, "{} 0 {} {}"),
    "marco.tsv": lines(JUDGED, "{}\t0\t{}\t{}"),
    "triples.txt": lines(JUDGED, "{} {} {}"),
    "beir.tsv": lines(JUDGED, "{}\t{}\t{}", "query-id\tcorpus-id\tscore\n"),
    "comma.csv": lines(JUDGED, "x,{},{},{}", "note,qid,docno,rel\r\n"),
    "quoted.csv": lines(JUDGED, '"{}","{}","{}"', '"query","item","label"\n'),
    "semicolon.csv": lines(JUDGED, "{};{};{}", "user_id;item_id;rating\n"),
    "rows.jsonl": b"".join(as_json(row) + b"\n" for row in objects(JUDGED, "relevance")),
    "rows.json": as_json(objects(JUDGED, "relevance")),
    "dict.json": as_json(nest(JUDGED)),
    "columns.json": as_json(frame(JUDGED, "label")),
    "table.parquet": write_frame(JUDGED, "grade", "write_parquet"),
    "table.arrow": write_frame(JUDGED, "grade", "write_ipc"),
    "stream.arrow": write_frame(JUDGED, "grade", "write_ipc_stream"),
}
RUN_FILES: dict[str, bytes] = {
    "trec.run": lines(RANKED, "{} Q0 {} 1 {} tag"),
    "mixed.run": lines(RANKED[::2] + RANKED[1::2], "{}\tQ0  {} 1 {!r} tag"),
    "triples.txt": lines(RANKED, "{} {} {}"),
    "marco.tsv": lines(replace_scores_by_ranks(RANKED), "{}\t{}\t{}"),
    "comma.csv": lines(RANKED, "{},{},{!r}", "query_id,doc_id,score\n"),
    "tabs.tsv": lines(RANKED, "{}\t{}\t{!r}", "qid\tdocno\tsim\n"),
    "rows.jsonl": b"".join(as_json(row) + b"\n" for row in objects(RANKED, "score")),
    "dict.json": as_json(nest(RANKED)),
    "lists.json": as_json(as_rankings(RANKED)),
    "pairs.json": as_json({q: list(items.items()) for q, items in nest(RANKED).items()}),
    "table.parquet": write_frame(RANKED, "prediction", "write_parquet"),
    "table.feather": write_frame(RANKED, "prediction", "write_ipc"),
}


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("name", QRELS_FILES)
def test_qrels_of_every_format_and_compression_are_the_same(tmp_path, name, packed):
    path = tmp_path / (name + packed)
    path.write_bytes(PACKED[packed](QRELS_FILES[name]))
    assert all_but_notices(evaluate(path, nest(RANKED), MEASURES)) == EXPECTED


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("name", RUN_FILES)
def test_runs_of_every_format_and_compression_are_the_same(tmp_path, name, packed):
    path = tmp_path / (name + packed)
    path.write_bytes(PACKED[packed](RUN_FILES[name]))
    assert all_but_notices(evaluate(nest(JUDGED), path, MEASURES)) == EXPECTED


def sparse(rows, of=scipy.sparse.csr_array):
    query, item, number = zip(*rows, strict=True)
    return of((number, (query, item)), shape=(10, 30))


Row = namedtuple("Row", ["query_id", "doc_id", "score"])


def containers(rows, number):
    """The rows in every container that holds ids of its own."""
    table = frame(rows, number)
    arrow = pa.table(table)
    dictionary = pa.table({name: pa.array(c).dictionary_encode() for name, c in table.items()})
    views = arrow.cast(pa.schema([("query_id", pa.string_view()), ("doc_id", pa.large_string()),
                                  (number, arrow.schema.field(number).type)]))  # fmt: skip
    data = pl.DataFrame(table)
    return {
        "dict of dicts": nest(rows),
        "named tuples": [Row(*row)._asdict() | {number: row[2]} for row in rows],
        "tuples": [(str(q), i, n) for q, i, n in rows],
        "a generator": (row for row in [(str(q), str(i), n) for q, i, n in rows]),
        "columns": Columns(query=table["query_id"], item=table["doc_id"],
                           **{"label" if number == "label" else "score": table[number]}),
        "dict of columns": table,
        "polars": data,
        "polars, lazy": data.lazy(),
        "polars, categorical": data.with_columns(pl.col("query_id", "doc_id").cast(pl.Categorical)),
        "polars, integers": data.with_columns(pl.col("query_id", "doc_id").cast(pl.UInt8)),
        "pyarrow": arrow,
        "pyarrow, batches": pa.Table.from_batches(arrow.to_batches(max_chunksize=2)),
        "pyarrow, reader": pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches()),
        "pyarrow, dictionary": dictionary,
        "pyarrow, views": views,
        "pandas": pd.DataFrame(table),
        "pandas, objects": pd.DataFrame(table).astype({"query_id": object, "doc_id": object}),
        "pandas, Arrow": arrow.to_pandas(types_mapper=pd.ArrowDtype),
        "pandas, categories": pd.DataFrame(table).astype({"query_id": "category"}),
        "pandas, integers": pd.DataFrame(frame(rows, number, int)),
        "grouped": Grouped(table[number], query_ids=table["query_id"], items=table["doc_id"]),
        "sparse rows": sparse(rows),
        "sparse columns": sparse(rows, scipy.sparse.csc_array),
        "sparse triples": sparse(rows, scipy.sparse.coo_matrix),
    }  # fmt: skip


@pytest.mark.parametrize("kind", containers(JUDGED, "label"))
def test_qrels_in_every_container_are_the_same(kind):
    qrels = containers(JUDGED, "label")[kind]
    averaged = Rules(ties="average")  # the default of items without ids, as those of matrices
    expected = all_but_notices(evaluate(nest(JUDGED), nest(RANKED), MEASURES, rules=averaged))
    assert all_but_notices(evaluate(qrels, nest(RANKED), MEASURES, rules=averaged)) == expected


@pytest.mark.parametrize("kind", containers(RANKED, "score"))
def test_runs_in_every_container_are_the_same(kind):
    run = containers(RANKED, "score")[kind]
    assert all_but_notices(evaluate(nest(JUDGED), run, MEASURES)) == EXPECTED


@pytest.mark.parametrize("of_run", IDS)
@pytest.mark.parametrize("of_qrels", IDS)
def test_ids_of_every_type_meet(of_qrels, of_run):
    judged, ranked = nest(JUDGED, IDS[of_qrels]), nest(RANKED, IDS[of_run])
    assert all_but_notices(evaluate(judged, ranked, MEASURES)) == EXPECTED
    columns = frame(RANKED, "score", IDS[of_run], "query", "item")
    assert all_but_notices(evaluate(judged, Columns(**columns), MEASURES)) == EXPECTED


def test_uuids_meet_their_text_in_every_container():
    def make_uuid(number):
        return uuid.UUID(int=number)

    judged, ranked = (nest(rows, make_uuid) for rows in (JUDGED, RANKED))
    expected = all_but_notices(
        evaluate(*(nest(rows, lambda n: str(make_uuid(n))) for rows in (JUDGED, RANKED)))
    )
    raw = pa.array([make_uuid(q).bytes for q, *_ in RANKED], pa.binary(16))
    table = frame(RANKED, "score", lambda n: str(make_uuid(n)))
    typed = pa.table(
        {
            "query": pa.ExtensionArray.from_storage(pa.uuid(), raw),
            "item": table["doc_id"],
            "score": table["score"],
        }
    )
    for run in (ranked, typed, pl.DataFrame(table)):
        assert all_but_notices(evaluate(judged, run)) == expected


def test_learning_to_rank_files_are_read_with_their_predictions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scores = {(query, item): score for query, item, score in RANKED}
    both = [(q, i, n, scores[q, i]) for q, i, n in JUDGED if (q, i) in scores]
    rows = lines(both, "{2} qid:{0} 1:0.5 2:{3} # docid = {1}")
    (tmp_path / "test.letor").write_bytes(rows)
    (tmp_path / "predictions.txt").write_bytes(lines(both, "{3}"))
    judged, ranked = ([(q, i, row[n]) for q, i, *row in both] for n in (0, 1))
    expected = all_but_notices(evaluate(nest(judged), nest(ranked), MEASURES))
    assert all_but_notices(evaluate("test.letor", "predictions.txt", MEASURES)) == expected
    assert (
        all_but_notices(evaluate("test.letor", np.array([row[3] for row in both]), MEASURES))
        == expected
    )


def test_recommender_files_hold_qrels_and_run(tmp_path):
    judged, ranked = nest(JUDGED), as_rankings(RANKED)
    rows = [
        {"user_id": user, "recommend_result": ranked[user], "relevant_items": judged[user]}
        for user in judged
    ]
    path = tmp_path / "recommended.jsonl"
    path.write_bytes(b"".join(as_json(row) + b"\n" for row in rows))
    assert all_but_notices(evaluate(path, path, MEASURES)) == EXPECTED
    assert all_but_notices(evaluate(rows, rows, MEASURES)) == EXPECTED


def test_a_dense_matrix_is_what_its_entries_are():
    labels = np.array([[3.0, 0, 1], [0, 2, 0]])
    scores = np.array([[0.1, 0.7, 0.4], [0.5, 0.2, 0.1]])
    queries, items = ["a", "b"], ["x", "y", "z"]
    qrels = {q: dict(zip(items, row, strict=True)) for q, row in zip(queries, labels, strict=True)}
    run = {q: dict(zip(items, row, strict=True)) for q, row in zip(queries, scores, strict=True)}
    expected = evaluate(qrels, run, MEASURES)
    matrices = [Matrix(numbers, queries=queries, items=items) for numbers in (labels, scores)]
    assert all_but_notices(evaluate(*matrices, MEASURES)) == all_but_notices(expected)
    assert evaluate(labels, scores, MEASURES).values.tobytes() == expected.values.tobytes()


def test_rows_may_be_ordered_by_rank_or_as_they_stand():
    ranks = pl.DataFrame(
        list(replace_scores_by_ranks(RANKED)), schema=["qid", "docno", "rank"], orient="row"
    )
    expected = EXPECTED[:3]
    for run, order in ((ranks, "rank"), (ranks.select("qid", "docno"), "file"), (ranks, "score")):
        result = all_but_notices(evaluate(nest(JUDGED), run, MEASURES, rules=Rules(order=order)))
        assert result[:3] == expected
