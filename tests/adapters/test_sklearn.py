"""ranking_scorer in cross-validation, and errors of ndcg_score and dcg_score."""

import pickle

import numpy as np
import pandas
import polars
import pytest
import scipy.sparse
import sklearn
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gainful
from gainful.adapters.sklearn import dcg_score, ndcg_score, ranking_scorer
from gainful.alignment.rules import Rules
from gainful.errors import MeasureError, SourceError

FOLDS = GroupKFold(3)


def random_rows(seed=0, n_queries=12):
    """Features, labels and queries of rows; those of a query do not stand together."""
    rng = np.random.default_rng(seed)
    query = np.repeat(np.arange(100, 100 + n_queries), rng.integers(2, 9, n_queries))
    rng.shuffle(query)
    features = rng.normal(size=(len(query), 3))
    labels = np.clip(np.round(features[:, 0] + rng.normal(size=len(query))), 0, 3)
    return features, labels, query


def score_by_hand(estimator, table, y, query, measure, splitter=FOLDS, **how):
    """The measure's mean over the queries of every fold, each ranked alone."""
    means = []
    for train, test in splitter.split(table, y, query):
        fitted = clone(estimator).fit(table[train], y[train])
        scores = fitted.predict(table[test])
        qrels, run = {}, {}
        for place, (q, label, score) in enumerate(zip(query[test], y[test], scores, strict=True)):
            qrels.setdefault(str(q), {})[f"{place:04}"] = label
            run.setdefault(str(q), {})[f"{place:04}"] = score
        means.append(gainful.evaluate(qrels, run, measure, **how)[measure])
    return means


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize(
    "measure", ["nDCG@10", "AP(rel=2)", "RR", "P@3", "ERR@5", "nDCG(gain=exp2)"]
)
def test_a_column_tells_the_queries(measure):
    table, y, query = random_rows()
    with_query = np.column_stack([table, query])
    found = cross_val_score(
        Ridge(),
        with_query,
        y,
        groups=query,
        cv=FOLDS,
        scoring=ranking_scorer(measure, group_column=3),
    )
    expected = score_by_hand(Ridge(), with_query, y, query, measure, rules=Rules(ties="average"))
    assert found.tolist() == expected


def test_groups_are_routed_to_the_scorer(routing):
    table, y, query = random_rows()
    for scorer in (
        ranking_scorer("nDCG@5"),
        ranking_scorer("nDCG@5").set_score_request(groups=True),
    ):
        how = {"cv": FOLDS, "scoring": scorer, "params": {"groups": query}}
        assert cross_val_score(Ridge(), table, y, **how).tolist() == score_by_hand(
            Ridge(), table, y, query, "nDCG@5"
        )


def test_groups_are_routed_under_another_name(routing):
    table, y, query = random_rows()
    scorer = ranking_scorer("nDCG@5").set_score_request(groups="qid")
    params = {"groups": query, "qid": query}
    found = cross_val_score(Ridge(), table, y, cv=FOLDS, scoring=scorer, params=params)
    assert found.tolist() == score_by_hand(Ridge(), table, y, query, "nDCG@5")


def test_a_scorer_with_a_column_lets_groups_go_to_the_splitter_alone(routing):
    table, y, query = random_rows()
    table = np.column_stack([table, query])
    how = {"cv": FOLDS, "scoring": ranking_scorer("nDCG@5", group_column=-1)}
    found = cross_val_score(Ridge(), table, y, **how, params={"groups": query})
    assert found.tolist() == score_by_hand(Ridge(), table, y, query, "nDCG@5")


