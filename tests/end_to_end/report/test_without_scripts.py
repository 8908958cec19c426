"""Without scripts a report is complete: every table and every chart is there."""

import pytest

pytestmark = pytest.mark.browser

# Every chart: how many shapes it has, and how large it is once it is unfolded and chosen.
MEASURE_CHARTS = """() => {
    const radios = Array.from(document.querySelectorAll("input[type=radio]"));
    for (const details of document.querySelectorAll("details")) details.open = true;
    return Array.from(document.querySelectorAll("figure.chart"), (figure) => {
        const svg = figure.querySelector(".view svg");
        radios.find((radio) => {
            if (!svg.getBoundingClientRect().width) radio.checked = true;
            return svg.getBoundingClientRect().width;
        });
        const { width, height } = svg.getBoundingClientRect();
        const marks = svg.querySelectorAll("path, rect, line, text").length;
        return { name: figure.dataset.chart, marks, width, height };
    });
}"""


@pytest.mark.parametrize("name", ["three", "one", "twenty"])
def test_every_chart_is_drawn_without_scripts(open_page, report, name):
    page = open_page(report(name), script=False)
    charts = page.evaluate(MEASURE_CHARTS)
    assert len(charts) >= 5
    for chart in charts:
        assert chart["marks"] > 5, chart
        assert chart["width"] > 100, chart
        assert chart["height"] > 40, chart


def test_tables_are_full_without_scripts(open_page, report):
    page = open_page(report("three"), script=False)
    assert page.locator("#summary tbody tr").count() >= 3
    assert page.locator("#queries tbody tr").count() == 12
    assert page.locator("#to-judge tbody tr").count() > 0
    assert page.locator("#examples details").count() >= 5
    for table in page.locator("main table").all():
        assert table.locator("thead th, tr th").count() > 0


def test_the_first_screen_has_the_verdict_and_the_table(open_page, report):
    page = open_page(report("three"), script=False)
    for selector in ("#verdict", "#summary table"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box["y"] < 900, selector
    assert "hybrid beats keyword on nDCG@10" in page.locator("#verdict").inner_text()
