# Written by tools/generate_exports.py; run make exports.

from gainful.dialects.dialect import Dialect as Dialect
from gainful.dialects.dialect import EXACT as EXACT
from gainful.dialects.catalog import DIALECTS as DIALECTS
from gainful.dialects.catalog import FAMILIES as FAMILIES
from gainful.dialects.catalog import find_dialect as find_dialect
from gainful.dialects.catalog import list_versions as list_versions

__all__ = [
    "DIALECTS",
    "Dialect",
    "EXACT",
    "FAMILIES",
    "find_dialect",
    "list_versions",
]
