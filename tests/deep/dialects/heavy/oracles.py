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

    gains, denominators = ("type=Base", "type=Exp"), ("", ";denominator=Position")
    kinds = [f"{gain}{denominator}" for gain in gains for denominator in denominators]
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

    def compute_value(labels: list[int], scores: list[float], k: int) -> float:
        preds, target = torch.tensor(scores, dtype=torch.float32), torch.tensor(labels)
        return float(retrieval_normalized_dcg(preds, target, top_k=k))

    return {"ndcg": [[compute_value(*ranking, k) for k in cutoffs] for ranking in lists]}


def rax(lists: Lists, cutoffs: list[int]) -> Values:
    """rax, without a key: ties are in the order given."""
    import jax.numpy as jnp
    import rax as library

    labels, scores = (jnp.array(rows) for rows in _pad_lists(lists))
    columns = [
        library.ndcg_metric(scores, labels, where=labels >= 0, topn=k, reduce_fn=None)
        for k in cutoffs
    ]
    return {"ndcg": [[float(column[q]) for column in columns] for q in range(len(lists))]}


def keras_rs(lists: Lists, cutoffs: list[int]) -> Values:
    """keras-rs on JAX, where lists of one length save time."""
    import os

    os.environ["KERAS_BACKEND"] = "jax"
    from keras_rs.metrics import NDCG

    def compute_value(labels: list[float], scores: list[float], k: int) -> float:
        metric = NDCG(k=k, seed=1)
        metric.update_state([labels], [scores])
        return float(metric.result())

    rankings = list(zip(*_pad_lists(lists), strict=True))
    return {"ndcg": [[compute_value(*ranking, k) for k in cutoffs] for ranking in rankings]}


def allrank(lists: Lists, cutoffs: list[int]) -> Values:
    """allRank, without the module that reads data, which asks for torchvision."""
    import types

    import torch

    loading: Any = types.ModuleType("allrank.data.dataset_loading")
    loading.PADDED_Y_VALUE = -1
    sys.modules[loading.__name__] = loading
    from allrank.models.metrics import ndcg

    def compute_values(labels: list[int], scores: list[float]) -> list[float | None]:
        preds, target = torch.tensor([scores]), torch.tensor([labels], dtype=torch.float32)
        return [float(ndcg(preds, target, ats=[k])[0, 0]) for k in cutoffs]

    return {"ndcg": [compute_values(*ranking) for ranking in lists]}


def recpack(lists: Lists, cutoffs: list[int]) -> Values:
    """RecPack, of a matrix of scores; those of 0 would not be stored, so all are raised."""
    from recpack.metrics.dcg import ndcg_k
    from scipy.sparse import csr_matrix

    def compute_value(labels: list[int], scores: list[float], k: int) -> float | None:
        truth = csr_matrix([[float(label > 0) for label in labels]])
        predictions = csr_matrix([[score + 1 for score in scores]])
        return float(ndcg_k(truth, predictions, k=k)) if any(labels) else None

    return {"ndcg": [[compute_value(*ranking, k) for k in cutoffs] for ranking in lists]}


def ranx(lists: Lists, cutoffs: list[int]) -> Values:
    """ranx: of labels as they are, and as powers of two."""
    from ranx import Qrels, Run, evaluate

    metrics_by_name = {name: [f"{name}@{k}" for k in cutoffs] for name in ("ndcg", "ndcg_burges")}
    results: Values = {name: [] for name in metrics_by_name}
    for labels, scores in lists:
        qrels = Qrels({"q": {f"i{j}": label for j, label in enumerate(labels)}})
        run = Run({"q": {f"i{j}": score for j, score in enumerate(scores)}})
        for name, metrics in metrics_by_name.items():
            values: Any = evaluate(qrels, run, metrics)
            results[name].append([float(values[metric]) for metric in metrics])
    return results


def cornac(lists: Lists, cutoffs: list[int]) -> Values:
    """Cornac, of item numbers."""
    import numpy as np
    from cornac.metrics import NDCG

    def compute_value(labels: list[int], scores: list[float], k: int) -> float:
        with np.errstate(invalid="ignore"):
            return float(NDCG(k=k).compute(np.flatnonzero(labels), np.array(_rank_items(scores))))

    return {"ndcg": [[compute_value(*ranking, k) for k in cutoffs] for ranking in lists]}


def llama_index(lists: Lists, cutoffs: list[int]) -> Values:
    """llama-index, of ids that are cut at k before."""
    from llama_index.core.evaluation.retrieval.metrics import NDCG

    def compute_value(labels: list[int], scores: list[float], k: int) -> float | None:
        expected = [f"i{j}" for j, label in enumerate(labels) if label > 0]
        if not expected:
            return None
        retrieved_ids = [f"i{j}" for j in _rank_items(scores)][:k]
        return float(NDCG().compute(expected_ids=expected, retrieved_ids=retrieved_ids).score)

    return {"ndcg": [[compute_value(*ranking, k) for k in cutoffs] for ranking in lists]}


