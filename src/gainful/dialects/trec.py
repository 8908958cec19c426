"""trec_eval, what wraps it, and the other programs of TREC."""

from dataclasses import replace

from gainful.dialects.dialect import Dialect
from gainful.dialects.rules import DialectRules

_KEEP_ABOVE_ONE = {"above_one": "keep"}
_TEN = Dialect(
    name="trec_eval@10",
    tool="trec_eval",
    function="ndcg, ndcg_cut",
    summary="The textbook's nDCG; queries that the run lacks are left out.",
    settings=_KEEP_ABOVE_ONE,
    rules=DialectRules(missing="skip"),
    since="10.0",
    checked="10.0",
    edges={
        "cutoff": "ndcg has none; ndcg_cut has 5, 10, 15, 20, 30, 100, 200, 500 and 1000.",
        "output": "The program prints four decimals.",
    },
    source="m_ndcg.c, m_ndcg_cut.c:57-123, gain_init.c, form_res_rels.c",
    options={
        "-c": "missing=zero",
        "-J": "unjudged=condense",
        "-M N": "depth=N",
        "-m ndcg.1=3,2=9": "gain={1: 3, 2: 9}",
    },
    measures=("nDCG", "DCG", "IDCG"),
)
_NINE = replace(
    _TEN,
    name="trec_eval@9",
    summary="As in version 10, but scores that are equal in single precision are tied.",
    settings={**_KEEP_ABOVE_ONE, "rounding": "float32_gains"},
    rules=replace(_TEN.rules, precision="float32"),
    since="9.0",
    checked="9.0.8",
    exact="bits",
    defects=(
        "It keeps scores in single precision: 1 and 1 + 1e-9 are tied, and item ids decide.",
        "Values can change from 9 to 10 with the same formula: close scores are no longer tied.",
        "Gains that are set with -m are rounded to single precision.",
    ),
    source="m_ndcg.c:79-209, m_ndcg_cut.c:57-123, form_res_rels.c:33-240, trec_format.h:15",
    measures=("nDCG",),
)
_PYTREC_EVAL = replace(
    _NINE,
    name="pytrec_eval",
    tool="pytrec_eval-terrier",
    function="RelevanceEvaluator",
    summary="trec_eval 9, called from Python.",
    since="",
    checked="0.5.11",
    edges={"averaging": "It gives values of queries; whoever calls it averages them."},
    defects=_NINE.defects[:1],
    also=("pytrec_eval-terrier",),
    options={"judged_docs_only_flag=True": "unjudged=condense"},
)
_GDEVAL = Dialect(
    name="gdeval",
    tool="gdeval.pl",
    function="ndcg@k",
    summary="Exponential gain, values of five decimals, and only queries with something relevant.",
    settings={"gain": "exp2", **_KEEP_ABOVE_ONE},
    rules=DialectRules(missing="skip", empty="nan", max_label=4, decimals=5),
    checked="1.3",
    exact="float64",
    edges={"cutoff": "20 unless another is set."},
    defects=(
        "A label above 4 ends the program.",
        "Queries without a label above 0 vanish from the mean, and nothing says so.",
    ),
    source="gdeval.pl:106-142, 172-203, 238-246, 311-313, 329-355",
    also=("gdeval.pl",),
    options={"-c": "missing=zero", "-k N": "nDCG@N"},
)
_RANX = Dialect(
    name="ranx",
    tool="ranx",
    function="evaluate: ndcg",
    summary="The textbook's nDCG of whole labels; a query that the run lacks is an error.",
    settings=_KEEP_ABOVE_ONE,
    rules=DialectRules(ties="input", missing="error", label_type="truncated", min_label=1),
    checked="0.3.21",
    exact="unstable-ties",
    edges={"ties": "Up to 15 items in the order of the run; from 16 on its sort is unstable."},
    defects=(
        "Tied scores in lists of 16 items or more have no order that can be told.",
        "Labels lose their fraction, so that 0.9 gains nothing.",
        "Item ids are hashed to floating-point numbers; two ids can meet.",
    ),
    source="ranx/metrics/ndcg.py:12-65, ranx/metrics/common.py",
    options={"make_comparable=True": "missing=zero", "ndcg-l2": "min_label=2"},
    measures=("nDCG", "DCG"),
)
_IR_MEASURES = replace(
    _NINE,
    name="ir_measures",
    tool="ir_measures",
    function="nDCG, nDCG@k",
    summary="trec_eval 9, where a query that the run lacks scores 0.",
    settings=_KEEP_ABOVE_ONE,
    rules=replace(_NINE.rules, missing="zero"),
    since="",
    checked="0.4.3",
    edges={},
    defects=(
        _NINE.defects[0],
        "Its exponential variant is another program, with other ties: see ir_measures-exp.",
    ),
    source="ir_measures/providers/pytrec_eval_provider.py:83-97, 168-173; base.py:18-27",
    options={"judged_only=True": "unjudged=condense", "gains={1: 3, 2: 9}": "gain={1: 3, 2: 9}"},
)
_NDEVAL = Dialect(
    name="ndeval",
    tool="ndeval",
    function="alpha-nDCG@k",
    summary="Gain for new subtopics only, beside an ideal that is made greedily.",
    settings={"gain": "binary", **_KEEP_ABOVE_ONE},
    rules=DialectRules(missing="skip"),
    checked="4.5",
    exact="source-only",
    edges={
        "cutoff": "5, 10 and 20; it looks no deeper than 20.",
        "nDCG": "It has none; of one subtopic and with alpha=0 it is nDCG(gain=binary).",
    },
    defects=("The greedy ideal is not always the best one: values can exceed 1.",),
    source="ndeval.c:366-412, 578-600, 663-709, 1157-1163",
    options={"-alpha X": "alpha_nDCG(alpha=X)"},
    measures=("alpha_nDCG",),
)
DIALECTS = (
    _TEN,
    _NINE,
    _PYTREC_EVAL,
    _IR_MEASURES,
    replace(
        _GDEVAL,
        name="ir_measures-exp",
        tool="ir_measures",
        function="nDCG(dcg='exp-log2')@k",
        summary="gdeval.pl, where a query that the run lacks, or with nothing relevant, scores 0.",
        settings={**_GDEVAL.settings, "rounding": "decimals5"},
        rules=replace(_GDEVAL.rules, missing="zero", empty="zero", decimals=None),
        checked="0.4.3",
        edges={"cutoff": "It needs one; without, it asks ranx, which fails with pandas 3."},
        defects=(
            "A label above 4 ends the program.",
            "In one table with nDCG@k it has other ties, in double precision, and five decimals.",
        ),
        source="ir_measures/providers/gdeval_provider.py:14-69, base.py:18-27",
        also=(),
        options={},
    ),
    _GDEVAL,
    _NDEVAL,
    replace(
        _NDEVAL,
        name="pyndeval",
        tool="pyndeval",
        summary="As ndeval, where the lowest item id comes first among equal scores.",
        rules=replace(_NDEVAL.rules, ties="item-asc"),
        checked="0.0.8",
        exact="float64",
    ),
    _RANX,
    replace(
        _RANX,
        name="ranx-burges",
        function="evaluate: ndcg_burges",
        summary="As ranx, with exponential gain.",
        settings={"gain": "exp2", **_KEEP_ABOVE_ONE},
    ),
)
