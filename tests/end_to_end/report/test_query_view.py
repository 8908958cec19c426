"""One query, opened: its rankings and sums, and its address."""

import pytest

import gainful
from gainful.cli.demo import COLLECTION

pytestmark = pytest.mark.browser


def explain_query(query, run="hybrid.run", measure="nDCG@10"):
    return gainful.explain(COLLECTION / "qrels.txt", COLLECTION / run, query, measure)


def read_total(page, key):
    return float(page.locator(f'#query .rankings [data-total="{key}"]').get_attribute("data-value"))


def read_floats(page, selector, name):
    texts = page.eval_on_selector_all(selector, f"all => all.map(a => a.dataset.{name})")
    return [float(text) for text in texts]


def read_title(page):
    return page.locator("#query h2").text_content()


def test_a_click_on_a_bar_opens_a_query_whose_parts_add_up(open_page, report):
    page = open_page.ready(report("two"))
    chart = page.locator('figure[data-chart="differences"]')
    chart.scroll_into_view_if_needed()
    chart.locator(".live").wait_for()
    chart.locator('path[aria-label^="query q06"]').first.click()
    page.locator("#query").wait_for()
    assert read_title(page) == "Query q06"
    for side, run in (("a", "keyword.run"), ("b", "hybrid.run")):
        explanation = explain_query("q06", run)
        products = read_floats(page, f"#query .panel-{side} tbody [data-product]", "product")
        assert len(products) == page.locator(f"#query .panel-{side} tbody tr[data-item]").count()
        total = 0.0
        for product in products:
            total += product
        assert total == read_total(page, f"dcg-{side}") == explanation.total
        assert read_total(page, f"ndcg-{side}") == explanation.value
    assert read_total(page, "idcg") == explanation.best


def test_every_query_adds_up_as_the_library_does(open_page, report):
    page = open_page.ready(report("three"))
    for query in [f"q{number:02d}" for number in range(1, 13)]:
        page.evaluate(f"location.hash = '#q={query}'")
        page.locator("#query h2", has_text=f"Query {query}").wait_for()
        for side, run in (("a", "keyword.run"), ("b", "hybrid.run")):
            explanation = explain_query(query, run)
            rows = page.locator(f"#query .panel-{side} tbody tr[data-item]:not(.below)")
            items = rows.evaluate_all("all => all.map(a => a.dataset.item)")
            assert items == [position.item for position in explanation.positions]
            gains = read_floats(page, f"#query .panel-{side} tr:not(.below) [data-gain]", "gain")
            assert gains == [position.gain for position in explanation.positions]
            assert read_total(page, f"dcg-{side}") == explanation.total
            assert read_total(page, f"ndcg-{side}") == explanation.value


def test_what_was_missed_costs_what_the_library_says(open_page, report):
    page = open_page.ready(report("two"), fragment="q=q09")
    rows = page.locator("#query table.missed tbody tr")
    costs = dict(
        rows.evaluate_all(
            "all => all.map(a => [a.dataset.item,"
            " Number(a.querySelector('[data-cost]').dataset.cost)])"
        )
    )
    items = [*explain_query("q09").missed, *explain_query("q09", "keyword.run").missed]
    assert costs == {item.item: item.cost for item in items if item.cost > 0}


def test_the_address_of_a_query_survives_a_reload(open_page, report):
    page = open_page.ready(report("two"))
    page.locator("#queries tbody a", has_text="q07").click()
    assert read_title(page) == "Query q07"
    assert page.url.endswith("#q=q07")
    page.reload()
    page.locator("#query h2").wait_for()
    assert read_title(page) == "Query q07"
    assert page.evaluate("document.activeElement.id") == "query-title"
