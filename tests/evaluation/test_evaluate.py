"""evaluate(): published values, and equal results however the data are passed."""

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
    assert notice.data["queries"] == ("zz", "bb", "a")


many_rankings = st.lists(rankings(labels=whole_labels | real_labels), min_size=1, max_size=5)


@given(
    collections(scores=few_scores | any_scores),
    st.lists(measures(), min_size=1, max_size=3),
    st.sampled_from(TIES),
)
@max_examples(100)
def test_a_query_scores_the_same_alone_and_among_others(collection, measure_list, ties):
    qrels, run = collection
    rules = gainful.Rules(ties=ties)
    all_scores = gainful.evaluate(qrels, run, measure_list, rules=rules)
    for query, row in zip(all_scores.queries, all_scores.values.tolist(), strict=True):
        query_scores = gainful.evaluate(
            {query: qrels[query]}, {query: run[query]}, measure_list, rules=rules
        )
        assert query_scores.values.tolist() == [row]


@given(many_rankings, cutoffs, st.sampled_from(["average", "best", "worst", "input"]))
@max_examples(100)
def test_every_way_in_gives_the_same_values(many_rankings, k, ties):
    settings = {} if k is None else {"cutoff": k}
    measure_list = [gainful.DCG(**settings), gainful.nDCG(**settings)]
    rules = gainful.Rules(ties=ties)
    qrels = {f"q{n}": _name_items(labels) for n, (labels, _) in enumerate(many_rankings)}
    run = {f"q{n}": _name_items(scores) for n, (_, scores) in enumerate(many_rankings)}
    expected = gainful.evaluate(qrels, run, measure_list, rules=rules).values.T.tolist()

    assert _evaluate_files(qrels, run, measure_list, rules) == expected
    labels, scores = ([ranking[i] for ranking in many_rankings] for i in (0, 1))
    ids = [n for n, row in enumerate(labels) for _ in row]
    columns = [list(chain.from_iterable(column)) for column in (labels, scores)]
    ways = [
        (labels, scores, {}),
        (*columns, {"group_sizes": [len(row) for row in labels]}),
        (np.array(columns[0]), np.array(columns[1]), {"query_ids": np.array(ids)}),
        _interleave(*columns, ids),
        ([list(run[q]) for q in run], scores, {"relevant": list(qrels.values())}),
    ]
    for way_labels, way_scores, options in ways:
        for function, values in zip((gainful.dcg, gainful.ndcg), expected, strict=True):
            assert function(way_labels, way_scores, k=k, ties=ties, **options).tolist() == values


def _name_items(values: list[float]) -> dict[str, float]:
    return {f"d{i}": value for i, value in enumerate(values)}


def _evaluate_files(qrels, run, measure_list, rules) -> list[list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        qrels_file, run_file = Path(folder, "qrels.txt"), Path(folder, "run.txt")
        qrels_lines = [
            f"{q} 0 {i} {label!r}\n" for q, labels in qrels.items() for i, label in labels.items()
        ]
        run_lines = [
            f"{q} Q0 {i} 1 {score!r} t\n"
            for q, scores in run.items()
            for i, score in scores.items()
        ]
        qrels_file.write_text("".join(qrels_lines))
        run_file.write_text("".join(run_lines))
        return gainful.evaluate(qrels_file, run_file, measure_list, rules=rules).values.T.tolist()


def _interleave(labels, scores, ids):
    """Return the first items of all rankings, then the second ones, and so on, with query ids."""
    positions = [ids[:i].count(query) for i, query in enumerate(ids)]
    order = sorted(range(len(ids)), key=lambda i: (positions[i], ids[i]))
    columns = [[column[i] for i in order] for column in (labels, scores, ids)]
    return columns[0], columns[1], {"query_ids": [f"query {n}" for n in columns[2]]}


@given(collections(), st.data(), measures())
@max_examples(50)
def test_the_order_of_queries_changes_no_value_and_no_mean(collection, data, measure):
    qrels, run = collection
    order = data.draw(st.permutations(sorted(qrels)))
    scores = gainful.evaluate(qrels, run, measure)
    reordered_scores = gainful.evaluate({query: qrels[query] for query in order}, run, measure)
    assert scores.per_query() == reordered_scores.per_query()
    assert scores[measure] == reordered_scores[measure]


@given(collections(), measures())
@max_examples(50)
def test_qrels_that_were_read_before_give_the_same(collection, measure):
    qrels, run = collection
    assume(any(qrels.values()))
    judgments = gainful.read_qrels(qrels)
    for _ in range(2):
        scores = gainful.evaluate(judgments, run, measure)
        assert scores.per_query() == gainful.evaluate(qrels, run, measure).per_query()


@given(collections(labels=real_labels), st.integers(1, 5))
@max_examples(100)
def test_the_mean_of_scores_leaves_out_what_is_undefined(collection, k):
    qrels, run = collection
    scores = gainful.evaluate(qrels, run, f"nDCG@{k}", rules=gainful.Rules(empty="nan"))
    defined = [value for value in scores.values[:, 0].tolist() if not math.isnan(value)]
    expected = math.fsum(defined) / len(defined) if defined else math.nan
    assert scores[f"nDCG@{k}"] == pytest.approx(expected, rel=0, abs=0, nan_ok=True)


@pytest.mark.parametrize("measure", ["RR", "Coverage@2"])
def test_items_that_cannot_be_read_are_refused_whatever_is_measured(measure):
    with pytest.raises(gainful.SourceError, match=r"^none\.csv: no such file or directory\."):
        gainful.evaluate({"q": {"d": 1}}, {"q": ["d"]}, measure, items="none.csv")
