"""The what-if table: a moved ranking has the value that the library gives to it."""

import random

import pytest

import gainful
from gainful.cli.demo import COLLECTION

pytestmark = pytest.mark.browser

QRELS = COLLECTION / "qrels.txt"


def read_order(page):
    """Return the ranked items: those above the line that separates the unreturned ones."""
    return page.evaluate(
        """() => {
          const rows = [...document.querySelectorAll('#whatif tbody tr')];
          const line = rows.findIndex((row) => row.classList.contains('bench-line'));
          const ranked = line < 0 ? rows : rows.slice(0, line);
          return ranked.map((row) => row.dataset.item);
        }"""
    )


def read_total(page, key):
    return float(page.locator(f'#whatif [data-total="{key}"]').get_attribute("data-value"))


def find_row(page, item):
    return page.locator(f'#whatif tr[data-item="{item}"]')


def compute_value(page, query, measure="nDCG@10", qrels=QRELS):
    """Return the value that the library gives to the ranking on the page, alone."""
    scores = gainful.evaluate(qrels, {query: read_order(page)}, measure)
    return float(scores.column(scores.measures[0])[scores.queries.index(query)])


def assert_agrees(page, query):
    assert read_total(page, "ndcg") == compute_value(page, query)
    assert read_total(page, "dcg") == compute_value(page, query, "DCG@10")


def drag_item(page, item, target):
    """Drag with the mouse as a hand does, from row to row."""
    start, end = find_row(page, item).bounding_box(), find_row(page, target).bounding_box()
    x, beyond = start["x"] + start["width"] / 2, 4 if end["y"] > start["y"] else -4
    page.mouse.move(x, start["y"] + start["height"] / 2)
    page.mouse.down()
    for step in range(1, 11):
        y = start["y"] + (end["y"] - start["y"]) * step / 10
        page.mouse.move(x, y + end["height"] / 2 + beyond)
    page.mouse.up()


def test_nothing_has_changed_at_first(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09")
    assert_agrees(page, "q09")
    assert read_total(page, "change") == 0.0
    assert page.locator("#whatif [data-reset]").is_disabled()


def test_dragging_up_gives_the_value_of_the_moved_ranking(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09", height=1400)
    page.locator("#whatif").scroll_into_view_if_needed()
    order = read_order(page)
    drag_item(page, order[4], order[0])
    assert read_order(page) == [order[4], *order[:4], *order[5:]]
    assert_agrees(page, "q09")
    assert read_total(page, "change") == read_total(page, "ndcg") - compute_run_value("q09")
    assert read_total(page, "change") > 0
    assert page.locator("#whatif tr.dragged").count() == 0


def compute_run_value(query):
    scores = gainful.evaluate(QRELS, COLLECTION / "hybrid.run", "nDCG@10")
    return float(scores.column(scores.measures[0])[scores.queries.index(query)])


def test_keys_move_an_item_and_keep_the_focus(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09")
    order = read_order(page)
    find_row(page, order[4]).locator(".handle").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert read_order(page).index(order[4]) == 2
    assert_agrees(page, "q09")
    page.keyboard.press("Home")
    assert read_order(page)[0] == order[4]
    page.keyboard.press("ArrowDown")
    assert read_order(page)[1] == order[4]
    page.keyboard.press("End")
    assert read_order(page)[9] == order[4]
    assert_agrees(page, "q09")
    focused = page.evaluate("document.activeElement.closest('tr').dataset.item")
    assert focused == order[4]


def test_the_best_move_gains_what_it_says_and_ends_in_the_best_order(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09")
    for _ in range(30):
        hint = page.locator("#whatif .best-move")
        if hint.locator("button").count() == 0:
            break
        gain = hint.text_content().rpartition("+")[2].split()[0]
        value = read_total(page, "ndcg")
        hint.locator("button").click()
        assert f"{read_total(page, 'ndcg') - value:.4f}" == gain
        assert_agrees(page, "q09")
    assert hint.text_content() == (
        "No single move gains anything: this order is the best there is."
    )
    assert read_total(page, "ndcg") == 1.0


@pytest.mark.parametrize("query", ["q06", "q12"])
def test_any_moves_give_the_value_of_the_library(open_page, report, query):
    page = open_page.ready(report("three"), fragment=f"q={query}")
    draw = random.Random(query)
    for _ in range(8):
        items = page.eval_on_selector_all(
            "#whatif tr[data-item]", "all => all.map(a => a.dataset.item)"
        )
        find_row(page, draw.choice(items)).locator(".handle").focus()
        for key in draw.choices(["ArrowUp", "ArrowDown", "Home", "End"], [6, 6, 1, 1], k=4):
            page.keyboard.press(key)
        assert_agrees(page, query)
    page.locator("#whatif [data-reset]").click()
    assert read_total(page, "change") == 0.0
