"""Binary measures: the average over ties is the mean over every order of tied items."""

from itertools import groupby, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from evaluation.strategies import few_scores, queries, real_labels, signed_labels
from example_counts import max_examples
from gainful import MeasureError
from gainful.measures import REGISTRY, parse_measure

CUT_MEASURES = (
    "P@{k}",
    "RelP@{k}",
    "R@{k}",
    "F@{k}",
    "F(beta=2)@{k}",
    "Hits@{k}",
    "Success@{k}",
    "AP@{k}",
    "AP(divide=cutoff)@{k}",
    "RR@{k}",
    "Judged@{k}",
    "Judged(divide=cutoff, negatives=unjudged)@{k}",
    "Unjudged@{k}",
    "Unjudged(divide=returned, negatives=judged)@{k}",
)
WHOLE_MEASURES = (
    "R",
    "Hits",
    "AP",
    "GMAP",
    "RR",
    "Rprec",
    "RprecMult(times=0.5)",
    "RprecMult(times=1.7)",
    "Judged",
    "Unjudged",
    "NumQ",
    "NumRet",
    "NumRel",
    "NumRelRet",
    "NumNonrelRet",
    "SetP",
    "SetR",
    "SetF",
    "SetF(beta=3)",
    "SetAP",
    "SetRelP",
    "Utility",
    "Utility(a=2, b=-0.5, c=-1, d=0.25, collection=40)",
)
PAIR_MEASURES = ("AUC", "AUC(unjudged=leave_out)")
few_queries = queries(labels=signed_labels, scores=few_scores, max_items=6).filter(lambda q: q[1])


def list_measures(k: int, rel: float) -> list[gainful.Measure]:
    """Return all measures under test, at a cutoff and a lowest relevant label."""
    measures = [parse_measure(name.format(k=k)) for name in CUT_MEASURES + WHOLE_MEASURES]
    return [m(rel=rel) if "rel" in m.arguments else m for m in measures]


def list_orders(retrieved: dict[str, float]) -> list[list[str]]:
    """Return the items in every order that the scores allow."""
    ranked = sorted(retrieved, key=lambda item: -retrieved[item])
    blocks = [list(block) for _, block in groupby(ranked, key=lambda item: retrieved[item])]
    block_orders = product(*(permutations(block) for block in blocks))
    return [
        [item for block in blocks_in_order for item in block] for blocks_in_order in block_orders
    ]


def compute_mean_over_orders(judged, retrieved, measures, depth) -> np.ndarray:
    """Compute the mean of each measure over all orders, scored as separate rankings."""
    order_list = list_orders(retrieved)
    qrels = {f"q{number}": judged for number in range(len(order_list))}
    run = {f"q{number}": order for number, order in enumerate(order_list)}
    rules = gainful.Rules(depth=depth, empty="nan")
    return gainful.evaluate(qrels, run, measures, rules=rules).values.mean(axis=0)


def compute_tie_average(judged, retrieved, measures, depth) -> np.ndarray:
    """Compute the value of each measure with ties averaged."""
    rules = gainful.Rules(depth=depth, empty="nan", ties="average")
    return gainful.evaluate({"q": judged}, {"q": retrieved}, measures, rules=rules).values[0]


def assert_average_is_mean(judged, retrieved, measures, depth=None):
    """Check that averaged ties give the mean over all orders."""
    expected = compute_mean_over_orders(judged, retrieved, measures, depth)
    np.testing.assert_allclose(
        compute_tie_average(judged, retrieved, measures, depth), expected, rtol=1e-12, atol=1e-14
    )


@given(few_queries, st.integers(1, 8), st.sampled_from([1, 2, 3]), st.none() | st.integers(1, 7))
@max_examples(400)
def test_the_average_is_the_mean_over_all_orders_of_tied_items(query, k, rel, depth):
    assert_average_is_mean(*query, list_measures(k, rel), depth)


@given(
    queries(labels=real_labels, scores=st.just(0.0), max_items=7).filter(lambda q: q[1]),
    st.integers(1, 7),
    st.floats(0.1, 4),
)
@max_examples(30)
def test_so_it_is_where_all_items_are_tied(query, k, rel):
    assert_average_is_mean(*query, list_measures(k, rel))


