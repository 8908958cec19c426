"""Measures as evaluation functions of XGBoost, in training."""

import pickle

import numpy as np
import pytest
import xgboost

import gainful
from gainful.adapters.xgboost import custom_metric, eval_metric
from gainful.alignment.rules import Rules
from gainful.errors import MeasureError, SourceError

RANKING = {"objective": "rank:ndcg", "nthread": 1, "eval_metric": ["ndcg@3", "ndcg@10", "ndcg"]}
MEASURES = ["nDCG@3", "nDCG@10", "nDCG"]


def make_rows(seed, n_queries=60, *, levels=None):
    """Return features, labels and group sizes; two queries have nothing relevant."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 50, n_queries)
    features = rng.normal(size=(sizes.sum(), 4))
    if levels:
        features = np.round(features * levels) / levels
    labels = np.clip(np.round(features[:, 0] + rng.normal(size=len(features))), 0, 4)
    labels[: sizes[0] + sizes[1]] = 0
    return features, labels, sizes


def make_matrix(seed, *, weighted=False, levels=None):
    features, labels, sizes = make_rows(seed, levels=levels)
    data = xgboost.DMatrix(features, labels)
    data.set_group(sizes)
    if weighted:  # above 1: XGBoost refuses a mean above 1, and an empty query adds 1 to the sum
        data.set_weight(1 + np.random.default_rng(seed).random(len(sizes)))
    return data


def train_with_log(train, valid, rounds=8, **options):
    log = {}
    evals = [(train, "train"), (valid, "valid")]
    options = {"evals": evals, "evals_result": log, "verbose_eval": False, **options}
    return xgboost.train(RANKING, train, rounds, **options), log


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("levels", [None, 1])
def test_in_its_dialect_a_value_is_that_of_xgboost(weighted, levels):
    train, valid = (make_matrix(seed, weighted=weighted, levels=levels) for seed in (1, 2))
    metric = custom_metric(MEASURES, dialect="xgboost")
    for rounds in range(1, 9):
        booster, log = train_with_log(train, valid, rounds)
        for name, data in (("train", train), ("valid", valid)):
            expected = [log[name][key][-1] for key in RANKING["eval_metric"]]
            values = [value for _, value in metric(booster.predict(data), data)]
            assert values == pytest.approx(expected, rel=1e-12)


def test_a_log_has_six_decimals_of_our_measures():
    train, valid = make_matrix(1), make_matrix(2)
    options = {"custom_metric": custom_metric(MEASURES, dialect="xgboost")}
    _, log = train_with_log(train, valid, **options)
    for name in ("train", "valid"):
        for metric, measure in zip(RANKING["eval_metric"], MEASURES, strict=True):
            assert log[name][measure] == [float(f"{value:f}") for value in log[name][metric]]


def test_measures_of_all_kinds_are_those_of_evaluate():
    measures = ["AP", "RR", "P(rel=2)@5", "ERR@10", "RBP(p=0.8)"]
    train, valid = make_matrix(1), make_matrix(2)
    booster, _ = train_with_log(train, valid)
    _, labels, sizes = make_rows(2)
    scores = booster.predict(valid)
    qrels = gainful.Grouped(labels, group_sizes=sizes)
    expected = gainful.evaluate(qrels, scores, measures, rules=Rules(ties="average"))
    assert custom_metric(measures)(scores, valid) == list(expected.mean().items())


def test_names_are_those_that_xgboost_can_read_back():
    measures = ["nDCG(gain=exp2, rel=2)@5", "nDCG(gain={1: 1, 2: 3, 3: 4, 4: 5})"]
    _, log = train_with_log(make_matrix(1), make_matrix(2), custom_metric=custom_metric(measures))
    assert list(log["valid"])[3:] == ["nDCG(gain=exp2,rel=2)@5", "nDCG(gain={1=1,2=3,3=4,4=5})"]


def test_training_stops_early_by_our_measure():
    callback = xgboost.callback.EarlyStopping(rounds=3, metric_name="AP", maximize=True)
    options = {"custom_metric": custom_metric("AP"), "callbacks": [callback]}
    booster, log = train_with_log(make_matrix(1), make_matrix(2), 200, **options)
    assert booster.num_boosted_rounds() < 200
    assert booster.best_iteration == int(np.argmax(log["valid"]["AP"]))
    assert booster.best_score == max(log["valid"]["AP"])


def test_the_ranker_of_the_interface_of_scikit_learn_takes_one_measure_query_by_query():
    features, labels, sizes = make_rows(1)
    query = np.repeat(np.arange(len(sizes)), sizes)
    metric = eval_metric("nDCG@10")
    ranker = xgboost.XGBRanker(n_estimators=3, n_jobs=1, eval_metric=metric)
    ranker.fit(
        features, labels, qid=query, eval_set=[(features, labels)], eval_qid=[query], verbose=False
    )
    scores = ranker.predict(features)
    values = [
        1.0 if size == 1 else metric(labels[query == number], scores[query == number])
        for number, size in enumerate(sizes)
    ]
    logged_value = ranker.evals_result()["validation_0"]["nDCG@10"][-1]
    assert logged_value == float(f"{np.average(values, weights=sizes):f}")


def test_functions_are_pickled():
    function = custom_metric("nDCG@10", dialect="xgboost")
    assert pickle.loads(pickle.dumps(function)) == function
    copy = pickle.loads(pickle.dumps(eval_metric("AP(rel=2)@10")))
    assert (copy.__name__, copy([1, 2], [2, 1])) == ("AP(rel=2)@10", 0.5)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: custom_metric("AP")(np.zeros(2), xgboost.DMatrix(np.zeros((2, 1)), [0, 1])),
            "xgboost: the data have no queries. Pass qid=... or group=... to DMatrix.",
        ),
        (
            lambda: eval_metric("nDCG@5,10"),
            "eval_metric: takes one measure, got nDCG@5, nDCG@10.",
        ),
        (
            lambda: custom_metric("alpha_nDCG@5"),
            "custom_metric: takes measures of items with one label each, got alpha_nDCG@5.",
        ),
    ],
)
def test_errors_say_what_is_wrong(call, sentence):
    with pytest.raises((SourceError, MeasureError)) as error:
        call()
    assert str(error.value) == sentence
