"""Charts as they are drawn: compiled by Vega, rendered as SVG."""

import json
import math
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
import vl_convert

from gainful.report import charts
from gainful.report.charts.style import PALETTE
from report.charts.samples import BOTH, CHARTS, GAINS, MANY, QUERIES, drawn

HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b")
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


def svg(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict())


def labels(text, role):
    marks = ET.fromstring(text).iter()
    return [
        mark.get("aria-label")
        for mark in marks
        if mark.get("aria-roledescription") == role and mark.get("aria-label")
    ]


@pytest.mark.parametrize("name", MARKS)
def test_a_chart_draws_its_marks_and_names_each(name):
    role, n = MARKS[name]
    said = labels(svg(drawn(name)), role)
    assert len(said) == n
    assert not any("undefined" in label or "NaN" in label for label in said)


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_a_drawing_is_of_the_palette_and_needs_no_network(name):
    text = svg(drawn(name))
    assert set(HEX.findall(text)) <= {colour.light for colour in PALETTE.values()}
    without_names = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "://" not in without_names
    assert "url(" not in without_names


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_what_is_drawn_in_the_browser_has_the_data_called_rows(name):
    vega = vl_convert.vegalite_to_vega(drawn(name).to_dict())
    (rows,) = [data for data in vega["data"] if data["name"] == "rows"]
    assert rows["values"] == (CHARTS | MANY)[name][1]
    colours = set(HEX.findall(json.dumps(vega)))
    assert colours <= {colour.light for colour in PALETTE.values()}


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_numbers_that_are_missing_are_left_out(name):
    draw, rows, given = (CHARTS | MANY)[name]
    nothing = (None, math.nan, math.inf)
    bare = [
        {f: nothing[i % 3] if isinstance(value, float) else value for f, value in row.items()}
        for i, row in enumerate(rows)
    ]
    text = svg(draw(bare, **given))
    assert "NaN" not in text
    assert not re.search(r"(?<![\d.])0\.0000", text)


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_no_rows_give_an_empty_chart(name):
    draw, _, given = (CHARTS | MANY)[name]
    assert svg(draw([], **given)).startswith("<svg")


@pytest.mark.parametrize("name", CHARTS)
def test_hostile_names_are_shown_and_never_executed(name):
    draw, rows, given = CHARTS[name]
    free = ("run", "query", "text", "pair", "item", "slice", "series")
    hostile = [
        {f: f"{HOSTILE}{v}" if f in free and v else v for f, v in row.items()} for row in rows
    ]
    names = {key: HOSTILE if isinstance(value, str) else value for key, value in given.items()}
    text = svg(draw(hostile, **names))
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    said = "".join(ET.fromstring(text).itertext())
    assert "<script>" in said or any(
        HOSTILE in (mark.get("aria-label") or "") for mark in ET.fromstring(text).iter()
    )


@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 20])
def test_names_at_the_ends_of_curves_do_not_cover_each_other(n):
    rows = [
        {"run": f"a run with a long name, number {i}", "k": k, "value": 0.5 + 0.001 * i}
        | {"low": 0.4, "high": 0.6}
        for i in range(n)
        for k in (1, 2)
    ]
    named = [f"a run with a long name, number {i}" for i in range(0, n, 3)]
    spots = re.findall(
        r'translate\(([\d.]+),([\d.]+)\)"[^>]*>a run with…\w* ?number \d+|'
        r'translate\(([\d.]+),([\d.]+)\)"[^>]*>a run[^<]*<',
        svg(charts.draw_curves(rows, highlight=named)),
    )
    heights = sorted(float(y or other) for _, y, _, other in spots)
    assert len(heights) == (n if n <= 8 else len(named))
    assert all(after - before >= 13 for before, after in pairwise(heights))


def test_a_page_can_show_another_pair_by_two_signals():
    vega = vl_convert.vegalite_to_vega(charts.draw_differences(QUERIES, **BOTH).to_dict())
    signals = {signal["name"]: signal.get("value") for signal in vega["signals"]}
    assert (signals["name_a"], signals["name_b"]) == ("keyword", "hybrid")
    for signal in vega["signals"]:
        if signal["name"] == "name_b":
            signal["value"] = "another"
    assert "nDCG@10: another minus keyword" in vl_convert.vega_to_svg(vega)


@pytest.mark.parametrize("draw", [charts.draw_differences, charts.draw_scatter])
def test_other_rows_move_the_axes_and_the_order(draw):
    vega = vl_convert.vegalite_to_vega(draw(QUERIES, **BOTH).to_dict())
    (rows,) = [data for data in vega["data"] if data["name"] == "rows"]
    rows["values"] = [row | {"b": 5.0, "difference": 5.0 - row["a"]} for row in QUERIES[::-1]]
    text = vl_convert.vega_to_svg(vega)
    assert re.search(r">\+?5(\.0)?<", text)
    assert len(labels(text, "bar") or labels(text, "point")) == 3