@pytest.mark.parametrize("query_type", [int, float, str, "category"])
def test_a_pipeline_drops_the_column_that_the_scorer_reads(query_type):
    table, y, query = random_rows()
    frame = pandas.DataFrame(table, columns=["a", "b", "c"]).assign(
        query=pandas.Series(query).astype(query_type)
    )
    pipeline = make_pipeline(
        make_column_transformer((StandardScaler(), ["a", "b", "c"]), remainder="drop"), Ridge()
    )
    scorer = ranking_scorer("nDCG@10", group_column="query")
    found = cross_val_score(pipeline, frame, y, groups=query, cv=FOLDS, scoring=scorer)
    expected = score_by_hand(make_pipeline(StandardScaler(), Ridge()), table, y, query, "nDCG@10")
    assert found.tolist() == expected


def test_the_index_tells_the_queries():
    table, y, query = random_rows()
    expected = score_by_hand(Ridge(), table, y, query, "nDCG@10")
    names = np.array([f"row {i}" for i in range(len(query))])
    frame = pandas.DataFrame(table, index=names)
    level = pandas.DataFrame(
        table, index=pandas.MultiIndex.from_arrays([query, names], names=["q", "i"])
    )
    cases = [
        (frame, {"groups": pandas.Series(query, index=names)}),
        (frame, {"groups": dict(zip(names, query, strict=True))}),
        (level, {"group_column": "q"}),
    ]
    for given_frame, how in cases:
        scorer = ranking_scorer("nDCG@10", **how)
        found = cross_val_score(Ridge(), given_frame, y, groups=query, cv=FOLDS, scoring=scorer)
        assert found.tolist() == expected


def test_polars_and_sparse_tables_have_columns_too():
    class Ranker:
        def predict(self, table):
            return np.asarray(
                table[:, 1].toarray() if scipy.sparse.issparse(table) else table["a"]
            ).ravel()

    frame = polars.DataFrame({"query": ["x", "x", "y", "y"], "a": [0.9, 0.8, 0.7, 0.6]})
    sparse = scipy.sparse.csr_array([[7, 0.9], [7, 0.8], [8, 0.7], [8, 0.6]])
    # 1 at rank 1 is perfect; 2 at rank 2 gains 1/log2(3) of what it could.
    expected = (1 + 1 / np.log2(3)) / 2
    assert ranking_scorer("nDCG", group_column="query")(Ranker(), frame, [1, 0, 0, 2]) == expected
    assert ranking_scorer("nDCG", group_column=0)(Ranker(), sparse, [1, 0, 0, 2]) == expected


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_grid_search_picks_what_ranks_best(n_jobs):
    table, y, query = random_rows()
    table = np.column_stack([table, query])
    grid = {"alpha": [0.1, 10.0, 1e6]}
    scorer = ranking_scorer("nDCG@10", group_column=3)
    search = GridSearchCV(Ridge(), grid, cv=FOLDS, scoring=scorer, n_jobs=n_jobs)
    search = clone(search).fit(table, y, groups=query)
    means = [
        np.mean(score_by_hand(Ridge(alpha=a), table, y, query, "nDCG@10")) for a in grid["alpha"]
    ]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], means, rtol=1e-15)
    assert search.best_index_ == int(np.argmax(means))
    assert search.score(table, y) == scorer(search, table, y)


def test_a_grid_search_routes_groups(routing):
    table, y, query = random_rows()
    search = GridSearchCV(
        Ridge(), {"alpha": [1.0]}, cv=FOLDS, scoring=ranking_scorer("nDCG@10")
    ).fit(table, y, groups=query)
    expected = np.mean(score_by_hand(Ridge(), table, y, query, "nDCG@10"))
    assert search.best_score_ == pytest.approx(expected, rel=1e-15)


def test_several_scorers_are_taken_by_name():
    table, y, query = random_rows()
    table = np.column_stack([table, query])
    scoring = {name: ranking_scorer(name, group_column=3) for name in ("nDCG@10", "AP")}
    found = cross_validate(Ridge(), table, y, groups=query, cv=FOLDS, scoring=scoring)
    for name in scoring:
        assert found[f"test_{name}"].tolist() == score_by_hand(
            Ridge(), table, y, query, name, rules=Rules(ties="average")
        )


