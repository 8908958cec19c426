"""Deep learning: torchmetrics, TensorFlow Ranking, Keras, allRank, Rax."""

from dataclasses import replace

from gainful.dialects.dialect import LABEL_LIST_RULES, LABEL_LIST_SETTINGS, Dialect

_UNSEEN = (
    "Relevant items that were not retrieved do not lower the value: they are not in the ideal."
)
_LISTS = {
    "unjudged": "There are none: every item has a label, and we pass 0.",
    "missing": "A query without results cannot be passed.",
}
_SINGLE = replace(LABEL_LIST_RULES, precision="float32", label_type="float32")
_OF_TENSORS = {**LABEL_LIST_SETTINGS, "negatives": "keep"}
_EXPONENTIAL = {**_OF_TENSORS, "gain": "exp2"}

_TORCHMETRICS = Dialect(
    name="torchmetrics",
    tool="torchmetrics",
    function="RetrievalNormalizedDCG",
    summary="As scikit-learn in single precision; labels that add up to 0 are nothing relevant.",
    settings=_OF_TENSORS,
    rules=replace(_SINGLE, ties="average", empty_test="zero-sum"),
    since="1.1.2",
    checked="1.9.0",
    exact="float32",
    edges={**_LISTS, "averaging": "mean; median, min and max are options of the tool."},
    defects=(
        "Labels -1, 0 and 1 add up to 0: such a query counts as having nothing relevant.",
        _UNSEEN,
    ),
    source="torchmetrics/functional/retrieval/ndcg.py:22-113, retrieval/base.py:166-183",
    also=("torchmetrics-neg",),
    options={
        "top_k=k": "nDCG@k",
        "empty_target_action": "neg, the default: empty=zero; pos: empty=one; skip: empty=skip; "
        "error: empty=error",
        "ignore_index=-1": "padding=minus-one",
    },
)
_ACTIONS = {
    "pos": ("one", "a query with nothing relevant scores 1"),
    "skip": ("skip", "a query with nothing relevant is left out"),
    "error": ("error", "a query with nothing relevant is an error"),
}
_TFR = Dialect(
    name="tensorflow-ranking",
    tool="TensorFlow Ranking",
    function="NDCGMetric",
    summary="Exponential gain in single precision, ties at random, negative labels as padding.",
    settings=_EXPONENTIAL,
    rules=replace(_SINGLE, ties="average", padding="negative"),
    checked="0.5.5",
    exact="expected",
    edges={
        **_LISTS,
        "ties": "The tool shuffles them; ours is the expected value of what it prints.",
        "averaging": "A weighted mean; a list weighs as much as its items on average.",
    },
    defects=("Of tied scores it gives another value every time.", _UNSEEN),
    source="tensorflow_ranking/python/metrics_impl.py:31-33, 122-151, 652-670; "
    "utils.py:78-81, 115-164",
    also=("tfr", "tf-ranking"),
    options={"topn=k": "nDCG@k", "gain_fn": "gain", "rank_discount_fn": "discount"},
    measures=("nDCG", "DCG"),
)

DIALECTS = (
    _TORCHMETRICS,
    *(
        replace(
            _TORCHMETRICS,
            name=f"torchmetrics-{action}",
            function=f"RetrievalNormalizedDCG(empty_target_action='{action}')",
            summary=f"As torchmetrics, but {description}.",
            rules=replace(_TORCHMETRICS.rules, empty=empty),
            also=(),
            options={"top_k=k": "nDCG@k", "ignore_index=-1": "padding=minus-one"},
        )
        for action, (empty, description) in _ACTIONS.items()
    ),
    replace(
        _TORCHMETRICS,
        name="torchmetrics@1.1.0",
        summary="As torchmetrics now, but tied scores stand in some order and are not averaged.",
        settings=_OF_TENSORS,
        rules=replace(_TORCHMETRICS.rules, ties="input"),
        since="",
        checked="",
        exact="source-only",
        edges={**_LISTS, "ties": "torch.sort, which leaves their order open; ours is the input's."},
        also=("torchmetrics-neg@1.1.0",),
    ),
    _TFR,
    replace(
        _TFR,
        name="keras-rs",
        tool="Keras Recommenders",
        function="metrics.NDCG",
        summary="As TensorFlow Ranking, on any backend of Keras.",
        settings=_EXPONENTIAL,
        checked="0.4.0",
        defects=(
            "shuffle_ties=False shuffles ties all the same.",
            "Of tied scores it gives another value every time.",
            _UNSEEN,
        ),
        source="keras_rs/src/metrics/ranking_metrics_utils.py:54-129, 228-257; ndcg.py:40-87; "
        "ranking_metric.py:159-209",
        also=("keras",),
        options={"k": "nDCG@k", "gain_fn": "gain", "rank_discount_fn": "discount"},
    ),
    Dialect(
        name="allrank",
        tool="allRank",
        function="ndcg",
        summary="Exponential gain in single precision, 1 for a query without gain, -1 as padding.",
        settings=_EXPONENTIAL,
        rules=replace(_SINGLE, padding="minus-one", empty="one"),
        checked="1.4.3",
        exact="float32",
        edges={
            **_LISTS,
            "ties": "torch.sort, which may leave their order open.",
            "averaging": "It gives values of queries; whoever calls it averages them.",
        },
        defects=(
            "Queries without a label above 0 count as perfect, which lifts the mean.",
            _UNSEEN,
        ),
        source="allrank/models/metrics.py:7-77",
        options={"ats=[k]": "nDCG@k", "gain_function": "gain", "filler_value=0": "empty=zero"},
        measures=("nDCG", "DCG"),
    ),
    Dialect(
        name="rax",
        tool="Rax",
        function="ndcg_metric",
        summary="Exponential gain in single precision, and an ideal of the items passed in.",
        settings=_EXPONENTIAL,
        rules=_SINGLE,
        checked="0.4.0",
        exact="float32",
        edges={
            **_LISTS,
            "ties": "In the order passed in; at random if a key is given.",
            "negative labels": "Kept; where=labels >= 0 is padding=negative.",
        },
        defects=(_UNSEEN,),
        source="rax/_src/metrics.py:67-135, 623-820; utils.py:243-455",
        options={
            "topn=k": "nDCG@k",
            "gain_fn": "gain",
            "discount_fn": "discount",
            "where": "padding",
        },
        measures=("nDCG", "DCG"),
    ),
)
