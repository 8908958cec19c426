# Written by tools/generate_exports.py; run make exports.

from gainful.stats.correlate import Correlation as Correlation
from gainful.stats.correlate import DEFAULT_MEASURES as DEFAULT_MEASURES
from gainful.stats.correlate import correlate as correlate
from gainful.stats.bootstrap import bootstrap_intervals as bootstrap_intervals
from gainful.stats.compare import Comparison as Comparison
from gainful.stats.compare import compare as compare
from gainful.stats.compare import compare_scores as compare_scores
from gainful.stats.settings import require_mean as require_mean
from gainful.stats.differences import Pair as Pair
from gainful.stats.differences import System as System
from gainful.stats.differences import VERDICTS as VERDICTS
from gainful.stats.paired_tests import CORRECTIONS as CORRECTIONS
from gainful.stats.paired_tests import OPTIONAL_TESTS as OPTIONAL_TESTS
from gainful.stats.paired_tests import compute_non_inferiority_p as compute_non_inferiority_p
from gainful.stats.paired_tests import compute_regression_p as compute_regression_p
from gainful.stats.paired_tests import mean_interval as mean_interval
from gainful.stats.paired_tests import paired_t as paired_t
from gainful.stats.effects import count_wins_ties_losses as count_wins_ties_losses
from gainful.stats.effects import measure_spread as measure_spread
from gainful.stats.power import DEFAULT_MEASURE as DEFAULT_MEASURE
from gainful.stats.power import Point as Point
from gainful.stats.power import Power as Power
from gainful.stats.power import format_decimals as format_decimals
from gainful.stats.power import format_percent as format_percent
from gainful.stats.power import power as power
from gainful.stats.sample_size import PowerSettings as PowerSettings
from gainful.stats.sample_size import detectable_effect as detectable_effect

__all__ = [
    "CORRECTIONS",
    "Comparison",
    "Correlation",
    "DEFAULT_MEASURE",
    "DEFAULT_MEASURES",
    "OPTIONAL_TESTS",
    "Pair",
    "Point",
    "Power",
    "PowerSettings",
    "System",
    "VERDICTS",
    "bootstrap_intervals",
    "compare",
    "compare_scores",
    "compute_non_inferiority_p",
    "compute_regression_p",
    "correlate",
    "count_wins_ties_losses",
    "detectable_effect",
    "format_decimals",
    "format_percent",
    "mean_interval",
    "measure_spread",
    "paired_t",
    "power",
    "require_mean",
]
