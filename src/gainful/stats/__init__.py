"""Which of several runs is better, and how sure that is. SciPy is loaded when it is asked for."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "correlate": ("DEFAULT_MEASURES", "correlate", "Correlation"),
        "bootstrap": ("bootstrap_intervals",),
        "compare": ("compare", "compare_scores", "Comparison"),
        "settings": ("require_mean",),
        "differences": ("Pair", "System", "VERDICTS"),
        "paired_tests": (
            "CORRECTIONS",
            "mean_interval",
            "compute_non_inferiority_p",
            "paired_t",
            "compute_regression_p",
            "OPTIONAL_TESTS",
        ),
        "effects": ("count_wins_ties_losses", "measure_spread"),
        "power": (
            "Point",
            "Power",
            "format_decimals",
            "format_percent",
            "DEFAULT_MEASURE",
            "power",
        ),
        "sample_size": ("PowerSettings", "detectable_effect"),
    },
)
