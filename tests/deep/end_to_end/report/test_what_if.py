"""What if an item is moved: by finger, by buttons, in and out."""

import pytest

import gainful
from end_to_end.report.test_what_if import (
    assert_agrees,
    compute_value,
    drag_item,
    find_row,
    read_order,
    read_total,
)

pytestmark = pytest.mark.browser


def test_dragging_down_over_the_cutoff_takes_away(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09", height=1600)
    page.locator("#whatif").scroll_into_view_if_needed()
    items = read_order(page)
    drag_item(page, items[2], items[12])
    assert read_order(page).index(items[2]) == 12
    assert_agrees(page, "q09")
    assert read_total(page, "change") < 0


def test_a_finger_drags_by_the_handle(open_page, report):
    page = open_page.ready(
        report("three"), fragment="q=q09", width=375, height=900, has_touch=True, is_mobile=True
    )
    page.locator("#whatif tbody").scroll_into_view_if_needed()
    items = read_order(page)
    client = page.context.new_cdp_session(page)
    find_row(page, items[0]).scroll_into_view_if_needed()
    handle = find_row(page, items[1]).locator(".handle").bounding_box()
    goal = find_row(page, items[0]).bounding_box()
    x = handle["x"] + handle["width"] / 2
    touch(client, "touchStart", x, handle["y"] + handle["height"] / 2)
    for step in range(1, 11):
        y = handle["y"] + (goal["y"] + 4 - handle["y"]) * step / 10
        touch(client, "touchMove", x, y)
    touch(client, "touchEnd")
    assert read_order(page)[:2] == [items[1], items[0]]
    assert_agrees(page, "q09")


def touch(client, kind, *place):
    points = [{"x": place[0], "y": place[1]}] if place else []
    client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_buttons_move_an_item_and_say_the_new_value(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09")
    item = read_order(page)[4]
    find_row(page, item).locator('[data-move="up"]').click()
    assert read_order(page)[3] == item
    status = page.locator("#whatif [role=status]").text_content()
    total = page.locator('#whatif [data-total="ndcg"]').text_content()
    assert status.startswith(f"{item} to rank 4. nDCG@10 {total}, change +")
    find_row(page, item).locator('[data-move="top"]').click()
    assert read_order(page)[0] == item
    assert find_row(page, item).locator('[data-move="up"]').is_disabled()
    assert_agrees(page, "q09")


def test_what_was_not_returned_comes_in_and_goes_out_again(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09", height=1600)
    page.locator("#whatif select").select_option(label="keyword")
    items = read_order(page)
    item = page.locator("#whatif .bench-line ~ tr").first.get_attribute("data-item")
    find_row(page, item).locator('[data-move="up"]').click()
    assert read_order(page) == [*items, item]
    find_row(page, item).locator('[data-move="top"]').click()
    assert read_order(page) == [item, *items]
    assert_agrees(page, "q09")
    page.locator("#whatif [data-reset]").click()
    assert read_order(page) == items
    assert read_total(page, "change") == 0.0


def test_what_was_not_returned_is_dragged_in(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09", height=1900)
    page.locator("#whatif select").select_option(label="keyword")
    page.locator("#whatif").scroll_into_view_if_needed()
    items = read_order(page)
    item = page.locator("#whatif .bench-line ~ tr").first.get_attribute("data-item")
    drag_item(page, item, items[2])
    assert read_order(page) == [*items[:2], item, *items[2:]]
    assert_agrees(page, "q09")


def test_gains_of_any_kind_and_sums_that_are_no_share(open_page, tmp_path):
    qrels = {"q1": {"d1": 3, "d2": 0.5, "d4": -2, "d9": 2}}
    run = {"q1": ["d4", "d3", "d2", "d1", "d5"]}
    measures = ["DCG(gain=signed_exp2)@3", "nDCG(gain=exp2)@4", "nDCG(discount=jk(2))", "CG@2"]
    for number, measure in enumerate(measures):
        path = tmp_path / f"{number}.html"
        gainful.write_report(qrels, {"one": run}, path, measure)
        page = open_page.ready(path, fragment="q=q1")
        for item in ("d1", "d9", "d2"):
            find_row(page, item).locator('[data-move="top"]').click()
            total = read_total(page, "ndcg" if measure.startswith("n") else "dcg")
            assert total == compute_value(page, "q1", measure, qrels)


def test_a_query_with_nothing_relevant_stays_as_it_is(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q12")
    find_row(page, read_order(page)[3]).locator('[data-move="top"]').click()
    assert read_total(page, "ndcg") == 0.0
