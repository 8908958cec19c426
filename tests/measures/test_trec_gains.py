"""nDCGrel, Rndcg, G and binG, worked out by hand."""

from itertools import pairwise
from math import isnan, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import MeasureError, evaluate
from gainful.base import ragged
from gainful.dialects import DialectRules

# One query: labels 3, 2, 1, 0 judged; the run returns 2, unjudged, 3 in this order.
QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
RUN = {"q": ["b", "x", "a"]}
IDCG_1, IDCG_2 = 3, 3 + 2 / log2(3)
IDCG = IDCG_2 + 1 / log2(4)
DCG = 2 + 3 / log2(4)
MEASURES = ["nDCGrel", "Rndcg", "G", "binG"]


def compute_value(measure, qrels=QRELS, run=RUN, **rules):
    return evaluate(qrels, run, measure, rules=DialectRules(**rules)).values.item()


def test_ndcgrel_averages_ndcg_at_the_items_that_gain():
    # At rank 1, at rank 3, and once more at the end for the one that was not returned.
    expected = (2 / IDCG_1 + DCG / IDCG + 1 * DCG / IDCG) / 3
    assert compute_value("nDCGrel") == expected


def test_rndcg_averages_ndcg_at_the_ends_of_the_levels():
    # One item of each level: cutoffs 1, 2 and 3.
    assert compute_value("Rndcg") == (2 / IDCG_1 + 2 / IDCG_2 + DCG / IDCG) / 3
    # Two of level 2: cutoffs 2 and 3.
    qrels = {"q": {"a": 2, "b": 2, "c": 1}}
    ideal_2 = 2 + 2 / log2(3)
    dcg, ideal_3 = 2 + 2 / log2(4), ideal_2 + 1 / log2(4)
    assert compute_value("Rndcg", qrels) == (2 / ideal_2 + dcg / ideal_3) / 2


def test_rndcg_adds_the_end_of_a_ranking_that_goes_on():
    levels = [2 / IDCG_1, 2 / IDCG_2, DCG / IDCG]
    short_run, long_run = {"q": ["b", "x", "a", "c"]}, {"q": ["b", "x", "a", "y", "c"]}
    end_4, end_5 = (DCG + 1 / log2(5)) / IDCG, (DCG + 1 / log2(6)) / IDCG
    assert compute_value("Rndcg", run=short_run) == sum(levels) / 3
    assert compute_value("Rndcg", run=long_run) == (sum(levels) + end_5) / 4
    assert compute_value("Rndcg(end=left)") == sum(levels) / 3
    assert compute_value("Rndcg(end=left)", run=short_run) == (sum(levels) + end_4) / 4
    assert compute_value("Rndcg(end=left)", run=long_run) == (sum(levels) + end_5) / 4
    assert compute_value("Rndcg(end=never)", run=long_run) == sum(levels) / 3


def test_levels_are_gains_not_labels():
    # 1 and 2 gain the same: one level of two items, then none.
    measure = "Rndcg(gain={1: 4, 2: 4, 3: 0})"
    assert compute_value(measure, run={"q": ["x", "b"]}) == (4 / log2(3)) / (4 + 4 / log2(3))


def test_g_divides_gains_by_the_logarithm_of_what_was_missed():
    # Best gains sum to 3, 5, 6; the ranking has 2, 2, 5.
    assert compute_value("G") == (2 / log2(2 + 3 - 2) + 3 / log2(2 + 6 - 5)) / 6


def test_a_rank_costs_g_at_least_1():
    # Best gain 1, then nothing: costs sum to 1, 2, 3.
    qrels = {"q": {"a": 1}}
    assert compute_value("G", qrels) == 1 / log2(2 + 3 - 1) / 1
    # A gain below 1 costs 1 nevertheless, so that even a perfect ranking misses something.
    assert compute_value("G(gain={1: 0.5})", qrels, {"q": ["a"]}) == 0.5 / log2(2 + 1 - 0.5) / 0.5


def test_bing_looks_at_the_other_items_above_each_relevant_one():
    assert compute_value("binG") == (1 / log2(2 + 0) + 1 / log2(2 + 1)) / 3
    assert compute_value("binG(rel=3)") == 1 / log2(2 + 2)


