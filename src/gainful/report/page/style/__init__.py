"""The style of the page: small files, each one concern, joined in this order."""

from importlib.resources import files

ORDER = (
    "elements",
    "frame",
    "verdict",
    "tables",
    "notices",
    "charts",
    "significance",
    "examples",
    "glossary",
    "screens",
    "print",
    "fields",
    "live_charts",
    "queries",
    "query",
    "rankings",
    "labels",
    "whatif",
)


def style() -> str:
    """All of it, as one text; later rules win over those before."""
    here = files(__package__)
    return "\n".join((here / f"{name}.css").read_text(encoding="utf-8") for name in ORDER)
