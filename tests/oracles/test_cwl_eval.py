"""The C/W/L measures against cwl-eval: every value it reports, residuals included."""

import math
import random
import warnings

import pytest

import gainful
from oracles.tally import compared

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
FILLED = {"depth": DEPTH}
METRICS = {
    "INST T=1": (INSTCWLMetric(1.0), gainful.INST(**FILLED)),
    "INST T=2.5": (INSTCWLMetric(2.5), gainful.INST(T=2.5, **FILLED)),
    "INST T=0.5": (INSTCWLMetric(0.5), gainful.INST(T=0.5, **FILLED)),
    "INSQ T=1": (INSQCWLMetric(1.0), gainful.INSQ(**FILLED)),
    "INSQ T=0.3": (INSQCWLMetric(0.3), gainful.INSQ(T=0.3, **FILLED)),
    "INSQ T=7": (INSQCWLMetric(7), gainful.INSQ(T=7, **FILLED)),
    "BPM T=1 K=10": (BPMCWLMetric(1.0, 10), gainful.BPM @ 10),
    "BPM T=2.5 K=1": (BPMCWLMetric(2.5, 1), gainful.BPM(T=2.5) @ 1),
    "BPM T=2.5 K=40": (BPMCWLMetric(2.5, 40), gainful.BPM(T=2.5) @ 40),
    "NERR8 1": (NERReq8CWLMetric(1), gainful.NERR8 @ 1),
    "NERR8 20": (NERReq8CWLMetric(20), gainful.NERR8 @ 20),
    "NERR9 1": (NERReq9CWLMetric(1), gainful.NERR9 @ 1),
    "NERR9 20": (NERReq9CWLMetric(20), gainful.NERR9 @ 20),
    "NERR10 0.9": (NERReq10CWLMetric(0.9), gainful.NERR10(**FILLED)),
    "NERR10 0.99": (NERReq10CWLMetric(0.99), gainful.NERR10(p=0.99, **FILLED)),
    "NERR11 1": (NERReq11CWLMetric(1.0), gainful.NERR11(**FILLED)),
    "NERR11 4": (NERReq11CWLMetric(4.0), gainful.NERR11(T=4, **FILLED)),
    "TBG 224": (TBGCWLMetric(224), gainful.TBG(**FILLED)),
    "TBG 3.5": (TBGCWLMetric(3.5), gainful.TBG(halflife=3.5, **FILLED)),
    "NPV 0.1": (NPVCWLMetric(0.1), gainful.NPV(**FILLED)),
    "NPV 0.001": (NPVCWLMetric(0.001), gainful.NPV(rate=0.001, **FILLED)),
    "U 10": (UMeasureCWLMetric(10), gainful.UMeasure(L=10)),
    "U 7.5": (UMeasureCWLMetric(7.5), gainful.UMeasure(L=7.5)),
    "SDCG 1": (NDCGCWLMetric(1), gainful.SDCG @ 1),
    "SDCG 10": (NDCGCWLMetric(10), gainful.SDCG @ 10),
    "SDCG 60": (NDCGCWLMetric(60), gainful.SDCG @ 60),
    "IFT C1": (IFTGoalCWLMetric(2.0, 0.9, 10), gainful.IFT_C1(**FILLED)),
    "IFT C1 other": (IFTGoalCWLMetric(1.5, 3, 0.5), gainful.IFT_C1(T=1.5, b1=3, R1=0.5, **FILLED)),
    "IFT C2": (IFTRateCWLMetric(0.2, 0.9, 10), gainful.IFT_C2(**FILLED)),
    "IFT C2 other": (IFTRateCWLMetric(0.7, 0.1, 2), gainful.IFT_C2(A=0.7, b2=0.1, R2=2, **FILLED)),
    "IFT C1C2": (IFTGoalRateCWLMetric(2.0, 0.9, 10, 0.2, 0.9, 10), gainful.IFT_C1C2(**FILLED)),
}


def rankings(seed: int) -> list[list[float]]:
    """Labels of rankings, NaN where there is no judgment; some longer than the depth."""
    rng = random.Random(seed)
    sizes = [1, 2, 5, 59, 60, 61, 100, *(rng.randint(1, 80) for _ in range(5))]
    kinds = [[0, 1, 2, 3], [0], [3], [math.nan], [0, 0, 0, 0, 1, math.nan], [0, 3, math.nan]]
    return [[rng.choice(kind) for _ in range(size)] for size in sizes for kind in kinds]


def ours(labels: list[list[float]], measures, **settings: float) -> list[list[float]]:
    """The values of all measures for every ranking."""
    qrels = {
        f"q{q}": {f"d{i}": label for i, label in enumerate(one) if not math.isnan(label)}
        | {"never returned": 0}
        for q, one in enumerate(labels)
    }
    run = {f"q{q}": [f"d{i}" for i in range(len(one))] for q, one in enumerate(labels)}
    scores = gainful.evaluate(qrels, run, [measure(**settings) for measure in measures])
    return [scores.column(measure).tolist() for measure in scores.measures]


