# Written by tools/generate_exports.py; run make exports.

from gainful.evaluation.risk import georisk as georisk
from gainful.evaluation.risk import trisk as trisk
from gainful.evaluation.risk import urisk as urisk
from gainful.evaluation.arguments import DEFAULT_MEASURES as DEFAULT_MEASURES
from gainful.evaluation.arguments import Measures as Measures
from gainful.evaluation.arguments import Weights as Weights
from gainful.evaluation.arguments import diagnose_dialect as diagnose_dialect
from gainful.evaluation.arguments import list_measures as list_measures
from gainful.evaluation.arguments import name_dialect_in_errors as name_dialect_in_errors
from gainful.evaluation.arguments import resolve_dialect as resolve_dialect
from gainful.evaluation.arguments import resolve_measures as resolve_measures
from gainful.evaluation.arguments import resolve_rules as resolve_rules
from gainful.evaluation.collection import Collection as Collection
from gainful.evaluation.collection import Qrels as Qrels
from gainful.evaluation.collection import Runs as Runs
from gainful.evaluation.collection import open_collection as open_collection
from gainful.evaluation.definitions import Step as Step
from gainful.evaluation.evaluate import evaluate as evaluate
from gainful.evaluation.evaluate import evaluate_runs as evaluate_runs
from gainful.evaluation.explain import Explanation as Explanation
from gainful.evaluation.explain import Ideal as Ideal
from gainful.evaluation.explain import Position as Position
from gainful.evaluation.explain import explain as explain
from gainful.evaluation.functions import cg as cg
from gainful.evaluation.functions import compute_values_from_arrays as compute_values_from_arrays
from gainful.evaluation.functions import dcg as dcg
from gainful.evaluation.functions import find_common_reach as find_common_reach
from gainful.evaluation.functions import idcg as idcg
from gainful.evaluation.functions import mean_cg as mean_cg
from gainful.evaluation.functions import mean_dcg as mean_dcg
from gainful.evaluation.functions import mean_idcg as mean_idcg
from gainful.evaluation.functions import mean_ndcg as mean_ndcg
from gainful.evaluation.functions import ndcg as ndcg
from gainful.evaluation.partition import AnyPart as AnyPart
from gainful.evaluation.partition import EMPTY_VALUES as EMPTY_VALUES
from gainful.evaluation.partition import UndefinedQueries as UndefinedQueries
from gainful.evaluation.partition import align_part as align_part
from gainful.evaluation.partition import compute_values as compute_values
from gainful.evaluation.partition import diagnose_values as diagnose_values
from gainful.evaluation.partition import score_queries as score_queries
from gainful.evaluation.reconcile import Attribution as Attribution
from gainful.evaluation.reconcile import Group as Group
from gainful.evaluation.reconcile import Reconciliation as Reconciliation
from gainful.evaluation.reconcile import TOLERANCE as TOLERANCE
from gainful.evaluation.reconcile import find_dialects_reporting as find_dialects_reporting
from gainful.evaluation.reconcile import is_last_bits as is_last_bits
from gainful.evaluation.reconcile import list_shown_groups as list_shown_groups
from gainful.evaluation.reconcile import reconcile as reconcile
from gainful.evaluation.scores import Scores as Scores
from gainful.evaluation.slices import Slices as Slices
from gainful.evaluation.slices import attach_query_data as attach_query_data
from gainful.evaluation.slices import read_query_data as read_query_data
from gainful.evaluation.slices import split_by as split_by

__all__ = [
    "AnyPart",
    "Attribution",
    "Collection",
    "DEFAULT_MEASURES",
    "EMPTY_VALUES",
    "Explanation",
    "Group",
    "Ideal",
    "Measures",
    "Position",
    "Qrels",
    "Reconciliation",
    "Runs",
    "Scores",
    "Slices",
    "Step",
    "TOLERANCE",
    "UndefinedQueries",
    "Weights",
    "align_part",
    "attach_query_data",
    "cg",
    "compute_values",
    "compute_values_from_arrays",
    "dcg",
    "diagnose_dialect",
    "diagnose_values",
    "evaluate",
    "evaluate_runs",
    "explain",
    "find_common_reach",
    "find_dialects_reporting",
    "georisk",
    "idcg",
    "is_last_bits",
    "list_measures",
    "list_shown_groups",
    "mean_cg",
    "mean_dcg",
    "mean_idcg",
    "mean_ndcg",
    "name_dialect_in_errors",
    "ndcg",
    "open_collection",
    "read_query_data",
    "reconcile",
    "resolve_dialect",
    "resolve_measures",
    "resolve_rules",
    "score_queries",
    "split_by",
    "trisk",
    "urisk",
]
