"""Charts of one query: what each rank contributes, and how gain grows."""

import re

import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.report import charts
from gainful.report.charts.style import PALETTE
from report.charts.sample_charts import (
    GAINS,
    OLD,
    QRELS,
    draw_sample,
    mark_labels,
    render_svg,
    rows_of_chart,
)


def test_an_explanation_is_what_every_rank_adds_beside_the_ideal():
    why = gainful.explain(QRELS, OLD, "q1")
    rows = rows_of_chart(why.plot())
    ours = [row for row in rows if row["run"] == "run"]
    assert sum(row["product"] for row in ours) == pytest.approx(why.total)
    ideal = [row for row in rows if row["run"] == "ideal"]
    assert sum(row["product"] for row in ideal) == pytest.approx(why.best)
    assert sum(row["share"] for row in ours) == pytest.approx(1)


def test_a_run_that_is_called_ideal_is_not_taken_for_the_best_ranking():
    run = gainful.read_run(OLD, name="ideal")
    assert {row["run"] for row in rows_of_chart(gainful.explain(QRELS, run, "q1").plot())} == {
        "ideal",
        "ideal ranking",
    }


def test_the_gains_of_an_explanation_go_down_to_its_last_rank():
    why = gainful.explain(QRELS, OLD, "q1")
    rows = rows_of_chart(why.plot(kind="gains"))
    last = {(row["panel"], row["series"]): (row["rank"], row["value"]) for row in rows}
    assert last == {
        ("CG", "run"): (3, 3.0),
        ("DCG", "run"): (3, pytest.approx(why.total)),
        ("CG", "ideal"): (3, 3.0),
        ("DCG", "ideal"): (3, pytest.approx(why.best)),
    }


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 12))
def test_no_run_gains_more_than_the_ideal_up_to_any_rank(labels, cutoff):
    items = [f"d{i}" for i in range(len(labels))]
    qrels = {"q": dict(zip(items, labels, strict=True))}
    rows = rows_of_chart(
        gainful.explain(qrels, {"q": items}, "q", f"nDCG@{cutoff}").plot(kind="gains")
    )
    value = {(row["panel"], row["series"], row["rank"]): row["value"] for row in rows}
    for (panel, series, rank), reached in value.items():
        if series == "run" and any(labels):
            assert reached <= value[panel, "ideal", rank] + 1e-9


def test_an_explanation_of_nothing_is_an_empty_chart():
    why = gainful.explain({"q": {"a": 0}}, {"q": []}, "q")
    assert rows_of_chart(why.plot()) == rows_of_chart(why.plot(kind="gains")) == []


def test_what_does_harm_has_another_color_and_the_sum_stands_behind_the_bar():
    rows = [
        {"run": "run", "rank": rank, "item": "d", "label": 1, "product": product, "share": None}
        for rank, product in ((1, -1.5), (2, 2.0))
    ]
    text = render_svg(charts.draw_contributions(rows))
    assert f'fill="{PALETTE["worse"].light}"' in text
    assert ">0.500<" in text


def test_runs_have_their_colors_in_both_panels_and_the_ideal_is_dotted_ink():
    lines = re.findall(
        r'stroke="(#\w+)" stroke-width="2.2"(?: stroke-dasharray="([\d,]+)")?',
        render_svg(draw_sample("gains")),
    )
    a, b, ink = (PALETTE[name].light for name in ("a", "b", "ink"))
    assert sorted(lines) == sorted(2 * [(a, "1,0"), (b, "7,3"), (ink, "2,2")])


def test_one_run_is_drawn_beside_the_ideal():
    rows = [row for row in GAINS if row["series"] != "hybrid"]
    text = render_svg(charts.draw_gains(rows))
    assert PALETTE["b"].light not in text
    assert len(mark_labels(text, "point")) == 12
    assert "hybrid" not in text


def test_panels_of_gain_have_an_axis_each():
    text = render_svg(draw_sample("gains"))
    assert re.findall(r">(D?CG): ", text) == ["CG", "DCG"]
    assert (text.count(">rank<"), text.count(">cutoff<")) == (2, 2)
    assert text.count(">10<") == text.count(">8<") == 1  # only CG gets there


def test_a_page_can_put_other_runs_in_the_lines_of_gain():
    vega = vl_convert.vegalite_to_vega(draw_sample("gains"))
    (rows,) = [data for data in vega["data"] if data["name"] == "rows"]
    rows["values"] = [row | {"series": f"{row['series']}!"} for row in GAINS]
    for signal in vega["signals"]:
        if signal["name"] in ("name_a", "name_b"):
            signal["value"] += "!"
    text = vl_convert.vega_to_svg(vega)
    assert re.findall(r">(keyword!|hybrid!|ideal)<", text) == ["keyword!", "hybrid!", "ideal"]
