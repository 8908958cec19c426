"""Values of measures for the queries of runs."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "risk": (
            "georisk",
            "trisk",
            "urisk",
        ),
        "arguments": (
            "DEFAULT_MEASURES",
            "Measures",
            "Weights",
            "diagnose_dialect",
            "list_measures",
            "name_dialect_in_errors",
            "resolve_dialect",
            "resolve_measures",
            "resolve_rules",
        ),
        "collection": ("Collection", "Qrels", "Runs", "open_collection"),
        "definitions": ("Step",),
        "evaluate": ("evaluate", "evaluate_runs"),
        "explain": ("Explanation", "Ideal", "Position", "explain"),
        "functions": (
            "cg",
            "dcg",
            "idcg",
            "ndcg",
            "mean_cg",
            "mean_dcg",
            "mean_idcg",
            "mean_ndcg",
            "find_common_reach",
            "compute_values_from_arrays",
        ),
        "partition": (
            "AnyPart",
            "EMPTY_VALUES",
            "UndefinedQueries",
            "align_part",
            "compute_values",
            "diagnose_values",
            "score_queries",
        ),
        "reconcile": (
            "Attribution",
            "Group",
            "Reconciliation",
            "TOLERANCE",
            "find_dialects_reporting",
            "is_last_bits",
            "list_shown_groups",
            "reconcile",
        ),
        "scores": ("Scores",),
        "slices": ("Slices", "attach_query_data", "read_query_data", "split_by"),
    },
)
