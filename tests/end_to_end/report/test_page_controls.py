"""Live charts, the choice of runs, the theme, copies and downloads."""

import pytest

pytestmark = pytest.mark.browser


def find_live_figure(page, chart):
    figure = page.locator(f'figure[data-chart="{chart}"]')
    figure.scroll_into_view_if_needed()
    figure.locator(".live").wait_for()
    return figure


def test_charts_come_to_life_when_they_are_near(open_page, report):
    page = open_page.ready(report("three"))
    charts = page.eval_on_selector_all(
        "figure.chart", "all => all.map(a => a.checkVisibility() && a.dataset.chart)"
    )
    assert page.locator('figure[data-chart="possible"] .live').count() == 0
    for chart in filter(None, charts):
        assert find_live_figure(page, chart).locator("svg").count() == 1


def test_arrows_walk_along_the_bars_and_enter_opens_one(open_page, report):
    page = open_page.ready(report("three"))
    view = find_live_figure(page, "differences").locator(".view")
    view.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert view.locator(".walk").text_content().startswith("q06 tent pegs for sand: 0.7963 to")
    page.keyboard.press("Enter")
    assert page.locator("#query h2").text_content() == "Query q06"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.closest('figure').dataset.chart") == "differences"


def test_a_point_says_what_it_is(open_page, report):
    page = open_page.ready(report("three"))
    find_live_figure(page, "scatter").locator('path[aria-label^="query q07"]').first.hover()
    text = page.locator("#tooltip").text_content()
    assert "rechargeable headlamp red light" in text


def test_another_pair_redraws_its_charts(open_page, report):
    page = open_page.ready(report("three"))
    figure = find_live_figure(page, "differences")
    caption = figure.locator("figcaption").text_content()
    choice = page.locator("#pair-choice select").nth(1)
    candidate = choice.input_value()
    choice.select_option(label="semantic")
    label = figure.locator('path[aria-label^="query q06"]').first
    page.wait_for_function(
        "document.querySelector('[data-chart=differences] .view').textContent.includes('semantic')"
    )
    assert "semantic 0.0000" in label.get_attribute("aria-label")
    assert (
        figure.locator("figcaption")
        .text_content()
        .startswith("nDCG@10 of semantic less that of keyword")
    )
    choice.select_option(candidate)
    assert figure.locator("figcaption").text_content() == caption


def test_the_theme_goes_round_and_is_kept(open_page, report):
    page = open_page.ready(report("two"))
    button = page.locator("#theme")
    themes = []
    for _ in range(3):
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        themes.append((button.text_content(), background))
        button.click()
    assert [name for name, _ in themes] == ["Theme: auto", "Theme: light", "Theme: dark"]
    assert themes[0][1] == themes[1][1] != themes[2][1]
    button.click()
    page.reload()
    assert page.locator("#theme").text_content() == "Theme: light"


@pytest.mark.parametrize("allowed", [True, False])
def test_tables_are_copied_with_and_without_the_clipboard(open_page, report, allowed):
    page = open_page.ready(report("two"), permissions=["clipboard-read", "clipboard-write"])
    if not allowed:
        page.evaluate(
            "Object.defineProperty(navigator, 'clipboard', {value: undefined, writable: true})"
        )
        page.evaluate(
            "document.addEventListener('copy', () => "
            "{ window.copied = document.activeElement.value; })"
        )
    button = page.locator('[data-copy="markdown"]')
    button.click()
    page.get_by_text("Copied", exact=True).wait_for()
    expected = page.evaluate("gainful.page.copies.markdown")
    read = "navigator.clipboard.readText()" if allowed else "window.copied"
    assert page.evaluate(read) == expected


def test_items_to_judge_are_saved_as_a_file(open_page, report):
    page = open_page.ready(report("two"))
    with page.expect_download() as download:
        page.locator("#to-judge-download").click()
    csv = download.value
    assert csv.suggested_filename == "to-judge.csv"
    with open(csv.path(), encoding="utf-8", newline="") as file:
        assert file.read() == page.evaluate("gainful.page.to_judge_csv")
