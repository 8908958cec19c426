"""trec_eval, what wraps it, and its kin."""

from dataclasses import replace

from gainful.dialects._dialect import Dialect
from gainful.rules import Rules

_TEN = Dialect(
    name="trec_eval@10",
    tool="trec_eval",
    function="ndcg, ndcg_cut",
    summary="The textbook's nDCG; queries that the run lacks are left out.",
    rules=Rules(missing="skip"),
    since="10.0",
    checked="10.0",
    exact="bit for bit",
    source="m_ndcg.c, m_ndcg_cut.c, form_res_rels.c",
)

DIALECTS = (
    _TEN,
    replace(
        _TEN,
        name="trec_eval@9",
        summary="As in 10, but scores are compared in single precision.",
        rules=replace(_TEN.rules, precision="float32"),
        since="",
        checked="9.0.8",
        also=("pytrec_eval",),
    ),
)
