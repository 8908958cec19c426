"""The page without scripts: the order of sections, and what is hidden."""

import pytest

pytestmark = pytest.mark.browser


SECTIONS = (
    "verdict",
    "summary",
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
    "setup",
    "glossary",
)


PAIR_SECTIONS = {"differences", "scatter", "significance"}


@pytest.mark.parametrize("name", ["three", "one"])
def test_sections_stand_in_their_order(open_page, report, name):
    page = open_page(report(name), script=False)
    ids = page.eval_on_selector_all("main [id]", "all => all.map(one => one.id)")
    expected = [s for s in SECTIONS if not (name == "one" and s in PAIR_SECTIONS)]
    assert [section for section in ids if section in SECTIONS] == expected


def test_what_only_works_with_scripts_is_hidden_without(open_page, report):
    page = open_page(report("three"), script=False)
    for selector in (
        "#pair-choice",
        "#queries .controls",
        "#query",
        "#theme",
        "#to-judge-download",
    ):
        assert not page.locator(selector).is_visible(), selector
    for button in page.locator("button").all():
        assert not button.is_visible(), button.inner_text()


def test_a_page_without_styles_and_scripts_reads_from_top_to_bottom(open_page, report):
    text = report("three").read_text(encoding="utf-8")
    policy = "<head><meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    page = open_page(text.replace("<head>", policy, 1), script=False)
    messages = [message for message in open_page.trouble if "Content Security Policy" in message]
    assert messages == open_page.trouble
    open_page.trouble.clear()
    words = " ".join(page.locator("main").inner_text().split())
    places = [words.index(phrase) for phrase in ("hybrid is better than", "0.6947", "q06")]
    assert places == sorted(places)
    assert page.locator("figure.chart svg").count() >= 5
