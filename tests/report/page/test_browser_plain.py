"""Without scripts a report is complete: every table and every chart is there to be read."""

import pytest

pytestmark = pytest.mark.browser

SECTIONS = (
    "verdict",
    "summary",
    "setup",
    "notices",
    "curves",
    "differences",
    "scatter",
    "distribution",
    "significance",
    "coverage",
    "slices",
    "queries",
    "examples",
    "holes",
    "rosetta",
    "quality",
    "glossary",
)
# Every chart: how many shapes it has, and how large it is once it is unfolded and chosen.
DRAWN = """() => {
    const radios = Array.from(document.querySelectorAll("input[type=radio]"));
    for (const one of document.querySelectorAll("details")) one.open = true;
    return Array.from(document.querySelectorAll("figure.chart"), (figure) => {
        const svg = figure.querySelector(".view svg");
        radios.find((one) => {
            if (!svg.getBoundingClientRect().width) one.checked = true;
            return svg.getBoundingClientRect().width;
        });
        const { width, height } = svg.getBoundingClientRect();
        const marks = svg.querySelectorAll("path, rect, line, text").length;
        return { name: figure.dataset.chart, marks, width, height };
    });
}"""
OF_PAIRS = {"differences", "scatter", "significance"}


@pytest.mark.parametrize("name", ["three", "two", "one", "twenty", "many"])
def test_every_chart_is_drawn_without_scripts(opened, report, name):
    page = opened(report(name), script=False)
    drawn = page.evaluate(DRAWN)
    assert len(drawn) >= 5
    for chart in drawn:
        assert chart["marks"] > 5, chart
        assert chart["width"] > 100, chart
        assert chart["height"] > 40, chart


@pytest.mark.parametrize("name", ["three", "one"])
def test_sections_stand_in_their_order(opened, report, name):
    page = opened(report(name), script=False)
    found = page.eval_on_selector_all("main [id]", "all => all.map(one => one.id)")
    wanted = [s for s in SECTIONS if not (name == "one" and s in OF_PAIRS)]
    assert [one for one in found if one in SECTIONS] == wanted


def test_tables_are_full_without_scripts(opened, report):
    page = opened(report("three"), script=False)
    assert page.locator("#summary tbody tr").count() >= 3
    assert page.locator("#queries tbody tr").count() == 12
    assert page.locator("#holes tbody tr").count() > 0
    assert page.locator("#examples details").count() >= 5
    for table in page.locator("main table").all():
        assert table.locator("thead th, tr th").count() > 0


def test_what_only_works_with_scripts_is_hidden_without(opened, report):
    page = opened(report("three"), script=False)
    for hidden in ("#pair-choice", "#queries .controls", "#query", "#theme", "#holes-download"):
        assert not page.locator(hidden).is_visible(), hidden
    for button in page.locator("button").all():
        assert not button.is_visible(), button.inner_text()


def test_the_first_screen_has_the_verdict_and_the_table(opened, report):
    page = opened(report("three"), script=False)
    for first in ("#verdict", "#summary table"):
        box = page.locator(first).bounding_box()
        assert box is not None
        assert box["y"] < 900, first
    assert "hybrid beats keyword on nDCG@10" in page.locator("#verdict").inner_text()


def test_a_page_without_styles_and_scripts_reads_from_top_to_bottom(opened, report):
    text = report("three").read_text(encoding="utf-8")
    policy = "<head><meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    page = opened(text.replace("<head>", policy, 1), script=False)
    refused = [one for one in opened.trouble if "Content Security Policy" in one]
    assert refused == opened.trouble
    opened.trouble.clear()
    said = " ".join(page.locator("main").inner_text().split())
    places = [said.index(one) for one in ("hybrid is better than", "0.6947", "q06")]
    assert places == sorted(places)
    assert page.locator("figure.chart svg").count() >= 5
