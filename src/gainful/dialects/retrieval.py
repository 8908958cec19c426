"""Retrieval for language models: sentence-transformers, BEIR, MTEB, MLflow, Haystack and others."""

from dataclasses import replace

from gainful.dialects.dialect import (
    GRADED_LIST_SETTINGS,
    ITEM_LIST_RULES,
    LABEL_LIST_RULES,
    LABEL_LIST_SETTINGS,
    RELEVANT_LIST_SETTINGS,
    Dialect,
)
from gainful.dialects.rules import DialectRules

_LIST_ORDER = {"ties": "The list comes in order; what ordered ties is up to whoever made it."}
_TWICE = "An item that is retrieved twice gains twice, and lifts the value above 1."

_BEIR = Dialect(
    name="beir",
    tool="BEIR",
    function="EvaluateRetrieval.evaluate",
    summary="trec_eval 9 without items that have the id of their query; means of five decimals.",
    settings={"above_one": "keep"},
    rules=DialectRules(missing="skip", precision="float32", own_items="drop", decimals=5),
    checked="2.2.0",
    exact="float64",
    edges={"cutoff": "1, 3, 5, 10, 100 and 1000.", "output": "The means alone have five decimals."},
    defects=("Queries that the run lacks vanish from the mean, and nothing says so.",),
    source="beir/retrieval/evaluation.py:75-115",
    options={"k_values=[k]": "nDCG@k", "ignore_identical_ids=False": "dialect mteb"},
)
_EVIDENTLY = Dialect(
    name="evidently",
    tool="Evidently",
    function="NDCGKMetric",
    summary="Linear gain, and tied items share the middle rank of their block, rounded down.",
    settings={**LABEL_LIST_SETTINGS, "negatives": "keep"},
    rules=replace(LABEL_LIST_RULES, ties="middle", empty="skip"),
    checked="0.7.23",
    exact="float64",
    edges={
        "missing": "A user without recommendations cannot be passed.",
        "cutoff": "There is no value beyond the deepest rank that any user has.",
    },
    defects=(
        "Tied items share a rank: where all are tied, the first ranks hold nothing and score 0.",
        "Users with nothing relevant vanish from the mean unless no_feedback_users is set.",
        "Relevant items that were not recommended do not lower the value.",
    ),
    source="evidently/legacy/metrics/recsys/ndcg_k.py:44-59, "
    "legacy/calculations/recommender_systems.py:20-28",
    options={"k": "nDCG@k", "no_feedback_users=True": "dialect evidently-no-feedback"},
)
_HAYSTACK = Dialect(
    name="haystack",
    tool="Haystack",
    function="DocumentNDCGEvaluator",
    summary="Binary gain, beside an ideal of all relevant items, however short the list.",
    settings={**RELEVANT_LIST_SETTINGS, "ideal_depth": "all"},
    rules=replace(ITEM_LIST_RULES, duplicates="once", empty_test="no-gain"),
    checked="3.4.0",
    exact="float64",
    edges={**_LIST_ORDER, "cutoff": "It has none; whoever calls it cuts the list, not the ideal."},
    defects=("With more relevant items than the list is long, it cannot reach 1.",),
    source="haystack/components/evaluators/document_ndcg.py:73-89, 123-131, 161-200",
    also=("haystack-ai",),
    options={"documents with a score": "dialect haystack-graded"},
)

