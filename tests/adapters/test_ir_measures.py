"""The interface of ir_measures: its syntax, its inputs, and its errors."""

import gzip
import io
import math
import pickle
import subprocess
import sys
from typing import NamedTuple

import pytest

import gainful.adapters.ir_measures as ir_measures
from gainful.adapters.ir_measures import (
    AP,
    ERR,
    INST,
    MAP,
    MRR,
    NDCG,
    RBP,
    RR,
    Accuracy,
    IPrec,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    Precision,
    Qrel,
    ScoredDoc,
    SetF,
    SetP,
    SetRelP,
    alpha_nDCG,
    nDCG,
    α_nDCG,
)
from gainful.errors import MeasureError, SourceError

QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "u": 1.0}, "q3": {"a": 1.0}}
QREL_ROWS = [Qrel(query, item, label) for query in QRELS for item, label in QRELS[query].items()]
RUN_ROWS = [ScoredDoc(query, item, score) for query in RUN for item, score in RUN[query].items()]


class Frame:
    """The part of a DataFrame that is read: named columns."""

    class Column(list):
        tolist = list.copy

    def __init__(self, **columns):
        self.values = {name: Frame.Column(values) for name, values in columns.items()}
        self.columns = list(columns)

    def __getitem__(self, name):
        return self.values[name]

    def __len__(self):
        return len(next(iter(self.values.values())))

    def itertuples(self):
        raise AssertionError("rows are slow")


def make_frame(rows):
    return Frame(**{name: [getattr(row, name) for row in rows] for name in rows[0]._fields})


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        (nDCG @ 10, "nDCG@10"),
        (P(rel=2) @ 5, "P(rel=2)@5"),
        (P(rel=1) @ 5, "P@5"),
        (P(rel=2, judged_only=True) @ 5, "P(rel=2,judged_only=True)@5"),
        (nDCG(dcg="exp-log2") @ 10, "nDCG(dcg='exp-log2')@10"),
        (nDCG(gains={0: 0, 1: 1, 2: 5}), "nDCG(gains={2:5})"),
        (RBP(p=0.8), "RBP"),
        (SetF(beta=2), "SetF(beta=2)"),
        (IPrec @ 0.1, "IPrec@0.1"),
        (SetRelP, "SetP(relative=True)"),
        (NumRelRet, "NumRet(rel=1)"),
        (α_nDCG @ 10, "alpha_nDCG@10"),
        (MAP, "AP"),
        (MRR @ 10, "RR@10"),
        (NDCG, "nDCG"),
        (Precision @ 1, "P@1"),
    ],
)
def test_measures_are_spelled_as_in_ir_measures(measure, text):
    assert (str(measure), repr(measure)) == (text, text)
    assert ir_measures.parse_measure(text) == measure
    assert pickle.loads(pickle.dumps(measure)) == measure


def test_measures_are_compared_by_value():
    assert P(rel=1) @ 5 == P @ 5
    assert hash(P(rel=1) @ 5) == hash(P @ 5)
    assert P(rel=2, judged_only=True) @ 5 == (P @ 5)(judged_only=True, rel=2)
    assert nDCG(gains={1: 1, 2: 5}) == nDCG(gains={2: 5})
    assert nDCG(gains={2: 5}) != nDCG
    assert P @ 5 != "P@5"
    assert alpha_nDCG is α_nDCG
    assert {P @ 5: "a"}[ir_measures.parse_measure("Precision@5")] == "a"


def test_settings_can_be_asked_for():
    assert (P(rel=2) @ 5)["cutoff"] == 5
    assert (P(rel=2) @ 5)["rel"] == 2
    assert P["rel"] == 1
    assert (P @ 5).NAME == "P"
    assert (P @ 5).params == {"cutoff": 5}


