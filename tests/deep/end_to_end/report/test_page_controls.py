"""The page with narrow screens, many queries, and without Vega."""

import pytest

from end_to_end.report.test_page_controls import find_live_figure

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("script", [True, False])
def test_on_a_narrow_screen_charts_shrink_and_can_still_be_read(open_page, report, script):
    page = open_page(report("three"), width=375, script=script)
    sizes = page.evaluate(
        """[...document.querySelectorAll('figure.chart[data-chart] .view')]
          .filter((view) => view.checkVisibility())
          .map((view) => {
            const svg = view.querySelector('svg');
            const drawn = parseFloat(getComputedStyle(svg.querySelector('text')).fontSize);
            const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
            return [view.scrollWidth - view.clientWidth, drawn * scale];
          })"""
    )
    assert len(sizes) > 5
    assert all(beyond <= 1 and letters > 7.9 for beyond, letters in sizes)


def test_of_many_queries_some_are_drawn_with_both_ends(open_page, report):
    page = open_page.ready(report("twenty"))
    find_live_figure(page, "differences")
    page.locator("#pair-choice select").nth(0).select_option(label="system-05")
    rows = page.evaluate("gainful.pair.sampled().map((row) => [row.place, row.difference])")
    places, differences = zip(*rows, strict=True)
    assert (places[0], places[-1]) == (1, 60)
    assert list(differences) == sorted(differences)


def test_without_vega_the_drawings_stay_and_the_rest_works(open_page, report):
    text = report("three").read_text(encoding="utf-8")
    page = open_page.ready(text.replace('id="vega-packed"', 'id="none"'))
    message = "Charts stay as they were drawn: the page holds no vega-packed."
    assert open_page.trouble == [f"warning: {message}"]
    open_page.trouble.clear()
    assert page.locator('figure[data-chart="differences"] svg').count() == 1
    page.locator("#queries tbody a").first.click()
    assert page.locator("#query h2").is_visible()
    page.locator("#query .growth").wait_for(state="detached")
    open_page.trouble.clear()


def test_the_page_has_one_name_of_its_own(open_page, report):
    page = open_page.ready(report("two"))
    names = page.evaluate(
        """() => {
          const frame = document.createElement('iframe');
          document.body.append(frame);
          const usual = new Set(Object.getOwnPropertyNames(frame.contentWindow));
          frame.remove();
          return Object.getOwnPropertyNames(window).filter((name) => !usual.has(name));
        }"""
    )
    assert {name for name in names if name not in ("vega", "0")} == {"gainful"}
