"""The table of queries: order of equals, unknown values, pages, and one run."""

import pytest

from end_to_end.report.test_query_table import ROWS, read_column, read_numbers, show_kind, sort_rows

pytestmark = pytest.mark.browser


def test_sorting_keeps_the_focus_and_the_order_of_equals(open_page, report):
    page = open_page.ready(report("two"))
    page.locator('#queries thead [data-column="judged-b"]').focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.column") == "judged-b"
    judged, queries = read_numbers(page, "judged-b"), read_column(page, "query")
    pairs = list(zip(judged, queries, strict=True))
    assert pairs == sorted(pairs)


def test_values_that_are_not_known_come_last(open_page, tmp_path):
    import gainful

    path = tmp_path / "empty.html"
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 0}, "q3": {"d2": 1}}
    runs = {"a": {q: ["d1", "d2"] for q in qrels}, "b": {q: ["d2", "d1"] for q in qrels}}
    gainful.write_report(qrels, runs, path, rules=gainful.Rules(empty="nan"))
    page = open_page.ready(path)
    for _ in range(2):
        sort_rows(page, "value-a")
        if "q2" in read_column(page, "query"):
            assert read_column(page, "query")[-1] == "q2"
            assert read_column(page, "value-a")[-1] == "-"


def test_unjudged_leaves_the_queries_with_unjudged_items(open_page, report):
    page = open_page.ready(report("two"))
    show_kind(page, "unjudged")
    judged = zip(read_numbers(page, "judged-a"), read_numbers(page, "judged-b"), strict=True)
    shares = [min(pair) for pair in judged]
    assert shares
    assert all(share < 100 for share in shares)


def test_a_search_without_a_hit_says_so(open_page, report):
    page = open_page.ready(report("two"))
    none, search = page.get_by_text("No query matches."), page.locator("#queries [type=search]")
    assert not none.is_visible()
    search.fill("no such thing")
    assert none.is_visible()
    assert page.locator("#queries .count").text_content() == "0 of 12 queries"
    search.fill("q07")
    assert not none.is_visible()


def test_rows_come_by_the_hundred(open_page, report):
    page = open_page.ready(report("many"))
    more = page.locator("#queries button.more")
    assert page.locator(ROWS).count() == 100
    assert more.text_content() == "Show 100 more (200 left)"
    more.click()
    assert page.locator(ROWS).count() == 200
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 101
    more.click()
    assert page.locator(ROWS).count() == 300
    assert more.is_hidden()


def test_one_run_has_its_own_columns_and_filters(open_page, report):
    page = open_page.ready(report("one"))
    keys = page.eval_on_selector_all(
        "#queries thead [data-column]", "all => all.map(a => a.dataset.column)"
    )
    assert keys == ["query", "text", "value-a", "judged-a"]
    kinds = page.locator('#queries [data-filter="kind"] option').all_text_contents()
    assert kinds == ["all", "zero", "perfect", "with unjudged items"]
    show_kind(page, "zero")
    assert set(read_numbers(page, "value-a")) == {0.0}


def test_the_same_run_on_both_sides_swaps_them(open_page, report):
    page = open_page.ready(report("twenty"))
    a, b = page.locator("#pair-choice select").all()
    pair = a.input_value(), b.input_value()
    a.select_option(pair[1])
    assert (a.input_value(), b.input_value()) == pair[::-1]


def test_two_runs_leave_nothing_to_choose(open_page, report):
    page = open_page.ready(report("two"))
    assert page.locator("#pair-choice").is_hidden()