def test_both_means_and_values_are_given():
    aggregated, per_query = ir_measures.calc([P @ 2, NumRet, RR], QRELS, RUN)
    # q1 has b, a: one of two is relevant, at rank 2; the run has nothing for q2.
    assert aggregated == {P @ 2: (1 / 2 + 0) / 2, NumRet: 3.0, RR: (1 / 2 + 0) / 2}
    assert per_query == [
        ("q1", P @ 2, 0.5),
        ("q1", NumRet, 3.0),
        ("q1", RR, 0.5),
        ("q2", P @ 2, 0.0),
        ("q2", NumRet, 0.0),
        ("q2", RR, 0.0),
    ]
    first = per_query[0]
    assert (first.query_id, first.measure, first.value) == ("q1", P @ 2, 0.5)
    assert list(ir_measures.iter_calc([P @ 2, NumRet, RR], QRELS, RUN)) == per_query
    assert ir_measures.calc_aggregate([P @ 2, NumRet, RR], QRELS, RUN) == aggregated


def test_a_measure_can_be_asked_alone():
    assert (P @ 2).calc_aggregate(QRELS, RUN) == 0.25
    assert (P @ 2).calc(QRELS, RUN).aggregated == 0.25
    assert [metric.value for metric in (P @ 2).iter_calc(QRELS, RUN)] == [0.5, 0.0]
    assert (P @ 2).evaluator(QRELS).calc_aggregate(RUN) == {P @ 2: 0.25}


def test_an_evaluator_serves_many_runs():
    evaluator = ir_measures.evaluator([RR, "P@1", RR], QRELS)
    assert evaluator.measures == (RR, P @ 1)
    assert evaluator.calc_aggregate(RUN) == {RR: 0.25, P @ 1: 0.0}
    assert evaluator.calc_aggregate({"q2": {"a": 1.0}}) == {RR: 0.5, P @ 1: 0.5}
    assert evaluator.calc_aggregate({}) == {RR: 0.0, P @ 1: 0.0}


def test_what_is_known_of_queries_is_lost_where_the_run_lacks_them():
    # As in ir_measures: q2 has a relevant item, and is a query.
    assert ir_measures.calc_aggregate([NumRel, NumQ], QRELS, RUN) == {NumRel: 2.0, NumQ: 1.0}


def test_without_a_judged_query_there_is_no_mean():
    aggregated, per_query = ir_measures.calc([RR, NumRet], {}, RUN)
    assert math.isnan(aggregated[RR])
    assert (aggregated[NumRet], per_query) == (0, [])


def test_a_query_without_judgments_scores_0():
    qrels, run = {"q1": {}, "q2": {"a": 1}}, {"q1": {"a": 1.0}}
    measures = [alpha_nDCG @ 5, P @ 1]
    for judgments in (qrels, {"q1": {}}):
        values = ir_measures.calc_aggregate(measures, judgments, run)
        assert values == dict.fromkeys(measures, 0.0)


def test_ties_are_ordered_as_the_provider_of_each_measure_orders_them():
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    assert RR.calc_aggregate(qrels, run) == 1 / 3  # trec_eval: c, b, a
    assert (RR @ 3).calc_aggregate(qrels, run) == 1.0  # msmarco: a, b, c
    assert (Judged @ 1).calc_aggregate(qrels, {"q": {"c": 1.0, "a": 1.0}}) == 1.0  # a, c
    assert RBP(rel=1, p=0.5).calc_aggregate(qrels, {"q": {"b": 1.0, "a": 1.0}}) == 0.25  # as listed


