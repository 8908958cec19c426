"""The groups of contenders, one file per table of the report; this is the only list."""

from collections.abc import Callable

from bench.groups._group import FULL, QUICK, Group, Size
from bench.groups.arrays import compare_arrays
from bench.groups.commands import measure_commands
from bench.groups.compressed import compare_compressed
from bench.groups.dialects import compare_dialects
from bench.groups.dicts import compare_dicts
from bench.groups.files import compare_files
from bench.groups.frames import compare_frames
from bench.groups.hostile import compare_hostile_ids
from bench.groups.judgments import measure_judgments
from bench.groups.large import compare_large
from bench.groups.measures import compare_measures
from bench.groups.report import measure_reports
from bench.groups.spark import compare_spark
from bench.groups.statistics import compare_statistics
from bench.groups.threads import compare_threads
from bench.groups.track import compare_track
from bench.groups.trec_eval import compare_trec_eval
from bench.groups.variants import compare_variants

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