DIALECTS = (
    Dialect(
        name="sentence-transformers",
        tool="Sentence Transformers",
        function="InformationRetrievalEvaluator",
        summary="Binary gain; the lowest item id comes first among equal scores.",
        settings=RELEVANT_LIST_SETTINGS,
        rules=replace(ITEM_LIST_RULES, ties="item-asc", empty="skip", duplicates="count"),
        checked="6.2.0",
        exact="float64",
        edges={"cutoff": "10 unless ndcg_at_k is set."},
        defects=(_TWICE,),
        source="sentence_transformer/evaluation/information_retrieval.py:158, 511, 538-548, 572, "
        "610-614",
        also=("sbert", "st"),
        options={"ndcg_at_k=[k]": "nDCG@k"},
    ),
    Dialect(
        name="sentence-transformers-reranking",
        tool="Sentence Transformers",
        function="RerankingEvaluator, CrossEncoderRerankingEvaluator",
        summary="scikit-learn on binary labels; queries with nothing relevant are left out.",
        settings={**LABEL_LIST_SETTINGS, "gain": "positive"},
        rules=replace(LABEL_LIST_RULES, ties="average", empty="skip"),
        checked="6.2.0",
        edges={"cutoff": "10 unless at_k is set."},
        defects=("Relevant items that are not among the candidates do not lower the value.",),
        source="sentence_transformer/evaluation/reranking.py:264-297, "
        "cross_encoder/evaluation/reranking.py:180-252, 310-321",
        also=("sbert-reranking", "cross-encoder"),
        options={"at_k=k": "nDCG@k"},
    ),
    _BEIR,
    replace(
        _BEIR,
        name="mteb",
        tool="MTEB",
        function="RetrievalEvaluator",
        summary="trec_eval 9, with means of five decimals.",
        rules=replace(_BEIR.rules, own_items=None),
        checked="2.26.24",
        source="mteb/_evaluators/retrieval_metrics.py:487-537, 591-613",
        options={"k_values=[k]": "nDCG@k"},
    ),
    Dialect(
        name="mlflow",
        tool="MLflow",
        function="ndcg_at_k",
        summary="Binary gain, beside an ideal that is no longer than the list that was retrieved.",
        settings={**RELEVANT_LIST_SETTINGS, "ideal_depth": "retrieved"},
        rules=replace(ITEM_LIST_RULES, empty="one-if-missing"),
        checked="3.17.2",
        exact="float64",
        edges={
            **_LIST_ORDER,
            "duplicates": "An item that is retrieved twice within k stands for two relevant items, "
            "in the ideal too. No rule says so, and it is an error here.",
        },
        defects=(
            "To retrieve a relevant item again gains like finding another one.",
            "The ideal is cut where the list ends: to retrieve one perfect item alone scores 1.",
            "A query with nothing relevant scores 1 if nothing was retrieved for it.",
        ),
        source="mlflow/metrics/metric_definitions.py:423-494",
        options={"k": "nDCG@k"},
    ),
    _EVIDENTLY,
    replace(
        _EVIDENTLY,
        name="evidently-no-feedback",
        function="NDCGKMetric(no_feedback_users=True)",
        summary="As evidently, where users with nothing relevant score 0.",
        rules=replace(_EVIDENTLY.rules, empty="zero"),
        defects=(_EVIDENTLY.defects[0], _EVIDENTLY.defects[2]),
        options={"k": "nDCG@k"},
    ),
    _HAYSTACK,
    replace(
        _HAYSTACK,
        name="haystack-graded",
        summary="Linear gain, beside an ideal of all judged items, however short the list.",
        settings={**GRADED_LIST_SETTINGS, "ideal_depth": "all"},
        also=("haystack-ai-graded",),
        options={"documents without a score": "dialect haystack"},
    ),
    Dialect(
        name="llama-index",
        tool="LlamaIndex",
        function="NDCG",
        summary="Binary gain, beside an ideal of all expected items; an empty list is an error.",
        settings={**RELEVANT_LIST_SETTINGS, "ideal_depth": "all"},
        rules=replace(ITEM_LIST_RULES, empty="error", missing="error", duplicates="count"),
        checked="0.14.25",
        exact="float64",
        edges={
            **_LIST_ORDER,
            "cutoff": "It has none; whoever calls it cuts the list, not the ideal.",
            "averaging": "It gives values of queries; whoever calls it averages them.",
        },
        defects=(
            "With more expected items than the list is long, it cannot reach 1.",
            "An id that is expected twice counts twice in the ideal.",
            _TWICE,
        ),
        source="llama_index/core/evaluation/retrieval/metrics.py:340-427",
        also=("llama-index-core",),
        options={"mode": "linear and exponential are the same for binary labels"},
    ),
)