def test_labels_above_the_highest_gain_no_more_than_it():
    qrels, run = {"q": {"a": 9, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    clipped_qrels = {"q": {"a": 3, "b": 1}}
    measure = INST(max_rel=3)
    assert measure.calc_aggregate(qrels, run) == measure.calc_aggregate(clipped_qrels, run)


def test_gains_stand_in_the_place_of_labels_that_they_name():
    # a gains 5, c its label: found at ranks 2 and 3; at best at 1 and 2.
    dcg = 5 / math.log2(3) + 1 / math.log2(4)
    value = nDCG(gains={2: 5}).calc_aggregate(
        {"q1": QRELS["q1"]}, {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}}
    )
    assert value == pytest.approx(dcg / (5 + 1 / math.log2(3)), rel=1e-15)


def test_settings_that_no_provider_takes_are_computed():
    # a, of label 2, at rank 2; q2 scores 0.
    assert (RBP(p=0.5, rel=2) @ 2).calc_aggregate(QRELS, RUN) == (0.5 * 0.5 + 0) / 2
    assert (RBP(p=0.5, rel=2) @ 1).calc_aggregate(QRELS, RUN) == 0.0
    assert (RR(judged_only=True) @ 3).calc_aggregate(QRELS, {"q1": {"u": 2.0, "a": 1.0}}) == 0.5
    assert NumRel(rel=2).calc_aggregate(QRELS, RUN) == 1.0


def test_accuracy_alone_leaves_out_queries_where_nothing_relevant_is_found():
    assert Accuracy.calc_aggregate(QRELS, RUN) == 0.5
    assert ir_measures.calc_aggregate([Accuracy, RR], QRELS, RUN)[Accuracy] == 0.25
    assert math.isnan(Accuracy.calc_aggregate(QRELS, {}))


@pytest.mark.parametrize("shape", [iter, list, tuple, make_frame])
def test_rows_and_frames_are_read_as_dicts_are(shape):
    measures = [nDCG @ 10, RR @ 5, Judged, alpha_nDCG @ 5, INST(max_rel=2)]
    expected = ir_measures.calc(measures, QRELS, RUN)
    assert ir_measures.calc(measures, shape(QREL_ROWS), shape(RUN_ROWS)) == expected


def test_rows_may_be_of_another_kind_and_the_last_of_an_item_counts():
    class Judgment(NamedTuple):
        query_id: str
        relevance: int
        doc_id: str

    qrels = [Judgment("q", 0, "a"), Judgment("q", 1, "a")]
    run = [ScoredDoc("q", "b", 2.0), ScoredDoc("q", "a", 1.0), ScoredDoc("q", "a", 3.0)]
    assert RR.calc_aggregate(qrels, run) == 1.0


@pytest.mark.parametrize("shape", [list, make_frame])
def test_iterations_are_subtopics(shape):
    qrels = [Qrel("q", "a", 1, "s"), Qrel("q", "b", 1, "t"), Qrel("q", "c", 1, "s")]
    measure = ir_measures.StRecall @ 2
    run = {"q": {"a": 3.0, "c": 2.0, "b": 1.0}}
    assert measure.calc_aggregate(shape(qrels), run) == 1 / 2  # of s and t, a and c cover s


def test_files_are_read(tmp_path):
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt.gz"
    lines = [f"{j.query_id} 0 {j.doc_id} {j.relevance}\n" for j in QREL_ROWS]
    qrels.write_text("".join(lines))
    lines = [f"{f.query_id} Q0 {f.doc_id} 1 {f.score} bm25\n" for f in RUN_ROWS]
    run.write_bytes(gzip.compress("".join(lines).encode()))
    assert list(ir_measures.read_trec_qrels(str(qrels))) == QREL_ROWS
    assert list(ir_measures.read_trec_qrels(qrels)) == QREL_ROWS
    assert list(ir_measures.read_trec_run(str(run))) == RUN_ROWS
    assert list(ir_measures.read_trec_run(io.StringIO("\n" + "".join(lines)))) == RUN_ROWS
    assert list(ir_measures.read_trec_run("".join(lines))) == RUN_ROWS
    measures = [nDCG @ 10, alpha_nDCG @ 5]
    expected = ir_measures.calc(measures, QRELS, RUN)
    assert ir_measures.calc(measures, qrels, run) == expected
    assert ir_measures.calc(measures, str(qrels), str(run)) == expected


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: P(depth=3), "P has no setting 'depth'; it takes cutoff, rel, judged_only."),
        (lambda: NumQ @ 3, "NumQ has no setting 'cutoff'; it takes none."),
        (lambda: P.calc(QRELS, RUN), "P needs a cutoff, for example P@10."),
        (lambda: (P(rel=0) @ 5).translation, "P: rel must be a number > 0, got 0."),
        (lambda: RBP(p=0.9).translation, "RBP needs a rel, for example RBP(rel=1)."),
        (lambda: INST.translation, "INST needs a max_rel, for example INST(max_rel=3)."),
        (lambda: nDCG(dcg="ln").translation, "nDCG: dcg must be one of log2, exp-log2, got 'ln'."),
        (lambda: ir_measures.parse_measure("ndgc@5"), "unknown measure 'ndgc'. Did you mean NDCG?"),
        (
            lambda: ir_measures.parse_measure("P(2)@5"),
            "cannot read 'P(2)@5' as a measure; write it like P(rel=2)@10.",
        ),
        (
            lambda: ir_measures.parse_measure("P@"),
            "cannot read 'P@' as a measure; write it like P(rel=2)@10.",
        ),
        (
            lambda: ir_measures.calc([5], QRELS, RUN),
            "measures: must be measures, or text such as 'nDCG@10', got 5.",
        ),
        (
            lambda: ir_measures.calc(AP, QRELS, RUN),
            "measures: must be a list of measures, got AP.",
        ),
        (
            lambda: ir_measures.parse_trec_measure("gm_map"),
            "gm_map: ir_measures has no measure for it. Use gainful.evaluate().",
        ),
        (
            lambda: ir_measures.parse_trec_measure("map_7"),
            "map: takes no parameter, got 'map_7'.",
        ),
    ],
)
def test_measures_that_do_not_fit_are_refused(make, sentence):
    with pytest.raises(MeasureError) as error:
        make()
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        (5, RUN, "qrels: must be a dict of dicts, a DataFrame, rows or a path, got 5."),
        (
            [("q", "a", 1)],
            RUN,
            "qrels: rows must have query_id, doc_id, relevance, got ('q', 'a', 1).",
        ),
        (RUN_ROWS, RUN, "qrels: rows must have query_id, doc_id, relevance, got query_id, doc_id."),
        (
            QRELS,
            make_frame(QREL_ROWS),
            "run: rows must have query_id, doc_id, score, "
            "got query_id, doc_id, relevance, iteration.",
        ),
    ],
)
def test_rows_that_lack_a_field_are_refused(qrels, run, sentence):
    with pytest.raises(SourceError) as error:
        ir_measures.calc([RR], qrels, run)
    assert str(error.value) == sentence


