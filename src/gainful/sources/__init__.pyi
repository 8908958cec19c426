# Written by tools/generate_exports.py; run make exports.

from gainful.sources import arrays as arrays
from gainful.sources.objects import Matrix as Matrix
from gainful.sources.learning_to_rank import Grouped as Grouped
from gainful.sources.detect import FileStart as FileStart
from gainful.sources.detect import detect_file_format as detect_file_format
from gainful.sources.detect import has_item_ids as has_item_ids
from gainful.sources.detect import is_path as is_path
from gainful.sources.detect import is_spark as is_spark
from gainful.sources.entries import is_single_pass as is_single_pass
from gainful.sources.formats import Collapse as Collapse
from gainful.sources.formats import CollapsePattern as CollapsePattern
from gainful.sources.formats import Duplicates as Duplicates
from gainful.sources.formats import FORMATS as FORMATS
from gainful.sources.formats import Format as Format
from gainful.sources.formats import ReadSpec as ReadSpec
from gainful.sources.feed import RowLocator as RowLocator
from gainful.sources.feed import push_source as push_source
from gainful.sources.columns import Columns as Columns
from gainful.sources.columns import GROUP_ROLES as GROUP_ROLES
from gainful.sources.columns import KNOWN_NAMES as KNOWN_NAMES
from gainful.sources.columns import LEVELS as LEVELS
from gainful.sources.columns import ROLES as ROLES
from gainful.sources.columns import find_columns as find_columns
from gainful.sources.columns import find_first as find_first
from gainful.sources.arrays import to_array as to_array
from gainful.sources.native_errors import explain_bad_input as explain_bad_input
from gainful.sources.convert import Converted as Converted
from gainful.sources.convert import convert as convert
from gainful.sources.items import ItemData as ItemData
from gainful.sources.items import read_item_data as read_item_data
from gainful.sources.judgments import GroupedJudgments as GroupedJudgments
from gainful.sources.judgments import Judgments as Judgments
from gainful.sources.judgments import PreferenceJudgments as PreferenceJudgments
from gainful.sources.queries import QueryData as QueryData
from gainful.sources.queries import weights_from_mapping as weights_from_mapping
from gainful.sources.read import Source as Source
from gainful.sources.read import find_run_name as find_run_name
from gainful.sources.read import index_qrels as index_qrels
from gainful.sources.read import make_names_distinct as make_names_distinct
from gainful.sources.read import name_runs as name_runs
from gainful.sources.read import read_items as read_items
from gainful.sources.read import read_judgments as read_judgments
from gainful.sources.read import read_preferences as read_preferences
from gainful.sources.read import read_qrels as read_qrels
from gainful.sources.read import read_queries as read_queries
from gainful.sources.read import read_run as read_run
from gainful.sources.read import read_subtopics as read_subtopics
from gainful.sources.run import Run as Run
from gainful.sources.text import make_header as make_header
from gainful.sources.text import read_header as read_header
from gainful.sources.trec import split_lines as split_lines
from gainful.sources.trec import split_trec as split_trec
from gainful.sources.writers import WRITERS as WRITERS

__all__ = [
    "Collapse",
    "CollapsePattern",
    "Columns",
    "Converted",
    "Duplicates",
    "FORMATS",
    "FileStart",
    "Format",
    "GROUP_ROLES",
    "Grouped",
    "GroupedJudgments",
    "ItemData",
    "Judgments",
    "KNOWN_NAMES",
    "LEVELS",
    "Matrix",
    "PreferenceJudgments",
    "QueryData",
    "ROLES",
    "ReadSpec",
    "RowLocator",
    "Run",
    "Source",
    "WRITERS",
    "arrays",
    "convert",
    "detect_file_format",
    "explain_bad_input",
    "find_columns",
    "find_first",
    "find_run_name",
    "has_item_ids",
    "index_qrels",
    "is_path",
    "is_single_pass",
    "is_spark",
    "make_header",
    "make_names_distinct",
    "name_runs",
    "push_source",
    "read_header",
    "read_item_data",
    "read_items",
    "read_judgments",
    "read_preferences",
    "read_qrels",
    "read_queries",
    "read_run",
    "read_subtopics",
    "split_lines",
    "split_trec",
    "to_array",
    "weights_from_mapping",
]
