"""Recommender systems: RecBole, RecPack, Recommenders, Cornac, RecTools, LensKit and others."""

from dataclasses import replace

from gainful.dialects.dialect import (
    GRADED_LIST_SETTINGS,
    ITEM_LIST_RULES,
    RELEVANT_LIST_SETTINGS,
    Dialect,
)

_OF_MODEL = {"ties": "In the order in which the model gives the items."}
_TWICE = "An item that is recommended twice gains twice, and lifts the value above 1."

_RECOMMENDERS = Dialect(
    name="recommenders",
    tool="Microsoft Recommenders",
    function="ndcg_at_k",
    summary="1 for every rated item, whatever its rating, over natural logarithms.",
    settings={
        "gain": "presence",
        "discount": "ln",
        "above_one": "keep",
    },
    rules=ITEM_LIST_RULES,
    checked="1.2.1",
    exact="float64",
    edges={
        "cutoff": "10 unless k is set.",
        "averaging": "The mean of a pandas column.",
    },
    defects=("Every row of rating_true is relevant: ratings of 0 and below as well.",),
    source="recommenders/evaluation/python_evaluation.py:408-435, 601-696",
    also=("ms-recommenders", "microsoft-recommenders", "recommenders-binary"),
    options={
        "score_type": "raw: dialect recommenders-raw; exp: dialect recommenders-exp",
        "discfun_type=log2": "discount=log2",
        "k": "nDCG@k",
    },
)
_RAW = replace(
    _RECOMMENDERS,
    name="recommenders-raw",
    function="ndcg_at_k(score_type='raw')",
    summary="Linear gain over natural logarithms; users with nothing to gain are left out.",
    settings={**GRADED_LIST_SETTINGS, "discount": "ln"},
    rules=replace(ITEM_LIST_RULES, empty="nan"),
    defects=("Users whose ratings are all 0 vanish from the mean, and nothing says so.",),
    also=("ms-recommenders-raw",),
    options={"discfun_type=log2": "discount=log2", "k": "nDCG@k"},
)
_EXP = replace(
    _RAW,
    name="recommenders-exp",
    function="ndcg_at_k(score_type='exp')",
    summary="As recommenders-raw, with exponential gain.",
    settings={**_RAW.settings, "gain": "exp2"},
    also=("ms-recommenders-exp",),
)
_RECTOOLS = Dialect(
    name="rectools",
    tool="RecTools",
    function="NDCG",
    summary="Binary gain, beside an ideal of a relevant item on every rank down to k.",
    settings={
        **RELEVANT_LIST_SETTINGS,
        "ideal": "ones",
    },
    rules=replace(ITEM_LIST_RULES, empty="nan", empty_test="no-label"),
    checked="0.19.0",
    exact="float64",
    edges={
        "ties": "The table of recommendations has a rank for every item.",
        "averaging": "The mean of a pandas column, over users that have interactions.",
    },
    defects=("A user with fewer than k relevant items cannot reach 1.",),
    source="rectools/metrics/ranking.py:379-471",
    options={
        "k": "nDCG@k",
        "log_base=b": "discount=log(b)",
        "divide_by_achievable=True": "dialect rectools-achievable",
    },
)
_REPLAY = Dialect(
    name="replay",
    tool="RePlay",
    function="NDCG",
    summary="Binary gain, and an ideal of all relevant items.",
    settings=RELEVANT_LIST_SETTINGS,
    rules=ITEM_LIST_RULES,
    checked="0.22.0",
    exact="float64",
    edges={"ties": "Of dicts, the order given; of data frames see replay-frames."},
    source="replay/metrics/ndcg.py:82-94, base_metric.py:153-193",
    also=("replay-rec",),
    options={"topk=k": "nDCG@k"},
)
_LENSKIT = Dialect(
    name="lenskit",
    tool="LensKit",
    function="NDCG",
    summary="Ranks 1 and 2 count alike; a query with nothing relevant has no value.",
    settings={
        **RELEVANT_LIST_SETTINGS,
        "discount": "jk(2)",
    },
    rules=replace(ITEM_LIST_RULES, empty="nan"),
    checked="2025.8.1",
    exact="float64",
    edges=_OF_MODEL,
    defects=("The first two ranks weigh the same, so that it cannot tell their order.",),
    source="lenskit/metrics/ranking/_dcg.py:95-122, 197-263; _weighting.py:89-122",
    also=("lkpy",),
    options={
        "n=k": "nDCG@k",
        "gain='rating'": "dialect lenskit-graded",
        "LogRankWeight(offset=1)": "discount=log2",
    },
    measures=("nDCG", "DCG"),
)

