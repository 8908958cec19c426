"""Libraries that learn to rank with trees: LightGBM, XGBoost, CatBoost, RankLib, rankeval."""

from dataclasses import replace

from gainful.dialects.dialect import LABEL_LIST_RULES, LABEL_LIST_SETTINGS, Dialect

_UNSEEN = (
    "Relevant items that were not retrieved do not lower the value: they are not in the ideal."
)
_LISTS = {
    "unjudged": "There are none: every item has a label, and we pass 0.",
    "missing": "A query without results cannot be passed.",
}
_OF_XGBOOST = {**LABEL_LIST_SETTINGS, "gain": "exp2", "negatives": "error"}

_LIGHTGBM = Dialect(
    name="lightgbm",
    tool="LightGBM",
    function="metric=ndcg",
    summary="Exponential gain, an ideal of the items passed in, 1 for a query without gain.",
    settings={**LABEL_LIST_SETTINGS, "gain": "exp2", "ideal_order": "label", "negatives": "error"},
    rules=replace(
        LABEL_LIST_RULES, empty="one", empty_weight="one", label_type="whole", max_label=30
    ),
    checked="4.7.0",
    exact="float64",
    edges={**_LISTS, "cutoff": "eval_at, 1 to 5 unless set."},
    defects=(
        "Queries without a label above 0 count as perfect, which lifts the mean.",
        "Such a query adds 1 to a weighted mean, whatever its weight.",
        "The ideal is sorted by label: where label_gain does not rise, values exceed 1.",
        _UNSEEN,
    ),
    source="src/metric/dcg_calculator.cpp:20-53, 82-170; rank_metric.hpp:58-142",
    also=("lgbm",),
    options={
        "label_gain=0,1,3": "gain={0: 0, 1: 1, 2: 3}",
        "eval_at=k": "nDCG@k",
        "weight": "weights",
    },
)
_XGBOOST = Dialect(
    name="xgboost",
    tool="XGBoost",
    function="eval_metric=ndcg",
    summary="As LightGBM, with scores in single precision; without @k it is cut at rank 32.",
    settings=_OF_XGBOOST,
    rules=replace(
        LABEL_LIST_RULES,
        empty="one",
        empty_test="no-gain",
        empty_weight="one",
        precision="float32",
        label_type="whole",
        max_label=31,
    ),
    default_cutoff=32,
    since="2.0",
    checked="3.2.0",
    exact="float64",
    edges={**_LISTS, "output": "17 fixed decimals: below 0.1 a digit is lost."},
    defects=(
        "ndcg without @k is ndcg@32; since 2.0.",
        "Queries without a label above 0 count as perfect, which lifts the mean.",
        "Such a query adds 1 to a weighted mean, whatever its weight.",
        _UNSEEN,
    ),
    source="src/common/ranking_utils.h:42-127, 356-376; ranking_utils.cc:75-110; "
    "src/metric/rank_metric.cc:267-281, 338-402",
    also=("xgb",),
    options={
        "ndcg@k": "nDCG@k",
        "ndcg-": "dialect xgboost-minus",
        "ndcg_exp_gain=false": "dialect xgboost-linear",
        "weight": "weights",
    },
)
_CATBOOST = Dialect(
    name="catboost",
    tool="CatBoost",
    function="NDCG:type=Base",
    summary="Linear gain, tied scores in the worst order, 1 for a query without gain.",
    settings={**LABEL_LIST_SETTINGS, "negatives": "keep"},
    rules=replace(
        LABEL_LIST_RULES, ties="worst", empty="one", empty_test="no-gain", label_type="float32"
    ),
    since="0.25",
    checked="1.2.10",
    exact="float64",
    edges={**_LISTS, "averaging": "Weights count for queries without gain as for others."},
    defects=(
        "Queries without a label above 0 count as perfect; before 0.25 they scored 0.",
        _UNSEEN,
    ),
    source="catboost/libs/metrics/dcg.cpp:18-148, metric.cpp:2979-3137, doc_comparator.h",
    also=("catboost-base",),
    options={
        "top=k": "nDCG@k",
        "type=Exp": "dialect catboost-exp",
        "denominator=Position": "dialect catboost-position",
        "group_weight": "weights",
    },
    measures=("nDCG", "DCG"),
)
_VARIANTS = (
    _CATBOOST,
    replace(
        _CATBOOST,
        name="catboost-exp",
        function="NDCG:type=Exp",
        summary="As catboost, with exponential gain.",
        settings={**_CATBOOST.settings, "gain": "exp2"},
        also=(),
    ),
    replace(
        _CATBOOST,
        name="catboost-position",
        function="NDCG:type=Base;denominator=Position",
        summary="As catboost, where a gain is divided by its rank.",
        settings={**_CATBOOST.settings, "discount": "reciprocal"},
        also=(),
    ),
    replace(
        _CATBOOST,
        name="catboost-exp-position",
        function="NDCG:type=Exp;denominator=Position",
        summary="As catboost, with exponential gain, which is divided by its rank.",
        settings={**_CATBOOST.settings, "gain": "exp2", "discount": "reciprocal"},
        also=(),
    ),
)


