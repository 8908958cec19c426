"""Charts as they go into a page: a picture that needs no script, and what a script draws."""

import re
from typing import Any, NamedTuple

from gainful.packages import package
from gainful.report.shown import shown, texts
from gainful.shapes import valid_text

_DEFINED = re.compile(r'\bid="([^"]+)"')
_USED = re.compile(r"url\(#([^)]+)\)")
_TAG = re.compile(r"<[^>]*>")
_PLACED = re.compile(r'\b(?:d|transform|[xy][12]?|width|height)="[^"]*"')
_LONG = re.compile(r"\d+\.\d{3,}(?:e-?\d+)?")
_DESCRIBED = re.compile(r' aria-roledescription="[^"]*"(?= )')


class Drawn(NamedTuple):
    """A chart, drawn: SVG, and the Vega specification that draws it again."""

    svg: str
    spec: dict[str, Any]


def drawn(chart: Any, name: str) -> Drawn:
    """An Altair chart, drawn; its ids begin with a name, so that it can stand beside others.

    It is painted in the colours of a light page; the style of the page has a rule for each.
    """
    converter = package("vl_convert", "report", install="'gainful[report]'")
    spec = converter.vegalite_to_vega(texts(_one_line, chart.to_dict(validate=False)))
    # What cannot be shown ends the process that draws it; a script has to know it by its id.
    return Drawn(picture(converter.vega_to_svg(texts(shown, spec)), name), spec)


def _one_line(text: str) -> str:
    """Text as an expression of Vega may quote it, where these two end the line, and with it all."""
    return valid_text(text).replace("\u2028", "\u2424").replace("\u2029", "\u2424")


def picture(svg: str, name: str) -> str:
    """The picture with ids of its own and two decimals to every place, as HTML may hold it.

    >>> picture('<g id="a"><path clip-path="url(#a)" d="M0.123456,1e-9"/></g>', "curves")
    '<g id="curves-1"><path clip-path="url(#curves-1)" d="M0.12,1e-9"/></g>'
    """
    # Counted anew: what draws them goes on counting from one picture to the next.
    found = dict.fromkeys(_DEFINED.findall("".join(_TAG.findall(svg))))
    ids = {one: f"{name}-{number}" for number, one in enumerate(found, 1)}
    # Only in tags: what stands between them is text, whatever it looks like.
    return _TAG.sub(lambda tag: _renamed(tag[0], ids), shown(svg))


def _renamed(tag: str, ids: dict[str, str]) -> str:
    tag = _DESCRIBED.sub("", _PLACED.sub(lambda found: _LONG.sub(_short, found[0]), tag))
    tag = _DEFINED.sub(lambda found: f'id="{ids[found[1]]}"', tag)
    return _USED.sub(lambda found: f"url(#{ids.get(found[1], found[1])})", tag)


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
