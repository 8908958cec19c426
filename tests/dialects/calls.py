"""Which dialect, measure and rules of ours each function of a library is: one table."""

from dataclasses import dataclass
from typing import Any

from dialects.records import Record


@dataclass(frozen=True)
class Call:
    """What to ask of Gainful.

    Attributes:
        dialect: The name of the dialect.
        measure: The measure without its cutoff.
        rules: Rules that the arguments of the library's function change.
        fed: How the qrels are fed: as they are, by descending label, or as one subtopic.
        lists: Whether the library takes labels and scores: then so do our plain functions.
    """

    dialect: str
    measure: str = "nDCG"
    rules: str = ""
    fed: str = "as-listed"
    lists: bool = False


_GAINS = "{1: 3, 2: 9, 3: 10, 4: 20}"

# Library, function, params: as they stand in the file.
TABLE: list[tuple[str, str, dict[str, Any], Call]] = [
    ("bwhite-gist (kaggle style)", "ndcg_at_k", {"method": 0}, Call("kaggle", lists=True)),
    (
        "bwhite-gist (kaggle style)",
        "ndcg_at_k",
        {"method": 1},
        Call("kaggle", "nDCG(discount=log2)", lists=True),
    ),
    ("cornac", "metrics.NDCG.compute", {}, Call("cornac")),
    *(
        (
            "elasticsearch/opensearch rank_eval",
            "DiscountedCumulativeGain.evaluate",
            {"normalize": normalize, "unknown_doc_rating": rating},
            Call("elasticsearch", measure, "" if rating is None else f"unjudged_label={rating}"),
        )
        for normalize, measure in ((True, "nDCG"), (False, "DCG"))
        for rating in (None, 0, 1)
    ),
    *(
        (
            "evidently",
            "NDCGKMetric.calculate_ndcg (+collect_dataset)",
            {"no_feedback_users": kept},
            Call("evidently", rules="empty=zero" if kept else ""),
        )
        for kept in (False, True)
    ),
    ("implicit", "evaluation.ndcg_at_k", {}, Call("implicit")),
    ("pytrec_eval-terrier", "ndcg", {}, Call("trec_eval@9")),
    ("pytrec_eval-terrier", "ndcg_cut", {}, Call("trec_eval@9")),
    (
        "pytrec_eval-terrier",
        "ndcg",
        {"judged_docs_only_flag": True},
        Call("trec_eval@9", rules="unjudged=condense"),
    ),
    *(
        (
            "ranx",
            "evaluate",
            {"metric": metric, "make_comparable": comparable},
            Call(dialect, measure, "missing=zero" if comparable else ""),
        )
        for metric, dialect, measure in (
            ("ndcg", "ranx", "nDCG"),
            ("ndcg_burges", "ranx", "nDCG(gain=exp2)"),
            ("dcg", "ranx", "DCG"),
            ("dcg_burges", "ranx", "DCG(gain=exp2)"),
        )
        for comparable in (False, True)
    ),
    ("ranx", "evaluate", {"metric": "ndcg-l2"}, Call("ranx", rules="min_label=2 missing=zero")),
    *(
        row
        for function in ("iter_calc", "calc_aggregate")
        for row in (
            ("ir_measures", function, {"measure": "nDCG"}, Call("ir_measures")),
            (
                "ir_measures",
                function,
                {"measure": "nDCG(dcg='exp-log2')"},
                Call("ir_measures-exp"),
            ),
            (
                "ir_measures",
                function,
                {"measure": "nDCG(gains={1:3,2:9,3:10,4:20})"},
                Call("ir_measures", f"nDCG(gain={_GAINS})"),
            ),
        )
    ),
    ("gdeval.pl", "ndcg@k", {}, Call("gdeval")),
    ("gdeval.pl", "ndcg@k (printf widened)", {}, Call("gdeval", rules="decimals=none")),
    (
        "gdeval.pl",
        "ndcg@k (printf widened)",
        {"-c": True},
        Call("gdeval", rules="decimals=none missing=zero"),
    ),
    ("rax", "ndcg_metric", {}, Call("rax", lists=True)),
    ("rax", "dcg_metric", {}, Call("rax", "DCG", lists=True)),
    ("rax", "ndcg_metric", {"where": "labels>=0"}, Call("rax", rules="padding=negative")),
    *(
        ("keras-rs", f"metrics.{measure}", shuffle, Call("keras-rs", own, lists=True))
        for measure, own in (("NDCG", "nDCG"), ("DCG", "DCG"))
        for shuffle in ({}, {"shuffle_ties": True}, {"shuffle_ties": False})
    ),
    *(
        (
            "lenskit",
            f"{own.upper()}.measure_list",
            {"gain": gain},
            Call("lenskit", own if gain is None else f"{own}(gain=linear)"),
        )
        for own in ("nDCG", "DCG")
        for gain in (None, "rating")
    ),
    ("scikit-learn", "ndcg_score", {"ignore_ties": False}, Call("sklearn", lists=True)),
    ("scikit-learn", "dcg_score", {"ignore_ties": False}, Call("sklearn", "DCG", lists=True)),
    (
        "scikit-learn",
        "ndcg_score",
        {"ignore_ties": True},
        Call("sklearn", rules="ties=input-reversed", lists=True),
    ),
    (
        "scikit-learn",
        "dcg_score",
        {"ignore_ties": True},
        Call("sklearn", "DCG", "ties=input-reversed", lists=True),
    ),
    (
        "scikit-learn",
        "dcg_score",
        {"log_base": 10},
        Call("sklearn", "DCG(discount=log(10))", lists=True),
    ),
    *(
        (
            "lightgbm",
            "ndcg (eval_train on init_score, 0 trees)",
            params,
            Call("lightgbm", measure, lists=True),
        )
        for params, measure in (
            ({}, "nDCG"),
            ({"label_gain": "default 2^l-1"}, "nDCG"),
            ({"label_gain": "linear 0..30"}, "nDCG(gain=linear)"),
        )
    ),
    *(
        ("xgboost", "eval_metric", params, call)
        for params, call in (
            ({"metric": "ndcg"}, Call("xgboost", lists=True)),
            ({"metric": "ndcg", "ndcg_exp_gain": True}, Call("xgboost", lists=True)),
            ({"metric": "ndcg", "ndcg_exp_gain": False}, Call("xgboost-linear", lists=True)),
            ({"metric": "ndcg-"}, Call("xgboost", rules="empty=zero", lists=True)),
            (
                {"metric": "ndcg-", "ndcg_exp_gain": True},
                Call("xgboost", rules="empty=zero", lists=True),
            ),
        )
    ),
    *(
        ("catboost", "utils.eval_metric", {"metric": metric}, Call("catboost", own, lists=True))
        for metric, own in (
            ("NDCG:type=Base", "nDCG"),
            ("NDCG:type=Exp", "nDCG(gain=exp2)"),
            ("NDCG:type=Base;denominator=Position", "nDCG(discount=reciprocal)"),
            ("NDCG:type=Exp;denominator=Position", "nDCG(gain=exp2, discount=reciprocal)"),
            ("DCG:type=Base", "DCG"),
            ("DCG:type=Exp", "DCG(gain=exp2)"),
        )
    ),
    (
        "haystack-ai",
        "DocumentNDCGEvaluator.run",
        {"document_comparison_field": "id"},
        Call("haystack", "nDCG(gain=binary)"),
    ),
    ("haystack-ai", "DocumentNDCGEvaluator.run", {"graded": True}, Call("haystack")),
    *(
        ("llama-index-core", "retrieval.metrics.NDCG.compute", {"mode": mode}, Call("llama-index"))
        for mode in ("linear", "exponential")
    ),
    (
        "pyvespa",
        "VespaEvaluator._compute_metrics",
        {"graded": False},
        Call("pyvespa", "nDCG(gain=binary)"),
    ),
    ("pyvespa", "VespaEvaluator._compute_metrics", {"graded": True}, Call("pyvespa")),
    ("mlflow", "metrics.ndcg_at_k eval_fn", {}, Call("mlflow")),
    *(
        (
            "pyndeval (ndeval.c)",
            "alpha-nDCG",
            {"alpha": alpha},
            Call("ndeval", f"alpha_nDCG(alpha={alpha})", fed="one-subtopic"),
        )
        for alpha in (0.5, 0.0)
    ),
    ("quepid", "db/scorers/ndcg@10.js", {}, Call("quepid")),
    ("quepid", "db/scorers/ndcg_cut@10.js", {}, Call("quepid", "nDCG(ideal_depth=cutoff)")),
    ("quepid", "db/scorers/dcg@10.js", {}, Call("quepid", "DCG", "unjudged=undefined")),
    ("quepid", "db/scorers/cg@10.js", {}, Call("quepid", "CG", "unjudged=undefined")),
    *(
        (
            "recommenders",
            "python_evaluation.ndcg_at_k",
            {"score_type": score, "discfun_type": base, "relevancy_method": "top_k"},
            Call("recommenders", f"nDCG(gain={gain}, discount={discount})"),
        )
        for score, gain in (("binary", "presence"), ("raw", "linear"), ("exp", "exp2"))
        for base, discount in (("loge", "ln"), ("log2", "log2"))
    ),
    *(
        (
            "recpack",
            "metrics.dcg.ndcg_k",
            {"graded_y_true": graded},
            Call("recpack"),
        )
        for graded in (False, True)
    ),
    *(
        (
            "rectools",
            "metrics.NDCG.calc",
            {"divide_by_achievable": achievable, "log_base": base},
            Call("rectools", f"nDCG({settings})" if settings else "nDCG"),
        )
        for achievable, base, settings in (
            (False, 2, ""),
            (False, 10, "discount=log(10)"),
            (True, 2, "ideal=judged"),
        )
    ),
    ("replay-rec", "metrics.NDCG (dict input)", {}, Call("replay")),
    *(
        (
            library,
            function,
            {"graded": True, "ground_truth_order": order},
            Call("spark", f"nDCG(gain={gain})", fed=fed),
        )
        for library, function, gain in (
            (
                "spark-mllib-scala",
                "mllib.evaluation.RankingMetrics.ndcgAt (Scala, spark-shell)",
                "exp2",
            ),
            # The relevance that Python hands over does not arrive: every row counts 1.
            ("spark-mllib", "mllib.evaluation.RankingMetrics.ndcgAt", "presence"),
        )
        for order, fed in (("label_desc", "by-label"), ("input_order", "as-listed"))
    ),
    ("spark-mllib", "mllib.evaluation.RankingMetrics.ndcgAt", {"graded": False}, Call("spark")),
    ("spark-ml", "ml.evaluation.RankingEvaluator(ndcgAtK)", {}, Call("spark")),
    ("tensorflow-ranking", "keras.metrics.NDCGMetric", {}, Call("tf-ranking", lists=True)),
    ("tensorflow-ranking", "keras.metrics.DCGMetric", {}, Call("tf-ranking", "DCG", lists=True)),
    (
        "torchmetrics",
        "functional.retrieval.retrieval_normalized_dcg",
        {},
        Call("torchmetrics", lists=True),
    ),
    *(
        (
            "torchmetrics",
            "retrieval.RetrievalNormalizedDCG",
            {"empty_target_action": action},
            Call("torchmetrics", rules=f"empty={empty} precision=float32", lists=True),
        )
        for action, empty in (("neg", "zero"), ("pos", "one"), ("skip", "skip"), ("error", "error"))
    ),
    (
        "sentence-transformers",
        "InformationRetrievalEvaluator.compute_metrics",
        {},
        Call("sentence-transformers"),
    ),
    ("beir", "EvaluateRetrieval.evaluate", {}, Call("beir")),
    ("mteb", "calculate_retrieval_scores", {}, Call("mteb")),
    ("allRank", "models.metrics.ndcg", {}, Call("allrank", lists=True)),
    ("allRank", "models.metrics.dcg", {}, Call("allrank", "DCG", lists=True)),
]

# How many units in the last place, of which precision, values may be off; 0 in double precision
# where a library is not named.
SINGLE = {
    "allRank": 4,
    "keras-rs": 4,
    "rax": 4,
    "tensorflow-ranking": 4,
    "torchmetrics": 4,
}
DOUBLE = {
    "catboost": 4,
    "recommenders": 4,
}
# Values that were read from text with so many decimals.
PRINTED = {"xgboost": 17}


def call_of(record: Record) -> Call:
    """What to ask of Gainful for one record."""
    key = (record.library, record.function, record.params)
    return next(call for *known, call in TABLE if tuple(known) == key)
