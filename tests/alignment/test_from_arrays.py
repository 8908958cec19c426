"""Rankings from arrays: ids, scores and ties, cut anywhere without a change of bits."""

import numpy as np
import pytest

from gainful import ndcg
from gainful.alignment import from_arrays
from gainful.evaluation import functions


def test_ids_with_scores_are_ranked_by_them():
    assert ndcg(["a", "x"], [0.1, 0.9], relevant={"a"}) == ndcg([0, 1])
    # Ids break ties as in trec_eval: descending.
    assert ndcg(["a", "x"], [0.5, 0.5], relevant={"a"}) == ndcg([0, 1])


def test_ids_with_scores_follow_the_rule_for_duplicates():
    assert ndcg(["a", "b", "a"], [1, 2, 3], relevant={"a": 1}, duplicates="max") == 1.0
    assert ndcg(["a", "b", "a"], [1, 2, 3], relevant={"a": 1}, duplicates="first") < 1.0


def test_anything_with_keys_and_items_says_what_is_relevant():
    class Series:
        def __init__(self, data):
            self.data = data

        def keys(self):
            return self.data.keys()

        def items(self):
            return self.data.items()

        def __iter__(self):
            return iter(self.data.values())

        def __len__(self):
            return len(self.data)

    assert ndcg(["a", "b"], relevant=Series({"a": 1, "b": 3})) == ndcg([1, 3])


@pytest.mark.parametrize("ties", ["input", "average", "best", "worst"])
@pytest.mark.parametrize("decimals", [2, 9], ids=["tied", "untied"])
def test_a_cutoff_gives_the_bits_of_the_full_ranking_however_it_is_cut(ties, decimals, monkeypatch):
    random = np.random.default_rng(5)
    labels = random.integers(0, 4, (25, 200)).astype(float)
    scores = random.normal(size=labels.shape).round(decimals)
    for k in (1, 10, 49, 50, 300):
        values = ndcg(labels, scores, k=k, ties=ties)
        # Beside a cutoff that reaches to the end nothing is left out.
        deep_values = ndcg(labels, scores, k=[k, 10**6], ties=ties)[:, 0]
        single_values = [
            ndcg(*row, k=k, ties=ties) for row in zip(labels.tolist(), scores.tolist(), strict=True)
        ]
        assert values.tolist() == deep_values.tolist() == single_values
        for part in (1, 200, 1001):
            with monkeypatch.context() as patch:
                patch.setattr(from_arrays, "_PART", part)
                assert ndcg(labels, scores, k=k, ties=ties).tolist() == single_values


@pytest.mark.parametrize("part", [1, 3, 10])
@pytest.mark.parametrize("n_cores", [1, 3])
def test_ragged_and_empty_rankings_may_be_cut_anywhere(part, n_cores, monkeypatch):
    sizes = [0, 3, 0, 0, 7, 1, 12, 0, 2, 0]
    rankings = [[(7 * n + size) % 4 for n in range(size)] for size in sizes]
    expected = [ndcg(ranking, k=5) for ranking in rankings]
    grouped = [label for ranking in rankings for label in ranking]
    monkeypatch.setattr(from_arrays, "_PART", part)
    monkeypatch.setattr(functions, "count_cores", lambda: n_cores)
    assert ndcg(rankings, k=5).tolist() == expected
    assert ndcg(grouped, group_sizes=sizes, k=5).tolist() == expected
    assert ndcg([], group_sizes=[], k=5).tolist() == []
    assert ndcg([[], []]).tolist() == [0.0, 0.0]
