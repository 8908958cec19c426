"""The interface of ir_measures 0.4, which need not be installed.

>>> import gainful.adapters.ir_measures as ir_measures
>>> from gainful.adapters.ir_measures import AP, nDCG
>>> qrels, run = {"q1": {"d1": 1}}, {"q1": {"d9": 0.9, "d1": 0.8}}
>>> ir_measures.calc_aggregate([nDCG @ 10, AP], qrels, run)
{nDCG@10: 0.6309297535714575, AP: 0.5}

Programs that use the installed ir_measures, such as PyTerrier, get Gainful's values without another
change after ``gainful.adapters.ir_measures.register()``.

Ties, missing queries and means are those of the provider that ir_measures asks by default, measure
by measure. What differs:

- gdeval's values (ERR, and nDCG with dcg='exp-log2') are not rounded to five decimals;
- a measure has one value, whatever it is asked for together with (but Accuracy, as there);
- zero divided by zero is 0 (nNRBP, IPrec with judged_only), and left out of Accuracy;
- pyndeval's ERR_IA@1 and alpha_DCG@1 are divided as at other cutoffs;
- the ideal of Compat is the nearest one where scores are tied or not above 0;
- IPrec is at the recall that is asked for, not at two decimals of it;
- settings that no installed provider takes are computed too, such as RBP with a cutoff;
- ids are text, and there are no custom measures and providers.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from gainful.adapters._ir_measures_evaluator import CalcResults, Evaluator, Metric
from gainful.adapters._ir_measures_inputs import Qrel, ScoredDoc, read_trec_qrels, read_trec_run
from gainful.adapters._ir_measures_parse import parse_measure, parse_trec_measure
from gainful.adapters._ir_measures_table import (
    AP,
    AP_IA,
    BPM,
    ERR,
    ERR_IA,
    INSQ,
    INST,
    MAP,
    MAP_IA,
    MRR,
    NDCG,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    NRBP,
    P_IA,
    RBP,
    RR,
    SDCG,
    Accuracy,
    BPref,
    Bpref,
    Compat,
    IPrec,
    Judged,
    Measure,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    Precision,
    R,
    Recall,
    RPrec,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    StRecall,
    Success,
    alpha_DCG,
    alpha_nDCG,
    infAP,
    nDCG,
    nERR_IA,
    nNRBP,
    α_DCG,
    α_nDCG,
)
from gainful.packages import package

__all__ = [
    "AP",
    "AP_IA",
    "BPM",
    "ERR",
    "ERR_IA",
    "INSQ",
    "INST",
    "MAP",
    "MAP_IA",
    "MRR",
    "NDCG",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NRBP",
    "P_IA",
    "RBP",
    "RR",
    "SDCG",
    "Accuracy",
    "BPref",
    "BaseMeasure",
    "Bpref",
    "CalcResults",
    "Compat",
    "Evaluator",
    "IPrec",
    "Judged",
    "Measure",
    "Metric",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "Precision",
    "Qrel",
    "R",
    "RPrec",
    "Recall",
    "Rprec",
    "ScoredDoc",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "alpha_DCG",
    "alpha_nDCG",
    "calc",
    "calc_aggregate",
    "evaluator",
    "infAP",
    "iter_calc",
    "nDCG",
    "nERR_IA",
    "nNRBP",
    "parse_measure",
    "parse_trec_measure",
    "read_trec_qrels",
    "read_trec_run",
    "register",
    "unregister",
    "α_DCG",
    "α_nDCG",
]

BaseMeasure = Measure
_Measures = Iterable[Measure | str]


def evaluator(measures: _Measures, qrels: Any) -> Evaluator:
    """Measures and qrels, to be used for many runs.

    Args:
        measures: Measures, or their text.
        qrels: ``{query: {item: label}}``; a DataFrame, or rows such as ``Qrel``, with query_id,
            doc_id and relevance, and iteration for subtopics; or the path of a TREC file.
    """
    return Evaluator(measures, qrels)


def calc(measures: _Measures, qrels: Any, run: Any) -> CalcResults:
    """One number for every measure, and the values of every query.

    Args:
        measures: As for ``evaluator``.
        qrels: As for ``evaluator``.
        run: ``{query: {item: score}}``; a DataFrame, or rows such as ``ScoredDoc``, with query_id,
            doc_id and score; or the path of a TREC file.

    >>> calc([RR], {"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}})
    CalcResults(aggregated={RR: 0.5}, per_query=[Metric(query_id='q1', measure=RR, value=0.5)])
    """
    return Evaluator(measures, qrels).calc(run)


def calc_aggregate(measures: _Measures, qrels: Any, run: Any) -> dict[Measure, float]:
    """One number for every measure. For the arguments see ``calc``."""
    return Evaluator(measures, qrels).calc_aggregate(run)


def iter_calc(measures: _Measures, qrels: Any, run: Any) -> Iterator[Metric]:
    """The value of every measure for every query. For the arguments see ``calc``."""
    return Evaluator(measures, qrels).iter_calc(run)


def register() -> None:
    """Let the installed ir_measures ask Gainful first, for all of its measures.

    Programs that call ir_measures, such as PyTerrier, need no other change. To do it twice is no
    different from once.
    """
    _provider().register()


def unregister() -> None:
    """Undo ``register``."""
    _provider().unregister()


def _provider() -> Any:
    package("ir_measures", "ir_measures", install="ir-measures")
    from gainful.adapters import _ir_measures_provider

    return _ir_measures_provider
