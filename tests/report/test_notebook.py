"""Scores, comparisons and explanations as notebooks show them."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.cli.demo import COLLECTION, RUNS
from gainful.report import View, render_html
from gainful.report.tables import GAIN, LOSS, Column, Table, make_printable, to_html

QRELS = {"q1": {"d1": 2, "d2": 1, "d3": 1}, "q2": {"d1": 1}}
OLD = {"q1": ["d9", "d2", "d1"], "q2": ["d9", "d1"]}
NEW = {"q1": ["d1", "d2", "d9"], "q2": ["d1"]}
HOSTILE = "<script>alert('1')</script>\u05d0\u05d1"


class Elements(HTMLParser):
    """The elements of a page, which must be closed in the order in which they were opened."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def make_results():
    runs = {"old": OLD, "new": NEW}
    return {
        "scores": gainful.evaluate(QRELS, NEW, ["nDCG@10", "P@1"]),
        "comparison": gainful.compare(QRELS, runs, ["nDCG@10", "P@1"]),
        "explanation": gainful.explain(QRELS, OLD, "q1"),
    }


@pytest.mark.parametrize("name", ["scores", "comparison", "explanation"])
def test_what_is_shown_is_well_formed_and_has_its_own_colors_for_bars_alone(name):
    html = make_results()[name]._repr_html_()
    assert "table" in Elements(html).tags
    assert not re.findall(r"(?<!-)color:", html)
    assert set(re.findall(r"background:([^;\"]+)", html)) <= {GAIN, LOSS}
    assert "<style" not in html
    assert "class=" not in html


def test_scores_have_a_title_the_means_and_the_notices():
    texts = Elements(make_results()["scores"]._repr_html_()).texts
    assert texts[:7] == [
        "Scores of 'run' on 2 queries",
        "measure",
        "run",
        "nDCG@10",
        "0.9202",
        "P@1",
        "1.0000",
    ]
    assert any(text.endswith("[unjudged-items]") for text in texts)
    assert any(text.startswith("rules: ties=item-desc") for text in texts)


def test_the_highest_mean_of_each_measure_is_bold():
    html = make_results()["comparison"]._repr_html_()
    assert re.findall(r"<td[^>]*><strong>(.*?)</strong>", html) == ["0.9202", "1.0000"]


def test_means_that_look_the_same_are_not_bold():
    same = gainful.compare(QRELS, {"old": OLD, "new": OLD}, "nDCG@10")
    assert "><strong>" not in same._repr_html_().replace("<p><strong>", "")


def test_of_many_runs_the_highest_mean_is_bold():
    runs = {f"run{i}": OLD for i in range(5)} | {"new": NEW}
    html = gainful.compare(QRELS, runs, ["nDCG@10", "P@1"])._repr_html_()
    assert re.findall(r"<td[^>]*><strong>(.*?)</strong>", html) == ["0.9202"]


def test_an_explanation_has_a_bar_for_every_product():
    why = make_results()["explanation"]
    html = why._repr_html_()
    widths = [float(w) for w in re.findall(rf"width:([\d.]+)em;background:{GAIN}", html)]
    products = [position.product for position in why.positions if position.product]
    costs = [missed.cost for missed in why.missed]
    expected = [5 * p / 2 for p in products] + [5 * cost / max(costs) for cost in costs]
    drawn = [width for width in widths if width]  # others draw the ideal only
    assert drawn == [pytest.approx(width, abs=0.005) for width in expected]
    assert f"{why.total:.4f}" in html
    assert f"{why.best:.4f}" in html


def test_a_bar_of_harm_has_another_color_and_a_sign():
    why = gainful.explain(
        {"q": {"bad": -1, "good": 1}}, {"q": ["bad", "good"]}, "q", "nDCG(gain=signed_exp2)@10"
    )
    html = why._repr_html_()
    assert LOSS in html
    assert ">-1.0000<" in html


def test_an_explanation_of_nothing_has_no_table():
    why = gainful.explain({"q": {"a": 0}}, {"q": []}, "q")
    assert "<table>" not in why._repr_html_()


def test_names_of_any_kind_are_shown_and_never_executed():
    qrels, run = {HOSTILE: {HOSTILE: 1, "b": 1}}, {HOSTILE: [HOSTILE, "c"]}
    runs = {HOSTILE: run, "other": {HOSTILE: ["c"]}}
    for result in (
        gainful.evaluate(qrels, run),
        gainful.compare(qrels, runs),
        gainful.explain(qrels, run, HOSTILE),
    ):
        assert "script" not in Elements(result._repr_html_()).tags
    assert HOSTILE in Elements(gainful.explain(qrels, run, HOSTILE)._repr_html_()).texts


def test_bars_stand_out_from_a_light_and_from_a_dark_page():
    def bright(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        light = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), light, strict=True)) + 0.05

    for color in (GAIN, LOSS):
        assert bright("#ffffff") / bright(color) >= 3
        assert bright(color) / bright("#212121") >= 3


def test_many_notes_can_be_folded_away_and_few_cannot():
    assert render_html(View(settings=["one"] * 4)).startswith("<ul>")
    assert render_html(View(settings=["one"] * 5)).startswith(
        "<details open><summary>5 notes</summary>"
    )
    assert render_html(View()) == ""


def test_a_comparison_of_the_bundled_runs_has_every_notice():
    runs = [COLLECTION / run for run in RUNS]
    of = gainful.compare(COLLECTION / "qrels.txt", runs, "nDCG@10")
    texts = Elements(of._repr_html_()).texts
    assert [text for text in texts if text.startswith("note: ")] == [n.line for n in of.notices]


@given(st.lists(st.text(), min_size=1, max_size=4), st.text(min_size=1))
def test_tables_of_any_text_give_it_back(cells, title):
    table = Table([*map(Column, cells)], [cells], title, styles={(0, 0): "best"})
    texts = "".join(Elements(to_html(table)).texts)
    assert texts == "".join(map(make_printable, [title, *cells, *cells]))


CONTROL = "a\x01\x1b[31m\u2028\udcff<b>"


def unprintable_data():
    qrels = {f"q{CONTROL}": {f"d{CONTROL}": 1, "d2": 0}, "q2": {"d2": 1}}
    old = {query: ["d2", f"d{CONTROL}"] for query in qrels}
    return qrels, {f"old{CONTROL}": old, f"new{CONTROL}": dict(list(old.items())[:1])}


def unprintable_results():
    qrels, runs = unprintable_data()
    first, name = next(iter(runs.values())), next(iter(runs))
    return (
        replace(gainful.evaluate(qrels, first, "nDCG@10"), run=name),
        gainful.compare(qrels, runs, "nDCG@10"),
        replace(gainful.explain(qrels, first, f"q{CONTROL}", "nDCG@10"), run=name),
    )


@pytest.mark.parametrize(
    ("number", "option_sets"),
    [
        (0, [{}, {"kind": "ecdf"}]),
        (1, [{}, {"of": "pairs"}]),
        (2, [{}, {"kind": "gains"}]),
    ],
)
def test_what_cannot_be_printed_neither_ends_a_notebook_nor_what_draws_a_chart(number, option_sets):
    result = unprintable_results()[number]
    assert "<b>" not in result._repr_html_().replace("<p><b>", "")
    result._repr_html_().encode()
    for options in option_sets:
        chart = result.plot(**options)
        assert "\x01" not in chart.to_json()
        assert "\\u0001" not in chart.to_json()
        assert "\\udcff" not in chart.to_json().replace("\\\\udcff", "")
