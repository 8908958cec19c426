"""The dialect, measure and rules that reproduce each function of a library."""

from dataclasses import dataclass
from typing import Any

from oracles.dialects.records import Record


@dataclass(frozen=True)
class Call:
    """Evaluation by Gainful that reproduces a function of a library.

    Attributes:
        dialect: Name of the dialect.
        measure: Measure without its cutoff.
        rules: Rules that the arguments of the library's function change.
        form: Form of the qrels: as they are listed, by descending label, or as one subtopic.
        takes_lists: Whether the library takes labels and scores, as Gainful's plain functions do.
    """

    dialect: str
    measure: str = "nDCG"
    rules: str = ""
    form: str = "as-listed"
    takes_lists: bool = False


_GAINS = "{1: 3, 2: 9, 3: 10, 4: 20}"

# Library, function and params, as they are in the file, and the call that reproduces them.
TABLE: list[tuple[str, str, dict[str, Any], Call]] = [
    ("bwhite-gist (kaggle style)", "ndcg_at_k", {"method": 0}, Call("kaggle", takes_lists=True)),
    (
        "bwhite-gist (kaggle style)",
        "ndcg_at_k",
        {"method": 1},
        Call("kaggle-method-1", takes_lists=True),
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
            {"no_feedback_users": keeps_users},
            Call("evidently-no-feedback" if keeps_users else "evidently"),
        )
        for keeps_users in (False, True)
    ),
    ("implicit", "evaluation.ndcg_at_k", {}, Call("implicit")),
    ("pytrec_eval-terrier", "ndcg", {}, Call("pytrec_eval")),
    ("pytrec_eval-terrier", "ndcg_cut", {}, Call("pytrec_eval")),
    (
        "pytrec_eval-terrier",
        "ndcg",
        {"judged_docs_only_flag": True},
        Call("pytrec_eval", rules="unjudged=condense"),
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
            ("ndcg_burges", "ranx-burges", "nDCG"),
            ("dcg", "ranx", "DCG"),
            ("dcg_burges", "ranx-burges", "DCG"),
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
    ("rax", "ndcg_metric", {}, Call("rax", takes_lists=True)),
    ("rax", "dcg_metric", {}, Call("rax", "DCG", takes_lists=True)),
    ("rax", "ndcg_metric", {"where": "labels>=0"}, Call("rax", rules="padding=negative")),
    *(
        (
            "keras-rs",
            f"metrics.{name}",
            shuffle,
            Call("keras-rs", measure, takes_lists=True),
        )
        for name, measure in (("NDCG", "nDCG"), ("DCG", "DCG"))
        for shuffle in ({}, {"shuffle_ties": True}, {"shuffle_ties": False})
    ),
    *(
        (
            "lenskit",
            f"{measure.upper()}.measure_list",
            {"gain": gain},
            Call("lenskit" if gain is None else "lenskit-graded", measure),
        )
        for measure in ("nDCG", "DCG")
        for gain in (None, "rating")
    ),
    ("scikit-learn", "ndcg_score", {"ignore_ties": False}, Call("sklearn", takes_lists=True)),
    ("scikit-learn", "dcg_score", {"ignore_ties": False}, Call("sklearn", "DCG", takes_lists=True)),
    (
        "scikit-learn",
        "ndcg_score",
        {"ignore_ties": True},
        Call("sklearn-ignore-ties", takes_lists=True),
    ),
    (
        "scikit-learn",
        "dcg_score",
        {"ignore_ties": True},
        Call("sklearn-ignore-ties", "DCG", takes_lists=True),
    ),
    (
        "scikit-learn",
        "dcg_score",
        {"log_base": 10},
        Call("sklearn", "DCG(discount=log(10))", takes_lists=True),
    ),
    *(
        (
            "lightgbm",
            "ndcg (eval_train on init_score, 0 trees)",
            params,
            Call("lightgbm", measure, takes_lists=True),
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
            ({"metric": "ndcg"}, Call("xgboost", takes_lists=True)),
            ({"metric": "ndcg", "ndcg_exp_gain": True}, Call("xgboost", takes_lists=True)),
            ({"metric": "ndcg", "ndcg_exp_gain": False}, Call("xgboost-linear", takes_lists=True)),
            ({"metric": "ndcg-"}, Call("xgboost-minus", takes_lists=True)),
            (
                {"metric": "ndcg-", "ndcg_exp_gain": True},
                Call("xgboost-minus", takes_lists=True),
            ),
        )
    ),
    *(
        (
            "catboost",
            "utils.eval_metric",
            {"metric": metric},
            Call(dialect, measure, takes_lists=True),
        )
        for metric, dialect, measure in (
            ("NDCG:type=Base", "catboost", "nDCG"),
            ("NDCG:type=Exp", "catboost-exp", "nDCG"),
            ("NDCG:type=Base;denominator=Position", "catboost-position", "nDCG"),
            ("NDCG:type=Exp;denominator=Position", "catboost-exp-position", "nDCG"),
            ("DCG:type=Base", "catboost", "DCG"),
            ("DCG:type=Exp", "catboost-exp", "DCG"),
        )
    ),
    (
        "haystack-ai",
        "DocumentNDCGEvaluator.run",
        {"document_comparison_field": "id"},
        Call("haystack"),
    ),
    ("haystack-ai", "DocumentNDCGEvaluator.run", {"graded": True}, Call("haystack-graded")),
    *(
        ("llama-index-core", "retrieval.metrics.NDCG.compute", {"mode": mode}, Call("llama-index"))
        for mode in ("linear", "exponential")
    ),
    (
        "pyvespa",
        "VespaEvaluator._compute_metrics",
        {"graded": False},
        Call("pyvespa"),
    ),
    ("pyvespa", "VespaEvaluator._compute_metrics", {"graded": True}, Call("pyvespa-graded")),
    ("mlflow", "metrics.ndcg_at_k eval_fn", {}, Call("mlflow")),
    *(
        (
            "pyndeval (ndeval.c)",
            "alpha-nDCG",
            {"alpha": alpha},
            Call("pyndeval", f"alpha_nDCG(alpha={alpha})", form="one-subtopic"),
        )
        for alpha in (0.5, 0.0)
    ),
    ("quepid", "db/scorers/ndcg@10.js", {}, Call("quepid")),
    ("quepid", "db/scorers/ndcg_cut@10.js", {}, Call("quepid-cut")),
    ("quepid", "db/scorers/dcg@10.js", {}, Call("quepid-dcg", "DCG")),
    ("quepid", "db/scorers/cg@10.js", {}, Call("quepid-dcg", "CG")),
    *(
        (
            "recommenders",
            "python_evaluation.ndcg_at_k",
            {"score_type": score, "discfun_type": base, "relevancy_method": "top_k"},
            Call(f"recommenders{kind}{variant}"),
        )
        for score, kind in (("binary", ""), ("raw", "-raw"), ("exp", "-exp"))
        for base, variant in (("loge", ""), ("log2", "-log2"))
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
            Call(dialect, measure),
        )
        for achievable, base, dialect, measure in (
            (False, 2, "rectools", "nDCG"),
            (False, 10, "rectools", "nDCG(discount=log(10))"),
            (True, 2, "rectools-achievable", "nDCG"),
        )
    ),
    ("replay-rec", "metrics.NDCG (dict input)", {}, Call("replay")),
    *(
        (
            library,
            function,
            {"graded": True, "ground_truth_order": order},
            Call(dialect, measure, form=fed),
        )
        for library, function, dialect, measure in (
            (
                "spark-mllib-scala",
                "mllib.evaluation.RankingMetrics.ndcgAt (Scala, spark-shell)",
                "spark-graded",
                "nDCG",
            ),
            # The relevance that Python hands over does not arrive: every row counts 1.
            (
                "spark-mllib",
                "mllib.evaluation.RankingMetrics.ndcgAt",
                "spark",
                "nDCG(gain=presence)",
            ),
        )
        for order, fed in (("label_desc", "by-label"), ("input_order", "as-listed"))
    ),
    ("spark-mllib", "mllib.evaluation.RankingMetrics.ndcgAt", {"graded": False}, Call("spark")),
    ("spark-ml", "ml.evaluation.RankingEvaluator(ndcgAtK)", {}, Call("spark")),
    (
        "tensorflow-ranking",
        "keras.metrics.NDCGMetric",
        {},
        Call("tensorflow-ranking", takes_lists=True),
    ),
    (
        "tensorflow-ranking",
        "keras.metrics.DCGMetric",
        {},
        Call("tensorflow-ranking", "DCG", takes_lists=True),
    ),
    (
        "torchmetrics",
        "functional.retrieval.retrieval_normalized_dcg",
        {},
        Call("torchmetrics", takes_lists=True),
    ),
    *(
        (
            "torchmetrics",
            "retrieval.RetrievalNormalizedDCG",
            {"empty_target_action": action},
            Call("torchmetrics" if action == "neg" else f"torchmetrics-{action}", takes_lists=True),
        )
        for action in ("neg", "pos", "skip", "error")
    ),
    (
        "sentence-transformers",
        "InformationRetrievalEvaluator.compute_metrics",
        {},
        Call("sentence-transformers"),
    ),
    ("beir", "EvaluateRetrieval.evaluate", {}, Call("beir")),
    ("mteb", "calculate_retrieval_scores", {}, Call("mteb")),
    ("allRank", "models.metrics.ndcg", {}, Call("allrank", takes_lists=True)),
    ("allRank", "models.metrics.dcg", {}, Call("allrank", "DCG", takes_lists=True)),
]

# trec_eval's values are equal to the bit; others within this relative tolerance, by what the tool
# computes in.
EXACT = ("pytrec_eval-terrier",)
SINGLE_PRECISION = ("allRank", "keras-rs", "rax", "tensorflow-ranking", "torchmetrics")


def get_tolerance(library: str) -> float:
    """Return the relative difference within which the values of a library are reproduced."""
    if library in EXACT:
        return 0.0
    return 1e-6 if library in SINGLE_PRECISION else 1e-12


def find_call(record: Record) -> Call:
    """Return the evaluation that reproduces a record."""
    key = (record.library, record.function, record.params)
    return next(call for *columns, call in TABLE if tuple(columns) == key)
