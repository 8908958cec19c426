"""The same collection in every shape gives the same scores, bit for bit."""

import sys
from types import SimpleNamespace

import ir_measures
import numpy as np
import pytest
import scipy.sparse

from gainful import Columns, Grouped, Matrix, Rules, evaluate, read_qrels, read_run
from sources.collection import LABELS, SCORES, Tensor, as_json, as_rows, rows

MEASURES = ["nDCG@2", "nDCG", "AP", "RR", "DCG(gain=exp2)@3", "RBP", "ERR@2", "Judged@2"]
EXPECTED = evaluate(LABELS, SCORES, MEASURES).to_dict()
QRELS_VALUES, QRELS_TEXTS = as_json(LABELS, "relevance")
RUN_VALUES, RUN_TEXTS = as_json(SCORES, "score")


AVERAGED = Rules(ties="average")  # the default of items without ids, such as those of matrices


def same(qrels, run=SCORES, rules=None, **options):
    run = read_run(read_run(run), name="run")
    expected = evaluate(LABELS, SCORES, MEASURES, rules=rules).to_dict() if rules else EXPECTED
    return evaluate(qrels, run, MEASURES, rules=rules, **options).to_dict() == expected


def fresh(source):
    return source() if callable(source) else source


@pytest.mark.parametrize("shape", QRELS_TEXTS)
def test_json_files_give_the_same_scores(shape, tmp_path):
    (tmp_path / "qrels.json").write_text(QRELS_TEXTS[shape], encoding="utf-8")
    (tmp_path / "run.json").write_text(RUN_TEXTS[shape], encoding="utf-8")
    qrels = read_qrels(tmp_path / "qrels.json", format="json")
    assert same(qrels)
    assert same(qrels, read_run(tmp_path / "run.json", format="json"))


@pytest.mark.parametrize("shape", QRELS_VALUES)
def test_objects_in_the_shapes_of_json_give_the_same_scores(shape):
    assert same(QRELS_VALUES[shape])
    assert same(LABELS, RUN_VALUES[shape])


@pytest.mark.parametrize("shape", as_rows(LABELS))
def test_rows_give_the_same_scores(shape):
    if shape != "named tuples of runs":
        assert same(fresh(as_rows(LABELS)[shape]))
    if shape != "named tuples of qrels":
        assert same(LABELS, fresh(as_rows(SCORES)[shape]))


def test_rows_of_ir_measures_give_the_same_scores():
    qrels = [ir_measures.Qrel(*row) for row in rows(LABELS)]
    run = [ir_measures.ScoredDoc(*row) for row in rows(SCORES)]
    assert same(qrels, run)


class Dataset:
    """What ir_datasets.load() returns, as far as it is used."""

    has_qrels = has_scoreddocs = staticmethod(lambda: True)
    qrels_iter = staticmethod(lambda: iter(as_rows(LABELS)["named tuples of qrels"]))
    scoreddocs_iter = staticmethod(lambda: iter(as_rows(SCORES)["named tuples of runs"]))


def test_datasets_of_ir_datasets_give_the_same_scores(monkeypatch):
    assert same(Dataset(), Dataset())
    package = SimpleNamespace(load={"tiny/test": Dataset()}.__getitem__)
    monkeypatch.setitem(sys.modules, "ir_datasets", package)
    assert same("irds:tiny/test", "irds:tiny/test")


LABEL_TABLE, SCORE_TABLE = (
    np.array([list(entries.values()) for entries in table.values()]) for table in (LABELS, SCORES)
)


def _stored(kind):
    """A sparse matrix that stores zeros too."""
    row, column = np.indices(LABEL_TABLE.shape).reshape(2, -1)
    return [
        getattr(scipy.sparse.coo_array((table.ravel(), (row, column))), f"to{kind}")()
        for table in (LABEL_TABLE, SCORE_TABLE)
    ]


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (LABEL_TABLE, SCORE_TABLE),
        (LABEL_TABLE.astype(np.int8), np.asfortranarray(SCORE_TABLE)),
        (LABEL_TABLE.astype(np.float32), np.ma.masked_array(SCORE_TABLE, mask=False)),
        (Tensor(LABEL_TABLE), Tensor(SCORE_TABLE)),
        (Matrix(LABEL_TABLE, queries=[0, "1"]), Matrix(SCORE_TABLE, items=["0", "1", "2"])),
        (
            Matrix(LABEL_TABLE[:, ::-1], items=np.array([2, 1, 0])),
            Matrix(SCORE_TABLE[:, ::-1], items=[[2, 1, 0], [2, 1, 0]]),
        ),
        *((_stored(kind)) for kind in ("csr", "csc", "coo")),
    ],
)
def test_matrices_give_the_same_scores(qrels, run):
    assert same(qrels, run, AVERAGED)


FLAT = {"query_ids": np.repeat([0, 1], 3), "items": np.tile([0, 1, 2], 2)}


@pytest.mark.parametrize(
    "cut",
    [
        {"group_sizes": [3, 3]},
        {"group_sizes": np.array([3, 3], dtype=np.uint32)},
        {"group_sizes": Tensor(np.array([3, 3]))},
        {"group_offsets": np.array([0, 3, 6])},
        {"query_ids": [0, 0, 0, 1, 1, 1]},
        {"query_ids": np.array(["0", "0", "0", "1", "1", "1"])},
    ],
)
def test_groups_with_scores_alone_or_grouped_too_give_the_same_scores(cut):
    qrels = Grouped(LABEL_TABLE.ravel(), **cut, items=FLAT["items"])
    scores = SCORE_TABLE.ravel()
    for run in (scores, scores.tolist(), tuple(scores), Tensor(scores)):
        assert same(qrels, run)
    assert same(qrels, Grouped(scores.tolist(), **cut, items=FLAT["items"]))
    assert same(qrels)
    assert same(read_qrels(qrels), scores)


def test_rows_of_a_query_may_stand_apart():
    order = [5, 0, 3, 1, 2, 4]
    qrels = Grouped(
        LABEL_TABLE.ravel()[order],
        query_ids=FLAT["query_ids"][order],
        items=FLAT["items"][order],
    )
    result = evaluate(qrels, SCORE_TABLE.ravel()[order], MEASURES).to_dict()
    assert list(result["per_query"]) == ["1", "0"]
    assert result["per_query"] == EXPECTED["per_query"]


def test_columns_with_scores_alone_give_the_same_scores():
    query, item, label = map(list, zip(*rows(LABELS), strict=True))
    assert same(Columns(query=query, item=item, label=label), SCORE_TABLE.ravel())


def test_letor_with_predictions_give_the_same_scores(tmp_path):
    lines = [f"{n} qid:{q} 1:0.5 2:0.25 # docid = {i} inc = 1" for q, i, n in rows(LABELS)]
    (tmp_path / "test.txt").write_text("\n".join(lines))
    (tmp_path / "predictions").write_text("\n".join(str(n) for *_, n in rows(SCORES)) + "\n\n")
    qrels = read_qrels(tmp_path / "test.txt", format="letor")
    assert same(qrels, read_run(tmp_path / "predictions", format="predictions"))
    assert same(qrels, SCORE_TABLE.ravel())
    assert same(qrels)
