"""All measures. This list is the only one: importing a module registers what it declares."""

from gainful.measures._declare import REGISTRY, Measure, measure
from gainful.measures._formula import Formula
from gainful.measures._parse import parse, parse_all
from gainful.measures.average_precision import AP, GMAP, YAAP, infAP
from gainful.measures.blended import O, Q
from gainful.measures.bpref import Bpref, GMBpref
from gainful.measures.counts import NumNonrelRet, NumQ, NumRel, NumRelRet, NumRet
from gainful.measures.cumulative_gain import CG, DCG, IDCG, MSnDCG, nCG, nDCG
from gainful.measures.judged import Judged, Unjudged
from gainful.measures.normalised_utility import NCUguBR, NCUguP, NCUrbBR, NCUrbP, Pmeasure, Pplus
from gainful.measures.pairwise import AUC, Accuracy
from gainful.measures.precision import Hits, IPrec, IPrecAvg, P, RelP, Rprec, RprecMult, Success
from gainful.measures.recall import F, R
from gainful.measures.reciprocal_rank import RR
from gainful.measures.sets import SetAP, SetF, SetP, SetR, SetRelP, Utility
from gainful.measures.trec_gains import G, Rndcg, binG, nDCGrel

__all__ = [
    "AP",
    "AUC",
    "CG",
    "DCG",
    "GMAP",
    "IDCG",
    "REGISTRY",
    "RR",
    "YAAP",
    "Accuracy",
    "Bpref",
    "F",
    "Formula",
    "G",
    "GMBpref",
    "Hits",
    "IPrec",
    "IPrecAvg",
    "Judged",
    "MSnDCG",
    "Measure",
    "NCUguBR",
    "NCUguP",
    "NCUrbBR",
    "NCUrbP",
    "NumNonrelRet",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "O",
    "P",
    "Pmeasure",
    "Pplus",
    "Q",
    "R",
    "RelP",
    "Rndcg",
    "Rprec",
    "RprecMult",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "Success",
    "Unjudged",
    "Utility",
    "binG",
    "infAP",
    "measure",
    "nCG",
    "nDCG",
    "nDCGrel",
    "parse",
    "parse_all",
]
