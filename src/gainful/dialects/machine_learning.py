"""General machine learning: scikit-learn, Apache Spark."""

from dataclasses import replace

from gainful.dialects.dialect import (
    ITEM_LIST_RULES,
    LABEL_LIST_RULES,
    LABEL_LIST_SETTINGS,
    RELEVANT_LIST_SETTINGS,
    Dialect,
)

_RULES = replace(LABEL_LIST_RULES, ties="average")
_REFUSE_NEGATIVES = {**LABEL_LIST_SETTINGS, "negatives": "error"}
_KEEP_NEGATIVES = {**_REFUSE_NEGATIVES, "negatives": "keep"}

_SKLEARN = Dialect(
    name="sklearn",
    tool="scikit-learn",
    function="ndcg_score",
    summary="Only the items passed in make the ideal, and tied scores are averaged.",
    settings=_REFUSE_NEGATIVES,
    of_measure={"DCG": {"negatives": "keep"}, "IDCG": {"negatives": "keep"}},
    rules=replace(_RULES, min_items=2),
    since="1.3",
    checked="1.9.1",
    exact="float64",
    edges={
        "unjudged": "There are none: every item has a label, and we pass 0.",
        "missing": "A query without results cannot be passed.",
        "averaging": "np.average, with sample_weight.",
    },
    defects=(
        "Relevant items that were not retrieved do not lower the value: they are not in the ideal.",
        "A ranking of a single item is an error.",
    ),
    source="sklearn/metrics/_ranking.py:1698-1710, 1750-1760, 1938-1946, 2057-2063",
    also=("scikit-learn", "ndcg_score"),
    options={
        "k": "nDCG@k",
        "log_base=b": "discount=log(b)",
        "ignore_ties=True": "dialect sklearn-ignore-ties",
        "sample_weight": "weights",
    },
    measures=("nDCG", "DCG"),
)
_IGNORING = replace(
    _SKLEARN,
    name="sklearn-ignore-ties",
    function="ndcg_score(ignore_ties=True)",
    summary="As sklearn, but tied scores stand in the reverse of the order they were passed in.",
    settings=_REFUSE_NEGATIVES,
    rules=replace(_SKLEARN.rules, ties="input-reversed"),
    exact="unstable-ties",
    edges={**_SKLEARN.edges, "ties": "From 17 items on, NumPy's sort leaves their order open."},
    defects=(*_SKLEARN.defects, "The order of ties depends on the processor."),
    also=("scikit-learn-ignore-ties",),
    options={"k": "nDCG@k", "log_base=b": "discount=log(b)", "sample_weight": "weights"},
)

SCIKIT_LEARN = (
    _SKLEARN,
    _IGNORING,
    replace(
        _SKLEARN,
        name="sklearn@1.2",
        summary="As now, but a ranking of a single item has a value.",
        rules=_RULES,
        since="1.2",
        checked="",
        exact="source-only",
        defects=_SKLEARN.defects[:1],
        also=("scikit-learn@1.2",),
    ),
    replace(
        _SKLEARN,
        name="sklearn@1.1",
        summary="As in 1.2, but negative labels are kept.",
        settings=_KEEP_NEGATIVES,
        of_measure={},
        rules=_RULES,
        since="0.22",
        checked="",
        exact="source-only",
        defects=(_SKLEARN.defects[0], "With negative labels, values leave the range from 0 to 1."),
        also=("scikit-learn@1.1",),
    ),
)

_BINARY = Dialect(
    name="spark",
    tool="Apache Spark",
    function="RankingMetrics.ndcgAt",
    summary="Binary gain over natural logarithms; a query without relevant items scores 0.",
    settings={"discount": "ln", **RELEVANT_LIST_SETTINGS},
    rules=replace(ITEM_LIST_RULES, duplicates="count"),
    checked="3.5.5",
    exact="float64",
    edges={"ties": "The lists come in order; what ordered ties is up to whoever made them."},
    defects=(
        "An item that is predicted twice gains twice, and lifts the value above 1.",
        "From Python, relevance given as a third column is ignored: the value stays binary.",
    ),
    source="mllib/evaluation/RankingMetrics.scala, PythonMLLibAPI.scala",
    also=("pyspark", "spark-mllib", "spark-ml", "mllib"),
    options={"k": "nDCG@k; RankingEvaluator has 10"},
)

SPARK = (
    _BINARY,
    replace(
        _BINARY,
        name="spark-graded",
        function="RankingMetrics.ndcgAt with relevance (Scala)",
        summary="Exponential gain, beside an ideal that is the ground truth in the order given.",
        settings={
            "gain": "exp2",
            "discount": "ln",
            "ideal_order": "given",
            "negatives": "keep",
            "above_one": "keep",
        },
        defects=(
            "The ground truth is not sorted: unless it comes best first, values exceed 1.",
            "An item that is predicted twice gains twice, and lifts the value above 1.",
        ),
        also=("spark-scala", "pyspark-graded"),
    ),
)