def test_bars_of_queries_have_their_ids_in_order_of_difference():
    text = svg(charts.draw_differences(QUERIES[::-1], **BOTH))
    assert re.findall(r">(q\d)<", text) == ["q3", "q1", "q2"]
    assert text.count(">0<") == 2  # that of the query, and that of the axis
    assert ">+0.500<" in text


def test_a_difference_within_the_tie_is_the_same():
    row = QUERIES[0] | {"difference": 0.001}
    assert PALETTE["same"].light in svg(charts.draw_scatter([row], **BOTH, tie=0.01))
    assert PALETTE["better"].light in svg(charts.draw_scatter([row], **BOTH))


def test_labels_for_screen_readers_end_where_there_are_too_many():
    few = [QUERIES[0] | {"query": f"q{i}", "place": i} for i in range(400)]
    assert len(labels(svg(charts.draw_differences(few, **BOTH)), "bar")) == 400
    more = [QUERIES[0] | {"query": f"q{i}", "place": i} for i in range(401)]
    assert not labels(svg(charts.draw_differences(more, **BOTH)), "bar")


def test_a_width_is_that_of_the_whole_drawing():
    for name in ("curves", "differences", "scatter", "ecdf", "forest", "possible", "slices"):
        draw, rows, given = CHARTS[name]
        drawing = ET.fromstring(svg(draw(rows, **given, width=500)))
        assert float(drawing.get("width")) == pytest.approx(500, abs=1)


def test_what_does_harm_has_another_colour_and_the_sum_stands_behind_the_bar():
    rows = [
        {"run": "run", "rank": rank, "item": "d", "label": 1, "product": product, "share": None}
        for rank, product in ((1, -1.5), (2, 2.0))
    ]
    text = svg(charts.draw_contributions(rows))
    assert f'fill="{PALETTE["worse"].light}"' in text
    assert ">0.500<" in text


def test_runs_have_their_colours_in_both_panels_and_the_ideal_is_dotted_ink():
    lines = re.findall(
        r'stroke="(#\w+)" stroke-width="2.2"(?: stroke-dasharray="([\d,]+)")?', svg(drawn("gains"))
    )
    a, b, ink = (PALETTE[name].light for name in ("a", "b", "ink"))
    assert sorted(lines) == sorted(2 * [(a, "1,0"), (b, "7,3"), (ink, "2,2")])


def test_one_run_is_drawn_beside_the_ideal():
    rows = [row for row in GAINS if row["series"] != "hybrid"]
    text = svg(charts.draw_gains(rows))
    assert PALETTE["b"].light not in text
    assert len(labels(text, "point")) == 12
    assert "hybrid" not in text


def test_panels_of_gain_have_an_axis_each():
    text = svg(drawn("gains"))
    assert re.findall(r">(D?CG): ", text) == ["CG", "DCG"]
    assert (text.count(">rank<"), text.count(">cutoff<")) == (2, 2)
    assert text.count(">10<") == text.count(">8<") == 1  # only CG gets there


def test_a_page_can_put_other_runs_in_the_lines_of_gain():
    vega = vl_convert.vegalite_to_vega(drawn("gains").to_dict())
    (rows,) = [data for data in vega["data"] if data["name"] == "rows"]
    rows["values"] = [row | {"series": f"{row['series']}!"} for row in GAINS]
    for signal in vega["signals"]:
        if signal["name"] in ("name_a", "name_b"):
            signal["value"] += "!"
    text = vl_convert.vega_to_svg(vega)
    assert re.findall(r">(keyword!|hybrid!|ideal)<", text) == ["keyword!", "hybrid!", "ideal"]


def test_a_run_that_stands_out_among_many_is_named():
    draw, rows, given = MANY["ecdf-many"]
    assert re.findall(r">(name \d+)<", svg(draw(rows, **given))) == ["name 000"]
    named = svg(draw(rows, **given, highlight=("name 007", "name 003")))
    assert re.findall(r">(name \d+)<", named) == ["name 003", "name 007"]


def test_names_that_differ_at_their_end_are_told_apart():
    draw, rows, given = CHARTS["possible"]
    long = [row | {"run": f"{'a long path ' * 5}{row['run']}"} for row in rows]
    text = svg(draw(long, **given))
    assert re.search(r">a long path[^<]*…[^<]*keyword<", text)
    assert re.search(r">a long path[^<]*…[^<]*hybrid<", text)
