"""One query, opened: what it shows, how it opens and closes."""

import pytest

import gainful
from gainful.cli.demo import COLLECTION

pytestmark = pytest.mark.browser


def explained(query, run="hybrid.run", measure="nDCG@10"):
    return gainful.explain(COLLECTION / "qrels.txt", COLLECTION / run, query, measure)


def total(page, key):
    return float(page.locator(f'#query .rankings [data-total="{key}"]').get_attribute("data-value"))


def floats(page, selector, name):
    texts = page.eval_on_selector_all(selector, f"all => all.map(a => a.dataset.{name})")
    return [float(text) for text in texts]


def opened_query(page):
    return page.locator("#query h2").text_content()


def test_a_click_on_a_bar_opens_a_query_whose_parts_add_up(opened, report):
    page = opened.ready(report("two"))
    chart = page.locator('figure[data-chart="differences"]')
    chart.scroll_into_view_if_needed()
    chart.locator(".live").wait_for()
    chart.locator('path[aria-label^="query q06"]').first.click()
    page.locator("#query").wait_for()
    assert opened_query(page) == "Query q06"
    for side, run in (("a", "keyword.run"), ("b", "hybrid.run")):
        why = explained("q06", run)
        products = floats(page, f"#query .panel-{side} tbody [data-product]", "product")
        assert len(products) == page.locator(f"#query .panel-{side} tbody tr[data-item]").count()
        added = 0.0
        for product in products:
            added += product
        assert added == total(page, f"dcg-{side}") == why.total
        assert total(page, f"ndcg-{side}") == why.value
    assert total(page, "idcg") == why.best


def test_every_query_adds_up_as_the_library_does(opened, report):
    page = opened.ready(report("three"))
    for query in [f"q{number:02d}" for number in range(1, 13)]:
        page.evaluate(f"location.hash = '#q={query}'")
        page.locator("#query h2", has_text=f"Query {query}").wait_for()
        for side, run in (("a", "keyword.run"), ("b", "hybrid.run")):
            why = explained(query, run)
            rows = page.locator(f"#query .panel-{side} tbody tr[data-item]:not(.below)")
            shown = rows.evaluate_all("all => all.map(a => a.dataset.item)")
            assert shown == [position.item for position in why.positions]
            gains = floats(page, f"#query .panel-{side} tr:not(.below) [data-gain]", "gain")
            assert gains == [position.gain for position in why.positions]
            assert total(page, f"dcg-{side}") == why.total
            assert total(page, f"ndcg-{side}") == why.value


def test_what_was_missed_costs_what_the_library_says(opened, report):
    page = opened.ready(report("two"), fragment="q=q09")
    rows = page.locator("#query table.missed tbody tr")
    costs = dict(
        rows.evaluate_all(
            "all => all.map(a => [a.dataset.item,"
            " Number(a.querySelector('[data-cost]').dataset.cost)])"
        )
    )
    missed = [*explained("q09").missed, *explained("q09", "keyword.run").missed]
    assert costs == {one.item: one.cost for one in missed if one.cost > 0}


def test_the_address_of_a_query_survives_a_reload(opened, report):
    page = opened.ready(report("two"))
    page.locator("#queries tbody a", has_text="q07").click()
    assert opened_query(page) == "Query q07"
    assert page.url.endswith("#q=q07")
    page.reload()
    page.locator("#query h2").wait_for()
    assert opened_query(page) == "Query q07"
    assert page.evaluate("document.activeElement.id") == "query-title"