def test_a_dialect_is_honored_and_survives_pickling():
    table, y, query = random_rows()
    table = np.column_stack([table, query])
    fitted = Ridge().fit(table, y)
    for measure in ("nDCG@5", "nDCG(gain=linear)@5"):
        scorer = ranking_scorer(measure, group_column=3, dialect="lightgbm")
        qrels, scores = gainful.Grouped(y, query_ids=query), fitted.predict(table)
        expected = gainful.evaluate(qrels, scores, measure, dialect="lightgbm")[measure]
        for one in (scorer, pickle.loads(pickle.dumps(scorer)), clone(scorer, safe=False)):
            assert one(fitted, table, y) == expected
            assert repr(one) == f"ranking_scorer('{measure}')"


class Ranked(BaseEstimator):
    """Gives back the scores it was made with."""

    def __init__(self, scores=()):
        self.scores = scores

    def predict(self, table):
        return np.asarray(self.scores)


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 3), st.sampled_from([0.1, 0.2, 0.3, 0.4])),
        min_size=1,
        max_size=30,
    )
)
def test_queries_are_never_mixed(drawn):
    query, labels, scores = map(np.array, zip(*drawn, strict=True))
    table = query[:, np.newaxis]
    found = ranking_scorer("nDCG@3", group_column=0)(Ranked(scores), table, labels)
    alone = [
        ranking_scorer("nDCG@3", group_column=0)(Ranked(scores[own]), table[own], labels[own])
        for own in (query == one for one in np.unique(query))
    ]
    assert found == pytest.approx(np.mean(alone), rel=1e-14)


def test_what_ranks_is_decision_function_then_probability_then_prediction():
    table, y, query = random_rows()
    relevant, with_query = (y > 1).astype(int), np.column_stack([table, query])
    scorer = ranking_scorer("AP", group_column=3)
    line = LogisticRegression(max_iter=1000).fit(with_query, relevant)
    by_line = Ranked(line.decision_function(with_query))
    assert scorer(line, with_query, relevant) == scorer(by_line, with_query, relevant)
    forest = RandomForestClassifier(5, random_state=0).fit(with_query, relevant)
    by_forest = Ranked(forest.predict_proba(with_query)[:, 1])
    assert scorer(forest, with_query, relevant) == scorer(by_forest, with_query, relevant)
    asked = ranking_scorer("AP", group_column=3, response_method="predict")
    by_class = Ranked(forest.predict(with_query))
    assert asked(forest, with_query, relevant) == scorer(by_class, with_query, relevant)


FRAME = pandas.DataFrame({"query": [1, 1, 2], "a": [0.3, 0.2, 0.1]}, index=["x", "y", "z"])


@pytest.mark.parametrize(
    ("how", "given_groups", "sentence"),
    [
        (
            {},
            None,
            "ranking_scorer: needs the query of each row, got none. Pass it group_column=... or "
            "groups=..., or let scikit-learn route them: sklearn.set_config("
            "enable_metadata_routing=True), params={'groups': ...}.",
        ),
        (
            {"group_column": "qid"},
            None,
            "group_column: X has no column 'qid'; it has 'query', 'a'.",
        ),
        (
            {"groups": {"x": 1, "y": 1}},
            None,
            "groups: must name the query of every row, got none for 'z'.",
        ),
        ({}, [1, 2], "groups: must be one for each of 3 rows, got 2."),
        ({}, [1, np.nan, 2.0], "groups: must be ids, got NaN at row 1."),
        (
            {"group_column": "query", "response_method": "rank"},
            None,
            "ranking_scorer: Ranked has no rank.",
        ),
    ],
)
def test_errors_say_what_is_wrong(how, given_groups, sentence):
    scorer = ranking_scorer("nDCG", **how)
    with pytest.raises(SourceError) as error:
        scorer(Ranked([3, 2, 1]), FRAME, [1, 0, 1], groups=given_groups)
    assert str(error.value) == sentence


