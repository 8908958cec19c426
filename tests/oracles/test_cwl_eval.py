"""Comparison of the C/W/L measures with every value of cwl-eval, residuals included."""

import math
import random
import warnings

import pytest

import gainful
from oracles.tally import count_compared

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its source: \_ in strings
    from cwl.ruler.measures.cwl_ap import APCWLMetric, TrAPCWLMetric
    from cwl.ruler.measures.cwl_bpm import BPMCWLMetric
    from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
    from cwl.ruler.measures.cwl_ift import IFTGoalCWLMetric, IFTGoalRateCWLMetric, IFTRateCWLMetric
    from cwl.ruler.measures.cwl_insq import INSQCWLMetric
    from cwl.ruler.measures.cwl_inst import INSTCWLMetric
    from cwl.ruler.measures.cwl_nerr import (
        NERReq8CWLMetric,
        NERReq9CWLMetric,
        NERReq10CWLMetric,
        NERReq11CWLMetric,
    )
    from cwl.ruler.measures.cwl_npv import NPVCWLMetric
    from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
    from cwl.ruler.measures.cwl_tbg import TBGCWLMetric
    from cwl.ruler.measures.cwl_umeasure import UMeasureCWLMetric
    from cwl.ruler.ranking import Ranking

DEPTH = 60
VALUES = {
    "eu": "expected_utility",
    "etu": "expected_total_utility",
    "ed": "expected_items",
    "residual_eu": "residual_expected_utility",
    "residual_etu": "residual_expected_total_utility",
    "residual_ed": "residual_expected_items",
}
CUT = {"depth": DEPTH}
METRICS = {
    "INST T=1": (INSTCWLMetric(1.0), gainful.INST(**CUT)),
    "INST T=2.5": (INSTCWLMetric(2.5), gainful.INST(T=2.5, **CUT)),
    "INST T=0.5": (INSTCWLMetric(0.5), gainful.INST(T=0.5, **CUT)),
    "INSQ T=1": (INSQCWLMetric(1.0), gainful.INSQ(**CUT)),
    "INSQ T=0.3": (INSQCWLMetric(0.3), gainful.INSQ(T=0.3, **CUT)),
    "INSQ T=7": (INSQCWLMetric(7), gainful.INSQ(T=7, **CUT)),
    "BPM T=1 K=10": (BPMCWLMetric(1.0, 10), gainful.BPM @ 10),
    "BPM T=2.5 K=1": (BPMCWLMetric(2.5, 1), gainful.BPM(T=2.5) @ 1),
    "BPM T=2.5 K=40": (BPMCWLMetric(2.5, 40), gainful.BPM(T=2.5) @ 40),
    "NERR8 1": (NERReq8CWLMetric(1), gainful.NERR8 @ 1),
    "NERR8 20": (NERReq8CWLMetric(20), gainful.NERR8 @ 20),
    "NERR9 1": (NERReq9CWLMetric(1), gainful.NERR9 @ 1),
    "NERR9 20": (NERReq9CWLMetric(20), gainful.NERR9 @ 20),
    "NERR10 0.9": (NERReq10CWLMetric(0.9), gainful.NERR10(**CUT)),
    "NERR10 0.99": (NERReq10CWLMetric(0.99), gainful.NERR10(p=0.99, **CUT)),
    "NERR11 1": (NERReq11CWLMetric(1.0), gainful.NERR11(**CUT)),
    "NERR11 4": (NERReq11CWLMetric(4.0), gainful.NERR11(T=4, **CUT)),
    "TBG 224": (TBGCWLMetric(224), gainful.TBG(**CUT)),
    "TBG 3.5": (TBGCWLMetric(3.5), gainful.TBG(halflife=3.5, **CUT)),
    "NPV 0.1": (NPVCWLMetric(0.1), gainful.NPV(**CUT)),
    "NPV 0.001": (NPVCWLMetric(0.001), gainful.NPV(rate=0.001, **CUT)),
    "U 10": (UMeasureCWLMetric(10), gainful.UMeasure(L=10)),
    "U 7.5": (UMeasureCWLMetric(7.5), gainful.UMeasure(L=7.5)),
    "SDCG 1": (NDCGCWLMetric(1), gainful.SDCG @ 1),
    "SDCG 10": (NDCGCWLMetric(10), gainful.SDCG @ 10),
    "SDCG 60": (NDCGCWLMetric(60), gainful.SDCG @ 60),
    "IFT C1": (IFTGoalCWLMetric(2.0, 0.9, 10), gainful.IFT_C1(**CUT)),
    "IFT C1 other": (IFTGoalCWLMetric(1.5, 3, 0.5), gainful.IFT_C1(T=1.5, b1=3, R1=0.5, **CUT)),
    "IFT C2": (IFTRateCWLMetric(0.2, 0.9, 10), gainful.IFT_C2(**CUT)),
    "IFT C2 other": (IFTRateCWLMetric(0.7, 0.1, 2), gainful.IFT_C2(A=0.7, b2=0.1, R2=2, **CUT)),
    "IFT C1C2": (IFTGoalRateCWLMetric(2.0, 0.9, 10, 0.2, 0.9, 10), gainful.IFT_C1C2(**CUT)),
}


