# Written by tools/generate_exports.py; run make exports.

from gainful.dialects.rules import DialectRules as DialectRules
from gainful.dialects.rules import check_rules as check_rules
from gainful.dialects.dialect import Dialect as Dialect
from gainful.dialects.dialect import EXACT as EXACT
from gainful.dialects.catalog import DIALECTS as DIALECTS
from gainful.dialects.catalog import FAMILIES as FAMILIES
from gainful.dialects.catalog import find_dialect as find_dialect
from gainful.dialects.catalog import list_versions as list_versions

__all__ = [
    "DIALECTS",
    "Dialect",
    "DialectRules",
    "EXACT",
    "FAMILIES",
    "check_rules",
    "find_dialect",
    "list_versions",
]
