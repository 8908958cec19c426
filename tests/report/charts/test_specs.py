"""The specification of every chart, as reviewed; ``make gold`` rewrites them."""

import json
import os
import re
from pathlib import Path

import pytest

from gainful.report.charts.style import PALETTE
from report.charts.samples import CHARTS, MANY, drawn

GOLD = Path(__file__).parents[2] / "gold" / "charts"
HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b")
COLOUR_NAMES = re.compile(r'"(black|white|gr[ae]y|steelblue|red|green|blue|orange|firebrick)"')


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_the_specification_of_a_chart_is_as_reviewed(name):
    path, text = GOLD / f"{name}.json", json.dumps(drawn(name).to_dict(), indent=1) + "\n"
    # Altair writes the version of its schema, which says nothing of the chart.
    text = re.sub(r'"\$schema": ".*"', '"$schema": ""', text)
    if os.environ.get("GAINFUL_GOLD") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_the_rows_of_a_chart_are_the_data_called_rows(name):
    _, rows, _ = (CHARTS | MANY)[name]
    assert drawn(name).to_dict()["data"] == {"name": "rows", "values": rows}


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_every_colour_of_a_chart_is_of_the_palette(name):
    text = json.dumps(drawn(name).to_dict())
    assert set(HEX.findall(text)) <= {colour.light for colour in PALETTE.values()}
    assert not COLOUR_NAMES.search(text)


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_every_chart_says_what_it_shows(name):
    spec = drawn(name).to_dict()
    assert spec["description"].endswith(".")
    assert "title" not in spec


@pytest.mark.parametrize("name", CHARTS | MANY)
def test_the_same_rows_give_the_same_chart(name):
    assert json.dumps(drawn(name).to_dict()) == json.dumps(drawn(name).to_dict())


def test_a_chart_leaves_its_rows_as_they_are():
    draw, rows, given = CHARTS["curves"]
    before = json.dumps(rows)
    draw(rows, **given).to_dict()
    assert json.dumps(rows) == before
