"""The groups of contenders, one function per table of the report; this is the only list."""

from collections.abc import Callable

from bench.groups._group import FULL, QUICK, Group, Size
from bench.groups.arrays import compare_arrays, compare_dicts, compare_frames
from bench.groups.commands import measure_commands
from bench.groups.dialects import compare_dialects
from bench.groups.files import (
    compare_compressed,
    compare_files,
    compare_hostile_ids,
    compare_large,
    compare_threads,
    compare_track,
    measure_judgments,
)
from bench.groups.measures import compare_measures, compare_trec_eval, compare_variants
from bench.groups.report import measure_reports
from bench.groups.spark import compare_spark
from bench.groups.statistics import compare_statistics

__all__ = ["FULL", "GROUPS", "ON_DEMAND", "QUICK", "Group", "Size"]

GROUPS: dict[str, Callable[[Size], Group]] = {
    "files": compare_files,
    "measures": compare_measures,
    "variants": compare_variants,
    "large": compare_large,
    "threads": compare_threads,
    "trec_eval": compare_trec_eval,
    "arrays": compare_arrays,
    "dicts": compare_dicts,
    "frames": compare_frames,
    "statistics": compare_statistics,
    "dialects": compare_dialects,
    "report": measure_reports,
    "commands": measure_commands,
    "track": compare_track,
    "compressed": compare_compressed,
    "hostile": compare_hostile_ids,
    "judgments": measure_judgments,
    "spark": compare_spark,
}
ON_DEMAND = ("large", "spark")  # measured only if requested
