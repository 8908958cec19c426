# Written by tools/generate_exports.py; run make exports.

from gainful._version import __version__ as __version__
from gainful.errors import AlignError as AlignError
from gainful.errors import ComparisonError as ComparisonError
from gainful.errors import GainfulError as GainfulError
from gainful.errors import MeasureError as MeasureError
from gainful.errors import OutputError as OutputError
from gainful.errors import PackageError as PackageError
from gainful.errors import PreferenceError as PreferenceError
from gainful.errors import RuleError as RuleError
from gainful.errors import SliceError as SliceError
from gainful.errors import SourceError as SourceError
from gainful.errors import SparkError as SparkError
from gainful.base import Setting as Setting
from gainful.sources import Columns as Columns
from gainful.sources import Converted as Converted
from gainful.sources import Grouped as Grouped
from gainful.sources import GroupedJudgments as GroupedJudgments
from gainful.sources import ItemData as ItemData
from gainful.sources import Judgments as Judgments
from gainful.sources import Matrix as Matrix
from gainful.sources import PreferenceJudgments as PreferenceJudgments
from gainful.sources import QueryData as QueryData
from gainful.sources import Run as Run
from gainful.sources import convert as convert
from gainful.sources import read_items as read_items
from gainful.sources import read_preferences as read_preferences
from gainful.sources import read_qrels as read_qrels
from gainful.sources import read_queries as read_queries
from gainful.sources import read_run as read_run
from gainful.sources import read_subtopics as read_subtopics
from gainful.alignment import GroupedRankings as GroupedRankings
from gainful.alignment import ItemRankings as ItemRankings
from gainful.alignment import JudgedRankings as JudgedRankings
from gainful.alignment import PreferenceRankings as PreferenceRankings
from gainful.alignment import Rules as Rules
from gainful.measures import AP as AP
from gainful.measures import AP_IA as AP_IA
from gainful.measures import APgroups as APgroups
from gainful.measures import AUC as AUC
from gainful.measures import Accuracy as Accuracy
from gainful.measures import BPM as BPM
from gainful.measures import Bpref as Bpref
from gainful.measures import CG as CG
from gainful.measures import Compat as Compat
from gainful.measures import Coverage as Coverage
from gainful.measures import DCG as DCG
from gainful.measures import D_nDCG as D_nDCG
from gainful.measures import Dsharp_nDCG as Dsharp_nDCG
from gainful.measures import ERR as ERR
from gainful.measures import ERR_IA as ERR_IA
from gainful.measures import F as F
from gainful.measures import G as G
from gainful.measures import GMAP as GMAP
from gainful.measures import GMBpref as GMBpref
from gainful.measures import Gini as Gini
from gainful.measures import Hits as Hits
from gainful.measures import IDCG as IDCG
from gainful.measures import IFT_C1 as IFT_C1
from gainful.measures import IFT_C1C2 as IFT_C1C2
from gainful.measures import IFT_C2 as IFT_C2
from gainful.measures import ILD as ILD
from gainful.measures import INSQ as INSQ
from gainful.measures import INST as INST
from gainful.measures import IPrec as IPrec
from gainful.measures import IPrecAvg as IPrecAvg
from gainful.measures import Judged as Judged
from gainful.measures import JudgedShare as JudgedShare
from gainful.measures import MSnDCG as MSnDCG
from gainful.measures import Measure as Measure
from gainful.measures import NCUguBR as NCUguBR
from gainful.measures import NCUguP as NCUguP
from gainful.measures import NCUrbBR as NCUrbBR
from gainful.measures import NCUrbP as NCUrbP
from gainful.measures import NERR10 as NERR10
from gainful.measures import NERR11 as NERR11
from gainful.measures import NERR8 as NERR8
from gainful.measures import NERR9 as NERR9
from gainful.measures import NPV as NPV
from gainful.measures import NRBP as NRBP
from gainful.measures import Novelty as Novelty
from gainful.measures import NumNonrelRet as NumNonrelRet
from gainful.measures import NumQ as NumQ
from gainful.measures import NumRel as NumRel
from gainful.measures import NumRelRet as NumRelRet
from gainful.measures import NumRet as NumRet
from gainful.measures import O as O
from gainful.measures import P as P
from gainful.measures import P_IA as P_IA
from gainful.measures import Pgroups as Pgroups
from gainful.measures import Pmeasure as Pmeasure
from gainful.measures import Pplus as Pplus
from gainful.measures import PrefsAvg as PrefsAvg
from gainful.measures import PrefsAvgImp as PrefsAvgImp
from gainful.measures import PrefsAvgRet as PrefsAvgRet
from gainful.measures import PrefsAvgRnonrel as PrefsAvgRnonrel
from gainful.measures import PrefsAvgRnonrelRet as PrefsAvgRnonrelRet
from gainful.measures import PrefsFulfilled as PrefsFulfilled
from gainful.measures import PrefsFulfilledRet as PrefsFulfilledRet
from gainful.measures import PrefsPair as PrefsPair
from gainful.measures import PrefsPairImp as PrefsPairImp
from gainful.measures import PrefsPairRet as PrefsPairRet
from gainful.measures import PrefsPossible as PrefsPossible
from gainful.measures import PrefsSimp as PrefsSimp
from gainful.measures import PrefsSimpImp as PrefsSimpImp
from gainful.measures import PrefsSimpRet as PrefsSimpRet
from gainful.measures import Q as Q
from gainful.measures import R as R
from gainful.measures import RBP as RBP
from gainful.measures import RBPResidual as RBPResidual
from gainful.measures import RR as RR
from gainful.measures import RelP as RelP
from gainful.measures import Rndcg as Rndcg
from gainful.measures import Rprec as Rprec
from gainful.measures import RprecMult as RprecMult
from gainful.measures import RprecMultGroups as RprecMultGroups
from gainful.measures import SDCG as SDCG
from gainful.measures import Serendipity as Serendipity
from gainful.measures import SetAP as SetAP
from gainful.measures import SetF as SetF
from gainful.measures import SetP as SetP
from gainful.measures import SetR as SetR
from gainful.measures import SetRelP as SetRelP
from gainful.measures import StRecall as StRecall
from gainful.measures import Success as Success
from gainful.measures import TBG as TBG
from gainful.measures import UMeasure as UMeasure
from gainful.measures import Unjudged as Unjudged
from gainful.measures import Utility as Utility
from gainful.measures import YAAP as YAAP
from gainful.measures import alpha_DCG as alpha_DCG
from gainful.measures import alpha_nDCG as alpha_nDCG
from gainful.measures import alpha_uRBP as alpha_uRBP
from gainful.measures import binG as binG
from gainful.measures import infAP as infAP
from gainful.measures import measure as measure
from gainful.measures import nCG as nCG
from gainful.measures import nDCG as nDCG
from gainful.measures import nDCGrel as nDCGrel
from gainful.measures import nERR as nERR
from gainful.measures import nERR_IA as nERR_IA
from gainful.measures import nNRBP as nNRBP
from gainful.measures import parse_measure as parse_measure
from gainful.measures import trAP as trAP
from gainful.measures import uBpref as uBpref
from gainful.measures import uRBP as uRBP
from gainful.dialects import DIALECTS as DIALECTS
from gainful.dialects import Dialect as Dialect
from gainful.dialects import find_dialect as find_dialect
from gainful.diagnostics import Findings as Findings
from gainful.diagnostics import check as check
from gainful.evaluation import Collection as Collection
from gainful.evaluation import Explanation as Explanation
from gainful.evaluation import Reconciliation as Reconciliation
from gainful.evaluation import Scores as Scores
from gainful.evaluation import Slices as Slices
from gainful.evaluation import cg as cg
from gainful.evaluation import dcg as dcg
from gainful.evaluation import evaluate as evaluate
from gainful.evaluation import explain as explain
from gainful.evaluation import georisk as georisk
from gainful.evaluation import idcg as idcg
from gainful.evaluation import mean_cg as mean_cg
from gainful.evaluation import mean_dcg as mean_dcg
from gainful.evaluation import mean_idcg as mean_idcg
from gainful.evaluation import mean_ndcg as mean_ndcg
from gainful.evaluation import ndcg as ndcg
from gainful.evaluation import reconcile as reconcile
from gainful.evaluation import trisk as trisk
from gainful.evaluation import urisk as urisk
from gainful.unjudged import Bounds as Bounds
from gainful.unjudged import ItemsToJudge as ItemsToJudge
from gainful.unjudged import UnjudgedResult as UnjudgedResult
from gainful.unjudged import unjudged as unjudged
from gainful.stats import Comparison as Comparison
from gainful.stats import Correlation as Correlation
from gainful.stats import Power as Power
from gainful.stats import compare as compare
from gainful.stats import compare_scores as compare_scores
from gainful.stats import correlate as correlate
from gainful.stats import power as power
from gainful.gate import Gate as Gate
from gainful.gate import assert_ranking as assert_ranking
from gainful.gate import gate as gate
from gainful.report import Report as Report
from gainful.report import write_report as write_report
from gainful.adapters import log_to_mlflow as log_to_mlflow

