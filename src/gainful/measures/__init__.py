"""All measures. This list is the only one: it says which file declares what.

A family is imported when one of its measures is first asked for: to import them all would take
longer than the rest of ``import gainful``.
"""

from typing import TYPE_CHECKING

from gainful.measures._declare import REGISTRY, Measure, measure
from gainful.measures._formula import Formula
from gainful.measures._parse import parse, parse_all

if TYPE_CHECKING:
    from gainful.measures.average_precision import AP, GMAP, YAAP, infAP, trAP
    from gainful.measures.bejeweled import BPM
    from gainful.measures.blended import O, Q
    from gainful.measures.bpref import Bpref, GMBpref
    from gainful.measures.compatibility import Compat
    from gainful.measures.counts import NumNonrelRet, NumQ, NumRel, NumRelRet, NumRet
    from gainful.measures.cumulative_gain import CG, DCG, IDCG, MSnDCG, nCG, nDCG
    from gainful.measures.diversity import ERR_IA, NRBP, alpha_DCG, alpha_nDCG, nERR_IA, nNRBP
    from gainful.measures.expected_reciprocal_rank import ERR, nERR
    from gainful.measures.foraging import IFT_C1, IFT_C1C2, IFT_C2
    from gainful.measures.inst import INSQ, INST
    from gainful.measures.intent_aware import AP_IA, P_IA, D_nDCG, Dsharp_nDCG, StRecall
    from gainful.measures.judged import Judged, JudgedShare, Unjudged
    from gainful.measures.judgment_groups import APgroups, Pgroups, RprecMultGroups
    from gainful.measures.nearly_err import NERR8, NERR9, NERR10, NERR11
    from gainful.measures.normalised_utility import (
        NCUguBR,
        NCUguP,
        NCUrbBR,
        NCUrbP,
        Pmeasure,
        Pplus,
    )
    from gainful.measures.pairwise import AUC, Accuracy
    from gainful.measures.precision import Hits, IPrec, IPrecAvg, P, RelP, Rprec, RprecMult, Success
    from gainful.measures.preferences import (
        PrefsAvg,
        PrefsAvgImp,
        PrefsAvgRet,
        PrefsAvgRnonrel,
        PrefsAvgRnonrelRet,
        PrefsFulfilled,
        PrefsFulfilledRet,
        PrefsPair,
        PrefsPairImp,
        PrefsPairRet,
        PrefsPossible,
        PrefsSimp,
        PrefsSimpImp,
        PrefsSimpRet,
    )
    from gainful.measures.rank_biased import RBP, RBPResidual
    from gainful.measures.recall import F, R
    from gainful.measures.reciprocal_rank import RR
    from gainful.measures.recommendation import ILD, Coverage, Gini, Novelty, Serendipity
    from gainful.measures.scaled_dcg import SDCG
    from gainful.measures.sets import SetAP, SetF, SetP, SetR, SetRelP, Utility
    from gainful.measures.time_biased import NPV, TBG, UMeasure
    from gainful.measures.trec_gains import G, Rndcg, binG, nDCGrel
    from gainful.measures.understandability import alpha_uRBP, uBpref, uRBP

