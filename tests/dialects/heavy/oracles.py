"""What libraries say of lists of labels and scores; runs in the environment of the library.

    python oracles.py catboost < lists.json > values.json

It has no name that pytest looks for, and imports nothing of ours: every library has an environment
of its own, and is imported by the function that asks it.
"""

import json
import sys
from typing import Any

Lists = list[tuple[list[int], list[float]]]
Values = dict[str, list[list[float | None]]]


def catboost(lists: Lists, cutoffs: list[int]) -> Values:
    """CatBoost: gains of two kinds, over logarithms of ranks or ranks."""
    from catboost.utils import eval_metric

    kinds = ("type=Base", "type=Exp", "type=Base;denominator=Position")
    return {
        f"NDCG:{kind}": [
            [
                eval_metric(labels, scores, f"NDCG:{kind};top={k}", group_id=[0] * len(labels))[0]
                for k in cutoffs
            ]
            for labels, scores in lists
        ]
        for kind in kinds
    }


def torchmetrics(lists: Lists, cutoffs: list[int]) -> Values:
    """torchmetrics, of tensors in single precision."""
    import torch
    from torchmetrics.functional.retrieval import retrieval_normalized_dcg

    def value(labels: list[int], scores: list[float], k: int) -> float:
        preds, target = torch.tensor(scores, dtype=torch.float32), torch.tensor(labels)
        return float(retrieval_normalized_dcg(preds, target, top_k=k))

    return {"ndcg": [[value(*one, k) for k in cutoffs] for one in lists]}


def rax(lists: Lists, cutoffs: list[int]) -> Values:
    """rax, without a key: ties are in the order given."""
    import jax.numpy as jnp
    import rax as library

    def value(labels: list[int], scores: list[float], k: int) -> float:
        return float(library.ndcg_metric(jnp.array(scores), jnp.array(labels, float), topn=k))

    return {"ndcg": [[value(*one, k) for k in cutoffs] for one in lists]}


def ranx(lists: Lists, cutoffs: list[int]) -> Values:
    """ranx: of labels as they are, and as powers of two."""
    from ranx import Qrels, Run, evaluate

    asked = {name: [f"{name}@{k}" for k in cutoffs] for name in ("ndcg", "ndcg_burges")}
    found: Values = {name: [] for name in asked}
    for labels, scores in lists:
        qrels = Qrels({"q": {f"i{j}": label for j, label in enumerate(labels)}})
        run = Run({"q": {f"i{j}": score for j, score in enumerate(scores)}})
        for name, metrics in asked.items():
            values: Any = evaluate(qrels, run, metrics)
            found[name].append([float(values[metric]) for metric in metrics])
    return found


def cornac(lists: Lists, cutoffs: list[int]) -> Values:
    """Cornac, of item numbers."""
    import numpy as np
    from cornac.metrics import NDCG

    def value(labels: list[int], scores: list[float], k: int) -> float:
        with np.errstate(invalid="ignore"):
            return float(NDCG(k=k).compute(np.flatnonzero(labels), np.array(_ranked(scores))))

    return {"ndcg": [[value(*one, k) for k in cutoffs] for one in lists]}


def llama_index(lists: Lists, cutoffs: list[int]) -> Values:
    """llama-index, of ids that are cut at k before."""
    from llama_index.core.evaluation.retrieval.metrics import NDCG

    def value(labels: list[int], scores: list[float], k: int) -> float | None:
        expected = [f"i{j}" for j, label in enumerate(labels) if label > 0]
        if not expected:
            return None
        found = [f"i{j}" for j in _ranked(scores)][:k]
        return float(NDCG().compute(expected_ids=expected, retrieved_ids=found).score)

    return {"ndcg": [[value(*one, k) for k in cutoffs] for one in lists]}


def haystack(lists: Lists, cutoffs: list[int]) -> Values:
    """haystack, of documents that are cut at k before, with and without labels."""
    from haystack import Document
    from haystack.components.evaluators import DocumentNDCGEvaluator

    evaluator = DocumentNDCGEvaluator(document_comparison_field="id")

    def value(labels: list[int], scores: list[float], k: int, graded: bool) -> float:
        found = [Document(id=f"i{j}", content="") for j in _ranked(scores)[:k]]
        truth = [
            Document(id=f"i{j}", content="", score=float(label) if graded else None)
            for j, label in enumerate(labels)
            if graded or label > 0
        ]
        return float(evaluator.run([truth], [found])["score"])

    return {
        name: [[value(*one, k, graded) for k in cutoffs] for one in lists]
        for name, graded in (("binary", False), ("graded", True))
    }


def lenskit(lists: Lists, cutoffs: list[int]) -> Values:
    """LensKit, of item lists."""
    from lenskit.data import ItemList
    from lenskit.metrics import NDCG

    def value(labels: list[int], scores: list[float], k: int) -> float:
        found = ItemList(item_ids=_ranked(scores), ordered=True)
        truth = ItemList(item_ids=[j for j, label in enumerate(labels) if label > 0])
        return float(NDCG(n=k).measure_list(found, truth))

    return {"ndcg": [[value(*one, k) for k in cutoffs] for one in lists]}


