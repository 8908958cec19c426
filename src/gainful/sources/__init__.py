"""Read judgments, runs, query and item data from anything: ``read_qrels()``, ``read_run()``."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        ".": ("arrays",),
        "objects": ("Matrix",),
        "learning_to_rank": ("Grouped",),
        "detect": ("FileStart", "detect_file_format", "is_path", "is_spark"),
        "formats": ("FORMATS", "Format"),
        "entries": ("is_single_pass",),
        "feed": ("push_source", "RowLocator"),
        "columns": (
            "Header",
            "read_header",
            "make_header",
            "KNOWN_NAMES",
            "GROUP_ROLES",
            "LEVELS",
            "ROLES",
            "find_columns",
            "find_first",
            "Columns",
        ),
        "arrays": ("to_array",),
        "read_spec": ("Collapse", "CollapsePattern", "Duplicates", "ReadSpec"),
        "native_errors": ("explain_bad_input",),
        "convert": (
            "Converted",
            "convert",
        ),
        "grouped_judgments": ("GroupedJudgments", "PreferenceJudgments"),
        "items": ("ItemData", "read_item_data"),
        "judgments": ("Judgments",),
        "queries": ("QueryData", "weights_from_mapping"),
        "read": (
            "Source",
            "index_qrels",
            "read_items",
            "read_judgments",
            "read_preferences",
            "read_qrels",
            "read_queries",
            "read_run",
            "read_subtopics",
        ),
        "run": ("Run",),
        "run_names": ("make_names_distinct", "find_run_name", "name_runs"),
        "trec": ("split_lines", "split_trec"),
        "writers": ("WRITERS",),
    },
)
