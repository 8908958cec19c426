# Written by tools/generate_exports.py; run make exports.

from gainful.gate.assertion import assert_ranking as assert_ranking
from gainful.gate.ci import report_to_github as report_to_github
from gainful.gate.ci import write_junit as write_junit
from gainful.gate.thresholds import Config as Config
from gainful.gate.thresholds import DEFAULT_MAX_DROP as DEFAULT_MAX_DROP
from gainful.gate.thresholds import collect_threshold_arguments as collect_threshold_arguments
from gainful.gate.thresholds import find_config as find_config
from gainful.gate.thresholds import read_config as read_config
from gainful.gate.evidence import Evidence as Evidence
from gainful.gate.evidence import describe_depth as describe_depth
from gainful.gate.evidence import name_runs_apart as name_runs_apart
from gainful.gate.gate import Drop as Drop
from gainful.gate.gate import Gate as Gate
from gainful.gate.gate import gate as gate
from gainful.gate.checks import CANNOT_TELL as CANNOT_TELL
from gainful.gate.checks import Check as Check
from gainful.gate.checks import FAIL as FAIL
from gainful.gate.checks import PASS as PASS
from gainful.gate.checks import format_outcome as format_outcome

__all__ = [
    "CANNOT_TELL",
    "Check",
    "Config",
    "DEFAULT_MAX_DROP",
    "Drop",
    "Evidence",
    "FAIL",
    "Gate",
    "PASS",
    "assert_ranking",
    "collect_threshold_arguments",
    "describe_depth",
    "find_config",
    "format_outcome",
    "gate",
    "name_runs_apart",
    "read_config",
    "report_to_github",
    "write_junit",
]
