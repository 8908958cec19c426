"""Read judgments, runs, query and item data from anything: ``read_qrels()``, ``read_run()``."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        ".": ("arrays",),
        "objects": ("Matrix",),
        "learning_to_rank": ("Grouped",),
        "detect": ("FileStart", "detect_file_format", "has_item_ids", "is_path", "is_spark"),
        "entries": ("is_single_pass",),
        "formats": (
            "Collapse",
            "CollapsePattern",
            "Duplicates",
            "FORMATS",
            "Format",
            "ReadSpec",
        ),
        "feed": ("push_source", "RowLocator"),
        "columns": (
            "KNOWN_NAMES",
            "GROUP_ROLES",
            "LEVELS",
            "ROLES",
            "find_columns",
            "find_first",
            "Columns",
        ),
        "arrays": ("to_array",),
        "native_errors": ("explain_bad_input",),
        "convert": (
            "Converted",
            "convert",
        ),
        "items": ("ItemData", "read_item_data"),
        "judgments": ("GroupedJudgments", "Judgments", "PreferenceJudgments"),
        "queries": ("QueryData", "weights_from_mapping"),
        "read": (
            "Source",
            "find_run_name",
            "index_qrels",
            "make_names_distinct",
            "name_runs",
            "read_items",
            "read_judgments",
            "read_preferences",
            "read_qrels",
            "read_queries",
            "read_run",
            "read_subtopics",
        ),
        "run": ("Run",),
        "text": ("make_header", "read_header"),
        "trec": ("split_lines", "split_trec"),
        "writers": ("WRITERS",),
    },
)
