"""Libraries that learn to rank: LightGBM, XGBoost."""

from dataclasses import replace

from gainful.dialects._dialect import Dialect
from gainful.rules import Rules

_XGBOOST = Dialect(
    name="xgboost",
    tool="XGBoost",
    function="eval_metric=ndcg",
    summary="As LightGBM, with scores in single precision; without @k it is cut at 32.",
    settings={"gain": "exp2", "ideal": "list", "ideal_order": "gain", "negatives": "error"},
    rules=Rules(
        ties="input",
        missing="skip",
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
    exact="bit for bit",
    source="ranking_utils.h, rank_metric.cc",
)

DIALECTS = (
    Dialect(
        name="lightgbm",
        tool="LightGBM",
        function="metric=ndcg",
        summary="Exponential gain, an ideal of the items passed in, 1 for a query without gain.",
        settings={
            "gain": "exp2",
            "ideal": "list",
            "ideal_order": "label",
            "negatives": "error",
            "above_one": "keep",
        },
        rules=Rules(
            ties="input",
            missing="skip",
            empty="one",
            empty_weight="one",
            label_type="whole",
            max_label=30,
        ),
        checked="4.7.0",
        exact="bit for bit",
        source="dcg_calculator.cpp, rank_metric.hpp",
    ),
    _XGBOOST,
    replace(_XGBOOST, name="xgboost@1", default_cutoff=None, since="", checked=""),
)
