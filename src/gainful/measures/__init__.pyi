# Written by tools/generate_exports.py; run make exports.

from gainful.measures._declare import Measure as Measure
from gainful.measures._declare import REGISTRY as REGISTRY
from gainful.measures._declare import measure as measure
from gainful.measures._parse import parse_expression as parse_expression
from gainful.measures._parse import parse_measure as parse_measure
from gainful.measures._parse import parse_measures as parse_measures
from gainful.measures._formula import Formula as Formula
from gainful.measures._index import FAMILIES as FAMILIES
from gainful.measures.cumulative_gain import CG as CG
from gainful.measures.cumulative_gain import DCG as DCG
from gainful.measures.cumulative_gain import IDCG as IDCG
from gainful.measures.cumulative_gain import MSnDCG as MSnDCG
from gainful.measures.cumulative_gain import SDCG as SDCG
from gainful.measures.cumulative_gain import nCG as nCG
from gainful.measures.cumulative_gain import nDCG as nDCG
from gainful.measures.precision import F as F
from gainful.measures.precision import Hits as Hits
from gainful.measures.precision import IPrec as IPrec
from gainful.measures.precision import IPrecAvg as IPrecAvg
from gainful.measures.precision import P as P
from gainful.measures.precision import R as R
from gainful.measures.precision import RelP as RelP
from gainful.measures.precision import Rprec as Rprec
from gainful.measures.precision import RprecMult as RprecMult
from gainful.measures.precision import Success as Success
from gainful.measures.average_precision import AP as AP
from gainful.measures.average_precision import GMAP as GMAP
from gainful.measures.average_precision import YAAP as YAAP
from gainful.measures.average_precision import infAP as infAP
from gainful.measures.average_precision import trAP as trAP
from gainful.measures.reciprocal_rank import RR as RR
from gainful.measures.sets import SetAP as SetAP
from gainful.measures.sets import SetF as SetF
from gainful.measures.sets import SetP as SetP
from gainful.measures.sets import SetR as SetR
from gainful.measures.sets import SetRelP as SetRelP
from gainful.measures.sets import Utility as Utility
from gainful.measures.counts import NumNonrelRet as NumNonrelRet
from gainful.measures.counts import NumQ as NumQ
from gainful.measures.counts import NumRel as NumRel
from gainful.measures.counts import NumRelRet as NumRelRet
from gainful.measures.counts import NumRet as NumRet
from gainful.measures.judged import Judged as Judged
from gainful.measures.judged import JudgedShare as JudgedShare
from gainful.measures.judged import Unjudged as Unjudged
from gainful.measures.judged import judged_share as judged_share
from gainful.measures.pairwise import AUC as AUC
from gainful.measures.pairwise import Accuracy as Accuracy
from gainful.measures.pairwise import Bpref as Bpref
from gainful.measures.pairwise import GMBpref as GMBpref
from gainful.measures.expected_reciprocal_rank import ERR as ERR
from gainful.measures.expected_reciprocal_rank import nERR as nERR
from gainful.measures.rank_biased import RBP as RBP
from gainful.measures.rank_biased import RBPResidual as RBPResidual
from gainful.measures.inst import INSQ as INSQ
from gainful.measures.inst import INST as INST
from gainful.measures.nearly_err import NERR10 as NERR10
from gainful.measures.nearly_err import NERR11 as NERR11
from gainful.measures.nearly_err import NERR8 as NERR8
from gainful.measures.nearly_err import NERR9 as NERR9
from gainful.measures.bejeweled import BPM as BPM
from gainful.measures.time_biased import NPV as NPV
from gainful.measures.time_biased import TBG as TBG
from gainful.measures.time_biased import UMeasure as UMeasure
from gainful.measures.foraging import IFT_C1 as IFT_C1
from gainful.measures.foraging import IFT_C1C2 as IFT_C1C2
from gainful.measures.foraging import IFT_C2 as IFT_C2
from gainful.measures.compatibility import Compat as Compat
from gainful.measures.trec_gains import G as G
from gainful.measures.trec_gains import Rndcg as Rndcg
from gainful.measures.trec_gains import binG as binG
from gainful.measures.trec_gains import nDCGrel as nDCGrel
from gainful.measures.blended import O as O
from gainful.measures.blended import Q as Q
from gainful.measures.normalized_utility import NCUguBR as NCUguBR
from gainful.measures.normalized_utility import NCUguP as NCUguP
from gainful.measures.normalized_utility import NCUrbBR as NCUrbBR
from gainful.measures.normalized_utility import NCUrbP as NCUrbP
from gainful.measures.normalized_utility import Pmeasure as Pmeasure
from gainful.measures.normalized_utility import Pplus as Pplus
from gainful.measures.diversity import ERR_IA as ERR_IA
from gainful.measures.diversity import NRBP as NRBP
from gainful.measures.diversity import alpha_DCG as alpha_DCG
from gainful.measures.diversity import alpha_nDCG as alpha_nDCG
from gainful.measures.diversity import nERR_IA as nERR_IA
from gainful.measures.diversity import nNRBP as nNRBP
from gainful.measures.intent_aware import AP_IA as AP_IA
from gainful.measures.intent_aware import APgroups as APgroups
from gainful.measures.intent_aware import D_nDCG as D_nDCG
from gainful.measures.intent_aware import Dsharp_nDCG as Dsharp_nDCG
from gainful.measures.intent_aware import P_IA as P_IA
from gainful.measures.intent_aware import Pgroups as Pgroups
from gainful.measures.intent_aware import RprecMultGroups as RprecMultGroups
from gainful.measures.intent_aware import StRecall as StRecall
from gainful.measures.understandability import alpha_uRBP as alpha_uRBP
from gainful.measures.understandability import uBpref as uBpref
from gainful.measures.understandability import uRBP as uRBP
from gainful.measures.preferences import PrefsAvg as PrefsAvg
from gainful.measures.preferences import PrefsAvgImp as PrefsAvgImp
from gainful.measures.preferences import PrefsAvgRet as PrefsAvgRet
from gainful.measures.preferences import PrefsAvgRnonrel as PrefsAvgRnonrel
from gainful.measures.preferences import PrefsAvgRnonrelRet as PrefsAvgRnonrelRet
from gainful.measures.preferences import PrefsFulfilled as PrefsFulfilled
from gainful.measures.preferences import PrefsFulfilledRet as PrefsFulfilledRet
from gainful.measures.preferences import PrefsPair as PrefsPair
from gainful.measures.preferences import PrefsPairImp as PrefsPairImp
from gainful.measures.preferences import PrefsPairRet as PrefsPairRet
from gainful.measures.preferences import PrefsPossible as PrefsPossible
from gainful.measures.preferences import PrefsSimp as PrefsSimp
from gainful.measures.preferences import PrefsSimpImp as PrefsSimpImp
from gainful.measures.preferences import PrefsSimpRet as PrefsSimpRet
from gainful.measures.recommendation import Coverage as Coverage
from gainful.measures.recommendation import Gini as Gini
from gainful.measures.recommendation import ILD as ILD
from gainful.measures.recommendation import Novelty as Novelty
from gainful.measures.recommendation import Serendipity as Serendipity