DIALECTS = (
    Dialect(
        name="recbole",
        tool="RecBole",
        function="NDCG",
        summary="Binary gain, an ideal of all relevant items, and values of four decimals.",
        settings=RELEVANT_LIST_SETTINGS,
        rules=replace(ITEM_LIST_RULES, decimals=4),
        checked="1.2.1",
        edges={
            **_OF_MODEL,
            "output": "The means alone are rounded, to four decimals unless set.",
        },
        source="recbole/evaluator/metrics.py:186-202, base_metric.py:67-82",
        options={"topk=k": "nDCG@k", "metric_decimal_place=N": "decimals=N"},
    ),
    Dialect(
        name="recpack",
        tool="RecPack",
        function="ndcg_k",
        summary="Binary gain, an ideal of all relevant items; users with none are left out.",
        settings={
            **RELEVANT_LIST_SETTINGS,
        },
        rules=replace(ITEM_LIST_RULES, empty="skip"),
        checked="0.3.6",
        exact="unstable-ties",
        edges={
            "ties": "Which of the tied items are cut off is left open by argpartition.",
            "cutoff": "50 unless K is set.",
        },
        defects=(
            "Graded labels are taken and come out wrong, above 1 too; ours are binary.",
            "Tied scores have no order that can be told.",
        ),
        source="recpack/metrics/dcg.py:101-126, base.py:106-123, util.py:50-77",
        options={"K": "nDCG@K"},
    ),
    _RECOMMENDERS,
    _RAW,
    _EXP,
    *(
        replace(
            loge,
            name=f"{loge.name}-log2",
            function=f"{loge.function[:-1]}{joint}discfun_type='log2')",
            summary=f"As {loge.name}, over log2(rank + 1).",
            settings={**loge.settings, "discount": "log2"},
            also=(),
            options={"k": "nDCG@k"},
        )
        for loge, joint in (
            (replace(_RECOMMENDERS, function="ndcg_at_k()"), ""),
            (_RAW, ", "),
            (_EXP, ", "),
        )
    ),
    Dialect(
        name="cornac",
        tool="Cornac",
        function="NDCG",
        summary="Binary gain, an ideal of all relevant items; users with none are left out.",
        settings={**RELEVANT_LIST_SETTINGS, "gain": "binary"},
        rules=replace(ITEM_LIST_RULES, empty="nan", duplicates="count"),
        checked="3.0.1",
        exact="float64",
        edges={**_OF_MODEL, "relevant": "A rating of at least rating_threshold, which is 1.0."},
        defects=(_TWICE,),
        source="cornac/metrics/ranking.py:68-123, eval_methods/base_method.py:176-226",
        options={"k": "nDCG@k", "rating_threshold=X": "rel=X"},
    ),
    _RECTOOLS,
    replace(
        _RECTOOLS,
        name="rectools-achievable",
        function="NDCG(divide_by_achievable=True)",
        summary="Binary gain, an ideal of all relevant items; users with none are left out.",
        settings=RELEVANT_LIST_SETTINGS,
        defects=(),
        options={"k": "nDCG@k", "log_base=b": "discount=log(b)"},
    ),
    _REPLAY,
    replace(
        _REPLAY,
        name="replay-frames",
        function="NDCG of data frames",
        summary="As replay, where the highest item id comes first among equal scores.",
        rules=replace(ITEM_LIST_RULES, ties="item-desc"),
        exact="source-only",
        edges={"ties": "Ids that are numbers are compared as numbers there, as text here."},
        also=("replay-spark", "replay-polars"),
    ),
    _LENSKIT,
    replace(
        _LENSKIT,
        name="lenskit-graded",
        function="NDCG(gain='rating')",
        summary="As lenskit, with linear gain.",
        exact="float64",
        settings={
            **GRADED_LIST_SETTINGS,
            "discount": "jk(2)",
        },
        also=("lkpy-graded",),
        options={"n=k": "nDCG@k", "LogRankWeight(offset=1)": "discount=log2"},
    ),
    Dialect(
        name="implicit",
        tool="implicit",
        function="ndcg_at_k",
        summary="Binary gain, an ideal of all relevant items; users with none are left out.",
        settings=RELEVANT_LIST_SETTINGS,
        rules=replace(ITEM_LIST_RULES, empty="skip", duplicates="count"),
        checked="0.7.3",
        exact="float64",
        edges={
            **_OF_MODEL,
            "relevant": "Whatever the test matrix stores, zeros too; ours are labels above 0.",
            "cutoff": "10 unless K is set.",
        },
        defects=(_TWICE,),
        source="implicit/evaluation.pyx:408-475",
        also=("implicit-als",),
        options={"K": "nDCG@K"},
    ),
)
