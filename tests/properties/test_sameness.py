"""The same data gives the same bits, whichever way it comes and whatever comes with it."""

import math
import random
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from properties.strategies import (
    TIES,
    any_scores,
    collections,
    cutoffs,
    few_scores,
    measures,
    rankings,
    real_labels,
    signed_labels,
    whole_labels,
)

import gainful

several = st.lists(rankings(labels=whole_labels | real_labels), min_size=1, max_size=5)


@given(
    collections(scores=few_scores | any_scores),
    st.lists(measures(), min_size=1, max_size=3),
    st.sampled_from(TIES),
)
@settings(max_examples=100, deadline=None)
def test_a_query_scores_the_same_alone_and_among_others(collection, chosen, ties):
    qrels, run = collection
    rules = gainful.Rules(ties=ties)
    together = gainful.evaluate(qrels, run, chosen, rules=rules)
    for query, row in zip(together.queries, together.values.tolist(), strict=True):
        alone = gainful.evaluate({query: qrels[query]}, {query: run[query]}, chosen, rules=rules)
        assert alone.values.tolist() == [row]


@given(several, cutoffs)
@settings(max_examples=100, deadline=None)
def test_a_ranking_scores_the_same_alone_and_in_a_list_of_lists(several, k):
    labels, scores = ([one[i] for one in several] for i in (0, 1))
    for function in (gainful.cg, gainful.dcg, gainful.idcg, gainful.ndcg):
        alone = [function(*one, k=k) for one in several]
        assert function(labels, scores, k=k).tolist() == alone


@given(st.integers(1, 5), st.integers(1, 20), st.integers(0, 2**32 - 1), cutoffs)
@settings(max_examples=50, deadline=None)
def test_a_ranking_scores_the_same_alone_and_as_a_row_of_an_array(rows, width, seed, k):
    rng = np.random.default_rng(seed)
    labels, scores = rng.random((rows, width)), rng.integers(0, 4, (rows, width))
    for function in (gainful.dcg, gainful.ndcg):
        alone = [function(labels[i], scores[i], k=k) for i in range(rows)]
        assert function(labels, scores, k=k).tolist() == alone


@given(several, st.lists(st.integers(1, 14), min_size=1, max_size=4))
@settings(max_examples=50, deadline=None)
def test_several_cutoffs_at_once_give_what_each_gives(several, ks):
    labels, scores = ([one[i] for one in several] for i in (0, 1))
    table = gainful.ndcg(labels, scores, k=ks)
    for column, k in zip(table.T, ks, strict=True):
        assert column.tolist() == gainful.ndcg(labels, scores, k=k).tolist()


@given(several, cutoffs, st.sampled_from(["average", "best", "worst", "input"]), st.randoms())
@settings(max_examples=100, deadline=None)
def test_every_way_in_gives_the_same_values(several, k, ties, rng):
    cut = {} if k is None else {"cutoff": k}
    chosen = [gainful.DCG(**cut), gainful.nDCG(**cut)]
    rules = gainful.Rules(ties=ties)
    qrels = {f"q{n}": _by_item(labels) for n, (labels, _) in enumerate(several)}
    run = {f"q{n}": _by_item(scores) for n, (_, scores) in enumerate(several)}
    expected = gainful.evaluate(qrels, run, chosen, rules=rules).values.T.tolist()

    assert _from_files(qrels, run, chosen, rules) == expected
    labels, scores = ([one[i] for one in several] for i in (0, 1))
    ids = [n for n, one in enumerate(labels) for _ in one]
    flat = sum(labels, []), sum(scores, [])
    ways = [
        (labels, scores, {}),
        (*flat, {"group_sizes": [len(one) for one in labels]}),
        (np.array(flat[0]), np.array(flat[1]), {"query_ids": np.array(ids)}),
        (*_interleaved(*flat, ids, rng),),
        ([list(run[q]) for q in run], scores, {"relevant": list(qrels.values())}),
    ]
    for way_labels, way_scores, options in ways:
        for function, values in zip((gainful.dcg, gainful.ndcg), expected, strict=True):
            assert function(way_labels, way_scores, k=k, ties=ties, **options).tolist() == values


def _by_item(values: list[float]) -> dict[str, float]:
    return {f"d{i}": value for i, value in enumerate(values)}


def _from_files(qrels, run, chosen, rules) -> list[list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        qrels_file, run_file = Path(folder, "qrels.txt"), Path(folder, "run.txt")
        judged = [f"{q} 0 {i} {label!r}\n" for q, of in qrels.items() for i, label in of.items()]
        found = [f"{q} Q0 {i} 1 {score!r} t\n" for q, of in run.items() for i, score in of.items()]
        qrels_file.write_text("".join(judged))
        run_file.write_text("".join(found))
        return gainful.evaluate(qrels_file, run_file, chosen, rules=rules).values.T.tolist()


def _interleaved(labels, scores, ids, rng: random.Random):
    """The items of all rankings mixed, those of each in their order, the first ones in front."""
    places = sorted(range(len(ids)), key=lambda i: (ids.index(ids[i]) != i, rng.random()))
    places = [i for i in places if ids.index(ids[i]) == i and True] + _merged(ids, rng)
    places.sort(key=lambda i: 0 if ids.index(ids[i]) == i else 1)
    mixed = [[column[i] for i in places] for column in (labels, scores, ids)]
    return mixed[0], mixed[1], {"query_ids": [f"query {n}" for n in mixed[2]]}
