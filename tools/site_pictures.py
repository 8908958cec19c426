"""Charts on the site: part of the page, in the colors that the reader has chosen."""

import re

from gainful.report.charts.style import PALETTE
from site_links import ROOT

IMAGES = ROOT / "docs" / "images"
STYLE = "assets/charts.css"
_SHOWN = re.compile(r'<img alt="([^"]*)" src="[^"]*images/([^"/]+\.svg)" ?/?>')
_OWN_STYLE = re.compile("<style>.*?</style>")


def format_style() -> str:
    """Return the colors of charts on a dark page."""
    return "".join(
        f'[data-md-color-scheme="slate"] .chart [{part}="{color.light}"]{{{part}:{color.dark}}}\n'
        for color in PALETTE.values()
        for part in ("fill", "stroke")
    )


def inline_charts(page: str) -> str:
    """Return the page with its charts in it; as a picture each would follow the system."""
    return _SHOWN.sub(_inline_chart, page)


def _inline_chart(shown: re.Match[str]) -> str:
    svg = (IMAGES / shown[2]).read_text(encoding="utf-8")
    named = _OWN_STYLE.sub("", svg).replace("<svg ", f'<svg role="img" aria-label="{shown[1]}" ', 1)
    return f'<span class="chart">{named.strip()}</span>'
