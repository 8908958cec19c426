# Written by tools/generate_exports.py; run make exports.

from gainful.spark.evaluate import evaluate as evaluate
from gainful.spark.evaluate import evaluate_runs as evaluate_runs
from gainful.spark.tables import MODES as MODES
from gainful.spark.tables import check_output as check_output
from gainful.spark.tables import describe_output as describe_output
from gainful.spark.tables import write_scores as write_scores
from gainful.spark.session import get_session as get_session

__all__ = [
    "MODES",
    "check_output",
    "describe_output",
    "evaluate",
    "evaluate_runs",
    "get_session",
    "write_scores",
]
