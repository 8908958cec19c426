"""Possible effects of unjudged items, and the items to judge next."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "bounds": ("compute_bounds", "Bounds", "could_reverse", "describe_order"),
        "to_judge": ("ItemToJudge", "ItemsToJudge"),
        "unjudged": ("UnjudgedResult", "unjudged"),
        "extremes": ("find_bounds_depth", "has_bounds", "require_formula"),
    },
)