__all__ = [
    "AP",
    "AP_IA",
    "APgroups",
    "AUC",
    "Accuracy",
    "AlignError",
    "BPM",
    "Bounds",
    "Bpref",
    "CG",
    "Collection",
    "Columns",
    "Comparison",
    "ComparisonError",
    "Compat",
    "Converted",
    "Correlation",
    "Coverage",
    "DCG",
    "DIALECTS",
    "D_nDCG",
    "Dialect",
    "Dsharp_nDCG",
    "ERR",
    "ERR_IA",
    "Explanation",
    "F",
    "Findings",
    "G",
    "GMAP",
    "GMBpref",
    "GainfulError",
    "Gate",
    "Gini",
    "Grouped",
    "GroupedJudgments",
    "GroupedRankings",
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
    "ItemData",
    "ItemRankings",
    "ItemsToJudge",
    "Judged",
    "JudgedRankings",
    "JudgedShare",
    "Judgments",
    "MSnDCG",
    "Matrix",
    "Measure",
    "MeasureError",
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
    "OutputError",
    "P",
    "P_IA",
    "PackageError",
    "Pgroups",
    "Pmeasure",
    "Power",
    "Pplus",
    "PreferenceError",
    "PreferenceJudgments",
    "PreferenceRankings",
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
    "QueryData",
    "R",
    "RBP",
    "RBPResidual",
    "RR",
    "Reconciliation",
    "RelP",
    "Report",
    "Rndcg",
    "Rprec",
    "RprecMult",
    "RprecMultGroups",
    "RuleError",
    "Rules",
    "Run",
    "SDCG",
    "Scores",
    "Serendipity",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "Setting",
    "SliceError",
    "Slices",
    "SourceError",
    "SparkError",
    "StRecall",
    "Success",
    "TBG",
    "UMeasure",
    "Unjudged",
    "UnjudgedResult",
    "Utility",
    "YAAP",
    "__version__",
    "alpha_DCG",
    "alpha_nDCG",
    "alpha_uRBP",
    "assert_ranking",
    "binG",
    "cg",
    "check",
    "compare",
    "compare_scores",
    "convert",
    "correlate",
    "dcg",
    "evaluate",
    "explain",
    "find_dialect",
    "gate",
    "georisk",
    "idcg",
    "infAP",
    "log_to_mlflow",
    "mean_cg",
    "mean_dcg",
    "mean_idcg",
    "mean_ndcg",
    "measure",
    "nCG",
    "nDCG",
    "nDCGrel",
    "nERR",
    "nERR_IA",
    "nNRBP",
    "ndcg",
    "parse_measure",
    "power",
    "read_items",
    "read_preferences",
    "read_qrels",
    "read_queries",
    "read_run",
    "read_subtopics",
    "reconcile",
    "trAP",
    "trisk",
    "uBpref",
    "uRBP",
    "unjudged",
    "urisk",
    "write_report",
]
