"""The page without scripts: the order of sections, and what is hidden."""

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
    "to-judge",
    "reconcile",
    "quality",
    "glossary",
)


OF_PAIRS = {"differences", "scatter", "significance"}


@pytest.mark.parametrize("name", ["three", "one"])
def test_sections_stand_in_their_order(open_page, report, name):
    page = open_page(report(name), script=False)
    found = page.eval_on_selector_all("main [id]", "all => all.map(one => one.id)")
    wanted = [s for s in SECTIONS if not (name == "one" and s in OF_PAIRS)]
    assert [one for one in found if one in SECTIONS] == wanted


def test_what_only_works_with_scripts_is_hidden_without(open_page, report):
    page = open_page(report("three"), script=False)
    for hidden in ("#pair-choice", "#queries .controls", "#query", "#theme", "#to-judge-download"):
        assert not page.locator(hidden).is_visible(), hidden
    for button in page.locator("button").all():
        assert not button.is_visible(), button.inner_text()


def test_a_page_without_styles_and_scripts_reads_from_top_to_bottom(open_page, report):
    text = report("three").read_text(encoding="utf-8")
    policy = "<head><meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    page = open_page(text.replace("<head>", policy, 1), script=False)
    refused = [one for one in open_page.trouble if "Content Security Policy" in one]
    assert refused == open_page.trouble
    open_page.trouble.clear()
    said = " ".join(page.locator("main").inner_text().split())
    places = [said.index(one) for one in ("hybrid is better than", "0.6947", "q06")]
    assert places == sorted(places)
    assert page.locator("figure.chart svg").count() >= 5
