"""Search engines and their tools: Elasticsearch, OpenSearch, Quepid, Vespa, RRE."""

from dataclasses import replace

from gainful.dialects.dialect import (
    GRADED_LIST_SETTINGS,
    ITEM_LIST_RULES,
    RELEVANT_LIST_SETTINGS,
    Dialect,
)

_HITS = {"ties": "The hits come in order; what ordered ties is up to the engine."}
_EXPONENTIAL = {**GRADED_LIST_SETTINGS, "gain": "exp2"}

_ELASTICSEARCH = Dialect(
    name="elasticsearch",
    tool="Elasticsearch",
    function="rank_eval dcg, normalize: true",
    summary="Exponential gain, beside an ideal that is no longer than the list that was returned.",
    settings={**_EXPONENTIAL, "ideal_depth": "retrieved"},
    rules=ITEM_LIST_RULES,
    checked="d04e4001",
    exact="float64",
    edges={
        **_HITS,
        "cutoff": "10 unless k is set.",
        "missing": "No hits score 0; a request that failed is left out of the mean.",
    },
    defects=(
        "The ideal is cut where the hits end: to return one perfect item alone scores 1.",
        "unknown_doc_rating counts in DCG and not in the ideal: values can exceed 1.",
    ),
    source="DiscountedCumulativeGain.java, evaluate and computeDCG",
    also=("es", "elastic"),
    options={"k": "nDCG@k", "unknown_doc_rating=X": "unjudged_label=X", "normalize: false": "DCG"},
    measures=("nDCG", "DCG"),
)
_QUEPID = Dialect(
    name="quepid",
    tool="Quepid",
    function="nDCG@10",
    summary="Exponential gain, beside an ideal of all rated items, whatever the cutoff.",
    settings={**_EXPONENTIAL, "ideal_depth": "all"},
    of_measure={"CG": {"gain": "linear"}},
    rules=replace(ITEM_LIST_RULES, missing="skip"),
    checked="f80322f",
    exact="float64",
    edges={
        **_HITS,
        "missing": "Queries without results, or without ratings, are left out of the mean.",
        "output": "Shown with two decimals.",
    },
    defects=(
        "nDCG@10 divides by the ideal of all rated items: with more than ten it cannot reach 1.",
    ),
    source="db/scorers/ndcg@10.js:1-33, lib/scorer_logic.js",
    also=("quepid-ndcg",),
    options={"nDCG_cut@10": "dialect quepid-cut", "DCG@10, CG@10": "dialect quepid-dcg"},
)
_PYVESPA = Dialect(
    name="pyvespa",
    tool="pyvespa",
    function="VespaEvaluator: ndcg_at_k",
    summary="Binary gain, and an ideal of all relevant items.",
    settings=RELEVANT_LIST_SETTINGS,
    rules=replace(ITEM_LIST_RULES, duplicates="count", empty_test="no-gain"),
    checked="1.2.9",
    exact="float64",
    edges={**_HITS, "cutoff": "10 unless ndcg_at_k is set."},
    defects=("An item that is returned twice gains twice, and lifts the value above 1.",),
    source="vespa/evaluation/_base.py:616-692, 744-752",
    also=("vespa",),
    options={"ndcg_at_k=k": "nDCG@k", "relevant docs as a dict": "dialect pyvespa-graded"},
)

DIALECTS = (
    _ELASTICSEARCH,
    replace(
        _ELASTICSEARCH,
        name="opensearch",
        tool="OpenSearch",
        summary="As Elasticsearch, which it is a fork of.",
        checked="0aa52bd2",
        exact="source-only",
        also=(),
    ),
    _QUEPID,
    replace(
        _QUEPID,
        name="quepid-cut",
        function="nDCG_cut@10",
        summary="Exponential gain, beside an ideal that is cut where the list is.",
        settings=_EXPONENTIAL,
        defects=(),
        source="db/scorers/ndcg_cut@10.js, lib/scorer_logic.js",
        also=("quepid-ndcg-cut",),
        options={"nDCG@10": "dialect quepid"},
    ),
    replace(
        _QUEPID,
        name="quepid-dcg",
        function="DCG@10, CG@10",
        summary="DCG with exponential gain, CG with linear; no value where an item is not rated.",
        settings=_EXPONENTIAL,
        rules=replace(_QUEPID.rules, unjudged="undefined", empty="nan"),
        edges={**_QUEPID.edges, "unjudged": "As its server has it; its browser was not looked at."},
        defects=("One item without a rating leaves the query without a value.",),
        source="db/scorers/dcg@10.js, cg@10.js, lib/scorer_logic.js",
        also=("quepid-cg",),
        options={},
        measures=("DCG", "CG"),
    ),
    _PYVESPA,
    replace(
        _PYVESPA,
        name="pyvespa-graded",
        summary="Linear gain, and an ideal of all judged items.",
        settings=GRADED_LIST_SETTINGS,
        also=("vespa-graded",),
        options={"ndcg_at_k=k": "nDCG@k", "relevant docs as a set": "dialect pyvespa"},
    ),
    Dialect(
        name="learntorank",
        tool="learntorank",
        function="NormalizedDiscountedCumulativeGain",
        summary="Linear gain, and an ideal of all judged items.",
        settings=GRADED_LIST_SETTINGS,
        rules=ITEM_LIST_RULES,
        checked="0.0.21",
        edges=_HITS,
        source="learntorank/evaluation.py:198-247",
        options={"at=k": "nDCG@k"},
    ),
    Dialect(
        name="rre",
        tool="Rated Ranking Evaluator",
        function="NDCGAtK",
        summary="Exponential gain; terms and values are cut to two decimals.",
        settings={**_EXPONENTIAL, "rounding": "hundredths"},
        rules=ITEM_LIST_RULES,
        checked="e478aa7",
        edges={
            **_HITS,
            "cutoff": "10 unless k is set.",
            "rounding": "Every term but the first of DCG, and the ratio, are cut to two decimals.",
        },
        defects=("Cut to two decimals twice over, values can be some hundredths too low or high.",),
        source="NDCGAtK.java:100-160",
        also=("rated-ranking-evaluator",),
        options={"k": "nDCG@k"},
    ),
)
