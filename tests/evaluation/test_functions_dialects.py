"""ndcg() and its relatives in a dialect, whose settings and rules can be overridden."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import mean_ndcg, ndcg
from gainful.dialects import DIALECTS, find_dialect
from gainful.errors import GainfulError

LABELS, SCORES = [0, 2, 1, 0, 3], [0.9, 0.8, 0.7, 0.6, 0.5]
# scikit-learn 1.9.1: ndcg_score([LABELS], [SCORES]).
SKLEARN = 0.6137135974849396


def test_settings_of_the_dialect_hold_where_none_are_given() -> None:
    assert ndcg(LABELS, SCORES, dialect="burges") == ndcg(LABELS, SCORES, gain="exp2")
    assert ndcg(LABELS, SCORES, dialect="jk") == ndcg(LABELS, SCORES, discount="jk(2)")
    assert ndcg(LABELS, SCORES, dialect="sklearn") == pytest.approx(SKLEARN, rel=1e-15)


def test_what_is_given_wins_over_the_dialect() -> None:
    assert ndcg(LABELS, SCORES, dialect="burges", gain="linear") == ndcg(LABELS, SCORES)
    assert ndcg([0, 0], [2, 1], dialect="lightgbm") == 1.0
    assert ndcg([0, 0], [2, 1], dialect="lightgbm", empty="zero") == 0.0
    assert ndcg([0, 1], [1, 1], dialect="burges", ties="best") == 1.0


def test_a_ranking_without_cutoff_is_cut_where_the_dialect_cuts_it() -> None:
    labels = [0] * 39 + [1]
    assert ndcg(labels, dialect="xgboost") == ndcg(labels, k=32, dialect="xgboost") == 0.0
    assert ndcg(labels, k=40, dialect="xgboost") > 0.0
    assert ndcg(labels, dialect="xgboost@1.7") == ndcg(labels, k=40, dialect="xgboost")


def test_several_cutoffs_are_all_of_the_dialect() -> None:
    values = ndcg(LABELS, SCORES, k=[1, 3], dialect="burges")
    assert isinstance(values, np.ndarray)
    assert values.tolist() == [
        ndcg(LABELS, SCORES, k=cutoff, dialect="burges") for cutoff in (1, 3)
    ]


def test_ids_with_what_is_relevant_are_ranked_by_the_rules_of_the_dialect() -> None:
    ids, scores = ["a", "b"], [1.0, 1.0]
    assert ndcg(ids, scores, relevant={"b"}, dialect="trec_eval@9") == 1.0
    assert ndcg(ids, scores, relevant={"a"}, dialect="sentence-transformers") == 1.0
    close = [1.0, 1.0 + 1e-9]
    assert ndcg(ids, close, relevant={"b"}, dialect="trec_eval@10", k=1) == 1.0
    assert ndcg(ids[::-1], close, relevant={"b"}, dialect="trec_eval@9", k=1) == 1.0


def test_ties_that_only_ids_could_order_are_refused_and_others_are_none() -> None:
    assert ndcg(LABELS, SCORES, dialect="trec_eval") == ndcg(LABELS, SCORES)
    with pytest.raises(GainfulError) as error:
        ndcg([0, 1], [1, 1], dialect="trec_eval")
    assert str(error.value) == (
        "ties: the dialect has item-desc, and there are no item ids to order equal scores by. "
        "Pass relevant=... and ids for the ranking, or another ties=..., for example average."
    )
    assert ndcg([0, 1], [1, 1], dialect="trec_eval", ties="worst") == ndcg([0, 1])


def test_a_ranking_without_items_is_nan_where_the_dialect_leaves_it_out() -> None:
    values = ndcg([[], [1, 0]], dialect="lightgbm")
    assert isinstance(values, np.ndarray)
    assert math.isnan(values[0])
    assert values[1] == mean_ndcg([[], [1, 0]], dialect="lightgbm") == 1.0
    assert ndcg([["a"], []], relevant={"a"}, dialect="spark").tolist() == [1.0, 0.0]


def test_a_ranking_without_items_is_an_error_where_the_dialect_says_so() -> None:
    with pytest.raises(GainfulError) as error:
        ndcg([["a"], []], relevant={"a"}, dialect="llama-index")
    assert str(error.value) == "dialect llama-index: ranking 1: has no items, got missing=error."


def test_weighted_means_are_those_of_the_dialect() -> None:
    rankings, weights = [[0, 2, 1], [0, 0]], [3.0, 5.0]
    value = ndcg(rankings[0], dialect="lightgbm")
    # LightGBM adds an empty query's 1 once, and divides by its weight all the same.
    assert mean_ndcg(rankings, weights=weights, dialect="lightgbm") == (3.0 * value + 1.0) / 8.0
    # CatBoost weighs it as any other.
    exact = ndcg(rankings[0], dialect="catboost-exp")
    assert mean_ndcg(rankings, weights=weights, dialect="catboost-exp") == (3.0 * exact + 5.0) / 8.0


def test_values_are_as_rounded_as_the_dialect_has_them() -> None:
    assert ndcg([0, 1], dialect="gdeval") == 0.63093
    assert mean_ndcg([[0, 1], [1, 0]], dialect="gdeval") == round((ndcg([0, 1]) + 1) / 2, 5)


def test_a_dialect_with_rules_of_ones_own_is_taken_as_it_is() -> None:
    dialect = find_dialect("lightgbm").with_rules(empty="zero")
    assert ndcg([0, 0], [2, 1], dialect=dialect) == 0.0


def test_an_unknown_dialect_is_one_sentence() -> None:
    with pytest.raises(GainfulError) as error:
        ndcg([1], dialect="lightgmb")
    assert str(error.value) == "unknown dialect 'lightgmb'. Did you mean lightgbm?"


@pytest.mark.parametrize("function", [gainful.cg, gainful.dcg, gainful.idcg, gainful.ndcg])
@pytest.mark.parametrize("name", list(DIALECTS))
def test_every_function_speaks_every_dialect(function, name: str) -> None:
    value = function(LABELS, SCORES, k=3, dialect=name)
    assert 0.0 <= value < 20.0


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12))
def test_our_own_dialect_changes_nothing(labels: list[int]) -> None:
    scores = list(range(len(labels)))
    for k in (None, 1, 5):
        assert ndcg(labels, scores, k=k, dialect="gainful") == ndcg(labels, scores, k=k)
