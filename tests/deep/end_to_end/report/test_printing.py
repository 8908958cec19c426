"""The page on paper: colors, tables and definitions."""

import pytest

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_paper_is_white_and_letters_are_dark(open_page, report, dark):
    page = open_page.ready(report("three"), dark=dark, media="print")
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert _compute_brightness(ink) < 100
    assert _compute_brightness(paper) > 240


def test_no_table_is_cut_off_at_the_edge_of_the_paper(open_page, report):
    page = open_page.ready(report("three"), media="print", width=794)  # A4 at 96 dots an inch
    wide = page.eval_on_selector_all(
        "main table",
        "all => all.filter(t => t.offsetParent && t.scrollWidth > 794).map(t => t.innerText)",
    )
    assert wide == []


def test_all_definitions_are_printed_and_once(open_page, report):
    page = open_page.ready(report("three"), media="print", width=794)
    assert page.locator("#reconcile-all tr").last.is_visible()
    assert not page.locator("#reconcile-table").is_visible()


def _compute_brightness(color):
    """From 0 to 255; a color that lets all through shows the paper."""
    numbers = [float(n) for n in color.partition("(")[2].rstrip(")").split(",")]
    if len(numbers) == 4 and numbers[3] == 0:
        return 255
    return sum(numbers[:3]) / 3
