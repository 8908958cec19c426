"""Hostile names, opened, searched and moved."""

import json
from urllib.parse import quote

import pytest

from end_to_end.report.test_hostile_names import is_harmless
from report.html.sample_reports import EVIL

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("number", range(len(EVIL)))
def test_every_query_opens_by_its_address(open_page, report, number):
    query = f"{EVIL[number]}{number}"
    try:
        fragment = f"q={quote(query, safe='')}"
    except UnicodeEncodeError:  # no text of whole characters: no address can hold it
        fragment = f"n={number}"
    page = open_page.ready(report("hostile"), fragment=fragment)
    page.locator("#query").wait_for()
    assert "no query called" not in page.locator("#query").text_content()
    items = page.eval_on_selector_all("#query [data-item]", "all => all.map(a => a.dataset.item)")
    assert EVIL[0] in items
    assert is_harmless(page)


def test_searching_and_moving_what_means_harm_does_none(open_page, report):
    page = open_page.ready(report("hostile"))
    search = page.locator("#queries .controls input").first
    for evil in EVIL[:6]:
        search.fill(evil)
    search.fill("")
    page.locator("#queries tbody tr").first.locator("a, button").first.click()
    page.locator("#query").wait_for()
    page.keyboard.press("Escape")
    assert is_harmless(page)


def test_no_address_of_an_item_is_a_script(open_page, report):
    page = open_page.ready(report("hostile"), fragment=f"q={quote(f'{EVIL[0]}0', safe='')}")
    page.locator("#query").wait_for()
    addresses = page.eval_on_selector_all("[href]", "all => all.map(a => a.getAttribute('href'))")
    addresses += page.eval_on_selector_all("[src]", "all => all.map(a => a.getAttribute('src'))")
    assert not [a for a in addresses if a.lower().strip().startswith(("javascript", "data", "vb"))]


@pytest.mark.parametrize("fragment", ["%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "%E0%A4%A"])
def test_an_address_of_no_query_says_so(open_page, report, fragment):
    page = open_page.ready(report("three"), fragment=f"q={fragment}")
    assert "This report has no query called" in page.locator("#query").text_content()
    assert page.locator("img").count() == 0
    assert is_harmless(page)


def test_injected_scripts_and_handlers_are_dead(open_page, report):
    page = open_page.ready(report("three"))
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.pwned = 1";
            document.body.append(script);
            const handled = "<b onclick='window.pwned=1' id=it>b</b>";
            document.body.insertAdjacentHTML("beforeend", handled);
            document.getElementById("it").click();
        }"""
    )
    page.wait_for_timeout(100)
    assert is_harmless(page)
    assert open_page.trouble
    assert all("Content Security Policy" in message for message in open_page.trouble)
    open_page.trouble.clear()


def test_the_data_of_the_page_are_what_was_given(open_page, report):
    page = open_page.ready(report("hostile"))
    data = json.loads(page.locator("#page").text_content())
    assert data["runs"] == [EVIL[0], EVIL[1], EVIL[4]]