def draw_rankings(seed: int) -> list[list[float]]:
    """Return labels of rankings, NaN where there is no judgment; some exceed the depth."""
    rng = random.Random(seed)
    sizes = [1, 2, 5, 59, 60, 61, 100, *(rng.randint(1, 80) for _ in range(5))]
    kinds = [[0, 1, 2, 3], [0], [3], [math.nan], [0, 0, 0, 0, 1, math.nan], [0, 3, math.nan]]
    return [[rng.choice(kind) for _ in range(size)] for size in sizes for kind in kinds]


def evaluate_labels(labels: list[list[float]], measures, **settings: float) -> list[list[float]]:
    """Return the values of all measures for every ranking."""
    qrels = {
        f"q{q}": {f"d{i}": label for i, label in enumerate(ranking) if not math.isnan(label)}
        | {"never returned": 0}
        for q, ranking in enumerate(labels)
    }
    run = {f"q{q}": [f"d{i}" for i in range(len(ranking))] for q, ranking in enumerate(labels)}
    scores = gainful.evaluate(qrels, run, [measure(**settings) for measure in measures])
    return [scores.column(measure).tolist() for measure in scores.measures]


def compute_cwl_eval_values(metric, gains: list[float], depth: int = DEPTH) -> dict[str, float]:
    """Return the values that cwl-eval reports for a ranking."""
    metric.residuals = True
    metric.measure(Ranking("q", gains, [1.0] * len(gains), max_n=depth))
    return {name: getattr(metric, attribute) for name, attribute in VALUES.items()}


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("graded", [False, True])
def test_every_value_equals_cwl_eval(name, graded):
    metric, measure = METRICS[name]
    labels = draw_rankings(7)
    settings = {"max_rel": 3} if graded else {"rel": 2}
    gains = [
        [
            label if math.isnan(label) else label / 3 if graded else float(label >= 2)
            for label in ranking
        ]
        for ranking in labels
    ]
    columns = evaluate_labels(labels, [measure(value=value) for value in VALUES], **settings)
    for q, ranking in enumerate(gains):
        expected = compute_cwl_eval_values(metric, ranking)
        actual = {value: columns[v][q] for v, value in enumerate(VALUES)}
        assert actual == pytest.approx(expected, rel=1e-12, abs=1e-12), (q, ranking)
    count_compared("cwl-eval", len(gains) * len(VALUES))


@pytest.mark.parametrize(
    ("metric", "measure"),
    [
        (INSTCWLMetric(2.0), gainful.INST(T=2)),
        (INSQCWLMetric(2.0), gainful.INSQ(T=2)),
        (NERReq11CWLMetric(2.0), gainful.NERR11(T=2)),
        (TBGCWLMetric(224), gainful.TBG),
    ],
    ids=["INST", "INSQ", "NERR11", "TBG"],
)
def test_what_cwl_eval_leaves_out_below_rank_1000_shows(metric, measure):
    expected = compute_cwl_eval_values(metric, [0.5, 0.0, 0.5, 0.0], depth=1000)["eu"]
    measures = [measure, measure(depth=1000)]
    endless, cut = (column[0] for column in evaluate_labels([[1, 0, 1, 0]], measures, max_rel=2))
    assert cut == pytest.approx(expected, rel=1e-12)
    assert endless < cut * (1 - 1e-3)


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbp_and_its_residual_equal_cwl_eval(p):
    labels = draw_rankings(3)
    measures = [gainful.RBP(p=p, gain="linear", scale="max_label", max_label=3)]
    rbp, residual = evaluate_labels(labels, [*measures, gainful.RBPResidual(p=p)])
    for q, ranking in enumerate(labels):
        gains = [label / 3 for label in ranking]
        expected = compute_cwl_eval_values(RBPCWLMetric(p), gains, depth=1000)
        assert rbp[q] == pytest.approx(expected["eu"], rel=1e-12, abs=1e-12)
        assert residual[q] == pytest.approx(expected["residual_eu"], rel=1e-12, abs=1e-12)
    count_compared("cwl-eval", 2 * len(labels))


