"""implicit as it is installed: its mean over users; of one user at a time, bit for bit."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import gainful
from oracles.dialects.random_lists import CUTOFFS, Listed, as_qrels, as_run, random_lists
from oracles.tally import compared

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about threads of BLAS, which it would like to be fewer
    from implicit.evaluation import ndcg_at_k


class Ranking:
    """A model that recommends to each user the items of a list, best first."""

    def __init__(self, lists: list[Listed], n_items: int) -> None:
        self.ranked = [_best_first(one, n_items) for one in lists]

    def recommend(self, users, _, **options):
        """Item numbers, and scores that nobody looks at."""
        ids = np.array([self.ranked[user][: options["N"]] for user in users], dtype=np.int32)
        return ids, np.zeros(ids.shape, dtype=np.float32)


def _best_first(one: Listed, n_items: int) -> np.ndarray:
    listed = np.argsort(-one.scores, kind="stable")
    return np.concatenate([listed, np.arange(len(listed), n_items)])


def value(lists: list[Listed], k: int) -> float:
    n_items = 200
    owner = np.repeat(np.arange(len(lists)), [len(one.labels) for one in lists])
    item = np.concatenate([np.arange(len(one.labels)) for one in lists])
    liked = np.concatenate([one.labels for one in lists]) > 0
    shape = (len(lists), n_items)
    test = csr_matrix((np.ones(liked.sum()), (owner[liked], item[liked])), shape=shape)
    empty = csr_matrix(shape)
    model = Ranking(lists, n_items)
    return ndcg_at_k(model, empty, test, K=k, show_progress=False, num_threads=1)


@pytest.mark.parametrize("k", CUTOFFS)
def test_every_value_is_that_of_implicit(k):
    lists = random_lists(1, empty=False)
    expected = [value([one], k) for one in lists]
    scores = gainful.evaluate(as_qrels(lists), as_run(lists), f"nDCG@{k}", dialect="implicit")
    assert scores.column(f"nDCG@{k}").tolist() == expected
    compared("implicit, by dialect", len(expected))


@pytest.mark.parametrize("k", CUTOFFS)
def test_users_with_nothing_relevant_are_left_out_of_the_mean(k):
    lists = random_lists(2)
    scores = gainful.evaluate(as_qrels(lists), as_run(lists), f"nDCG@{k}", dialect="implicit")
    assert len(scores.queries) < len(lists)
    # It adds the terms of all users to one sum, and so rounds otherwise.
    assert scores[f"nDCG@{k}"] == pytest.approx(value(lists, k), rel=1e-13)
    compared("implicit, by dialect", 1)
