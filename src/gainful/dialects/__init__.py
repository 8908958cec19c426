"""Dialects: every tool's definition of a measure, as settings and rules, by name."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "rules": ("DialectRules", "check_rules"),
        "dialect": ("Dialect", "EXACT"),
        "catalog": ("DIALECTS", "FAMILIES", "find_dialect", "list_versions"),
    },
)
