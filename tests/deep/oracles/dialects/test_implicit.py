"""implicit as it is installed: its mean over users; of one user at a time."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import gainful
from oracles.dialects.random_lists import CUTOFFS, ScoredItems, draw_lists, make_qrels, make_run
from oracles.tally import count_compared

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about threads of BLAS, which it would like to be fewer
    from implicit.evaluation import ndcg_at_k


class Ranking:
    """A model that recommends to each user the items of a list, best first."""

    def __init__(self, lists: list[ScoredItems], n_items: int) -> None:
        self.ranked = [_rank_items(ranking, n_items) for ranking in lists]

    def recommend(self, users, _, **options):
        """Item numbers, and scores that nobody looks at."""
        ids = np.array([self.ranked[user][: options["N"]] for user in users], dtype=np.int32)
        return ids, np.zeros(ids.shape, dtype=np.float32)


def _rank_items(ranking: ScoredItems, n_items: int) -> np.ndarray:
    items = np.argsort(-ranking.scores, kind="stable")
    return np.concatenate([items, np.arange(len(items), n_items)])


def compute_mean(lists: list[ScoredItems], k: int) -> float:
    n_items = 200
    owner = np.repeat(np.arange(len(lists)), [len(ranking.labels) for ranking in lists])
    item = np.concatenate([np.arange(len(ranking.labels)) for ranking in lists])
    liked = np.concatenate([ranking.labels for ranking in lists]) > 0
    shape = (len(lists), n_items)
    test = csr_matrix((np.ones(liked.sum()), (owner[liked], item[liked])), shape=shape)
    empty = csr_matrix(shape)
    model = Ranking(lists, n_items)
    return ndcg_at_k(model, empty, test, K=k, show_progress=False, num_threads=1)


@pytest.mark.parametrize("k", CUTOFFS)
def test_every_value_is_that_of_implicit(k):
    lists = draw_lists(1, empty=False)
    expected = [compute_mean([ranking], k) for ranking in lists]
    scores = gainful.evaluate(make_qrels(lists), make_run(lists), f"nDCG@{k}", dialect="implicit")
    assert scores.column(f"nDCG@{k}").tolist() == pytest.approx(expected, rel=1e-12)
    count_compared("implicit, by dialect", len(expected))


@pytest.mark.parametrize("k", CUTOFFS)
def test_users_with_nothing_relevant_are_left_out_of_the_mean(k):
    lists = draw_lists(2)
    scores = gainful.evaluate(make_qrels(lists), make_run(lists), f"nDCG@{k}", dialect="implicit")
    assert len(scores.queries) < len(lists)
    # It adds the terms of all users to one sum, and so rounds otherwise.
    assert scores[f"nDCG@{k}"] == pytest.approx(compute_mean(lists, k), rel=1e-13)
    count_compared("implicit, by dialect", 1)
