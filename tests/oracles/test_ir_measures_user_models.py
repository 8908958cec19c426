"""Comparison of ERR, RBP, Compat and the C/W/L measures with the providers of ir-measures."""

import logging
import shutil
import warnings

import pytest

import gainful
from oracles.random_sets import KINDS, Qrels, Run, draw_set
from oracles.tally import count_compared

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of cwl-eval's source: \_ in strings
    import cwl.ruler.cwl_ruler  # noqa: F401
    import ir_measures

GRADED = [kind for kind in KINDS if kind != "high grades"]
CUT = {"depth": 1000}
# ir-measures hands rankings to cwl-eval, which ends them all at rank 1000.
CWL = {
    ir_measures.INST(T=2.0, max_rel=3): gainful.INST(T=2, max_rel=3, **CUT),
    ir_measures.INST(T=1.0, max_rel=4, min_rel=1): gainful.INST(max_rel=4, min_rel=1, **CUT),
    ir_measures.INSQ(T=1.0, max_rel=3): gainful.INSQ(max_rel=3, **CUT),
    ir_measures.BPM(T=1.0, max_rel=3) @ 10: gainful.BPM(max_rel=3) @ 10,
    ir_measures.NERR8(max_rel=3) @ 10: gainful.NERR8(max_rel=3) @ 10,
    ir_measures.NERR9(max_rel=3) @ 10: gainful.NERR9(max_rel=3) @ 10,
    ir_measures.NERR10(max_rel=3): gainful.NERR10(max_rel=3, **CUT),
    ir_measures.NERR11(max_rel=3): gainful.NERR11(max_rel=3, **CUT),
    ir_measures.SDCG(max_rel=3) @ 5: gainful.SDCG(max_rel=3) @ 5,
    ir_measures.SDCG(max_rel=3) @ 100: gainful.SDCG(max_rel=3) @ 100,
    ir_measures.RBP(rel=1): gainful.RBP,
    ir_measures.RBP(rel=2, p=0.5): gainful.RBP(rel=2, p=0.5),
    ir_measures.RBP(rel=1, p=0.95): gainful.RBP(p=0.95),
}


@pytest.fixture(autouse=True)
def _silence_warnings():
    logging.getLogger("ir_measures.cwl_eval").setLevel("ERROR")


def compute_ir_measures_values(measures, qrels: Qrels, run: Run) -> dict[str, dict[str, float]]:
    """Return the values of ir-measures by query, under the names of Gainful's measures."""
    values: dict[str, dict[str, float]] = {query: {} for query in qrels}
    for metric in ir_measures.iter_calc(list(measures), qrels, run):
        values[metric.query_id][str(measures[metric.measure])] = metric.value
    return values


def assert_same_values(
    measures, qrels: Qrels, run: Run, rules: gainful.Rules, tolerance: float
) -> None:
    """Check every value of every query."""
    actual = gainful.evaluate(qrels, run, measures.values(), rules=rules).per_query()
    expected = compute_ir_measures_values(measures, qrels, run)
    for query, values in expected.items():
        assert actual[query] == pytest.approx(values, rel=tolerance, abs=tolerance), query
    count_compared("ir_measures", sum(map(len, expected.values())))


def break_ties(run: Run) -> Run:
    """Return the run with scores that differ and are above 0."""
    return {
        query: {item: float(len(scores) - i) for i, item in enumerate(scores)}
        for query, scores in run.items()
    }


@pytest.mark.parametrize("kind", GRADED)
def test_the_measures_of_cwl_eval_equal_ir_measures(kind):
    for seed in range(10):
        qrels, run = draw_set(kind, seed)
        assert_same_values(CWL, qrels, break_ties(run), gainful.Rules(), 1e-12)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval.pl needs perl")
@pytest.mark.parametrize("kind", ["no ties", "many ties", "negative labels", "all tied"])
def test_err_equals_gdeval_to_its_five_decimals(kind):
    measures = {ir_measures.ERR @ k: gainful.ERR @ k for k in (1, 3, 20)}
    for seed in range(4):
        sets = draw_set(kind, seed, n_queries=20)
        qrels, run = ({q.removeprefix("q"): items for q, items in data.items()} for data in sets)
        assert_same_values(measures, qrels, run, gainful.Rules(), 5.000001e-6)


COMPAT = {
    ir_measures.Compat: gainful.Compat,
    ir_measures.Compat(p=0.5): gainful.Compat(p=0.5),
    ir_measures.Compat(p=0.99): gainful.Compat(p=0.99),
    ir_measures.Compat(normalize=False): gainful.Compat(normalization="weights"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_compatibility_equals_ir_measures_without_ties(kind):
    for seed in range(20):
        qrels, run = draw_set(kind, seed)
        assert_same_values(COMPAT, qrels, break_ties(run), gainful.Rules(), 1e-12)


def test_tied_items_of_equal_label_are_ordered_alike_where_the_judgments_list_them_so():
    for seed in range(20):
        qrels, run = draw_set("many ties", seed)
        run = {q: {item: score + 1 for item, score in items.items()} for q, items in run.items()}
        qrels = {q: dict(sorted(items.items())) for q, items in qrels.items()}
        assert_same_values(COMPAT, qrels, run, gainful.Rules(ties="item-asc"), 1e-12)


def test_negative_scores_give_ir_measures_an_ideal_that_is_not_the_nearest():
    # Ideal: a, b. The run has both perfectly, b at a score below 0; c is not returned.
    qrels = {"q": {"c": 1, "a": 1, "b": 1}}
    run = {"q": {"a": -1.0, "b": -2.0}}
    measure = ir_measures.Compat(p=0.5)
    ir_measures_value = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    value = gainful.evaluate(qrels, run, "Compat(p=0.5)")["Compat(p=0.5)"]
    # Overlaps of 1/1, 2/2, 2/3 with c last; of 0/1, 1/2, 2/3 with c first.
    best = 1 + 1 / 2 + 1 / 4
    assert value == pytest.approx((1 + 1 / 2 + 2 / 3 / 4) / best, rel=1e-15)
    assert ir_measures_value == pytest.approx((0 + 1 / 2 / 2 + 2 / 3 / 4) / best, rel=1e-15)
