# Written by tools/generate_exports.py; run make exports.

from gainful.unjudged.bounds import Bounds as Bounds
from gainful.unjudged.bounds import compute_bounds as compute_bounds
from gainful.unjudged.bounds import could_reverse as could_reverse
from gainful.unjudged.bounds import describe_order as describe_order
from gainful.unjudged.to_judge import ItemToJudge as ItemToJudge
from gainful.unjudged.to_judge import ItemsToJudge as ItemsToJudge
from gainful.unjudged.unjudged import UnjudgedResult as UnjudgedResult
from gainful.unjudged.unjudged import unjudged as unjudged
from gainful.unjudged.extremes import find_bounds_depth as find_bounds_depth
from gainful.unjudged.extremes import has_bounds as has_bounds
from gainful.unjudged.extremes import require_formula as require_formula

__all__ = [
    "Bounds",
    "ItemToJudge",
    "ItemsToJudge",
    "UnjudgedResult",
    "compute_bounds",
    "could_reverse",
    "describe_order",
    "find_bounds_depth",
    "has_bounds",
    "require_formula",
    "unjudged",
]
