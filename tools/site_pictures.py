"""Charts on the site: part of the page, in the colours that the reader has chosen."""

import re

from gainful.report.charts.style import PALETTE
from site_links import ROOT

IMAGES = ROOT / "docs" / "images"
STYLE = "assets/charts.css"
_SHOWN = re.compile(r'<img alt="([^"]*)" src="[^"]*images/([^"/]+\.svg)" ?/?>')
_OWN_STYLE = re.compile("<style>.*?</style>")


def style() -> str:
    """The colours of charts on a dark page."""
    return "".join(
        f'[data-md-color-scheme="slate"] .chart [{part}="{colour.light}"]{{{part}:{colour.dark}}}\n'
        for colour in PALETTE.values()
        for part in ("fill", "stroke")
    )


def inlined(page: str) -> str:
    """The page with its charts in it: as a picture each would follow the system, not the page."""
    return _SHOWN.sub(_drawing, page)


def _drawing(shown: re.Match[str]) -> str:
    svg = (IMAGES / shown[2]).read_text(encoding="utf-8")
    named = _OWN_STYLE.sub("", svg).replace("<svg ", f'<svg role="img" aria-label="{shown[1]}" ', 1)
    return f'<span class="chart">{named.strip()}</span>'
