"""evaluate(): published values, and the same data give the same bits, whichever way they come."""

import math
import tempfile
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation.strategies import (
    TIES,
    any_scores,
    collections,
    cutoffs,
    few_scores,
    measures,
    rankings,
    real_labels,
    whole_labels,
)
from example_counts import max_examples

# Moffat and Zobel's way to look at unjudged items: u1 and u2 have no judgment.
QRELS = {"q": {"a": 3, "b": 0, "c": 2, "z": 1}}


RUN = {"q": ["u1", "a", "u2", "c", "b"]}


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("nDCG@5", 0.5783753957),
        ("nDCG(gain=exp2)@5", 0.6077574819),
        ("Judged@5", 0.6),
        ("RBP", 0.2624),
        ("RBPResidual", 0.65568),
        ("Bpref", 2 / 3),
    ],
)
def test_a_ranking_with_unjudged_items(measure, value):
    assert gainful.evaluate(QRELS, RUN, measure)[measure] == pytest.approx(value, abs=5e-11)


def test_a_condensed_ranking():
    rules = gainful.Rules(unjudged="condense")
    scores = gainful.evaluate(QRELS, RUN, "nDCG@5", rules=rules)
    assert scores["nDCG@5"] == pytest.approx(0.8949990021, abs=5e-11)
    assert "condensed-lists" in [notice.code for notice in scores.notices]


def test_strangers_without_items_keep_their_place():
    run = {"zz": {}, "bb": {"d": 1.0}, "a": {"d": 1.0}, "q": {"d": 1.0}}
    (notice,) = gainful.evaluate({"q": {"d": 1}}, run, "nDCG").notices
    assert notice.queries == ("zz", "bb", "a")


many_rankings = st.lists(rankings(labels=whole_labels | real_labels), min_size=1, max_size=5)


@given(
    collections(scores=few_scores | any_scores),
    st.lists(measures(), min_size=1, max_size=3),
    st.sampled_from(TIES),
)
@max_examples(100)
def test_a_query_scores_the_same_alone_and_among_others(collection, chosen, ties):
    qrels, run = collection
    rules = gainful.Rules(ties=ties)
    together = gainful.evaluate(qrels, run, chosen, rules=rules)
    for query, row in zip(together.queries, together.values.tolist(), strict=True):
        alone = gainful.evaluate({query: qrels[query]}, {query: run[query]}, chosen, rules=rules)
        assert alone.values.tolist() == [row]


@given(many_rankings, cutoffs, st.sampled_from(["average", "best", "worst", "input"]))
@max_examples(100)
def test_every_way_in_gives_the_same_values(many_rankings, k, ties):
    cut = {} if k is None else {"cutoff": k}
    chosen = [gainful.DCG(**cut), gainful.nDCG(**cut)]
    rules = gainful.Rules(ties=ties)
    qrels = {f"q{n}": _by_item(labels) for n, (labels, _) in enumerate(many_rankings)}
    run = {f"q{n}": _by_item(scores) for n, (_, scores) in enumerate(many_rankings)}
    expected = gainful.evaluate(qrels, run, chosen, rules=rules).values.T.tolist()

    assert _from_files(qrels, run, chosen, rules) == expected
    labels, scores = ([one[i] for one in many_rankings] for i in (0, 1))
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
@max_examples(50)
def test_the_order_of_queries_changes_no_value_and_no_mean(collection, data, measure):
    qrels, run = collection
    order = data.draw(st.permutations(sorted(qrels)))
    one = gainful.evaluate(qrels, run, measure)
    other = gainful.evaluate({query: qrels[query] for query in order}, run, measure)
    assert one.per_query() == other.per_query()
    assert one[measure] == other[measure]


@given(collections(), measures())
@max_examples(50)
def test_qrels_that_were_read_before_give_the_same(collection, measure):
    qrels, run = collection
    assume(any(qrels.values()))
    judgments = gainful.read_qrels(qrels)
    for _ in range(2):
        again = gainful.evaluate(judgments, run, measure)
        assert again.per_query() == gainful.evaluate(qrels, run, measure).per_query()


@given(collections(labels=real_labels), st.integers(1, 5))
@max_examples(100)
def test_the_mean_of_scores_leaves_out_what_is_undefined(collection, k):
    qrels, run = collection
    scores = gainful.evaluate(qrels, run, f"nDCG@{k}", rules=gainful.Rules(empty="nan"))
    defined = [value for value in scores.values[:, 0].tolist() if not math.isnan(value)]
    expected = math.fsum(defined) / len(defined) if defined else math.nan
    assert scores[f"nDCG@{k}"] == pytest.approx(expected, rel=0, abs=0, nan_ok=True)
