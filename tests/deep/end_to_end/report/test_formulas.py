"""The formulas of the glossary: their colors, and their width."""

import pytest

from gainful.cli.demo import COLLECTION
from gainful.report.html.write import write_report

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("dark", [False, True])
def test_formulas_have_the_color_of_text(open_page, report, dark):
    page = open_page(report("two"), dark=dark)
    color = "element => getComputedStyle(element).color"
    formula_color = page.locator("#glossary .formula mfrac").first.evaluate(color)
    assert formula_color == page.locator("#glossary .text").first.evaluate(color)


def test_a_wide_formula_scrolls_in_its_own_box(open_page, tmp_path):
    path = tmp_path / "wide.html"
    write_report(COLLECTION / "qrels.txt", [COLLECTION / "keyword.run"], path, ["INSQ"])
    page = open_page(path, width=375)
    box = page.locator("#glossary-INSQ ~ .formula")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    box.evaluate("box => box.scrollTo(9999, 0)")
    assert box.evaluate("box => box.scrollLeft") > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
