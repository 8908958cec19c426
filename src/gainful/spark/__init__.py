"""Spark: the same pipeline on partitions of queries, with the same bits as on one machine."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "evaluate": ("evaluate", "evaluate_runs"),
        "tables": ("MODES", "check_output", "write_scores", "describe_output"),
        "session": ("get_session",),
    },
)