def rectools(lists: Lists, cutoffs: list[int]) -> Values:
    """RecTools, beside an ideal of ones and of what can be achieved."""
    import pandas as pd
    from rectools.metrics import NDCG

    rows = [(q, j, n) for q, (_, scores) in enumerate(lists) for n, j in enumerate(_ranked(scores))]
    reco = pd.DataFrame(rows, columns=["user_id", "item_id", "rank"]).assign(
        rank=lambda frame: frame["rank"] + 1
    )
    liked = [(q, j) for q, (labels, _) in enumerate(lists) for j, one in enumerate(labels) if one]
    truth = pd.DataFrame(liked, columns=["user_id", "item_id"])
    found: Values = {}
    for name, achievable in (("ones", False), ("achievable", True)):
        each = [
            NDCG(k=k, divide_by_achievable=achievable).calc_per_user(reco, truth) for k in cutoffs
        ]
        found[name] = [[_of(column, q) for column in each] for q in range(len(lists))]
    return found


def recommenders(lists: Lists, cutoffs: list[int]) -> Values:
    """Recommenders, one user at a time; the order of ties is that of its sort."""
    import pandas as pd
    from recommenders.evaluation.python_evaluation import ndcg_at_k

    def value(labels: list[int], scores: list[float], k: int, kind: str) -> float:
        items = list(range(len(labels)))
        truth = pd.DataFrame({"userID": 1, "itemID": items, "rating": [float(x) for x in labels]})
        found = pd.DataFrame({"userID": 1, "itemID": items, "prediction": scores})
        return float(ndcg_at_k(truth, found, k=k, score_type=kind))

    return {
        kind: [[value(*one, k, kind) for k in cutoffs] for one in lists]
        for kind in ("binary", "raw", "exp")
    }


def evidently(lists: Lists, cutoffs: list[int]) -> Values:
    """Evidently; a cutoff below its deepest rank is the last that it has."""
    import pandas as pd
    from evidently.legacy.calculations.recommender_systems import collect_dataset
    from evidently.legacy.metrics.recsys.ndcg_k import NDCGKMetric
    from evidently.legacy.pipeline.column_mapping import RecomType

    def values(labels: list[int], scores: list[float]) -> list[float | None]:
        data = collect_dataset(
            pd.Series(["1"] * len(labels)),
            pd.Series(labels),
            pd.Series(scores),
            RecomType.SCORE,
            None,
            True,
            False,
        )
        found = NDCGKMetric(k=max(cutoffs)).calculate_ndcg(data, max(cutoffs))
        return [float(found[k]) if k in found.index else None for k in cutoffs]

    return {"ndcg": [values(*one) for one in lists]}


def mlflow(lists: Lists, cutoffs: list[int]) -> Values:
    """MLflow, of ids."""
    import pandas as pd
    from mlflow.metrics.metric_definitions import _ndcg_at_k_eval_fn

    truth = pd.Series([[f"i{j}" for j, one in enumerate(labels) if one] for labels, _ in lists])
    found = pd.Series([[f"i{j}" for j in _ranked(scores)] for _, scores in lists])
    each = [_ndcg_at_k_eval_fn(k)(found, truth).scores for k in cutoffs]
    return {"ndcg": [[float(column[q]) for column in each] for q in range(len(lists))]}


def pyspark(lists: Lists, cutoffs: list[int]) -> Values:
    """Spark in a process of its own, of item numbers."""
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    )
    found: list[list[float | None]] = []
    for labels, scores in lists:
        liked = [float(j) for j, one in enumerate(labels) if one]
        if not liked:
            found.append([None] * len(cutoffs))
            continue
        ranked = [float(j) for j in _ranked(scores)]
        metrics = RankingMetrics(spark.sparkContext.parallelize([(ranked, liked)], 1))
        found.append([float(metrics.ndcgAt(k)) for k in cutoffs])
    spark.stop()
    return {"ndcg": found}


def replay(lists: Lists, cutoffs: list[int]) -> Values:
    """RePlay, of dicts."""
    from replay.metrics import NDCG

    def value(labels: list[int], scores: list[float], k: int) -> float:
        truth = {1: [j for j, one in enumerate(labels) if one]}
        found = {1: [(j, scores[j]) for j in _ranked(scores)]}
        return float(next(iter(NDCG(k)(found, truth).values())))

    return {"ndcg": [[value(*one, k) for k in cutoffs] for one in lists]}


def _ranked(scores: list[float]) -> list[int]:
    """The places of items, best first; equals in the order given."""
    return sorted(range(len(scores)), key=lambda j: -scores[j])


def _of(column: Any, query: int) -> float | None:
    return float(column[query]) if query in column.index else None


if __name__ == "__main__":
    told = json.load(sys.stdin)
    sys.stdout, out = sys.stderr, sys.stdout  # some print as they go
    json.dump(globals()[sys.argv[1]](told["lists"], told["cutoffs"]), out)
