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


def make_random_rows(seed=0, n_queries=12):
    """Return features, labels and queries of rows; the rows of a query are not adjacent."""
    rng = np.random.default_rng(seed)
    query = np.repeat(np.arange(100, 100 + n_queries), rng.integers(2, 9, n_queries))
    rng.shuffle(query)
    features = rng.normal(size=(len(query), 3))
    labels = np.clip(np.round(features[:, 0] + rng.normal(size=len(query))), 0, 3)
    return features, labels, query


def score_by_hand(estimator, table, y, query, measure, splitter=FOLDS, **options):
    """Return the measure's mean over the queries of every fold, each query ranked alone."""
    means = []
    for train, test in splitter.split(table, y, query):
        model = clone(estimator).fit(table[train], y[train])
        scores = model.predict(table[test])
        qrels, run = {}, {}
        for place, (q, label, score) in enumerate(zip(query[test], y[test], scores, strict=True)):
            qrels.setdefault(str(q), {})[f"{place:04}"] = label
            run.setdefault(str(q), {})[f"{place:04}"] = score
        means.append(gainful.evaluate(qrels, run, measure, **options)[measure])
    return means


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize(
    "measure", ["nDCG@10", "AP(rel=2)", "RR", "P@3", "ERR@5", "nDCG(gain=exp2)"]
)
def test_a_column_tells_the_queries(measure):
    table, y, query = make_random_rows()
    full_table = np.column_stack([table, query])
    values = cross_val_score(
        Ridge(),
        full_table,
        y,
        groups=query,
        cv=FOLDS,
        scoring=ranking_scorer(measure, group_column=3),
    )
    expected = score_by_hand(Ridge(), full_table, y, query, measure, rules=Rules(ties="average"))
    assert values.tolist() == expected


def test_groups_are_routed_to_the_scorer(routing):
    table, y, query = make_random_rows()
    for scorer in (
        ranking_scorer("nDCG@5"),
        ranking_scorer("nDCG@5").set_score_request(groups=True),
    ):
        options = {"cv": FOLDS, "scoring": scorer, "params": {"groups": query}}
        assert cross_val_score(Ridge(), table, y, **options).tolist() == score_by_hand(
            Ridge(), table, y, query, "nDCG@5"
        )


def test_groups_are_routed_under_another_name(routing):
    table, y, query = make_random_rows()
    scorer = ranking_scorer("nDCG@5").set_score_request(groups="qid")
    params = {"groups": query, "qid": query}
    values = cross_val_score(Ridge(), table, y, cv=FOLDS, scoring=scorer, params=params)
    assert values.tolist() == score_by_hand(Ridge(), table, y, query, "nDCG@5")


def test_a_scorer_with_a_column_lets_groups_go_to_the_splitter_alone(routing):
    table, y, query = make_random_rows()
    table = np.column_stack([table, query])
    options = {"cv": FOLDS, "scoring": ranking_scorer("nDCG@5", group_column=-1)}
    values = cross_val_score(Ridge(), table, y, **options, params={"groups": query})
    assert values.tolist() == score_by_hand(Ridge(), table, y, query, "nDCG@5")


@pytest.mark.parametrize("query_type", [int, float, str, "category"])
def test_a_pipeline_drops_the_column_that_the_scorer_reads(query_type):
    table, y, query = make_random_rows()
    frame = pandas.DataFrame(table, columns=["a", "b", "c"]).assign(
        query=pandas.Series(query).astype(query_type)
    )
    pipeline = make_pipeline(
        make_column_transformer((StandardScaler(), ["a", "b", "c"]), remainder="drop"), Ridge()
    )
    scorer = ranking_scorer("nDCG@10", group_column="query")
    values = cross_val_score(pipeline, frame, y, groups=query, cv=FOLDS, scoring=scorer)
    expected = score_by_hand(make_pipeline(StandardScaler(), Ridge()), table, y, query, "nDCG@10")
    assert values.tolist() == expected


def test_the_index_tells_the_queries():
    table, y, query = make_random_rows()
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
    for data, options in cases:
        scorer = ranking_scorer("nDCG@10", **options)
        values = cross_val_score(Ridge(), data, y, groups=query, cv=FOLDS, scoring=scorer)
        assert values.tolist() == expected


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
    table, y, query = make_random_rows()
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
    table, y, query = make_random_rows()
    search = GridSearchCV(
        Ridge(), {"alpha": [1.0]}, cv=FOLDS, scoring=ranking_scorer("nDCG@10")
    ).fit(table, y, groups=query)
    expected = np.mean(score_by_hand(Ridge(), table, y, query, "nDCG@10"))
    assert search.best_score_ == pytest.approx(expected, rel=1e-15)


def test_several_scorers_are_taken_by_name():
    table, y, query = make_random_rows()
    table = np.column_stack([table, query])
    scoring = {name: ranking_scorer(name, group_column=3) for name in ("nDCG@10", "AP")}
    results = cross_validate(Ridge(), table, y, groups=query, cv=FOLDS, scoring=scoring)
    for name in scoring:
        assert results[f"test_{name}"].tolist() == score_by_hand(
            Ridge(), table, y, query, name, rules=Rules(ties="average")
        )


