"""Notices about data and values, why ids do not match, ``check``, and the pages of codes."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "check": ("check_joins", "check", "Findings"),
        "codes": ("CODES", "Code", "GROUPS", "find_code", "normalize_code"),
        "diagnose": (
            "SourceNames",
            "find_join_notices",
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
            "ExplainedInstead",
            "RareValues",
            "UnslicedColumns",
            "UnweightedReport",
        ),
        "notices": (
            "EmptyQueries",
            "Notice",
            "SEVERITIES",
            "UndefinedValues",
            "declare_notice",
            "format_notice_lines",
        ),
    },
)
