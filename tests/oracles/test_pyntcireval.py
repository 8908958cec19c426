"""Comparison of the measures of NTCIREVAL with pyNTCIREVAL, query by query.

pyNTCIREVAL multiplies every term by a rounded share and computes logarithms as quotients, hence
1e-12. It takes only integer labels, none negative, and divides by zero if nothing is relevant.
"""

import pytest
from pyNTCIREVAL.metrics import (
    MSnDCG,
    NCUguBR,
    NCUguP,
    NCUrbBR,
    NCUrbP,
    OMeasure,
    PMeasure,
    PPlusMeasure,
    QMeasure,
    nDCG,
)

import gainful
from example_counts import sample_cases, sampled
from oracles.random_sets import KINDS, Qrels, Run, draw_set
from oracles.tally import count_compared

CUTOFFS = (1, 3, 10, 1000)
RULES = gainful.Rules(missing="skip")
CLOSE = {"rel": 1e-12, "abs": 1e-15}


def make_measures(gains, stops, beta, gamma, base):
    """Return the metrics of pyNTCIREVAL, made from label counts, by Gainful's measures."""
    gain = dict(enumerate(gains, start=1))
    stop = dict(enumerate(stops, start=1))
    module = gainful.measures
    metrics = {
        module.Q(gain=gain, beta=beta): lambda n: QMeasure(n, gains, beta),
        module.O(gain=gain, beta=beta): lambda n: OMeasure(n, gains, beta),
        module.Pmeasure(gain=gain, beta=beta): lambda n: PMeasure(n, gains, beta),
        module.Pplus(gain=gain, beta=beta): lambda n: PPlusMeasure(n, gains, beta),
        module.NCUguP(stop=stop): lambda n: NCUguP(n, gains, stops),
        module.NCUguBR(gain=gain, stop=stop, beta=beta): lambda n: NCUguBR(n, gains, stops, beta),
        module.NCUrbP(gamma=gamma): lambda n: NCUrbP(n, gains, gamma),
        module.NCUrbBR(gain=gain, gamma=gamma, beta=beta): lambda n: NCUrbBR(n, gains, gamma, beta),
    }
    for k in CUTOFFS:
        metrics |= {
            module.Q(gain=gain, beta=beta) @ k: lambda n, k=k: QMeasure(n, gains, beta, k),
            module.MSnDCG(gain=gain) @ k: lambda n, k=k: MSnDCG(n, gains, k),
            module.nDCG(gain=gain, discount=f"jk({base})") @ k: lambda n, k=k: nDCG(
                n, gains, base, k
            ),
        }
    return metrics


def compare_values(metrics, qrels: Qrels, run: Run) -> int:
    """Check that all values are equal up to rounding, and return how many there are."""
    max_label = max(label for labels in qrels.values() for label in labels.values())
    scores = gainful.evaluate(qrels, run, list(metrics), rules=RULES).per_query()
    for query, values in scores.items():
        judged = qrels[query]
        counts = [
            sum(max(label, 0) == n for label in judged.values()) for n in range(max_label + 1)
        ]
        order = sorted(run[query], key=lambda item: (run[query][item], item.encode()), reverse=True)
        ranked = [(item, max(judged.get(item, 0), 0)) for item in order]
        if not any(counts[1:]):
            assert not any(values.values())
            continue
        expected = {
            str(measure): make_metric(counts).compute(ranked)
            for measure, make_metric in metrics.items()
        }
        assert values == pytest.approx(expected, **CLOSE)
        count_compared("pyNTCIREVAL", len(expected))
    return sum(map(len, scores.values()))


@sampled
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "high grades"])
@pytest.mark.parametrize(
    ("gains", "stops", "beta", "gamma", "base"),
    [
        ((1, 2, 3), (1, 2, 3), 1.0, 0.95, 2),
        ((1, 3, 7), (0.5, 0.5, 4), 10.0, 0.5, 10),
        ((0.25, 2.5, 2.75), (0.5, 1, 1), 0.0, 1.0, 2.5),
        ((2, 1, 5), (3, 2, 1), 0.3, 0.0, 3),
    ],
    ids=["as by default", "steep", "fractions", "not rising"],
)
def test_equals_pyntcireval(kind, gains, stops, beta, gamma, base):
    metrics = make_measures(gains, stops, beta, gamma, base)
    if sorted(gains) != list(gains):
        metrics = {
            measure: make_metric
            for measure, make_metric in metrics.items()
            if "nDCG" not in measure.name
        }
    seeds = sample_cases(range(25))
    assert sum(compare_values(metrics, *draw_set(kind, seed)) for seed in seeds) > 40 * len(seeds)


def test_the_best_ranking_is_sorted_by_gain_here_and_by_label_in_pyntcireval():
    # Label 2 gains less than label 1: the best ranking is 1, 2, which pyNTCIREVAL scores above 1.
    gains, qrels, run = (2, 1), {"q": {"a": 1, "b": 2}}, {"q": ["a", "b"]}
    assert MSnDCG([0, 1, 1], gains, 10).compute([("a", 1), ("b", 2)]) > 1
    assert gainful.evaluate(qrels, run, "MSnDCG(gain={1: 2, 2: 1})@10").values.item() == 1.0


def test_stop_values_of_nothing_are_undefined_here_and_an_error_in_pyntcireval():
    with pytest.raises(ZeroDivisionError):
        NCUguP([0, 1, 0], (1, 2), (0, 1)).compute([("a", 1)])
    scores = gainful.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "NCUguP(stop={1: 0, 2: 1})")
    assert scores.values.item() == 0.0


def test_equals_pyntcireval_with_labels_of_hundreds():
    # One gain for each of 999 labels, the label itself: what is linear here.
    gains = tuple(range(1, 1000))
    metrics = make_measures(gains, gains, 1.0, 0.95, 2)
    metrics = {_use_linear_gain(measure): make_metric for measure, make_metric in metrics.items()}
    assert sum(compare_values(metrics, *draw_set("high grades", seed)) for seed in range(4)) > 100


def _use_linear_gain(measure):
    settings = {name: "linear" for name in ("gain", "stop") if name in measure.arguments}
    return measure(**settings)


def test_msndcg_is_ndcg_and_the_base_of_its_logarithm_cancels():
    for seed in range(10):
        qrels, run = draw_set("many ties", seed)
        scores = gainful.evaluate(qrels, run, ["MSnDCG@5", "nDCG@5", "nDCG(discount=ln)@5"])
        assert scores.column("MSnDCG@5").tolist() == scores.column("nDCG@5").tolist()
        ln = scores.column("nDCG(discount=ln)@5")
        assert scores.column("MSnDCG@5") == pytest.approx(ln, rel=1e-14)


def test_logb_of_ntcireval_is_the_discount_jk():
    # No discount before rank b, log_b(rank) from there: labels 0, 2, 0, 3 with b = 3.
    gains = (1, 2, 3)
    ranked = [("w", 0), ("x", 2), ("y", 0), ("z", 3)]
    expected = nDCG([2, 0, 1, 1], gains, 3, 10).compute(ranked)
    actual = gainful.ndcg([0, 2, 0, 3], discount="jk(3)", k=10)
    assert actual == pytest.approx(expected, rel=1e-14)
