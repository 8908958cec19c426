# Written by tools/generate_exports.py; run make exports.

from gainful.base import ragged as ragged
from gainful.base.files import InputFile as InputFile
from gainful.base.files import get_file_extension as get_file_extension
from gainful.base.files import get_file_stem as get_file_stem
from gainful.base.files import hold_file as hold_file
from gainful.base.files import open_file as open_file
from gainful.base.limits import LONGEST_LINE as LONGEST_LINE
from gainful.base.limits import LONG_LINE as LONG_LINE
from gainful.base.limits import Progress as Progress
from gainful.base.limits import ReadOptions as ReadOptions
from gainful.base.limits import count_cores as count_cores
from gainful.base.limits import read_whole as read_whole
from gainful.base.atomic_files import check_not_input as check_not_input
from gainful.base.atomic_files import check_writable as check_writable
from gainful.base.atomic_files import find_compression_suffix as find_compression_suffix
from gainful.base.atomic_files import is_same_file as is_same_file
from gainful.base.atomic_files import is_special as is_special
from gainful.base.atomic_files import open_atomic as open_atomic
from gainful.base.atomic_files import open_compressed as open_compressed
from gainful.base.caching import cached_property as cached_property
from gainful.base.results import Result as Result
from gainful.base.results import load_report as load_report
from gainful.base.numbers import Interval as Interval
from gainful.base.numbers import TOLERANCE as TOLERANCE
from gainful.base.numbers import describe_change as describe_change
from gainful.base.numbers import format_difference as format_difference
from gainful.base.numbers import format_distinct as format_distinct
from gainful.base.numbers import format_effect_size as format_effect_size
from gainful.base.numbers import format_interval as format_interval
from gainful.base.numbers import format_number as format_number
from gainful.base.numbers import format_p_value as format_p_value
from gainful.base.numbers import format_p_value_brief as format_p_value_brief
from gainful.base.numbers import format_percent as format_percent
from gainful.base.numbers import format_percent_change as format_percent_change
from gainful.base.numbers import format_probability as format_probability
from gainful.base.numbers import format_value as format_value
from gainful.base.imports import import_package as import_package
from gainful.base.imports import lazy_exports as lazy_exports
from gainful.base.text import check_choice as check_choice
from gainful.base.text import encode_ids as encode_ids
from gainful.base.text import encode_text as encode_text
from gainful.base.text import format_count as format_count
from gainful.base.text import format_examples as format_examples
from gainful.base.text import format_repr as format_repr
from gainful.base.text import suggest_name as suggest_name
from gainful.base.text import to_json as to_json
from gainful.base.text import to_jsonable as to_jsonable
from gainful.base.ragged import BoolArray as BoolArray
from gainful.base.ragged import ENDLESS as ENDLESS
from gainful.base.ragged import FloatArray as FloatArray
from gainful.base.ragged import GEOMETRIC_FLOOR as GEOMETRIC_FLOOR
from gainful.base.ragged import IntArray as IntArray
from gainful.base.ragged import find_owners as find_owners
from gainful.base.ragged import mean as mean
from gainful.base.ragged import sum_by_query as sum_by_query
from gainful.base.ragged import take as take
from gainful.base.settings import Argument as Argument
from gainful.base.settings import Setting as Setting
from gainful.base.settings import collect_arguments as collect_arguments
from gainful.base.settings import format_setting as format_setting

__all__ = [
    "Argument",
    "BoolArray",
    "ENDLESS",
    "FloatArray",
    "GEOMETRIC_FLOOR",
    "InputFile",
    "IntArray",
    "Interval",
    "LONGEST_LINE",
    "LONG_LINE",
    "Progress",
    "ReadOptions",
    "Result",
    "Setting",
    "TOLERANCE",
    "cached_property",
    "check_choice",
    "check_not_input",
    "check_writable",
    "collect_arguments",
    "count_cores",
    "describe_change",
    "encode_ids",
    "encode_text",
    "find_compression_suffix",
    "find_owners",
    "format_count",
    "format_difference",
    "format_distinct",
    "format_effect_size",
    "format_examples",
    "format_interval",
    "format_number",
    "format_p_value",
    "format_p_value_brief",
    "format_percent",
    "format_percent_change",
    "format_probability",
    "format_repr",
    "format_setting",
    "format_value",
    "get_file_extension",
    "get_file_stem",
    "hold_file",
    "import_package",
    "is_same_file",
    "is_special",
    "lazy_exports",
    "load_report",
    "mean",
    "open_atomic",
    "open_compressed",
    "open_file",
    "ragged",
    "read_whole",
    "suggest_name",
    "sum_by_query",
    "take",
    "to_json",
    "to_jsonable",
]
