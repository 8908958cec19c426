"""Tasks on dialects and on the tools that they are named after."""

from typing import Any

from bench.tasks import Timing, measure_time, task

_SEED = 20240229
_CUTOFF = 10


@task("gainful.evaluate in a dialect", package="gainful")
def evaluate_in_dialect(qrels: str, run: str, measure: str, dialect: str = "") -> Timing:
    """Time the mean of a measure from files, in Gainful's definition unless a dialect is named."""
    import gainful
    import gainful.dialects

    options: dict[str, Any] = {"dialect": dialect} if dialect else {}
    seconds, scores = measure_time(lambda: gainful.evaluate(qrels, run, measure, **options))
    return seconds, scores.mean()[measure]


@task("gainful.reconcile", package="gainful")
def reconcile_dialects(qrels: str, run: str) -> Timing:
    """Time the reconciliation of all dialects on nDCG@10; the value is that of Gainful."""
    import gainful

    reconcile = gainful.reconcile
    seconds, reconciliation = measure_time(lambda: reconcile(qrels, run))
    return seconds, reconciliation.value


@task("gainful.adapters.lightgbm.feval", package="lightgbm")
def call_feval(groups: str, items: str, dialect: str = "") -> Timing:
    """Time mean nDCG@10 from the labels and scores of all groups."""
    from gainful.adapters.lightgbm import feval

    labels, scores, sizes = _draw_groups(int(groups), int(items))
    data = _make_dataset(labels, scores, sizes)
    evaluate = feval(f"nDCG@{_CUTOFF}", dialect=dialect or None)
    seconds, result = measure_time(lambda: evaluate(scores, data))
    assert isinstance(result, tuple)
    return seconds, result[1]


@task("LightGBM, metric=ndcg", package="lightgbm")
def evaluate_lightgbm(groups: str, items: str) -> Timing:
    """Time the metric of LightGBM on the same scores; the booster has no tree."""
    import lightgbm

    data = _make_dataset(*_draw_groups(int(groups), int(items)))
    parameters = {"objective": "none", "metric": "ndcg", "eval_at": [_CUTOFF], "verbose": -1}
    booster = lightgbm.Booster(parameters, data)
    seconds, results = measure_time(booster.eval_train)
    return seconds, float(results[0][2])


@task("sklearn.metrics.ndcg_score, group by group", package="scikit-learn")
def compute_ndcg_score_by_group(groups: str, items: str) -> Timing:
    """Time one call of scikit-learn per group; the value is the mean."""
    import numpy as np
    from sklearn.metrics import ndcg_score

    labels, scores, sizes = _draw_groups(int(groups), int(items))
    cuts = np.cumsum(sizes)[:-1]
    pairs = list(zip(np.split(labels, cuts), np.split(scores, cuts), strict=True))
    seconds, values = measure_time(lambda: [ndcg_score([a], [b], k=_CUTOFF) for a, b in pairs])
    return seconds, float(np.mean(values))


def _draw_groups(groups: int, items: int) -> tuple[Any, Any, Any]:
    """Return labels from 0 to 4, scores, and the number of items in each group."""
    import numpy as np

    rng = np.random.default_rng(_SEED)
    labels = rng.choice(5, size=groups * items, p=(0.5, 0.2, 0.15, 0.1, 0.05)).astype(np.float64)
    return labels, rng.normal(size=groups * items), np.full(groups, items)


def _make_dataset(labels: Any, scores: Any, sizes: Any) -> Any:
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