def test_a_line_that_lacks_a_field_is_refused():
    with pytest.raises(SourceError) as error:
        list(ir_measures.read_trec_qrels("q1 0 d1 1\nq1 0 d2\n"))
    assert error.value.code == "malformed-line"
    assert "text, line 2: expected 4 fields, found 3: 'q1 0 d2'" in str(error.value)


def test_a_label_above_the_scale_of_gdeval_is_an_error_as_there():
    with pytest.raises(MeasureError, match="max_label"):
        (ERR @ 5).calc_aggregate({"q": {"a": 5}}, {"q": {"a": 1.0}})


def test_ir_measures_need_not_be_installed():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['ir_measures', 'pytrec_eval', 'pandas']))\n"
        "import gainful.adapters.ir_measures as ir_measures\n"
        "print(ir_measures.AP.calc_aggregate({'q': {'a': 1}}, {'q': {'a': 1.0}}))\n"
        "try: ir_measures.register()\n"
        "except ImportError as error: print(error)\n"
    )
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    sentence = "ir_measures: ir_measures is not installed. Install it with: pip install ir-measures"
    assert output.splitlines() == ["1.0", sentence]


def test_set_precision_is_relative_where_asked():
    # One of the two relevant items is among three: of three items at most two could be.
    qrels = {"q1": QRELS["q1"]}
    assert SetP.calc_aggregate(qrels, RUN) == 1 / 3
    assert SetRelP.calc_aggregate(qrels, RUN) == 1 / 2