def haystack(lists: Lists, cutoffs: list[int]) -> Values:
    """haystack, of documents that are cut at k before, with and without labels."""
    from haystack import Document
    from haystack.components.evaluators import DocumentNDCGEvaluator

    evaluator = DocumentNDCGEvaluator(document_comparison_field="id")

    def compute_value(labels: list[int], scores: list[float], k: int, graded: bool) -> float:
        documents = [Document(id=f"i{j}", content="") for j in _rank_items(scores)[:k]]
        truth = [
            Document(id=f"i{j}", content="", score=float(label) if graded else None)
            for j, label in enumerate(labels)
            if graded or label > 0
        ]
        return float(evaluator.run([truth], [documents])["score"])

    return {
        name: [[compute_value(*ranking, k, graded) for k in cutoffs] for ranking in lists]
        for name, graded in (("binary", False), ("graded", True))
    }


def lenskit(lists: Lists, cutoffs: list[int]) -> Values:
    """LensKit, of item lists, with and without ratings."""
    from lenskit.data import ItemList
    from lenskit.metrics import NDCG

    def compute_value(labels: list[int], scores: list[float], k: int, graded: bool) -> float:
        items = ItemList(item_ids=_rank_items(scores), ordered=True)
        ratings = {j: float(label) for j, label in enumerate(labels) if graded or label > 0}
        truth = ItemList(item_ids=list(ratings), rating=list(ratings.values()))
        return float(NDCG(n=k, gain="rating" if graded else None).measure_list(items, truth))

    return {
        name: [[compute_value(*ranking, k, graded) for k in cutoffs] for ranking in lists]
        for name, graded in (("binary", False), ("graded", True))
    }


def rectools(lists: Lists, cutoffs: list[int]) -> Values:
    """RecTools, beside an ideal of ones and of what can be achieved."""
    import pandas as pd
    from rectools.metrics import NDCG

    rows = [
        (q, j, n) for q, (_, scores) in enumerate(lists) for n, j in enumerate(_rank_items(scores))
    ]
    reco = pd.DataFrame(rows, columns=["user_id", "item_id", "rank"]).assign(
        rank=lambda frame: frame["rank"] + 1
    )
    relevant = [
        (q, j) for q, (labels, _) in enumerate(lists) for j, label in enumerate(labels) if label
    ]
    truth = pd.DataFrame(relevant, columns=["user_id", "item_id"])
    results: Values = {}
    for name, achievable in (("ones", False), ("achievable", True)):
        columns = [
            NDCG(k=k, divide_by_achievable=achievable).calc_per_user(reco, truth) for k in cutoffs
        ]
        results[name] = [[_find_value(column, q) for column in columns] for q in range(len(lists))]
    return results


def recommenders(lists: Lists, cutoffs: list[int]) -> Values:
    """Recommenders, one user at a time; the order of ties is that of its sort."""
    import pandas as pd
    from recommenders.evaluation.python_evaluation import ndcg_at_k

    def compute_value(labels: list[int], scores: list[float], k: int, kind: str) -> float:
        items = list(range(len(labels)))
        truth = pd.DataFrame({"userID": 1, "itemID": items, "rating": [float(x) for x in labels]})
        predictions = pd.DataFrame({"userID": 1, "itemID": items, "prediction": scores})
        return float(ndcg_at_k(truth, predictions, k=k, score_type=kind))

    return {
        kind: [[compute_value(*ranking, k, kind) for k in cutoffs] for ranking in lists]
        for kind in ("binary", "raw", "exp")
    }


def evidently(lists: Lists, cutoffs: list[int]) -> Values:
    """Evidently, which gives the mean over users alone, and cuts at the deepest rank there is.

    A second user with many items and nothing relevant makes it cut where it is asked to. Such a
    user scores 0, so that the mean is half of the value.
    """
    import pandas as pd
    from evidently.legacy.calculations.recommender_systems import collect_dataset
    from evidently.legacy.metrics.recsys.ndcg_k import NDCGKMetric
    from evidently.legacy.pipeline.column_mapping import RecomType

    n_more = 61

    def compute_values(labels: list[int], scores: list[float]) -> list[float | None]:
        data = collect_dataset(
            pd.Series(["1"] * len(labels) + ["2"] * n_more),
            pd.Series(labels + [0] * n_more),
            pd.Series(scores + [float(j) for j in range(n_more)]),
            RecomType.SCORE,
            None,
            True,
            False,
        )
        result = NDCGKMetric(k=max(cutoffs)).calculate_ndcg(data, max(cutoffs))
        return [2 * float(result[k]) for k in cutoffs]

    return {"ndcg": [compute_values(*ranking) for ranking in lists]}


