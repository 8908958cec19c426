"""Notices about data and values, why ids do not match, ``check``, and the pages of codes."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "check": ("check", "Findings"),
        "codes": ("CODES", "Code", "GROUPS", "find_code", "normalize_code"),
        "comparison_notices": (
            "DoubtfulTest",
            "Exploratory",
            "FewQueries",
            "FewSystems",
            "InDialect",
            "ManyQueries",
            "ManyTies",
            "ObservedDifference",
            "UncertainDeviation",
            "UncommonQueries",
            "ManyUndefinedQueries",
            "UnevenJudging",
            "ExplainedInstead",
            "RareValues",
            "UnslicedColumns",
            "UnweightedReport",
        ),
        "diagnose": (
            "SourceNames",
            "find_join_notices",
            "check_join",
            "check_joined_run",
            "diagnose_joins",
            "diagnose_query",
            "name_sources",
        ),
        "id_mismatch": ("describe_query_fix",),
        "evaluation_notices": (
            "ManySlices",
            "NoKnownQuery",
            "OneSlice",
            "QueriesWithoutValue",
            "UnknownQueries",
            "UntitledItems",
            "WeightedMeans",
            "WholeRunOnly",
            "OutsideDialect",
            "RowOrder",
            "UnjudgedAbove",
        ),
        "notices": (
            "EmptyQueries",
            "Notice",
            "SEVERITIES",
            "UndefinedValues",
            "format_notice_lines",
        ),
    },
)
