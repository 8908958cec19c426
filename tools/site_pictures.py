"""Charts on the site: part of the page, in the colors that the reader has chosen."""

import re

from gainful.report.charts.style import PALETTE
from site_links import ROOT

IMAGES = ROOT / "docs" / "images"
STYLE = "assets/charts.css"
_IMAGE = re.compile(r'<img alt="([^"]*)" src="[^"]*images/([^"/]+\.svg)" ?/?>')
_STYLE_ELEMENT = re.compile("<style>.*?</style>")


def format_style() -> str:
    """Return the colors of charts on a dark page."""
    return "".join(
        f'[data-md-color-scheme="slate"] .chart [{part}="{color.light}"]{{{part}:{color.dark}}}\n'
        for color in PALETTE.values()
        for part in ("fill", "stroke")
    )


def inline_charts(page: str) -> str:
    """Return the page with its charts inline; as images they would follow the system's colors."""
    return _IMAGE.sub(_inline_chart, page)


def _inline_chart(match: re.Match[str]) -> str:
    svg = (IMAGES / match[2]).read_text(encoding="utf-8")
    svg = _STYLE_ELEMENT.sub("", svg)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{match[1]}" ', 1)
    return f'<span class="chart">{svg.strip()}</span>'
