"""Measures as evaluation functions of LightGBM, in training."""

import pickle

import lightgbm
import numpy as np
import pytest

import gainful
from gainful.adapters.lightgbm import eval_metric, feval
from gainful.alignment.rules import Rules
from gainful.errors import MeasureError, SourceError

QUIET = {"verbose": -1, "num_threads": 1}  # LightGBM adds up in another order on more threads
RANKING = {**QUIET, "objective": "lambdarank", "metric": "ndcg", "eval_at": [1, 3, 10, 1000]}


def make_rows(seed, n_queries=80, *, levels=None):
    """Return features, labels and group sizes; some queries have nothing relevant."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 40, n_queries)
    features = rng.normal(size=(sizes.sum(), 4))
    if levels:
        features = np.round(features * levels) / levels
    labels = np.clip(np.round(features[:, 0] + rng.normal(size=len(features))), 0, 4)
    labels[: sizes[0] + sizes[1]] = 0
    return features, labels, sizes


def make_datasets(*, weighted=False, levels=None):
    features, labels, sizes = make_rows(1, levels=levels)
    train = lightgbm.Dataset(features, labels, group=sizes)
    features, labels, sizes = make_rows(2, levels=levels)
    valid = lightgbm.Dataset(features, labels, group=sizes, reference=train)
    if weighted:
        rng = np.random.default_rng(3)
        train.set_weight(rng.random(len(train.get_label())) * 5)
        valid.set_weight(rng.random(len(labels)) * 5)
    return train, valid


def train_with_log(train, valid, rounds=12, params=RANKING, **options):
    log = {}
    lightgbm.train(
        params,
        train,
        rounds,
        valid_sets=[train, valid],
        valid_names=["train", "valid"],
        callbacks=[lightgbm.record_evaluation(log)],
        **options,
    )
    return log


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("levels", [None, 1])
def test_in_its_dialect_the_numbers_of_a_log_are_those_of_lightgbm(weighted, levels):
    measures = ["nDCG@1", "nDCG@3", "nDCG@10", "nDCG"]
    train, valid = make_datasets(weighted=weighted, levels=levels)
    log = train_with_log(train, valid, feval=feval(measures, dialect="lightgbm"))
    for name in ("train", "valid"):
        for cutoff, measure in zip(RANKING["eval_at"], measures, strict=True):
            expected = log[name][f"ndcg@{cutoff}"]
            # LightGBM adds the weights of rows in single precision.
            assert log[name][measure] == pytest.approx(expected, rel=1e-6 if weighted else 1e-12)


def test_another_gain_is_a_setting_of_the_measure():
    train, valid = make_datasets()
    linear = {**RANKING, "label_gain": list(range(31))}
    log = train_with_log(
        train, valid, params=linear, feval=feval("nDCG(gain=linear)@10", dialect="lightgbm")
    )
    expected = log["valid"]["ndcg@10"]
    assert log["valid"]["nDCG(gain=linear)@10"] == pytest.approx(expected, rel=1e-12)


def test_measures_of_all_kinds_are_those_of_evaluate():
    measures = ["AP", "RR", "P(rel=2)@5", "ERR@10", "nDCG(gain=exp2, discount=ln)@10", "RBP(p=0.8)"]
    train, valid = make_datasets()
    booster = lightgbm.train({**RANKING, "metric": "None"}, train, 5)
    features, labels, sizes = make_rows(2)
    scores = booster.predict(features)
    qrels = gainful.Grouped(labels, group_sizes=sizes)
    expected = gainful.evaluate(qrels, scores, measures, rules=Rules(ties="average"))
    values = feval(measures)(scores, valid.construct())
    assert values == [(name, value, True) for name, value in expected.mean().items()]


def test_training_stops_early_by_our_measure():
    train, valid = make_datasets()
    callback = lightgbm.early_stopping(3, verbose=False)
    options = {"valid_sets": [valid], "callbacks": [callback], "feval": feval("AP")}
    booster = lightgbm.train({**RANKING, "metric": "None"}, train, 200, **options)
    log = train_with_log(*make_datasets(), rounds=booster.current_iteration(), feval=feval("AP"))
    assert booster.current_iteration() < 200
    assert booster.best_iteration == int(np.argmax(log["valid"]["AP"])) + 1
    assert booster.best_score["valid_0"]["AP"] == max(log["valid"]["AP"])


def test_cross_validation_shows_the_mean_of_the_folds():
    train, _ = make_datasets()
    folds = lightgbm.cv(
        RANKING, train, 3, nfold=3, stratified=False, feval=feval("nDCG@10", dialect="lightgbm")
    )
    assert folds["valid nDCG@10-mean"] == pytest.approx(folds["valid ndcg@10-mean"], rel=1e-12)


def test_the_ranker_of_the_interface_of_scikit_learn_takes_it():
    features, labels, sizes = make_rows(1)
    valid_features, valid_labels, valid_sizes = make_rows(2)
    ranker = lightgbm.LGBMRanker(n_estimators=5, n_jobs=1, verbose=-1)
    ranker.fit(
        features,
        labels,
        group=sizes,
        eval_X=valid_features,
        eval_y=valid_labels,
        eval_group=[valid_sizes],
        eval_at=[10],
        eval_metric=eval_metric(["nDCG@10", "AP"], dialect="lightgbm"),
    )
    log = ranker.evals_result_["valid_0"]
    assert log["nDCG@10"] == pytest.approx(log["ndcg@10"], rel=1e-12)
    assert len(log["AP"]) == 5


def test_a_query_weighs_as_much_as_its_rows_on_average():
    # The first query has AP 1 and the second 1/2; they weigh (1 + 3) / 2 and 6.
    result = eval_metric("AP")([1, 0, 0, 1], [4, 3, 2, 1], [1, 3, 6, 6], [2, 2])
    assert result == ("AP", (1 * 2 + 0.5 * 6) / 8, True)


def test_functions_are_pickled():
    for function in (feval("nDCG@10", dialect="lightgbm"), eval_metric(["AP", "RR"])):
        assert pickle.loads(pickle.dumps(function)) == function


def test_what_is_better_when_it_is_lower_is_called_so():
    assert eval_metric("RBPResidual")([1, 0], [2, 1], None, [2])[2] is False


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: eval_metric("AP")([1, 0], [2, 1], None, None),
            "lightgbm: the data have no queries. Pass group=... to Dataset, or to fit.",
        ),
        (
            lambda: eval_metric("AP")([1, 0], [2, 1], [1], [2]),
            "weights: must be one for each of 2 rows, got 1.",
        ),
        (
            lambda: eval_metric("AP")([1, 0], [2, 1], None, [3]),
            "group_sizes: the sum must be the number of labels, 2, got 3.",
        ),
        (
            lambda: feval("Bpref"),
            "feval: no exact average over ties is known for Bpref. "
            "Pass rules=Rules(ties=...), for example 'worst'.",
        ),
        (
            lambda: feval("Gini"),
            "feval: takes measures of items with one label each, got Gini.",
        ),
    ],
)
def test_errors_say_what_is_wrong(call, sentence):
    with pytest.raises((SourceError, MeasureError)) as error:
        call()
    assert str(error.value) == sentence
