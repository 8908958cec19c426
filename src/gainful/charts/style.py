"""How every chart looks, and how rows get into it."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gainful.charts.palette import light
from gainful.packages import package

Row = Mapping[str, Any]
Rows = Iterable[Row]

WIDTH = 640
# Text is measured when a chart is written and shown elsewhere: these are all about as wide.
FONT = "Arial, Helvetica, Liberation Sans, DejaVu Sans Condensed, sans-serif"
LABELLED = 400  # marks, up to which each has a label of its own for screen readers
SIGNED = "datum.value == 0 ? '0' : format(datum.value, '+~f')"  # labels of an axis
_LETTER = 7.2  # pixels that a letter takes, about
_SIZE = 13


def altair() -> Any:
    """The package Altair; if it is not installed, the sentence that says how to get it."""
    return package("altair", "charts", install="'gainful[report]'")


def held(rows: Rows) -> list[dict[str, Any]]:
    """The rows, with None in place of what JSON has no number for.

    >>> held([{"run": "bm25", "value": float("nan")}])
    [{'run': 'bm25', 'value': None}]
    """
    return [{name: _number(value) for name, value in row.items()} for row in rows]


def _number(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def chart(rows: Sequence[Row]) -> Any:
    """A chart of rows that a page can replace: they are the data set called rows."""
    alt = altair()
    return alt.Chart(alt.InlineData(values=list(rows), name="rows"))


def once(**values: Any) -> Any:
    """A chart of a single row, for what is drawn once."""
    alt = altair()
    return alt.Chart(alt.InlineData(values=[values]))


def several(rows: Sequence[Row]) -> Any:
    """A chart of rows that are no data of the reader's, such as the places of labels."""
    alt = altair()
    return alt.Chart(alt.InlineData(values=list(rows)))


def finished(drawn: Any, description: str, *, fitted: bool = True) -> Any:
    """The chart in the one style that all have; its width is that of everything, if fitted."""
    size = altair().AutoSizeParams(type="fit-x", contains="padding")
    more = {"autosize": size} if fitted else {}
    styled = drawn.properties(description=description, padding=8, **more)
    return styled.configure(**_style())


def _style() -> dict[str, Any]:
    text = {"fontSize": _SIZE, "fontWeight": "normal"}
    labels = {"labelFontSize": _SIZE, "labelColor": light("muted"), "labelFontWeight": "normal"}
    titles = {"titleFontSize": _SIZE, "titleColor": light("ink"), "titleFontWeight": 600}
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "text": {"color": light("ink"), **text},
        "axis": {
            **labels,
            **titles,
            "labelPadding": 6,
            "titlePadding": 10,
            "labelLimit": 200,
            "gridColor": light("grid"),
            "domainColor": light("grid"),
            "tickColor": light("grid"),
            "ticks": False,
            "domain": False,
            "labelFlush": False,
        },
        "legend": {
            **labels,
            **titles,
            "labelColor": light("ink"),
            "orient": "top",
            "direction": "horizontal",
            "symbolStrokeWidth": 2.4,
            "labelLimit": 240,
            "columnPadding": 18,
            "offset": 16,
        },
        "header": {**labels, **titles, "labelColor": light("ink"), "labelLimit": 300},
    }


def above(title: str, **more: Any) -> Any:
    """A vertical axis whose title stands above it, where it can be read without turning."""
    placed = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "end"}
    placed |= {"titleBaseline": "bottom", "titleX": -34, "titleY": -10}
    return altair().Axis(title=title, **placed, **more)


def number(field: str, pattern: str = ".4f") -> str:
    """The Vega expression for the text of a number; it says so where there is none.

    >>> number("low")
    "(isValid(datum.low) ? format(datum.low, '.4f') : 'none')"
    """
    return f"(isValid(datum.{field}) ? format(datum.{field}, '{pattern}') : 'none')"


def told(drawn: Any, titles: Mapping[str, str], label: str | None) -> Any:
    """The chart with a tooltip of expressions by title, and a label for screen readers, if any.

    A number that is missing would be told as 0 by Vega's own tooltips.
    """
    alt = altair()
    fields = {f"told_{i}": expression for i, expression in enumerate(titles.values())}
    tooltip = [alt.Tooltip(f"told_{i}:N", title=title) for i, title in enumerate(titles)]
    shown = drawn.transform_calculate(**fields).encode(tooltip=tooltip)
    if label is None:
        return shown
    return shown.transform_calculate(told=label).encode(description="told:N")


def text(field: str) -> str:
    """The Vega expression for a field that is text, empty where there is none."""
    return f"(isValid(datum.{field}) ? '' + datum.{field} : '')"


def quoted(value: str) -> str:
    """A text as Vega expressions write it.

    >>> print(quoted('it is "x"'))
    "it is \\"x\\""
    """
    return json.dumps(value)


def legend(
    names: Sequence[str], *, lines: bool = False, offset: float = 16, fewest: int = 2
) -> Any:
    """A legend above the chart that fits its width, or none for fewer names."""
    alt = altair()
    if len(names) < fewest:
        return None
    short = shortened(names, 30)
    wide = 50 + _LETTER * max(map(len, short.values()))
    symbol = {"symbolType": "stroke", "symbolSize": 420} if lines else {"symbolSize": 110}
    return alt.Legend(
        title=None,
        labelExpr=_renamed(short),
        columns=max(1, int((WIDTH - 40) // wide)),
        offset=offset,
        **symbol,
    )


def short_labels(names: Sequence[str], widest: int = 30) -> dict[str, Any]:
    """What an axis is given so that long names lose their middle, not their end."""
    short = shortened(names, widest)
    long = {name: text for name, text in short.items() if name != text}
    return {"labelExpr": _renamed(long)} if long else {}


def panel_labels(names: Sequence[str], widest: int) -> dict[str, Any]:
    """The same for the headers of panels."""
    # Vega-Lite puts the label in place of the words, once and without brackets around it.
    return {"labelExpr": f"({json.dumps(shortened(names, widest))})[(datum.label)]"}


def _renamed(names: Mapping[str, str]) -> str:
    return f"({json.dumps(names)})[datum.label] || datum.label"


def shortened(names: Sequence[str], widest: int = 24) -> dict[str, str]:
    """Names by themselves, the long ones without their middle, each still different.

    >>> shortened(["bm25", "a run with a rather long name"], widest=12)
    {'bm25': 'bm25', 'a run with a rather long name': 'a run… name'}
    """
    distinct = list(dict.fromkeys(names))
    while True:
        short = {name: _without_middle(name, widest) for name in distinct}
        if len(set(short.values())) == len(distinct):
            return short
        widest += 8


def _without_middle(name: str, widest: int) -> str:
    if len(name) <= widest:
        return name
    half = (widest - 1) // 2
    return f"{name[:half].rstrip()}…{name[-half:]}"