def test_bing_is_g_with_binary_gain():
    for run in (["b", "x", "a"], ["x", "y", "c", "d", "b"], ["a", "b", "c"]):
        assert compute_value("binG", run={"q": run}) == compute_value(
            "G(gain=binary)", run={"q": run}
        )


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_found_scores_zero_and_nothing_relevant_follows_the_rules(measure):
    assert compute_value(measure, run={"q": []}) == 0.0
    assert compute_value(measure, run={"q": ["x", "y"]}) == 0.0
    irrelevant = {"q": {"a": 0, "b": -1}}
    assert compute_value(measure, irrelevant) == 0.0
    assert compute_value(measure, irrelevant, empty="one") == 1.0
    assert compute_value(measure, run={"q": []}, empty="one") == 0.0
    # Negative labels gain nothing, and a perfect ranking scores 1.
    assert compute_value(measure, {"q": {"b": 2, "x": -3}}, {"q": ["b", "x"]}) == 1.0


@given(labels=st.lists(st.integers(0, 4), min_size=1, max_size=12))
def test_a_perfect_ranking_scores_1(labels):
    items = [f"d{i}" for i in range(len(labels))]
    qrels = {"q": dict(zip(items, sorted(labels, reverse=True), strict=True))}
    for measure in MEASURES:
        assert compute_value(measure, qrels, {"q": items}) == (1.0 if any(labels) else 0.0)


def test_negative_gains_lower_them_but_not_below_0_in_ndcgrel():
    table = "gain={0: -9, 1: 1}"
    qrels, run = {"q": {"a": 0, "b": 1, "c": 1}}, {"q": ["a", "b"]}
    assert compute_value(f"nDCGrel({table})", qrels, run) == 0.0
    assert (
        compute_value(f"G({table})", qrels, run) == (-9 / log2(2 + 1 + 9) + 1 / log2(2 + 2 + 8)) / 2
    )


def test_gains_must_add_up_to_finite_numbers():
    qrels, run = {"q": {"a": 1023, "b": 1023, "c": 1023}}, {"q": ["a", "b", "c"]}
    for measure in ("nDCGrel", "Rndcg", "G"):
        with pytest.raises(MeasureError) as error:
            compute_value(f"{measure}(gain=exp2)", qrels, run)
        assert str(error.value) == "gain exp2: must add up to finite numbers, got infinity."


def test_high_gains_need_no_long_table_of_logarithms():
    qrels, run = {"q": {"a": 10**12, "b": 3}}, {"q": ["b", "a"]}
    expected = (3 / log2(2 + 10**12 - 3) + 10**12 / log2(2)) / (10**12 + 3)
    assert compute_value("G", qrels, run) == expected


@pytest.mark.parametrize("n_queries", [1, 40])
def test_running_sums_add_one_by_one_however_long_a_query_is(n_queries):
    rng = np.random.default_rng(7)
    sizes = rng.integers(0, 30, n_queries)
    sizes[0] = 20_000
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    values = rng.random(offsets[-1])
    sums = ragged.accumulate(values, offsets)
    for start, stop in pairwise(offsets):
        total = 0.0
        for i in range(start, stop):
            total += values[i]
            assert sums[i] == total


@pytest.mark.parametrize("measure", ["nDCGrel", "G", "Rndcg"])
def test_unjudged_items_that_gain_where_nothing_else_does_divide_by_nothing(measure):
    rules = DialectRules(unjudged_label=2, empty="nan")
    scores = evaluate(
        {"q": {"a": 0}, "r": {"a": 0.5}}, {"q": ["x", "a"], "r": ["x"]}, measure, rules=rules
    )
    assert isnan(scores.column(measure)[0])
    assert scores.column(measure)[1] >= 0


def test_gains_beyond_what_whole_numbers_hold_are_discounted_alike():
    value = evaluate({"q": {"a": 1e300, "b": 1}}, {"q": ["b"]}, "G")["G"]
    assert value == pytest.approx(1 / log2(1e300) / 1e300, rel=1e-12)
