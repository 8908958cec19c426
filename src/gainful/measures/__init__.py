"""All measures. A family's file is imported when one of its measures is first used.

Importing all of them would take longer than the rest of ``import gainful``.
"""

from gainful.base import lazy_exports
from gainful.measures._index import FAMILIES

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "_declare": ("Measure", "REGISTRY", "measure"),
        "_parse": ("parse_expression", "parse_measure", "parse_measures"),
        "_formula": ("Formula",),
        "_index": ("FAMILIES",),
        **FAMILIES,
        "judged": (
            *FAMILIES["judged"],
            "judged_share",
        ),
    },
)
