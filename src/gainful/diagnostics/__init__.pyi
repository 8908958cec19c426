# Written by tools/generate_exports.py; run make exports.

from gainful.diagnostics.check import Findings as Findings
from gainful.diagnostics.check import check as check
from gainful.diagnostics.check import check_joins as check_joins
from gainful.diagnostics.codes import CODES as CODES
from gainful.diagnostics.codes import Code as Code
from gainful.diagnostics.codes import GROUPS as GROUPS
from gainful.diagnostics.codes import find_code as find_code
from gainful.diagnostics.codes import normalize_code as normalize_code
from gainful.diagnostics.diagnose import SourceNames as SourceNames
from gainful.diagnostics.diagnose import check_joined_run as check_joined_run
from gainful.diagnostics.diagnose import diagnose_joins as diagnose_joins
from gainful.diagnostics.diagnose import diagnose_query as diagnose_query
from gainful.diagnostics.diagnose import find_join_notices as find_join_notices
from gainful.diagnostics.diagnose import name_sources as name_sources
from gainful.diagnostics.id_mismatch import describe_query_fix as describe_query_fix
from gainful.diagnostics.evaluation_notices import ExplainedInstead as ExplainedInstead
from gainful.diagnostics.evaluation_notices import ManySlices as ManySlices
from gainful.diagnostics.evaluation_notices import NoKnownQuery as NoKnownQuery
from gainful.diagnostics.evaluation_notices import OneSlice as OneSlice
from gainful.diagnostics.evaluation_notices import OutsideDialect as OutsideDialect
from gainful.diagnostics.evaluation_notices import QueriesWithoutValue as QueriesWithoutValue
from gainful.diagnostics.evaluation_notices import RareValues as RareValues
from gainful.diagnostics.evaluation_notices import RowOrder as RowOrder
from gainful.diagnostics.evaluation_notices import UnjudgedAbove as UnjudgedAbove
from gainful.diagnostics.evaluation_notices import UnknownQueries as UnknownQueries
from gainful.diagnostics.evaluation_notices import UnslicedColumns as UnslicedColumns
from gainful.diagnostics.evaluation_notices import UntitledItems as UntitledItems
from gainful.diagnostics.evaluation_notices import UnweightedReport as UnweightedReport
from gainful.diagnostics.evaluation_notices import WeightedMeans as WeightedMeans
from gainful.diagnostics.evaluation_notices import WholeRunOnly as WholeRunOnly
from gainful.diagnostics.notices import EmptyQueries as EmptyQueries
from gainful.diagnostics.notices import Notice as Notice
from gainful.diagnostics.notices import SEVERITIES as SEVERITIES
from gainful.diagnostics.notices import UndefinedValues as UndefinedValues
from gainful.diagnostics.notices import declare_notice as declare_notice
from gainful.diagnostics.notices import format_notice_lines as format_notice_lines

__all__ = [
    "CODES",
    "Code",
    "EmptyQueries",
    "ExplainedInstead",
    "Findings",
    "GROUPS",
    "ManySlices",
    "NoKnownQuery",
    "Notice",
    "OneSlice",
    "OutsideDialect",
    "QueriesWithoutValue",
    "RareValues",
    "RowOrder",
    "SEVERITIES",
    "SourceNames",
    "UndefinedValues",
    "UnjudgedAbove",
    "UnknownQueries",
    "UnslicedColumns",
    "UntitledItems",
    "UnweightedReport",
    "WeightedMeans",
    "WholeRunOnly",
    "check",
    "check_joined_run",
    "check_joins",
    "declare_notice",
    "describe_query_fix",
    "diagnose_joins",
    "diagnose_query",
    "find_code",
    "find_join_notices",
    "format_notice_lines",
    "name_sources",
    "normalize_code",
]
