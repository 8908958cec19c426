"""The gate: decides whether a run may replace another, for CI and for people."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "assertion": ("assert_ranking",),
        "ci": ("report_to_github", "write_junit"),
        "thresholds": (
            "Config",
            "find_config",
            "read_config",
            "DEFAULT_MAX_DROP",
            "collect_threshold_arguments",
        ),
        "evidence": ("describe_depth", "name_runs_apart", "Evidence"),
        "gate": ("gate", "Drop", "Gate"),
        "checks": ("CANNOT_TELL", "Check", "FAIL", "PASS", "format_outcome"),
    },
)
