"""Statistics of runs: comparison, power and correlation. SciPy is loaded when needed."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "correlate": (
            "CORRELATION_COLUMNS",
            "Correlation",
            "CorrelationSettings",
            "DEFAULT_MEASURES",
            "correlate",
        ),
        "bootstrap": ("compute_bootstrap_intervals",),
        "compare": ("compare", "compare_scores", "Comparison"),
        "comparison_settings": ("require_mean",),
        "differences": ("Pair", "System", "VERDICTS", "list_record_fields"),
        "paired_tests": (
            "CORRECTIONS",
            "compute_mean_interval",
            "compute_non_inferiority_p",
            "paired_t",
            "compute_regression_p",
            "holm",
            "OPTIONAL_TESTS",
            "wilcoxon",
        ),
        "randomization": ("flip_signs", "randomized_tukey"),
        "effects": ("count_wins_ties_losses", "measure_spread"),
        "power": (
            "Point",
            "Power",
            "format_decimals",
            "format_rounded_percent",
            "DEFAULT_MEASURE",
            "power",
        ),
        "sample_size": ("PowerSettings", "find_detectable_effect", "find_queries_needed"),
    },
)