def test_a_dialect_is_honored_and_survives_pickling():
    table, y, query = make_random_rows()
    table = np.column_stack([table, query])
    model = Ridge().fit(table, y)
    for measure in ("nDCG@5", "nDCG(gain=linear)@5"):
        scorer = ranking_scorer(measure, group_column=3, dialect="lightgbm")
        qrels, scores = gainful.Grouped(y, query_ids=query), model.predict(table)
        expected = gainful.evaluate(qrels, scores, measure, dialect="lightgbm")[measure]
        for scorer_copy in (scorer, pickle.loads(pickle.dumps(scorer)), clone(scorer, safe=False)):
            assert scorer_copy(model, table, y) == expected
            assert repr(scorer_copy) == f"ranking_scorer('{measure}')"


class FixedScores(BaseEstimator):
    """An estimator that returns the scores it was made with."""

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
def test_queries_are_never_mixed(rows):
    query, labels, scores = map(np.array, zip(*rows, strict=True))
    table = query[:, np.newaxis]
    value = ranking_scorer("nDCG@3", group_column=0)(FixedScores(scores), table, labels)
    values = [
        ranking_scorer("nDCG@3", group_column=0)(
            FixedScores(scores[mask]), table[mask], labels[mask]
        )
        for mask in (query == number for number in np.unique(query))
    ]
    assert value == pytest.approx(np.mean(values), rel=1e-14)


def test_what_ranks_is_decision_function_then_probability_then_prediction():
    table, y, query = make_random_rows()
    relevant, full_table = (y > 1).astype(int), np.column_stack([table, query])
    scorer = ranking_scorer("AP", group_column=3)
    line = LogisticRegression(max_iter=1000).fit(full_table, relevant)
    by_line = FixedScores(line.decision_function(full_table))
    assert scorer(line, full_table, relevant) == scorer(by_line, full_table, relevant)
    forest = RandomForestClassifier(5, random_state=0).fit(full_table, relevant)
    by_forest = FixedScores(forest.predict_proba(full_table)[:, 1])
    assert scorer(forest, full_table, relevant) == scorer(by_forest, full_table, relevant)
    class_scorer = ranking_scorer("AP", group_column=3, response_method="predict")
    by_class = FixedScores(forest.predict(full_table))
    assert class_scorer(forest, full_table, relevant) == scorer(by_class, full_table, relevant)


FRAME = pandas.DataFrame({"query": [1, 1, 2], "a": [0.3, 0.2, 0.1]}, index=["x", "y", "z"])


@pytest.mark.parametrize(
    ("options", "groups", "sentence"),
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
            "ranking_scorer: FixedScores has no rank.",
        ),
    ],
)
def test_errors_say_what_is_wrong(options, groups, sentence):
    scorer = ranking_scorer("nDCG", **options)
    with pytest.raises(SourceError) as error:
        scorer(FixedScores([3, 2, 1]), FRAME, [1, 0, 1], groups=groups)
    assert str(error.value) == sentence


def test_errors_about_the_scores_say_what_is_wrong():
    scorer = ranking_scorer("nDCG", group_column="query")
    with pytest.raises(SourceError) as error:
        scorer(FixedScores(np.ones((3, 2))), FRAME, [1, 0, 1])
    assert str(error.value) == (
        "ranking_scorer: predict must give one score for each row, got the shape (3, 2). "
        "Pass response_method='predict'."
    )
    with pytest.raises(SourceError) as error:
        ranking_scorer("nDCG", groups={0: 1})(FixedScores([1]), np.ones((1, 1)), [1])
    assert str(error.value) == (
        "groups: is looked up by the index of X, which ndarray does not have. "
        "Pass group_column=..., or a frame of pandas."
    )


@pytest.mark.parametrize(
    ("measure", "options", "sentence"),
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
def test_what_cannot_be_a_scorer_is_refused(measure, options, sentence):
    with pytest.raises((MeasureError, SourceError)) as error:
        ranking_scorer(measure, **options)
    assert str(error.value) == sentence


def test_a_measure_that_cannot_average_ties_takes_rules():
    scorer = ranking_scorer("Bpref", group_column="query", rules=Rules(ties="worst"))
    assert scorer(FixedScores([3, 2, 1]), FRAME, [1, 0, 1]) == 1.0


LABELS = [[1, 0, 2], [0, 1, 0]]
SCORES = [[0.1, 0.2, 0.3], [0.4, 0.1, 0.1]]


@pytest.mark.parametrize(
    ("arrays", "options", "sentence"),
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
def test_errors_of_dcg_score_say_what_is_wrong(arrays, options, sentence):
    with pytest.raises(ValueError, match=r".+") as error:
        dcg_score(*arrays, **options)
    assert str(error.value) == sentence


def test_weights_of_nothing_are_refused_as_numpy_does():
    with pytest.raises(ZeroDivisionError):
        ndcg_score(LABELS, SCORES, sample_weight=[0, 0])
