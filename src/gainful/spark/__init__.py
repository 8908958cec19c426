"""Spark: the pipeline on the partitions of DataFrames, with the same bits as on one machine."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "evaluate": ("evaluate", "evaluate_runs"),
        "scores": ("SparkScores", "MODES", "check_output", "write_frame", "describe_output"),
        "session": ("get_session",),
    },
)
