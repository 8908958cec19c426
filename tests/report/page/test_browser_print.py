"""On paper a report is dark on white, complete, and without what only a hand can use."""

import pytest

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_paper_is_white_and_letters_are_dark(opened, report, dark):
    page = opened.ready(report("three"), dark=dark, media="print")
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert _brightness(ink) < 100
    assert _brightness(paper) > 240


def test_what_a_hand_would_use_is_not_printed(opened, report):
    page = opened.ready(report("three"), media="print")
    for control in ("#theme", "#queries .controls", "#pair-choice", "#holes-download"):
        assert not page.locator(control).is_visible(), control
    for button in page.locator("[data-copy]").all():
        assert not button.is_visible()


def test_charts_and_tables_are_printed(opened, report):
    page = opened.ready(report("three"), media="print")
    assert page.locator("figure.chart").count() >= 5
    for chart in page.locator("figure.chart .view svg").all():
        assert chart.is_visible()
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")


def test_no_table_is_cut_off_at_the_edge_of_the_paper(opened, report):
    page = opened.ready(report("three"), media="print", width=794)  # A4 at 96 dots an inch
    wide = page.eval_on_selector_all(
        "main table",
        "all => all.filter(t => t.offsetParent && t.scrollWidth > 794).map(t => t.innerText)",
    )
    assert wide == []


def test_all_definitions_are_printed_and_once(opened, report):
    page = opened.ready(report("three"), media="print", width=794)
    assert page.locator("#rosetta-all tr").last.is_visible()
    assert not page.locator("#rosetta-table").is_visible()


def _brightness(colour):
    """From 0 to 255; a colour that lets all through shows the paper."""
    numbers = [float(n) for n in colour.partition("(")[2].rstrip(")").split(",")]
    if len(numbers) == 4 and numbers[3] == 0:
        return 255
    return sum(numbers[:3]) / 3
