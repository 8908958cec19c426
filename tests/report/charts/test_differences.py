"""Charts of differences: queries, pairs of runs, and possible values."""

import math
import re

import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import ComparisonError
from gainful.report import charts
from gainful.report.charts.style import PALETTE
from report.charts.sample_charts import (
    BOTH,
    CHARTS,
    OLD,
    QRELS,
    QUERIES,
    RUN_PAIR,
    mark_labels,
    render_svg,
    rows_of_chart,
)


def test_a_page_can_show_another_pair_by_two_signals():
    vega = vl_convert.vegalite_to_vega(charts.draw_differences(QUERIES, **BOTH))
    signals = {signal["name"]: signal.get("value") for signal in vega["signals"]}
    assert (signals["name_a"], signals["name_b"]) == ("keyword", "hybrid")
    for signal in vega["signals"]:
        if signal["name"] == "name_b":
            signal["value"] = "another"
    assert "nDCG@10: another minus keyword" in vl_convert.vega_to_svg(vega)


@pytest.mark.parametrize("draw", [charts.draw_differences, charts.draw_scatter])
def test_other_rows_move_the_axes_and_the_order(draw):
    vega = vl_convert.vegalite_to_vega(draw(QUERIES, **BOTH))
    (rows,) = [data for data in vega["data"] if data["name"] == "rows"]
    rows["values"] = [row | {"b": 5.0, "difference": 5.0 - row["a"]} for row in QUERIES[::-1]]
    text = vl_convert.vega_to_svg(vega)
    assert re.search(r">\+?5(\.0)?<", text)
    assert len(mark_labels(text, "bar") or mark_labels(text, "point")) == 3


def test_bars_of_queries_have_their_ids_in_order_of_difference():
    text = render_svg(charts.draw_differences(QUERIES[::-1], **BOTH))
    assert re.findall(r">(q\d)<", text) == ["q3", "q1", "q2"]
    assert text.count(">0<") == 2  # that of the query, and that of the axis
    assert ">+0.500<" in text


def test_a_difference_within_the_tie_is_the_same():
    row = QUERIES[0] | {"difference": 0.001}
    assert PALETTE["same"].light in render_svg(charts.draw_scatter([row], **BOTH, tie=0.01))
    assert PALETTE["better"].light in render_svg(charts.draw_scatter([row], **BOTH))


def test_labels_for_screen_readers_end_where_there_are_too_many():
    few = [QUERIES[0] | {"query": f"q{i}", "place": i} for i in range(400)]
    assert len(mark_labels(render_svg(charts.draw_differences(few, **BOTH)), "bar")) == 400
    more = [QUERIES[0] | {"query": f"q{i}", "place": i} for i in range(401)]
    assert not mark_labels(render_svg(charts.draw_differences(more, **BOTH)), "bar")


def test_names_that_differ_at_their_end_are_told_apart():
    draw, rows, options = CHARTS["possible"]
    long = [row | {"run": f"{'a long path ' * 5}{row['run']}"} for row in rows]
    text = render_svg(draw(long, **options))
    assert re.search(r">a long path[^<]*…[^<]*keyword<", text)
    assert re.search(r">a long path[^<]*…[^<]*hybrid<", text)


def test_a_comparison_is_the_differences_of_its_pair():
    chart = gainful.compare(QRELS, RUN_PAIR, "P@1").plot()
    assert [(row["query"], row["difference"]) for row in rows_of_chart(chart)] == [
        ("q3", -1.0),
        ("q1", 1.0),
        ("q2", 1.0),
    ]
    params = {param["name"]: param.get("value") for param in chart.to_dict()["params"]}
    assert (params["name_a"], params["name_b"]) == ("old", "new")


def test_a_comparison_is_the_differences_of_the_pair_that_is_asked_for():
    of = gainful.compare(QRELS, RUN_PAIR | {"same": OLD}, ["P@1", "nDCG@10"])
    assert {row["difference"] for row in rows_of_chart(of.plot("same", "old"))} == {0.0}
    chart = of.plot("new", "old", "nDCG@10").to_dict()
    assert chart["description"] == "Difference of nDCG@10 for every query, new less old."


def test_a_comparison_of_several_pairs_must_say_which():
    of = gainful.compare(QRELS, RUN_PAIR | {"same": OLD}, "P@1")
    with pytest.raises(ComparisonError) as error:
        of.plot()
    assert str(error.value) == (
        "plot: must name one of 'new - old', 'same - old', 'same - new', got no system. "
        "Pass of='pairs' to plot them all."
    )


def test_the_pairs_of_a_comparison_have_their_intervals_and_verdicts():
    of = gainful.compare(QRELS, RUN_PAIR | {"same": OLD}, ["P@1", "nDCG@10"])
    chart_rows = rows_of_chart(of.plot(of="pairs", measure="nDCG@10"))
    pairs = [pair for pair in of.pairs if str(pair.measure) == "nDCG@10"]
    assert [row["verdict"] for row in chart_rows] == [pair.verdict for pair in pairs]
    assert [row["pair"] for row in chart_rows] == ["new - old", "same - old", "same - new"]
    assert chart_rows[0]["low"] == pairs[0].t_interval.low
    assert chart_rows[1]["difference"] == 0.0


numbers = st.floats(-1e6, 1e6)
maybe = st.one_of(numbers, st.just(math.nan))


@given(st.lists(st.tuples(maybe, maybe), max_size=20))
def test_the_largest_loss_comes_first_and_no_query_twice(pairs):
    queries = [f"q{i}" for i in range(len(pairs))]
    rows = charts.make_difference_rows(queries, [a for a, _ in pairs], [b for _, b in pairs])
    lost = [row["difference"] for row in rows]
    assert lost == sorted(lost)
    assert [row["place"] for row in rows] == list(range(1, len(rows) + 1))
    defined_queries = {
        q for q, pair in zip(queries, pairs, strict=True) if not any(map(math.isnan, pair))
    }
    assert {row["query"] for row in rows} == defined_queries


def test_queries_of_the_same_difference_keep_their_order_and_have_their_texts():
    rows = charts.make_difference_rows(["z", "a"], [0.5, 0.5], [0.5, 0.5], {"a": "what is it"})
    assert [(row["query"], row["text"]) for row in rows] == [("z", None), ("a", "what is it")]
