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

CUT = (
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
WHOLE = (
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
PAIRS = ("AUC", "AUC(unjudged=leave_out)")
few_queries = queries(labels=signed_labels, scores=few_scores, longest=6).filter(lambda q: q[1])


def measures_at(k: int, rel: float) -> list[gainful.Measure]:
    """All measures whose averages are tried, at a cutoff and a lowest relevant label."""
    chosen = [parse_measure(name.format(k=k)) for name in CUT + WHOLE]
    return [m(rel=rel) if "rel" in m.arguments else m for m in chosen]


def orders(retrieved: dict[str, float]) -> list[list[str]]:
    """The items in every order that the scores allow."""
    ranked = sorted(retrieved, key=lambda item: -retrieved[item])
    blocks = [list(block) for _, block in groupby(ranked, key=lambda item: retrieved[item])]
    chosen = product(*(permutations(block) for block in blocks))
    return [[item for block in one for item in block] for one in chosen]


def mean_over_orders(judged, retrieved, measures, depth) -> np.ndarray:
    """The mean of each measure over all orders, each scored as a ranking of its own."""
    every = orders(retrieved)
    qrels = {f"q{number}": judged for number in range(len(every))}
    run = {f"q{number}": order for number, order in enumerate(every)}
    rules = gainful.Rules(depth=depth, empty="nan")
    return gainful.evaluate(qrels, run, measures, rules=rules).values.mean(axis=0)


def average(judged, retrieved, measures, depth) -> np.ndarray:
    """The same, as the measures have it."""
    rules = gainful.Rules(depth=depth, empty="nan", ties="average")
    return gainful.evaluate({"q": judged}, {"q": retrieved}, measures, rules=rules).values[0]


def check(judged, retrieved, measures, depth=None):
    """That both are the same."""
    expected = mean_over_orders(judged, retrieved, measures, depth)
    np.testing.assert_allclose(
        average(judged, retrieved, measures, depth), expected, rtol=1e-12, atol=1e-14
    )


@given(few_queries, st.integers(1, 8), st.sampled_from([1, 2, 3]), st.none() | st.integers(1, 7))
@max_examples(400)
def test_the_average_is_the_mean_over_all_orders_of_tied_items(query, k, rel, depth):
    check(*query, measures_at(k, rel), depth)


@given(
    queries(labels=real_labels, scores=st.just(0.0), longest=7).filter(lambda q: q[1]),
    st.integers(1, 7),
    st.floats(0.1, 4),
)
@max_examples(30)
def test_so_it_is_where_all_items_are_tied(query, k, rel):
    check(*query, measures_at(k, rel))


@given(few_queries, st.sampled_from([1, 2, 3]))
@max_examples(200)
def test_a_tied_pair_counts_one_half(query, rel):
    check(*query, [parse_measure(name)(rel=rel) for name in PAIRS])


@given(few_queries, st.sampled_from([1, 2, 3]), st.integers(1, 6))
@max_examples(200)
def test_pairs_of_a_tie_that_the_depth_cuts_have_their_mean_or_are_refused(query, rel, depth):
    for name in PAIRS:
        measure = parse_measure(name)(rel=rel)
        try:
            check(*query, [measure], depth)
        except MeasureError as error:
            refused = str(error)
        else:
            continue
        assert refused == (
            "AUC: has no exact average where depth cuts through a tie, "
            "got ties=average. Pass another --ties, or no --depth."
        )


@given(few_queries, st.integers(1, 8))
@max_examples(100)
def test_without_ties_the_average_is_the_value(query, k):
    judged, retrieved = query
    apart = {item: float(-place) for place, item in enumerate(retrieved)}
    measures = [*measures_at(k, 1), *map(parse_measure, PAIRS)]
    values = [
        gainful.evaluate({"q": judged}, {"q": apart}, measures, rules=gainful.Rules(ties=ties))
        for ties in ("average", "item-desc")
    ]
    assert values[0].values.tolist() == values[1].values.tolist()


@given(few_queries, few_queries, st.integers(1, 8), st.none() | st.integers(1, 7))
@max_examples(100)
def test_the_judged_share_of_all_queries_is_made_of_their_averages(one, other, k, depth):
    queries = {"q": one, "p": other}
    judged = {query: labels for query, (labels, _) in queries.items()}
    run = {query: retrieved for query, (_, retrieved) in queries.items()}
    rules = gainful.Rules(depth=depth, ties="average")
    share = gainful.evaluate(judged, run, f"JudgedShare@{k}", rules=rules)[f"JudgedShare@{k}"]
    looked_at = [min(k, len(items), depth or k) for items in run.values()]
    means = [
        mean_over_orders(*query, [f"Judged@{k}"], depth)[0] * n
        for query, n in zip(queries.values(), looked_at, strict=True)
    ]
    assert share == pytest.approx(sum(means) / sum(looked_at), rel=1e-12, abs=1e-14)


def test_long_ties_average_to_what_drawing_gives():
    # 40 items of one score, 3 relevant, 10 ranks: by the hypergeometric distribution.
    judged = {f"d{i}": int(i < 3) for i in range(20)}
    retrieved = {f"d{i}": 0.5 for i in range(40)}
    value = dict(
        zip(
            ("P@10", "Success@10", "RR@10", "Judged@10"),
            average(judged, retrieved, ["P@10", "Success@10", "RR@10", "Judged@10"], None),
            strict=True,
        )
    )
    none = (30 * 29 * 28) / (40 * 39 * 38)
    assert value["P@10"] == pytest.approx(10 * 3 / 40 / 10, rel=1e-15)
    assert value["Success@10"] == pytest.approx(1 - none, rel=1e-14)
    assert value["Judged@10"] == pytest.approx(0.5, rel=1e-15)
    first_at = [(40 - i) * (39 - i) / 2 / (40 * 39 * 38 / 6) for i in range(1, 11)]
    expected = sum(chance / rank for rank, chance in enumerate(first_at, start=1))
    assert value["RR@10"] == pytest.approx(expected, rel=1e-14)


def test_every_measure_here_that_claims_averages_is_tried():
    modules = {"precision", "recall", "sets", "counts", "average_precision", "reciprocal_rank"}
    modules |= {"bpref", "judged", "pairwise"}
    claimed = {
        name
        for name, m in REGISTRY.items()
        if m.averages_ties and m.compute.__module__.rpartition(".")[2] in modules
    }
    tried_here = {m.name for m in measures_at(5, 1)} | {"AUC", "JudgedShare"}
    assert tried_here == claimed
