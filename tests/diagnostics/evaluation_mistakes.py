"""A mistake for each error about measures, rules, joins, comparisons and output."""

import sys
from unittest.mock import patch

import numpy as np

import gainful
from diagnostics.mistakes import (
    OTHER,
    QRELS,
    RUN,
    Mistake,
    save_file,
    score_by_rules,
    score_declared,
    score_run,
)
from gainful import Rules
from gainful.adapters.mlflow import check_prefix
from gainful.base.imports import import_package
from gainful.cli.options import _load_measures
from gainful.dialects import DialectRules
from gainful.gate.thresholds import read_config

EMPTY = {"q1": {"d1": 0}, "q2": {"d1": 0}}
PREFERENCES = "q1 anna 0 d1 0\nq1 anna 1 d1 2\nq1 anna 0 d2 1\n"
FIXED_PREFERENCES = "q1 anna 0 d1 2\nq1 bob 0 d1 0\nq1 anna 0 d2 1\n"
WIDE = "query,item,score,title\nq1,d1,0.9,Boots\n"
SUBTOPICS = {"q1": {"price": {"d1": 1}}}


def score_measure(text, qrels=QRELS):
    return lambda: score_run(measure=text, qrels=qrels)


def import_without(name):
    with patch.dict(sys.modules, {name: None}):
        import_package(name, "report", install="'gainful[report]'")


def plan_power(**arguments):
    return lambda: gainful.power(**arguments)


MEASURE_MISTAKES = {
    "unknown-measure": Mistake(score_measure("ndgc"), score_measure("ndcg")),
    "unreadable-measure": Mistake(score_measure("nDCG(@10"), score_measure("nDCG(gain=exp2)@5,10")),
    "not-a-measure": Mistake(score_measure(3), score_measure(["nDCG@10", "AP"])),
    "one-measure": Mistake(
        lambda: gainful.parse_measure("nDCG@5,10"), lambda: gainful.parse_measure("nDCG@10")
    ),
    "unknown-setting": Mistake(score_measure("P(gian=2)@5"), score_measure("P(rel=2)@5")),
    "bad-setting": Mistake(score_measure("P(rel=0)@5"), score_measure("P(rel=1)@5")),
    "missing-setting": Mistake(score_measure("P"), score_measure("P@10")),
    "unfit-measure": Mistake(
        lambda: gainful.explain(QRELS, RUN, "q1", "AP"),
        lambda: gainful.explain(QRELS, RUN, "q1", "nDCG@10"),
    ),
    "wrong-judgments": Mistake(
        lambda: score_run(measure="alpha_nDCG@10", qrels=gainful.read_qrels(QRELS)),
        lambda: score_run(measure="alpha_nDCG@10", qrels=gainful.read_subtopics(SUBTOPICS)),
    ),
    "label-above-max": Mistake(
        score_measure("ERR(max_label=1)@20"), score_measure("ERR(max_label=4)@20")
    ),
    "refused-label": Mistake(score_by_rules(max_label=1), score_by_rules(max_label=4)),
    "infinite-gain": Mistake(
        score_measure("nDCG(gain=exp2)", {"q1": {"d1": 2000, "d2": 1}}),
        score_measure("nDCG(gain={1: 1, 2000: 3})", {"q1": {"d1": 2000, "d2": 1}}),
    ),
    "too-large": Mistake(
        lambda: gainful.unjudged({"q1": {f"d{i}": i for i in range(300)}}, {"a": RUN}),
        lambda: gainful.unjudged(
            {"q1": {f"d{i}": i for i in range(300)}}, {"a": RUN}, possible_labels=(0, 1, 2, 3)
        ),
    ),
    "no-exact-average": Mistake(
        lambda: score_run({"q1": {"d1": 1, "d2": 1}}, "IPrecAvg", rules=Rules(ties="average")),
        lambda: score_run(measure="IPrecAvg", rules=Rules(ties="worst")),
    ),
    "bad-declaration": Mistake(
        lambda: score_declared(lambda ranked: np.zeros(3)),
        lambda: score_declared(lambda ranked: np.zeros(ranked.n_queries)),
    ),
    "bad-rule": Mistake(score_by_rules(ties="random"), score_by_rules(ties="average")),
    "unknown-rule": Mistake(
        lambda: gainful.reconcile(QRELS, RUN, rules={"tie": "average"}),
        lambda: gainful.reconcile(QRELS, RUN, rules={"ties": "average"}),
    ),
    "conflicting-rules": Mistake(
        score_by_rules(ties="rank-column", order="file"), score_by_rules(ties="input", order="file")
    ),
    "refused-rule": Mistake(
        lambda: score_run(measure="alpha_nDCG@10", qrels=SUBTOPICS, rules=Rules(ties="best")),
        lambda: score_run(measure="alpha_nDCG@10", qrels=SUBTOPICS, rules=Rules(ties="item-desc")),
    ),
    "ties-need-ids": Mistake(
        lambda: gainful.ndcg([1, 0], [0.5, 0.5], ties="item-desc"),
        lambda: gainful.ndcg([1, 0], [0.5, 0.5], ties="average"),
    ),
    "unknown-dialect": Mistake(
        lambda: score_run(dialect="lightgmb"), lambda: score_run(dialect="lightgbm")
    ),
}

