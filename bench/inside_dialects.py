"""Dialects, and what they are dialects of: tasks that are timed inside their process."""

from typing import Any

from bench.tasks import Timed, task, timed

_SEED = 20240229
_CUTOFF = 10


@task("gainful.evaluate in a dialect", package="gainful")
def evaluate_in_dialect(qrels: str, run: str, measure: str, dialect: str = "") -> Timed:
    """Files to the mean of a measure, in Gainful's own definition unless a dialect is named."""
    import gainful
    import gainful.dialects

    spoken = dialect or None
    seconds, scores = timed(lambda: gainful.evaluate(qrels, run, measure, dialect=spoken))
    return seconds, scores.mean()[measure]


@task("gainful.reconcile", package="gainful")
def reconcile(qrels: str, run: str) -> Timed:
    """Files to nDCG@10 in every dialect, and why they differ; the value is Gainful's own."""
    import gainful

    work = gainful.reconcile
    seconds, found = timed(lambda: work(qrels, run))
    return seconds, found.value


@task("gainful.adapters.lightgbm.feval", package="lightgbm")
def feval(groups: str, items: str, dialect: str = "") -> Timed:
    """Labels and scores of all groups to mean nDCG@10."""
    from gainful.adapters.lightgbm import feval

    labels, scores, sizes = _groups(int(groups), int(items))
    data = _dataset(labels, scores, sizes)
    measured = feval(f"nDCG@{_CUTOFF}", dialect=dialect or None)
    seconds, found = timed(lambda: measured(scores, data))
    assert isinstance(found, tuple)
    return seconds, found[1]


@task("LightGBM, metric=ndcg", package="lightgbm")
def lightgbm_ndcg(groups: str, items: str) -> Timed:
    """The same by LightGBM's own metric: scores are given, and there is no tree."""
    import lightgbm

    data = _dataset(*_groups(int(groups), int(items)))
    asked = {"objective": "none", "metric": "ndcg", "eval_at": [_CUTOFF], "verbose": -1}
    booster = lightgbm.Booster(asked, data)
    seconds, found = timed(booster.eval_train)
    return seconds, float(found[0][2])


@task("sklearn.metrics.ndcg_score, group by group", package="scikit-learn")
def ndcg_score_by_group(groups: str, items: str) -> Timed:
    """The mean of what scikit-learn gives for each group, one call for each."""
    import numpy as np
    from sklearn.metrics import ndcg_score

    labels, scores, sizes = _groups(int(groups), int(items))
    cuts = np.cumsum(sizes)[:-1]
    pairs = list(zip(np.split(labels, cuts), np.split(scores, cuts), strict=True))
    seconds, values = timed(lambda: [ndcg_score([a], [b], k=_CUTOFF) for a, b in pairs])
    return seconds, float(np.mean(values))


def _groups(groups: int, items: int) -> tuple[Any, Any, Any]:
    """Labels from 0 to 4, scores, and how many items each group has."""
    import numpy as np

    rng = np.random.default_rng(_SEED)
    labels = rng.choice(5, size=groups * items, p=(0.5, 0.2, 0.15, 0.1, 0.05)).astype(np.float64)
    return labels, rng.normal(size=groups * items), np.full(groups, items)


def _dataset(labels: Any, scores: Any, sizes: Any) -> Any:
    import lightgbm
    import numpy as np

    data = lightgbm.Dataset(
        np.zeros((len(labels), 1)),
        label=labels,
        init_score=scores,
        group=sizes,
        params={"verbose": -1, "feature_pre_filter": False},
    )
    return data.construct()
