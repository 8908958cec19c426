"""Every chart: its reviewed specification (``make gold`` rewrites it), and its drawing."""

import json
import math
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import vl_convert

from gainful.report.charts.style import PALETTE
from report.charts.sample_charts import (
    CHARTS,
    MANY,
    draw_sample,
    mark_labels,
    render_svg,
)

GOLD = Path(__file__).parents[2] / "gold" / "charts"
HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b")
COLOR_NAMES = re.compile(r'"(black|white|gr[ae]y|steelblue|red|green|blue|orange|firebrick)"')


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_the_specification_of_a_chart_is_as_reviewed(name):
    path, text = GOLD / f"{name}.json", json.dumps(draw_sample(name), indent=1) + "\n"
    if os.environ.get("GAINFUL_GOLD") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_the_rows_of_a_chart_are_the_data_called_rows(name):
    _, rows, _ = (CHARTS | MANY)[name]
    assert draw_sample(name)["data"] == {"name": "rows", "values": rows}


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_every_color_of_a_chart_is_of_the_palette(name):
    text = json.dumps(draw_sample(name))
    assert set(HEX.findall(text)) <= {color.light for color in PALETTE.values()}
    assert not COLOR_NAMES.search(text)


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_every_chart_says_what_it_shows(name):
    spec = draw_sample(name)
    assert spec["description"].endswith(".")
    assert "title" not in spec


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_the_same_rows_give_the_same_chart(name):
    assert json.dumps(draw_sample(name)) == json.dumps(draw_sample(name))


def test_a_chart_leaves_its_rows_as_they_are():
    draw, rows, options = CHARTS["curves"]
    before = json.dumps(rows)
    draw(rows, **options)
    assert json.dumps(rows) == before


# How many marks of which kind the rows of a chart make, at least.
MARKS = {
    "curves": ("point", 10),
    "curves-log": ("point", 10),
    "differences": ("bar", 3),
    "scatter": ("point", 3),
    "histogram": ("bar", 4),
    "ecdf": ("line mark", 2),
    "forest": ("point", 5),
    "coverage": ("point", 12),
    "possible": ("bar", 2),
    "slices": ("point", 4),
    "gains": ("point", 18),
    "contributions": ("bar", 4),
}
HOSTILE = '<script>alert("1")</script>\'&\\ \u202eabc \u05d0\u05d1'


@pytest.mark.parametrize("name", MARKS)
def test_a_chart_draws_its_marks_and_names_each(name):
    role, n = MARKS[name]
    labels = mark_labels(render_svg(draw_sample(name)), role)
    assert len(labels) == n
    assert not any("undefined" in label or "NaN" in label for label in labels)


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_a_drawing_is_of_the_palette_and_needs_no_network(name):
    text = render_svg(draw_sample(name))
    assert set(HEX.findall(text)) <= {color.light for color in PALETTE.values()}
    without_names = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "://" not in without_names
    assert "url(" not in without_names


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_what_is_drawn_in_the_browser_has_the_data_called_rows(name):
    vega = vl_convert.vegalite_to_vega(draw_sample(name))
    (rows,) = [data for data in vega["data"] if data["name"] == "rows"]
    assert rows["values"] == (CHARTS | MANY)[name][1]
    colors = set(HEX.findall(json.dumps(vega)))
    assert colors <= {color.light for color in PALETTE.values()}


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_numbers_that_are_missing_are_left_out(name):
    draw, rows, options = (CHARTS | MANY)[name]
    nothing = (None, math.nan, math.inf)
    bare = [
        {f: nothing[i % 3] if isinstance(value, float) else value for f, value in row.items()}
        for i, row in enumerate(rows)
    ]
    text = render_svg(draw(bare, **options))
    assert "NaN" not in text
    assert not re.search(r"(?<![\d.])0\.0000", text)


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_no_rows_give_an_empty_chart(name):
    draw, _, options = (CHARTS | MANY)[name]
    assert render_svg(draw([], **options)).startswith("<svg")


@pytest.mark.parametrize("name", CHARTS)
def test_hostile_names_are_shown_and_never_executed(name):
    draw, rows, options = CHARTS[name]
    free = ("run", "query", "text", "pair", "item", "slice", "series")
    hostile = [
        {f: f"{HOSTILE}{v}" if f in free and v else v for f, v in row.items()} for row in rows
    ]
    names = {key: HOSTILE if isinstance(value, str) else value for key, value in options.items()}
    text = render_svg(draw(hostile, **names))
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    visible_text = "".join(ET.fromstring(text).itertext())
    assert "<script>" in visible_text or any(
        HOSTILE in (mark.get("aria-label") or "") for mark in ET.fromstring(text).iter()
    )


def test_a_width_is_that_of_the_whole_drawing():
    for name in ("curves", "differences", "scatter", "ecdf", "forest", "possible", "slices"):
        draw, rows, options = CHARTS[name]
        drawing = ET.fromstring(render_svg(draw(rows, **options, width=500)))
        assert float(drawing.get("width")) == pytest.approx(500, abs=1)
