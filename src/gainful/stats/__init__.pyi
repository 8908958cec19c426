# Written by tools/generate_exports.py; run make exports.

from gainful.stats.correlate import CORRELATION_COLUMNS as CORRELATION_COLUMNS
from gainful.stats.correlate import Correlation as Correlation
from gainful.stats.correlate import CorrelationSettings as CorrelationSettings
from gainful.stats.correlate import DEFAULT_MEASURES as DEFAULT_MEASURES
from gainful.stats.correlate import correlate as correlate
from gainful.stats.bootstrap import compute_bootstrap_intervals as compute_bootstrap_intervals
from gainful.stats.compare import Comparison as Comparison
from gainful.stats.compare import compare as compare
from gainful.stats.compare import compare_scores as compare_scores
from gainful.stats.comparison_settings import require_mean as require_mean
from gainful.stats.differences import Pair as Pair
from gainful.stats.differences import System as System
from gainful.stats.differences import VERDICTS as VERDICTS
from gainful.stats.differences import list_record_fields as list_record_fields
from gainful.stats.paired_tests import CORRECTIONS as CORRECTIONS
from gainful.stats.paired_tests import OPTIONAL_TESTS as OPTIONAL_TESTS
from gainful.stats.paired_tests import compute_mean_interval as compute_mean_interval
from gainful.stats.paired_tests import compute_non_inferiority_p as compute_non_inferiority_p
from gainful.stats.paired_tests import compute_regression_p as compute_regression_p
from gainful.stats.paired_tests import holm as holm
from gainful.stats.paired_tests import paired_t as paired_t
from gainful.stats.paired_tests import wilcoxon as wilcoxon
from gainful.stats.randomization import flip_signs as flip_signs
from gainful.stats.randomization import randomized_tukey as randomized_tukey
from gainful.stats.effects import count_wins_ties_losses as count_wins_ties_losses
from gainful.stats.effects import measure_spread as measure_spread
from gainful.stats.power import DEFAULT_MEASURE as DEFAULT_MEASURE
from gainful.stats.power import Point as Point
from gainful.stats.power import Power as Power
from gainful.stats.power import format_decimals as format_decimals
from gainful.stats.power import format_rounded_percent as format_rounded_percent
from gainful.stats.power import power as power
from gainful.stats.sample_size import PowerSettings as PowerSettings
from gainful.stats.sample_size import find_detectable_effect as find_detectable_effect
from gainful.stats.sample_size import find_queries_needed as find_queries_needed

__all__ = [
    "CORRECTIONS",
    "CORRELATION_COLUMNS",
    "Comparison",
    "Correlation",
    "CorrelationSettings",
    "DEFAULT_MEASURE",
    "DEFAULT_MEASURES",
    "OPTIONAL_TESTS",
    "Pair",
    "Point",
    "Power",
    "PowerSettings",
    "System",
    "VERDICTS",
    "compare",
    "compare_scores",
    "compute_bootstrap_intervals",
    "compute_mean_interval",
    "compute_non_inferiority_p",
    "compute_regression_p",
    "correlate",
    "count_wins_ties_losses",
    "find_detectable_effect",
    "find_queries_needed",
    "flip_signs",
    "format_decimals",
    "format_rounded_percent",
    "holm",
    "list_record_fields",
    "measure_spread",
    "paired_t",
    "power",
    "randomized_tukey",
    "require_mean",
    "wilcoxon",
]