def theirs(metric, gains: list[float], depth: int = DEPTH) -> dict[str, float]:
    """What cwl-eval reports of a ranking."""
    metric.residuals = True
    metric.measure(Ranking("q", gains, [1.0] * len(gains), max_n=depth))
    return {name: getattr(metric, attribute) for name, attribute in VALUES.items()}


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("graded", [False, True])
def test_every_value_equals_cwl_eval(name, graded):
    metric, measure = METRICS[name]
    labels = rankings(7)
    settings = {"max_rel": 3} if graded else {"rel": 2}
    gains = [
        [
            label if math.isnan(label) else label / 3 if graded else float(label >= 2)
            for label in one
        ]
        for one in labels
    ]
    found = ours(labels, [measure(value=value) for value in VALUES], **settings)
    for q, one in enumerate(gains):
        expected = theirs(metric, one)
        got = {value: found[v][q] for v, value in enumerate(VALUES)}
        assert got == pytest.approx(expected, rel=1e-12, abs=1e-12), (q, one)
    compared("cwl-eval", len(gains) * len(VALUES))


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
    expected = theirs(metric, [0.5, 0.0, 0.5, 0.0], depth=1000)["eu"]
    measures = [measure, measure(depth=1000)]
    endless, cut = (column[0] for column in ours([[1, 0, 1, 0]], measures, max_rel=2))
    assert cut == pytest.approx(expected, rel=1e-12)
    assert endless < cut * (1 - 1e-3)


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbp_and_its_residual_equal_cwl_eval(p):
    labels = rankings(3)
    measures = [gainful.RBP(p=p, gain="linear", scale="max_label", max_label=3)]
    found, residual = ours(labels, [*measures, gainful.RBPResidual(p=p)])
    for q, one in enumerate(labels):
        expected = theirs(RBPCWLMetric(p), [label / 3 for label in one], depth=1000)
        assert found[q] == pytest.approx(expected["eu"], rel=1e-12, abs=1e-12)
        assert residual[q] == pytest.approx(expected["residual_eu"], rel=1e-12, abs=1e-12)
    compared("cwl-eval", 2 * len(labels))


def test_cwl_eval_gives_the_last_of_1000_items_no_weight_in_the_u_measure():
    # 1 + 0.999 + ... + 0.002, and the 0.001 of rank 1000 that it leaves out.
    expected = theirs(UMeasureCWLMetric(1000), [1.0], depth=1000)
    found = ours([[1]], [gainful.UMeasure, gainful.UMeasure(value="ed")])
    assert expected["ed"] == pytest.approx(500.499, rel=1e-12)
    assert found[1][0] == pytest.approx(500.5, rel=1e-15)
    assert found[0][0] == pytest.approx(1 / 500.5, rel=1e-15)


def test_what_the_end_at_rank_1000_amounts_to_is_as_documented():
    def more(measure):
        endless, cut = (column[0] for column in ours([[1]], [measure, measure(depth=1000)]))
        return round(100 * (cut / endless - 1), 2)

    assert [more(gainful.INSQ(T=T)) for T in (1, 5)] == [0.16, 0.95]
    assert more(gainful.TBG) == 4.75
    assert more(gainful.TBG(halflife=25)) == 0
    assert 0.05 < more(gainful.INST) < 0.16
    assert 0.8 < more(gainful.INST(T=5)) < 0.95


@pytest.mark.parametrize("graded", [False, True])
def test_trap_equals_cwl_eval(graded):
    labels = rankings(5)
    settings = {"max_rel": 3} if graded else {"rel": 2}
    found, cut = ours(labels, [gainful.trAP, gainful.trAP @ DEPTH], **settings)
    for q, one in enumerate(labels):
        gains = [label / 3 if graded else float(label >= 2) for label in one]
        for value, kept in ((found[q], gains), (cut[q], gains[:DEPTH])):
            # Its constructor skips its base: what measure() reads is not set.
            metric = TrAPCWLMetric()
            metric.residuals = False
            expected = metric.measure(Ranking("q", kept, [1.0] * len(kept), max_n=1000))
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-12), (q, one)
    compared("cwl-eval", 2 * len(labels))


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
    # Its AP does not look at what the qrels say: the two have changed places.
    assert APCWLMetric().measure(ranking) == pytest.approx(trap, rel=1e-15)
    assert trap == (1 / 2 + 2 / 4) / 2


def test_with_binary_gains_the_ap_of_cwl_eval_is_trap():
    labels = rankings(9)
    found = ours(labels, [gainful.trAP @ DEPTH])[0]
    for q, one in enumerate(labels):
        expected = theirs(APCWLMetric(), [float(label >= 1) for label in one])["eu"]
        assert found[q] == pytest.approx(expected, rel=1e-12, abs=1e-12), (q, one)
    compared("cwl-eval", len(labels))