__all__ = [
    "AP",
    "AP_IA",
    "APgroups",
    "AUC",
    "Accuracy",
    "BPM",
    "Bpref",
    "CG",
    "Compat",
    "Coverage",
    "DCG",
    "D_nDCG",
    "Dsharp_nDCG",
    "ERR",
    "ERR_IA",
    "F",
    "FAMILIES",
    "Formula",
    "G",
    "GMAP",
    "GMBpref",
    "Gini",
    "Hits",
    "IDCG",
    "IFT_C1",
    "IFT_C1C2",
    "IFT_C2",
    "ILD",
    "INSQ",
    "INST",
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
    "NERR10",
    "NERR11",
    "NERR8",
    "NERR9",
    "NPV",
    "NRBP",
    "Novelty",
    "NumNonrelRet",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "O",
    "P",
    "P_IA",
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
    "RBP",
    "RBPResidual",
    "REGISTRY",
    "RR",
    "RelP",
    "Rndcg",
    "Rprec",
    "RprecMult",
    "RprecMultGroups",
    "SDCG",
    "Serendipity",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "TBG",
    "UMeasure",
    "Unjudged",
    "Utility",
    "YAAP",
    "alpha_DCG",
    "alpha_nDCG",
    "alpha_uRBP",
    "binG",
    "infAP",
    "judged_share",
    "measure",
    "nCG",
    "nDCG",
    "nDCGrel",
    "nERR",
    "nERR_IA",
    "nNRBP",
    "parse_expression",
    "parse_measure",
    "parse_measures",
    "trAP",
    "uBpref",
    "uRBP",
]