def _make_version_0_24(dialect: Dialect) -> Dialect:
    return replace(
        dialect,
        name=f"{dialect.name}@0.24",
        summary=f"As {dialect.name} now, but a query without gain scores 0.",
        rules=replace(dialect.rules, empty="zero"),
        since="",
        checked="",
        exact="source-only",
        defects=(_UNSEEN,),
        also=tuple(f"{name}@0.24" for name in dialect.also),
    )


DIALECTS = (
    _LIGHTGBM,
    _XGBOOST,
    replace(
        _XGBOOST,
        name="xgboost-linear",
        function="eval_metric=ndcg, ndcg_exp_gain=false",
        summary="As xgboost, with linear gain, for which labels may be negative or fractions.",
        settings={**_OF_XGBOOST, "gain": "linear", "negatives": "keep"},
        rules=replace(_XGBOOST.rules, label_type="float32", max_label=None),
        also=("xgb-linear",),
        options={"ndcg@k": "nDCG@k", "weight": "weights"},
    ),
    replace(
        _XGBOOST,
        name="xgboost-minus",
        function="eval_metric=ndcg-",
        summary="As xgboost, but a query without gain scores 0.",
        rules=replace(_XGBOOST.rules, empty="zero"),
        defects=(_XGBOOST.defects[0], _UNSEEN),
        also=("xgb-minus", "xgboost-ndcg-minus"),
        options={"ndcg@k-": "nDCG@k", "weight": "weights"},
    ),
    replace(
        _XGBOOST,
        name="xgboost@1",
        summary="As xgboost now, but without a cutoff of its own.",
        default_cutoff=None,
        since="",
        checked="",
        exact="source-only",
        defects=_XGBOOST.defects[1:],
        also=("xgb@1",),
        options={"ndcg@k": "nDCG@k"},
    ),
    *_VARIANTS,
    *map(_make_version_0_24, _VARIANTS),
    Dialect(
        name="ranklib",
        tool="RankLib",
        function="NDCG@k",
        summary="Exponential gain of whole labels, and an ideal of the items passed in.",
        settings={**LABEL_LIST_SETTINGS, "gain": "exp2", "negatives": "keep"},
        rules=replace(LABEL_LIST_RULES, empty_test="no-gain", label_type="whole"),
        checked="codelibs e43f605",
        edges={
            **_LISTS,
            "cutoff": "10 unless another is set.",
            "ideal": "With external judgments it is made of those: set ideal=judged.",
        },
        defects=(_UNSEEN,),
        source="DCGScorer.java:97-142, NDCGScorer.java:103-174",
        also=("lemur-ranklib",),
        options={"-metric2T NDCG@k": "nDCG@k", "-qrel FILE": "ideal=judged"},
        measures=("nDCG", "DCG"),
    ),
    Dialect(
        name="rankeval",
        tool="rankeval",
        function="NDCG",
        summary="Exponential gain, an ideal of the items passed in, 1 for a query without gain.",
        settings={**LABEL_LIST_SETTINGS, "gain": "exp2", "negatives": "keep"},
        rules=replace(LABEL_LIST_RULES, empty="one"),
        checked="c6e39e9",
        edges=_LISTS,
        defects=(
            "Queries without a label above 0 count as perfect, which lifts the mean.",
            "It rounds the ideal to single precision: a perfect ranking may score above 1.",
            _UNSEEN,
        ),
        source="rankeval/metrics/ndcg.py:21-135, dcg.py:87-99",
        options={
            "implementation=flat": "gain=linear",
            "no_relevant_results=0.0": "empty=zero",
            "cutoff=k": "nDCG@k",
        },
        measures=("nDCG", "DCG"),
    ),
)
