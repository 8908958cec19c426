"""Spark: the pipeline on the partitions of DataFrames, with the same bits as on one machine."""

from gainful.engines.spark.evaluating import STRATEGIES, evaluate, evaluate_each
from gainful.engines.spark.scores import SparkScores

__all__ = ["STRATEGIES", "SparkScores", "evaluate", "evaluate_each"]
