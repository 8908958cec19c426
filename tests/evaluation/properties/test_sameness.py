"""The same data gives the same bits, whichever way it comes and whatever comes with it."""

import tempfile
from itertools import chain
from pathlib import Path

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation.properties.strategies import (
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
from tries import tried

several = st.lists(rankings(labels=whole_labels | real_labels), min_size=1, max_size=5)


@given(
    collections(scores=few_scores | any_scores),
    st.lists(measures(), min_size=1, max_size=3),
    st.sampled_from(TIES),
)
@tried(100)
def test_a_query_scores_the_same_alone_and_among_others(collection, chosen, ties):
    qrels, run = collection
    rules = gainful.Rules(ties=ties)
    together = gainful.evaluate(qrels, run, chosen, rules=rules)
    for query, row in zip(together.queries, together.values.tolist(), strict=True):
        alone = gainful.evaluate({query: qrels[query]}, {query: run[query]}, chosen, rules=rules)
        assert alone.values.tolist() == [row]


@given(several, cutoffs)
@tried(100)
def test_a_ranking_scores_the_same_alone_and_in_a_list_of_lists(several, k):
    labels, scores = ([one[i] for one in several] for i in (0, 1))
    for function in (gainful.cg, gainful.dcg, gainful.idcg, gainful.ndcg):
        alone = [function(*one, k=k) for one in several]
        assert function(labels, scores, k=k).tolist() == alone


@given(st.integers(1, 5), st.integers(1, 20), st.integers(0, 2**32 - 1), cutoffs)
@tried(50)
def test_a_ranking_scores_the_same_alone_and_as_a_row_of_an_array(rows, width, seed, k):
    rng = np.random.default_rng(seed)
    labels, scores = rng.random((rows, width)), rng.integers(0, 4, (rows, width))
    for function in (gainful.dcg, gainful.ndcg):
        alone = [function(labels[i], scores[i], k=k) for i in range(rows)]
        assert function(labels, scores, k=k).tolist() == alone


@given(several, st.lists(st.integers(1, 14), min_size=1, max_size=4))
@tried(50)
def test_several_cutoffs_at_once_give_what_each_gives(several, ks):
    labels, scores = ([one[i] for one in several] for i in (0, 1))
    table = gainful.ndcg(labels, scores, k=ks)
    for column, k in zip(table.T, ks, strict=True):
        assert column.tolist() == gainful.ndcg(labels, scores, k=k).tolist()


@given(several, cutoffs, st.sampled_from(["average", "best", "worst", "input"]))
@tried(100)
def test_every_way_in_gives_the_same_values(several, k, ties):
    cut = {} if k is None else {"cutoff": k}
    chosen = [gainful.DCG(**cut), gainful.nDCG(**cut)]
    rules = gainful.Rules(ties=ties)
    qrels = {f"q{n}": _by_item(labels) for n, (labels, _) in enumerate(several)}
    run = {f"q{n}": _by_item(scores) for n, (_, scores) in enumerate(several)}
    expected = gainful.evaluate(qrels, run, chosen, rules=rules).values.T.tolist()

    assert _from_files(qrels, run, chosen, rules) == expected
    labels, scores = ([one[i] for one in several] for i in (0, 1))
    ids = [n for n, one in enumerate(labels) for _ in one]
    flat = [list(chain.from_iterable(column)) for column in (labels, scores)]
    ways = [
        (labels, scores, {}),
        (*flat, {"group_sizes": [len(one) for one in labels]}),
        (np.array(flat[0]), np.array(flat[1]), {"query_ids": np.array(ids)}),
        _interleaved(*flat, ids),
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


def _interleaved(labels, scores, ids):
    """The first items of all rankings, then the second ones, and so on; the id says whose."""
    within = [ids[:i].count(query) for i, query in enumerate(ids)]
    places = sorted(range(len(ids)), key=lambda i: (within[i], ids[i]))
    mixed = [[column[i] for i in places] for column in (labels, scores, ids)]
    return mixed[0], mixed[1], {"query_ids": [f"query {n}" for n in mixed[2]]}


@given(collections(), st.data(), measures())
@tried(50)
def test_the_order_of_queries_changes_no_value_and_no_mean(collection, data, measure):
    qrels, run = collection
    order = data.draw(st.permutations(sorted(qrels)))
    one = gainful.evaluate(qrels, run, measure)
    other = gainful.evaluate({query: qrels[query] for query in order}, run, measure)
    assert one.per_query() == other.per_query()
    assert one[measure] == other[measure]


@given(collections(), measures())
@tried(50)
def test_qrels_that_were_read_before_give_the_same(collection, measure):
    qrels, run = collection
    assume(any(qrels.values()))
    judgments = gainful.read_qrels(qrels)
    for _ in range(2):
        again = gainful.evaluate(judgments, run, measure)
        assert again.per_query() == gainful.evaluate(qrels, run, measure).per_query()


@given(st.lists(signed_labels, min_size=1, max_size=12), st.integers(1, 15), cutoffs)
@tried(50)
def test_a_list_size_is_the_same_as_cutting_and_padding(labels, size, k):
    padded = (labels + [0] * size)[:size]
    assert gainful.dcg(labels, k=k, list_size=size) == gainful.dcg(padded, k=k)
    ones = {"ideal": "ones", "k": k}
    assert gainful.ndcg(labels, list_size=size, **ones) == gainful.ndcg(padded, **ones)


@given(st.lists(st.sampled_from(["none", "click", "buy"]), min_size=1, max_size=8))
@tried(30)
def test_words_score_as_the_labels_they_stand_for(words):
    worth = {"none": 0, "click": 1, "buy": 3}
    assert gainful.ndcg(words, labels=worth) == gainful.ndcg([worth[word] for word in words])
