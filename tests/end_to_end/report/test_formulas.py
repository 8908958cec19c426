"""The formulas of the glossary, as a browser shows them."""

import pytest

pytestmark = pytest.mark.browser


def test_formulas_are_drawn_as_mathematics_without_scripts(open_page, report):
    page = open_page(report("two"), script=False)
    formulas = page.locator("#glossary .formula math")
    assert formulas.count() == page.locator("#glossary .formula").count() >= 4
    for formula in formulas.all():
        assert formula.bounding_box()["height"] > 15
    assert page.locator("#glossary .text math").count() > 4
    assert "\\" not in page.locator("#glossary").inner_text()
    above, below = page.locator("#glossary-nDCG ~ .formula mfrac > *").all()[:2]
    assert above.bounding_box()["y"] + 5 < below.bounding_box()["y"]