def test_errors_about_the_scores_say_what_is_wrong():
    scorer = ranking_scorer("nDCG", group_column="query")
    with pytest.raises(SourceError) as error:
        scorer(Ranked(np.ones((3, 2))), FRAME, [1, 0, 1])
    assert str(error.value) == (
        "ranking_scorer: predict must give one score for each row, got the shape (3, 2). "
        "Pass response_method='predict'."
    )
    with pytest.raises(SourceError) as error:
        ranking_scorer("nDCG", groups={0: 1})(Ranked([1]), np.ones((1, 1)), [1])
    assert str(error.value) == (
        "groups: is looked up by the index of X, which ndarray does not have. "
        "Pass group_column=..., or a frame of pandas."
    )


@pytest.mark.parametrize(
    ("measure", "how", "sentence"),
    [
        ("nDCG@5,10", {}, "ranking_scorer: takes one measure, got nDCG@5, nDCG@10."),
        (
            "IDCG",
            {},
            "ranking_scorer: takes a measure that is better when it is higher, got IDCG.",
        ),
        (
            "nDCG",
            {"groups": {}, "group_column": 1},
            "ranking_scorer: takes either group_column or groups, got both.",
        ),
        (
            "nDCG",
            {"groups": [1, 2]},
            "groups: must be a dict or a Series, from index to query, got [1, 2]. Routed groups go "
            "to cross_val_score and related functions.",
        ),
        (
            "Bpref",
            {},
            "ranking_scorer: no exact average over ties is known for Bpref. "
            "Pass rules=Rules(ties=...), for example 'worst'.",
        ),
        (
            "alpha_nDCG@10",
            {},
            "ranking_scorer: takes measures of items with one label each, got alpha_nDCG@10.",
        ),
    ],
)
def test_what_cannot_be_a_scorer_is_refused(measure, how, sentence):
    with pytest.raises((MeasureError, SourceError)) as error:
        ranking_scorer(measure, **how)
    assert str(error.value) == sentence


def test_a_measure_that_cannot_average_ties_takes_rules():
    scorer = ranking_scorer("Bpref", group_column="query", rules=Rules(ties="worst"))
    assert scorer(Ranked([3, 2, 1]), FRAME, [1, 0, 1]) == 1.0


LABELS = [[1, 0, 2], [0, 1, 0]]
SCORES = [[0.1, 0.2, 0.3], [0.4, 0.1, 0.1]]


@pytest.mark.parametrize(
    ("given", "how", "sentence"),
    [
        (
            (LABELS, SCORES[:1]),
            {},
            "y_score: must have the shape of y_true, (2, 3), got (1, 3).",
        ),
        (
            ([[1], [0]], [[1], [2]]),
            {},
            "y_true: must have a row for each ranking and a column for each of 2 items or more, "
            "got the shape (2, 1).",
        ),
        (([[0, 1]], [[1, np.inf]]), {}, "y_score: must be finite numbers, got inf."),
        ((5, 3), {}, "y_true: must be an array of rankings, one a row, got 5."),
        (
            ([[1, 0], [1]], [[1, 0], [1]]),
            {},
            "y_true: must have rows of one length, got [[1, 0], [1]].",
        ),
        ((LABELS, SCORES), {"k": 2.0}, "k: must be an integer >= 1, got 2.0."),
        ((LABELS, SCORES), {"ignore_ties": 1}, "ignore_ties: must be True or False, got 1."),
        (
            (LABELS, SCORES),
            {"sample_weight": [1]},
            "sample_weight: must be one for each of 2 rankings, got 1.",
        ),
        ((LABELS, SCORES), {"log_base": 1}, "log_base: must be a number above 1, got 1."),
    ],
)
def test_errors_of_dcg_score_say_what_is_wrong(given, how, sentence):
    with pytest.raises(ValueError, match=r".+") as error:
        dcg_score(*given, **how)
    assert str(error.value) == sentence


def test_weights_of_nothing_are_refused_as_numpy_does():
    with pytest.raises(ZeroDivisionError):
        ndcg_score(LABELS, SCORES, sample_weight=[0, 0])
