"""The script of the page: small files, each one concern, joined in this order."""

from importlib.resources import files

ORDER = (
    "dom",
    "text",
    "data",
    "vega",
    "values",
    "pair",
    "tooltip",
    "marks",
    "charts",
    "captions",
    "permalink",
    "filters",
    "queries",
    "items",
    "rankings",
    "bars",
    "ideal",
    "growth",
    "moves",
    "dragging",
    "movable",
    "whatif",
    "query",
    "copy",
    "theme",
    "start",
)


def script() -> str:
    """All of it, as one text that runs at the end of a page."""
    here = files(__package__)
    return "".join((here / f"{name}.js").read_text(encoding="utf-8") for name in ORDER)