def mlflow(lists: Lists, cutoffs: list[int]) -> Values:
    """MLflow, of ids."""
    import pandas as pd
    from mlflow.metrics.metric_definitions import _ndcg_at_k_eval_fn

    truth = pd.Series([[f"i{j}" for j, label in enumerate(labels) if label] for labels, _ in lists])
    predictions = pd.Series([[f"i{j}" for j in _rank_items(scores)] for _, scores in lists])
    columns = [_ndcg_at_k_eval_fn(k)(predictions, truth).scores for k in cutoffs]
    return {"ndcg": [[float(column[q]) for column in columns] for q in range(len(lists))]}


def pyspark(lists: Lists, cutoffs: list[int]) -> Values:
    """Spark in a process of its own, of item numbers; of Python's relevance nothing is left."""
    from pyspark.ml.evaluation import RankingEvaluator
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    )
    context: Any = spark.sparkContext
    jvm, java = context._jvm, context._jsc
    schema = "prediction array<double>, label array<double>"
    # No type can be told of an empty list. Beside a row that scores 1, it is told by that.
    one_row = ([0.0], [0.0], [1.0])

    def evaluate_in_python(row: tuple[list[float], ...], k: int) -> float:
        if row[1]:
            return float(RankingMetrics(context.parallelize([row], 1)).ndcgAt(k))
        rows = context.parallelize([one_row[: len(row)], row], 1)
        return 2 * float(RankingMetrics(rows).ndcgAt(k)) - 1

    def evaluate_in_scala(row: tuple[list[float], ...], k: int) -> float:
        columns = [jvm.java.util.ArrayList(column) for column in row]
        rows = java.parallelize(jvm.java.util.ArrayList([jvm.scala.Tuple3(*columns)]), 1)
        return float(jvm.org.apache.spark.mllib.evaluation.RankingMetrics.of(rows).ndcgAt(k))

    def evaluate_frame(row: tuple[list[float], ...], k: int) -> float:
        frame = spark.createDataFrame([row], schema)
        return float(RankingEvaluator(metricName="ndcgAtK", k=k).evaluate(frame))

    results: Values = {}
    for labels, scores in lists:
        ranking = [float(j) for j in _rank_items(scores)]
        relevant = [float(j) for j, label in enumerate(labels) if label]
        ratings = [float(label) for label in labels]
        items = [float(j) for j in range(len(labels))]
        for name, evaluate, row in (
            ("RankingMetrics", evaluate_in_python, (ranking, relevant)),
            (
                "RankingMetrics, relevance given",
                evaluate_in_python,
                (ranking, relevant, [float(label) for label in labels if label]),
            ),
            (
                "RankingMetrics, relevance given in Scala",
                evaluate_in_scala,
                (ranking, items, ratings),
            ),
            ("RankingEvaluator", evaluate_frame, (ranking, relevant)),
        ):
            results.setdefault(name, []).append([evaluate(row, k) for k in cutoffs])
    spark.stop()
    return results


def replay(lists: Lists, cutoffs: list[int]) -> Values:
    """RePlay, of dicts."""
    from replay.metrics import NDCG

    def compute_value(labels: list[int], scores: list[float], k: int) -> float:
        truth = {1: [j for j, label in enumerate(labels) if label]}
        predictions = {1: [(j, scores[j]) for j in _rank_items(scores)]}
        return float(next(iter(NDCG(k)(predictions, truth).values())))

    return {"ndcg": [[compute_value(*ranking, k) for k in cutoffs] for ranking in lists]}


def _rank_items(scores: list[float]) -> list[int]:
    """The places of items, best first; equals in the order given."""
    return sorted(range(len(scores)), key=lambda j: -scores[j])


def _pad_lists(lists: Lists) -> tuple[list[list[float]], list[list[float]]]:
    """Labels and scores of lists that are made equally long; what is added has the label -1."""
    longest = max(len(labels) for labels, _ in lists)
    labels = [
        [*map(float, query_labels), *[-1.0] * (longest - len(query_labels))]
        for query_labels, _ in lists
    ]
    scores = [[*query_scores, *[-1.0] * (longest - len(query_scores))] for _, query_scores in lists]
    return labels, scores


def _find_value(column: Any, query: int) -> float | None:
    return float(column[query]) if query in column.index else None


if __name__ == "__main__":
    request = json.load(sys.stdin)
    sys.stdout, out = sys.stderr, sys.stdout  # some print as they go
    json.dump(globals()[sys.argv[1]](request["lists"], request["cutoffs"]), out)