def test_cwl_eval_gives_the_last_of_1000_items_no_weight_in_the_u_measure():
    # 1 + 0.999 + ... + 0.002, and the 0.001 of rank 1000 that it leaves out.
    expected = compute_cwl_eval_values(UMeasureCWLMetric(1000), [1.0], depth=1000)
    values = evaluate_labels([[1]], [gainful.UMeasure, gainful.UMeasure(value="ed")])
    assert expected["ed"] == pytest.approx(500.499, rel=1e-12)
    assert values[1][0] == pytest.approx(500.5, rel=1e-15)
    assert values[0][0] == pytest.approx(1 / 500.5, rel=1e-15)


def test_what_the_end_at_rank_1000_amounts_to_is_as_documented():
    def compute_increase(measure):
        columns = evaluate_labels([[1]], [measure, measure(depth=1000)])
        endless, cut = (column[0] for column in columns)
        return round(100 * (cut / endless - 1), 2)

    assert [compute_increase(gainful.INSQ(T=T)) for T in (1, 5)] == [0.16, 0.95]
    assert compute_increase(gainful.TBG) == 4.75
    assert compute_increase(gainful.TBG(halflife=25)) == 0
    assert 0.05 < compute_increase(gainful.INST) < 0.16
    assert 0.8 < compute_increase(gainful.INST(T=5)) < 0.95


@pytest.mark.parametrize("graded", [False, True])
def test_trap_equals_cwl_eval(graded):
    labels = draw_rankings(5)
    settings = {"max_rel": 3} if graded else {"rel": 2}
    whole, cut = evaluate_labels(labels, [gainful.trAP, gainful.trAP @ DEPTH], **settings)
    for q, ranking in enumerate(labels):
        gains = [label / 3 if graded else float(label >= 2) for label in ranking]
        for value, top in ((whole[q], gains), (cut[q], gains[:DEPTH])):
            # Its constructor skips its base: an attribute that measure() reads is not set.
            metric = TrAPCWLMetric()
            metric.residuals = False
            expected = metric.measure(Ranking("q", top, [1.0] * len(top), max_n=1000))
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-12), (q, ranking)
    count_compared("cwl-eval", 2 * len(labels))


def test_trap_of_cwl_eval_cannot_be_measured_as_it_is_made():
    with pytest.raises(AttributeError, match="residuals"):
        TrAPCWLMetric().measure(Ranking("q", [1.0], [1.0]))


def test_trap_of_cwl_eval_is_ap_where_it_knows_of_all_relevant_items():
    metric, ranking = TrAPCWLMetric(), Ranking("q", [0.0, 1.0, 0.0, 1.0], [1.0] * 4)
    metric.residuals = False
    assert metric.measure(ranking) == pytest.approx((1 / 2 + 2 / 4) / 2, rel=1e-15)
    ranking.total_qrel_rels = 5.0  # as RankingMaker does, from qrels
    qrels = {"q": dict.fromkeys("bdxyz", 1)}
    ap, trap = gainful.evaluate(qrels, {"q": list("abcd")}, ["AP", "trAP"]).values[0].tolist()
    assert metric.measure(ranking) == pytest.approx(ap, rel=1e-15)
    # Its AP ignores the qrels: the two have changed places.
    assert APCWLMetric().measure(ranking) == pytest.approx(trap, rel=1e-15)
    assert trap == (1 / 2 + 2 / 4) / 2


def test_with_binary_gains_the_ap_of_cwl_eval_is_trap():
    labels = draw_rankings(9)
    values = evaluate_labels(labels, [gainful.trAP @ DEPTH])[0]
    for q, ranking in enumerate(labels):
        gains = [float(label >= 1) for label in ranking]
        expected = compute_cwl_eval_values(APCWLMetric(), gains)["eu"]
        assert values[q] == pytest.approx(expected, rel=1e-12, abs=1e-12), (q, ranking)
    count_compared("cwl-eval", len(labels))
