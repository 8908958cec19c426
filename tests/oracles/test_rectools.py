"""Coverage, Novelty and ILD against RecTools 0.19, where that is installed.

Its serendipity is another: it weighs each relevant item by how much higher it stands than in the
list of popular items.
"""

import numpy as np
import pytest

from gainful import ItemData, evaluate
from oracles.tally import compared

pd = pytest.importorskip("pandas")
rectools = pytest.importorskip("rectools.metrics")

N_USERS, N_ITEMS = 60, 80


class Cosine(rectools.distances.PairwiseDistanceCalculator):
    """The cosine distance, which RecTools leaves to its users."""

    def __init__(self, features):
        self.features = features

    def _get_distances_for_item_pairs(self, items_0, items_1):
        pairs = [
            (self.features[a], self.features[b]) for a, b in zip(items_0, items_1, strict=True)
        ]
        return np.array([1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in pairs])


class Euclidean(Cosine):
    """The length of the difference."""

    def _get_distances_for_item_pairs(self, items_0, items_1):
        pairs = zip(items_0, items_1, strict=True)
        return np.array([np.linalg.norm(self.features[a] - self.features[b]) for a, b in pairs])


@pytest.mark.parametrize("seed", range(15))
def test_values_are_those_of_rectools(seed):
    rng = np.random.default_rng(seed)
    items = [f"i{n}" for n in range(N_ITEMS)]
    features = {item: rng.normal(size=5) for item in items}
    had = [(f"u{u}", i) for u in range(N_USERS) for i in rng.choice(items[:70], rng.integers(1, 9))]
    before = pd.DataFrame(sorted(set(had)), columns=["user_id", "item_id"])
    popularity = before.groupby("item_id")["user_id"].nunique().to_dict()
    data = ItemData(catalogue=items, popularity=popularity, n_users=N_USERS, features=features)
    # No list is empty: RecTools does not know of users without recommendations.
    run = {f"u{u}": rng.permutation(items)[: rng.integers(1, 25)].tolist() for u in range(N_USERS)}
    rows = [(user, item, rank + 1) for user, own in run.items() for rank, item in enumerate(own)]
    reco = pd.DataFrame(rows, columns=["user_id", "item_id", "rank"])
    qrels = {user: {"i1": 1} for user in run}
    for k in (1, 2, 10, 50):
        names = [f"Novelty@{k}", f"ILD@{k}", f"ILD(distance=euclidean)@{k}"]
        scores = evaluate(qrels, run, [f"Coverage@{k}", *names], items=data)
        coverage = rectools.CatalogCoverage(k=k, normalize=True).calc(reco, items)
        assert scores[f"Coverage@{k}"] == coverage
        diversity = rectools.IntraListDiversity
        theirs = [
            rectools.MeanInvUserFreq(k=k).calc_per_user(reco, before),
            diversity(k=k, distance_calculator=Cosine(features)).calc_per_user(reco),
            diversity(k=k, distance_calculator=Euclidean(features)).calc_per_user(reco),
        ]
        for name, expected in zip(names, theirs, strict=True):
            ours = scores.column(name)
            assert np.abs(ours - expected.reindex(list(run)).to_numpy()).max() <= 1e-12
        compared("RecTools", 1 + 3 * N_USERS)