@given(few_queries, st.sampled_from([1, 2, 3]))
@max_examples(200)
def test_a_tied_pair_counts_one_half(query, rel):
    assert_average_is_mean(*query, [parse_measure(name)(rel=rel) for name in PAIR_MEASURES])


@given(few_queries, st.sampled_from([1, 2, 3]), st.integers(1, 6))
@max_examples(200)
def test_pairs_of_a_tie_that_the_depth_cuts_have_their_mean_or_are_refused(query, rel, depth):
    for name in PAIR_MEASURES:
        measure = parse_measure(name)(rel=rel)
        try:
            assert_average_is_mean(*query, [measure], depth)
        except MeasureError as error:
            message = str(error)
        else:
            continue
        assert message == (
            "AUC: has no exact average where depth cuts through a tie, "
            "got ties=average. Pass another --ties, or no --depth."
        )


@given(few_queries, st.integers(1, 8))
@max_examples(100)
def test_without_ties_the_average_is_the_value(query, k):
    judged, retrieved = query
    untied = {item: float(-place) for place, item in enumerate(retrieved)}
    measures = [*list_measures(k, 1), *map(parse_measure, PAIR_MEASURES)]
    values = [
        gainful.evaluate({"q": judged}, {"q": untied}, measures, rules=gainful.Rules(ties=ties))
        for ties in ("average", "item-desc")
    ]
    assert values[0].values.tolist() == values[1].values.tolist()


@given(few_queries, few_queries, st.integers(1, 8), st.none() | st.integers(1, 7))
@max_examples(100)
def test_the_judged_share_of_all_queries_is_made_of_their_averages(first, second, k, depth):
    queries = {"q": first, "p": second}
    judged = {query: labels for query, (labels, _) in queries.items()}
    run = {query: retrieved for query, (_, retrieved) in queries.items()}
    rules = gainful.Rules(depth=depth, ties="average")
    share = gainful.evaluate(judged, run, f"JudgedShare@{k}", rules=rules)[f"JudgedShare@{k}"]
    depths = [min(k, len(items), depth or k) for items in run.values()]
    means = [
        compute_mean_over_orders(*query, [f"Judged@{k}"], depth)[0] * n
        for query, n in zip(queries.values(), depths, strict=True)
    ]
    assert share == pytest.approx(sum(means) / sum(depths), rel=1e-12, abs=1e-14)


def test_long_ties_average_to_what_drawing_gives():
    # 40 items of one score, 3 relevant, 10 ranks: by the hypergeometric distribution.
    judged = {f"d{i}": int(i < 3) for i in range(20)}
    retrieved = {f"d{i}": 0.5 for i in range(40)}
    value = dict(
        zip(
            ("P@10", "Success@10", "RR@10", "Judged@10"),
            compute_tie_average(
                judged, retrieved, ["P@10", "Success@10", "RR@10", "Judged@10"], None
            ),
            strict=True,
        )
    )
    miss_chance = (30 * 29 * 28) / (40 * 39 * 38)
    assert value["P@10"] == pytest.approx(10 * 3 / 40 / 10, rel=1e-15)
    assert value["Success@10"] == pytest.approx(1 - miss_chance, rel=1e-14)
    assert value["Judged@10"] == pytest.approx(0.5, rel=1e-15)
    first_rank_chances = [(40 - i) * (39 - i) / 2 / (40 * 39 * 38 / 6) for i in range(1, 11)]
    expected = sum(chance / rank for rank, chance in enumerate(first_rank_chances, start=1))
    assert value["RR@10"] == pytest.approx(expected, rel=1e-14)


def test_every_measure_here_that_claims_averages_is_tried():
    modules = {"precision", "recall", "sets", "counts", "average_precision", "reciprocal_rank"}
    modules |= {"bpref", "judged", "pairwise"}
    expected = {
        name
        for name, m in REGISTRY.items()
        if m.averages_ties and m.compute.__module__.rpartition(".")[2] in modules
    }
    tested = {m.name for m in list_measures(5, 1)} | {"AUC", "JudgedShare"}
    assert tested == expected
