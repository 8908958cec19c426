# Written by tools/generate_exports.py; run make exports.

from gainful.spark.evaluate import evaluate as evaluate
from gainful.spark.evaluate import evaluate_runs as evaluate_runs
from gainful.spark.scores import MODES as MODES
from gainful.spark.scores import SparkScores as SparkScores
from gainful.spark.scores import check_output as check_output
from gainful.spark.scores import describe_output as describe_output
from gainful.spark.scores import write_frame as write_frame
from gainful.spark.session import get_session as get_session

__all__ = [
    "MODES",
    "SparkScores",
    "check_output",
    "describe_output",
    "evaluate",
    "evaluate_runs",
    "get_session",
    "write_frame",
]
