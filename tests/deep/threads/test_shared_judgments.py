"""One ``Judgments`` that many threads use at once, as one thread would."""

from functools import partial

import numpy as np
import pytest

import gainful
from gainful.alignment.join import align
from measures.every_measure import complete_measure
from threads import collection
from threads.simultaneous_calls import call_at_once, summarize_scores

MEASURES = [
    "nDCG@10",
    "nDCG(gain=exp2)",
    "DCG@5",
    "AP",
    "RR",
    "P@5",
    "R@20",
    "ERR@10",
    "RBP",
    "bpref",
]
RULES = [
    gainful.Rules(),
    gainful.Rules(ties="average", depth=20),
    gainful.Rules(unjudged="condense", empty="nan", missing="skip"),
]
TIES = ["nDCG@10", "nDCG(gain=exp2)", "DCG@5", "P@5", "R@20"]  # those that have an average of them


def evaluate_run(judgments, run, rules):
    measures = TIES if rules.ties == "average" else MEASURES
    return summarize_scores(gainful.evaluate(judgments, run, measures, rules=rules, threads=2))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_runs_of_every_form_score_on_many_threads_what_they_score_on_one(rules, tmp_path):
    judgments = gainful.read_qrels(collection.make_qrels())
    runs = [
        gainful.read_run(make(collection.make_run(seed), tmp_path / f"{form}{seed}"), name=form)
        for seed, (form, make) in enumerate(collection.FORMS.items(), start=1)
    ]
    calls = [partial(evaluate_run, judgments, run, rules) for run in runs]
    expected = [call() for call in calls]
    for _ in range(5):
        assert call_at_once(calls) == expected


def test_one_run_may_be_evaluated_by_many_threads_too(tmp_path):
    judgments, scores = gainful.read_qrels(collection.make_qrels()), collection.make_run(1)
    for form, make in collection.FORMS.items():
        run = gainful.read_run(make(scores, tmp_path / form))
        call = partial(evaluate_run, judgments, run, gainful.Rules())
        assert call_at_once([call] * 6) == [call()] * 6


def test_judgments_that_were_never_looked_at_are_the_same_to_all_threads():
    run = collection.make_run(1)
    expected = evaluate_run(gainful.read_qrels(collection.make_qrels()), run, gainful.Rules())
    for _ in range(20):
        judgments = gainful.read_qrels(collection.make_qrels())
        assert (
            call_at_once([partial(evaluate_run, judgments, run, gainful.Rules())] * 6)
            == [expected] * 6
        )


def test_labels_in_the_order_of_the_qrels_are_the_same_to_all_threads():
    judgments = gainful.read_qrels(collection.make_qrels())
    measure = "nDCG(ideal_order=given, above_one=keep)"
    call = partial(gainful.evaluate, judgments, collection.make_run(1), measure)
    expected = summarize_scores(call())
    for _ in range(5):
        assert [summarize_scores(scores) for scores in call_at_once([call] * 6)] == [expected] * 6


def test_rankings_that_threads_share_give_every_measure_its_values():
    judgments = gainful.read_qrels(collection.make_qrels())
    run = gainful.read_run(collection.make_run(1))
    measures = [gainful.P, gainful.R, gainful.nDCG, gainful.DCG, gainful.F]
    cutoffs = [m @ k for k in range(1, 41) for m in measures]  # more than are remembered
    expected = [m.score(align(judgments, run, gainful.Rules())[0]).tobytes() for m in cutoffs]
    for _ in range(3):
        ranked, *_ = align(judgments, run, gainful.Rules())
        calls = [
            partial(score_measures, ranked, cutoffs[n:] + cutoffs[:n]) for n in range(0, 200, 34)
        ]
        for n, values in zip(range(0, 200, 34), call_at_once(calls), strict=True):
            assert values == expected[n:] + expected[:n]


def score_measures(ranked, measures):
    return [measure.score(ranked).tobytes() for measure in measures]


def test_explanations_are_the_same_on_many_threads():
    judgments = gainful.read_qrels(collection.make_qrels())
    run = gainful.read_run(collection.make_run(1))
    queries = [query for query in judgments.queries if query in run.source][:8]
    calls = [partial(explain_query, judgments, run, query) for query in queries]
    expected = [call() for call in calls]
    for _ in range(3):
        assert call_at_once(calls) == expected


def explain_query(judgments, run, query):
    return repr(gainful.explain(judgments, run, query, "nDCG@10").positions)


def test_comparisons_are_the_same_on_many_threads():
    judgments = gainful.read_qrels(collection.make_qrels())
    runs = {f"run{seed}": collection.make_run(seed) for seed in (1, 2)}
    call = partial(gainful.compare, judgments, runs, ["nDCG@10", "P@5"], resamples=500)
    expected = str(call())
    for _ in range(2):
        assert [str(comparison) for comparison in call_at_once([call] * 4)] == [expected] * 4


def test_arrays_score_on_many_threads_what_they_score_on_one():
    rng = np.random.default_rng(7)
    labels, scores = rng.integers(0, 4, (400, 100)), rng.integers(0, 50, (400, 100)) / 8
    calls = [
        partial(function, labels, scores, k=k)
        for function in (gainful.ndcg, gainful.dcg, gainful.idcg, gainful.mean_ndcg)
        for k in (None, 5, [3, 7])
    ]
    expected = [np.asarray(call()).tobytes() for call in calls]
    for _ in range(5):
        assert [np.asarray(values).tobytes() for values in call_at_once(calls)] == expected


def test_measures_are_read_and_printed_alike_on_many_threads():
    names = sorted(str(complete_measure(name)) for name in gainful.measures.REGISTRY)
    for _ in range(3):
        assert call_at_once([partial(reparse_names, names)] * 6) == [names] * 6


def reparse_names(names):
    return [str(gainful.parse_measure(name)) for name in names]
