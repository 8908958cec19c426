"""Apache Spark."""

from dataclasses import replace

from gainful.dialects._dialect import Dialect
from gainful.dialects._views import OF_RELEVANT, RANKED

_BINARY = Dialect(
    name="spark",
    tool="Apache Spark",
    function="RankingMetrics.ndcgAt",
    summary="Binary gain over natural logarithms; a query without relevant items scores 0.",
    settings={"discount": "ln", **OF_RELEVANT},
    rules=replace(RANKED, duplicates="count", averaging="running"),
    checked="3.5.5",
    exact="bits",
    edges={"ties": "The lists come in order; what ordered ties is up to whoever made them."},
    defects=(
        "An item that is predicted twice gains twice, and lifts the value above 1.",
        "From Python, relevance given as a third column is ignored: the value stays binary.",
    ),
    source="mllib/evaluation/RankingMetrics.scala, PythonMLLibAPI.scala",
    also=("pyspark", "spark-mllib", "spark-ml", "mllib"),
    options={"k": "nDCG@k; RankingEvaluator has 10"},
)

DIALECTS = (
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
