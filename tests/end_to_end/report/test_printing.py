"""A printed report is complete, without the controls that paper cannot use."""

import pytest

pytestmark = pytest.mark.browser


def test_what_a_hand_would_use_is_not_printed(open_page, report):
    page = open_page.ready(report("three"), media="print")
    for control in ("#theme", "#queries .controls", "#pair-choice", "#to-judge-download"):
        assert not page.locator(control).is_visible(), control
    for button in page.locator("[data-copy]").all():
        assert not button.is_visible()


def test_charts_and_tables_are_printed(open_page, report):
    page = open_page.ready(report("three"), media="print")
    assert page.locator("figure.chart").count() >= 5
    for chart in page.locator("figure.chart .view svg").all():
        assert chart.is_visible()
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