JOIN_MISTAKES = {
    "no-common-query": Mistake(
        lambda: gainful.evaluate({"401": {"d1": 1}}, {"q401": ["d1"]}, "nDCG@10"),
        lambda: gainful.evaluate({"401": {"d1": 1}}, {"401": ["d1"]}, "nDCG@10"),
    ),
    "unknown-query": Mistake(
        lambda: gainful.explain(QRELS, RUN, "q9"), lambda: gainful.explain(QRELS, RUN, "q1")
    ),
    "no-query-left": Mistake(
        lambda: score_run(qrels=EMPTY, rules=Rules(empty="skip")),
        lambda: score_run(qrels=EMPTY, rules=Rules(empty="zero")),
    ),
    "refused-missing": Mistake(
        lambda: score_run({"q1": ["d1"]}, rules=Rules(missing="error")),
        lambda: score_run({"q1": ["d1"]}, rules=Rules(missing="skip")),
    ),
    "refused-empty": Mistake(
        lambda: score_run(qrels=EMPTY, rules=Rules(empty="error")),
        lambda: score_run(qrels=EMPTY, rules=Rules(empty="nan")),
    ),
    "refused-size": Mistake(
        lambda: score_run({"q1": ["d1"], "q2": ["d1", "d3"]}, rules=DialectRules(min_items=2)),
        lambda: score_run({"q1": ["d1"], "q2": ["d1", "d3"]}),
    ),
    "contradicting-preferences": Mistake(
        lambda: score_run(measure="PrefsSimp", qrels=save_file("prefs.txt", PREFERENCES)),
        lambda: score_run(measure="PrefsSimp", qrels=save_file("prefs.txt", FIXED_PREFERENCES)),
    ),
    "unlike-runs": Mistake(
        lambda: gainful.gate(QRELS, RUN, {"q1": ["d1"]}, rules=Rules(missing="skip")),
        lambda: gainful.gate(QRELS, RUN, {"q1": ["d1"]}, rules=Rules(missing="zero")),
    ),
    "no-values": Mistake(
        lambda: gainful.compare(EMPTY, [RUN, OTHER], rules=Rules(empty="nan")),
        lambda: gainful.compare(EMPTY, [RUN, OTHER], rules=Rules(empty="zero")),
    ),
    "too-few-runs": Mistake(
        lambda: gainful.compare(QRELS, [RUN]), lambda: gainful.compare(QRELS, [RUN, OTHER])
    ),
    "unknown-run": Mistake(
        lambda: gainful.compare(QRELS, {"bm25": RUN, "dense": OTHER}, baseline="bm52"),
        lambda: gainful.compare(QRELS, {"bm25": RUN, "dense": OTHER}, baseline="bm25"),
    ),
    "not-in-result": Mistake(
        lambda: score_run()["AP"], lambda: score_run(measure=["nDCG@10", "AP"])["AP"]
    ),
    "incomplete-plan": Mistake(
        plan_power(difference=0.02), plan_power(difference=0.02, deviation=0.2)
    ),
    "bad-threshold": Mistake(
        lambda: gainful.gate(QRELS, RUN, OTHER, mode="noninferior", max_drop=0),
        lambda: gainful.gate(QRELS, RUN, OTHER, mode="noninferior", max_drop=0.1),
    ),
    "bad-config": Mistake(
        lambda: read_config(save_file("gate.toml", "[gate]\nmax-dorp = 0.1\n")),
        lambda: read_config(save_file("gate.toml", "[gate]\nmax-drop = 0.1\n")),
    ),
}
OUTPUT_MISTAKES = {
    "cannot-write": Mistake(
        lambda: gainful.convert("a.run", "out/run.csv"), lambda: gainful.convert("a.run", "new.csv")
    ),
    "exists-already": Mistake(
        lambda: gainful.convert("a.run", save_file("old.csv", "old")),
        lambda: gainful.convert("a.run", save_file("old.csv", "old"), force=True),
    ),
    "writes-over-input": Mistake(
        lambda: gainful.convert("qrels.txt", "qrels.txt", force=True),
        lambda: gainful.convert("qrels.txt", "another.csv"),
    ),
    "lossy": Mistake(
        lambda: gainful.convert(save_file("wide.csv", WIDE), "wide.run"),
        lambda: gainful.convert(save_file("wide.csv", WIDE), "wide.run", lossy=True),
    ),
    "bad-name": Mistake(lambda: check_prefix("a:b"), lambda: check_prefix("valid/")),
    "missing-package": Mistake(
        lambda: import_without("vl_convert"),
        lambda: import_package("numpy", "report"),
    ),
    "cannot-load": Mistake(
        lambda: _load_measures((save_file("my_measures.py", "import no_such\n"),)),
        lambda: _load_measures((save_file("my_measures.py", "import gainful\n"),)),
    ),
}