FAMILIES = {
    "cumulative_gain": (
        "CG",
        "nCG",
        "DCG",
        "IDCG",
        "nDCG",
        "MSnDCG",
    ),
    "precision": (
        "P",
        "RelP",
        "Rprec",
        "RprecMult",
        "IPrec",
        "IPrecAvg",
        "Success",
        "Hits",
    ),
    "recall": (
        "R",
        "F",
    ),
    "average_precision": (
        "AP",
        "GMAP",
        "YAAP",
        "infAP",
        "trAP",
    ),
    "reciprocal_rank": ("RR",),
    "bpref": (
        "Bpref",
        "GMBpref",
    ),
    "sets": (
        "SetP",
        "SetR",
        "SetF",
        "SetAP",
        "SetRelP",
        "Utility",
    ),
    "counts": (
        "NumQ",
        "NumRet",
        "NumRel",
        "NumRelRet",
        "NumNonrelRet",
    ),
    "judged": (
        "Judged",
        "Unjudged",
        "JudgedShare",
    ),
    "pairwise": (
        "AUC",
        "Accuracy",
    ),
    "expected_reciprocal_rank": (
        "ERR",
        "nERR",
    ),
    "rank_biased": (
        "RBP",
        "RBPResidual",
    ),
    "inst": (
        "INST",
        "INSQ",
    ),
    "nearly_err": (
        "NERR8",
        "NERR9",
        "NERR10",
        "NERR11",
    ),
    "bejeweled": ("BPM",),
    "time_biased": (
        "TBG",
        "UMeasure",
        "NPV",
    ),
    "foraging": (
        "IFT_C1",
        "IFT_C2",
        "IFT_C1C2",
    ),
    "compatibility": ("Compat",),
    "trec_gains": (
        "nDCGrel",
        "Rndcg",
        "G",
        "binG",
    ),
    "blended": (
        "Q",
        "O",
    ),
    "normalised_utility": (
        "Pmeasure",
        "Pplus",
        "NCUguP",
        "NCUguBR",
        "NCUrbP",
        "NCUrbBR",
    ),
    "scaled_dcg": ("SDCG",),
    "diversity": (
        "alpha_DCG",
        "alpha_nDCG",
        "ERR_IA",
        "nERR_IA",
        "NRBP",
        "nNRBP",
    ),
    "intent_aware": (
        "AP_IA",
        "P_IA",
        "StRecall",
        "D_nDCG",
        "Dsharp_nDCG",
    ),
    "judgment_groups": (
        "APgroups",
        "Pgroups",
        "RprecMultGroups",
    ),
    "understandability": (
        "uRBP",
        "alpha_uRBP",
        "uBpref",
    ),
    "preferences": (
        "PrefsPossible",
        "PrefsFulfilled",
        "PrefsFulfilledRet",
        "PrefsSimp",
        "PrefsSimpRet",
        "PrefsSimpImp",
        "PrefsPair",
        "PrefsPairRet",
        "PrefsPairImp",
        "PrefsAvg",
        "PrefsAvgRet",
        "PrefsAvgImp",
        "PrefsAvgRnonrel",
        "PrefsAvgRnonrelRet",
    ),
    "recommendation": (
        "Coverage",
        "Gini",
        "Novelty",
        "ILD",
        "Serendipity",
    ),
}
REGISTRY.expect(FAMILIES)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Measure:
        if name in REGISTRY.expected:
            return REGISTRY[name]
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)


__all__ = [
    "AP",
    "AP_IA",
    "AUC",
    "BPM",
    "CG",
    "DCG",
    "ERR",
    "ERR_IA",
    "FAMILIES",
    "GMAP",
    "IDCG",
    "IFT_C1",
    "IFT_C1C2",
    "IFT_C2",
    "ILD",
    "INSQ",
    "INST",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NPV",
    "NRBP",
    "P_IA",
    "RBP",
    "REGISTRY",
    "RR",
    "SDCG",
    "TBG",
    "YAAP",
    "APgroups",
    "Accuracy",
    "Bpref",
    "Compat",
    "Coverage",
    "D_nDCG",
    "Dsharp_nDCG",
    "F",
    "Formula",
    "G",
    "GMBpref",
    "Gini",
    "Hits",
    "IPrec",
    "IPrecAvg",
    "Judged",
    "JudgedShare",
    "MSnDCG",
    "Measure",
    "NCUguBR",
    "NCUguP",
    "NCUrbBR",
    "NCUrbP",
    "Novelty",
    "NumNonrelRet",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "O",
    "P",
    "Pgroups",
    "Pmeasure",
    "Pplus",
    "PrefsAvg",
    "PrefsAvgImp",
    "PrefsAvgRet",
    "PrefsAvgRnonrel",
    "PrefsAvgRnonrelRet",
    "PrefsFulfilled",
    "PrefsFulfilledRet",
    "PrefsPair",
    "PrefsPairImp",
    "PrefsPairRet",
    "PrefsPossible",
    "PrefsSimp",
    "PrefsSimpImp",
    "PrefsSimpRet",
    "Q",
    "R",
    "RBPResidual",
    "RelP",
    "Rndcg",
    "Rprec",
    "RprecMult",
    "RprecMultGroups",
    "Serendipity",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "UMeasure",
    "Unjudged",
    "Utility",
    "alpha_DCG",
    "alpha_nDCG",
    "alpha_uRBP",
    "binG",
    "infAP",
    "measure",
    "nCG",
    "nDCG",
    "nDCGrel",
    "nERR",
    "nERR_IA",
    "nNRBP",
    "parse",
    "parse_all",
    "trAP",
    "uBpref",
    "uRBP",
]
