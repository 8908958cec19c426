"""The groups of contenders, one file per table of the report; this is the only list."""

from collections.abc import Callable

from bench.groups._group import FULL, QUICK, Group, Size
from bench.groups.arrays import arrays
from bench.groups.compressed import compressed
from bench.groups.dialects import dialects
from bench.groups.dicts import dicts
from bench.groups.files import files
from bench.groups.frames import frames
from bench.groups.hostile import hostile
from bench.groups.judgments import judgments
from bench.groups.large import large
from bench.groups.measures import measures
from bench.groups.report import report
from bench.groups.spark import spark
from bench.groups.startup import startup
from bench.groups.statistics import statistics
from bench.groups.threads import threads
from bench.groups.track import track
from bench.groups.trec_eval import trec_eval
from bench.groups.variants import variants

__all__ = ["FULL", "GROUPS", "ON_DEMAND", "QUICK", "Group", "Size"]

_DECLARED = (
    *(files, measures, variants, large, threads),
    *(trec_eval, arrays, dicts, frames, statistics, dialects),
    *(report, startup, track, compressed, hostile, judgments, spark),
)
GROUPS: dict[str, Callable[[Size], Group]] = {group.__name__: group for group in _DECLARED}
ON_DEMAND = (large.__name__, spark.__name__)  # measured only where it is asked for
