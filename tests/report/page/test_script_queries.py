"""The table of queries: sorted, filtered, searched and paged by script."""

import pytest

pytestmark = pytest.mark.browser

ROWS = "#queries tbody tr"
MINUS = "\N{MINUS SIGN}"


def column(page, key):
    return page.locator(f'{ROWS} [data-column="{key}"]').all_text_contents()


def numbers(page, key):
    texts = column(page, key)
    return [None if text == "-" else float(text.replace(MINUS, "-").rstrip("%")) for text in texts]


def sort_by(page, key):
    page.locator(f'#queries thead [data-column="{key}"]').click()


def show(page, kind):
    page.locator('#queries [data-filter="kind"]').select_option(kind)


def test_the_largest_loss_comes_first(opened, report):
    page = opened.ready(report("two"))
    found = numbers(page, "difference")
    assert found == sorted(found)
    assert len(found) == 12
    assert column(page, "query")[:2] == ["q10", "q06"]


def test_a_header_sorts_and_says_so(opened, report):
    page = opened.ready(report("two"))
    for key in ("value-a", "value-b", "difference", "judged-b"):
        sort_by(page, "query")
        sort_by(page, key)
        found = numbers(page, key)
        assert found == sorted(found)
        header = page.locator(f'#queries th:has([data-column="{key}"])').first
        assert header.get_attribute("aria-sort") == "ascending"
        sort_by(page, key)
        assert numbers(page, key) == sorted(found, reverse=True)
        assert header.get_attribute("aria-sort") == "descending"
        assert page.locator("#queries [aria-sort]").count() == 1


def test_sorting_keeps_the_focus_and_the_order_of_equals(opened, report):
    page = opened.ready(report("two"))
    page.locator('#queries thead [data-column="judged-b"]').focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.column") == "judged-b"
    judged, queries = numbers(page, "judged-b"), column(page, "query")
    pairs = list(zip(judged, queries, strict=True))
    assert pairs == sorted(pairs)


def test_values_that_are_not_known_come_last(opened, tmp_path):
    import gainful

    path = tmp_path / "empty.html"
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 0}, "q3": {"d2": 1}}
    runs = {"a": {q: ["d1", "d2"] for q in qrels}, "b": {q: ["d2", "d1"] for q in qrels}}
    gainful.write_report(qrels, runs, path, rules=gainful.Rules(empty="nan"))
    page = opened.ready(path)
    for _ in range(2):
        sort_by(page, "value-a")
        if "q2" in column(page, "query"):
            assert column(page, "query")[-1] == "q2"
            assert column(page, "value-a")[-1] == "-"


@pytest.mark.parametrize(
    ("kind", "holds"),
    [
        ("regressed", lambda difference, value: difference < 0),
        ("improved", lambda difference, value: difference > 0),
        ("unchanged", lambda difference, value: difference == 0),
        ("zero", lambda difference, value: value == 0),
        ("all", lambda difference, value: True),
    ],
)
def test_a_filter_leaves_the_queries_of_its_kind(opened, report, kind, holds):
    page = opened.ready(report("two"))
    rows = zip(
        column(page, "query"), numbers(page, "difference"), numbers(page, "value-b"), strict=True
    )
    expected = [query for query, difference, value in rows if holds(difference, value)]
    show(page, kind)
    assert column(page, "query") == expected
    n = len(expected)
    said = page.locator("#queries .count").text_content()
    assert said == ("12 queries" if n == 12 else f"{n} of 12 queries")


def test_unjudged_leaves_the_queries_with_unjudged_items(opened, report):
    page = opened.ready(report("two"))
    show(page, "unjudged")
    judged = zip(numbers(page, "judged-a"), numbers(page, "judged-b"), strict=True)
    found = [min(pair) for pair in judged]
    assert found
    assert all(share < 100 for share in found)


def test_search_finds_ids_texts_and_items_in_any_case(opened, report):
    page = opened.ready(report("two"))
    search = page.locator("#queries input[type=search]")
    for words, found in [
        ("Q07", ["q07"]),
        ("HEADLAMP", ["q07"]),
        ("lantern-004", ["q09"]),
        ("no such thing", []),
    ]:
        search.fill(words)
        assert [q for q in column(page, "query") if q in found] == found
        assert len(column(page, "query")) < 12
    search.fill("")
    assert len(column(page, "query")) == 12


def test_a_search_without_a_hit_says_so(opened, report):
    page = opened.ready(report("two"))
    none, search = page.get_by_text("No query matches."), page.locator("#queries [type=search]")
    assert not none.is_visible()
    search.fill("no such thing")
    assert none.is_visible()
    assert page.locator("#queries .count").text_content() == "0 of 12 queries"
    search.fill("q07")
    assert not none.is_visible()


def test_slices_are_filters_too(opened, report):
    page = opened.ready(report("two"))
    page.locator('#queries [data-filter="category"]').select_option("footwear")
    assert set(column(page, "query")) == {"q01", "q02", "q03"}


def test_rows_come_by_the_hundred(opened, report):
    page = opened.ready(report("many"))
    more = page.locator("#queries button.more")
    assert page.locator(ROWS).count() == 100
    assert more.text_content() == "Show 100 more (200 left)"
    more.click()
    assert page.locator(ROWS).count() == 200
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 101
    more.click()
    assert page.locator(ROWS).count() == 300
    assert more.is_hidden()


def test_one_run_has_its_own_columns_and_filters(opened, report):
    page = opened.ready(report("one"))
    keys = page.eval_on_selector_all(
        "#queries thead [data-column]", "all => all.map(a => a.dataset.column)"
    )
    assert keys == ["query", "text", "value-a", "judged-a"]
    kinds = page.locator('#queries [data-filter="kind"] option').all_text_contents()
    assert kinds == ["all", "zero", "perfect", "with unjudged items"]
    show(page, "zero")
    assert set(numbers(page, "value-a")) == {0.0}


def test_another_pair_changes_the_table(opened, report):
    page = opened.ready(report("twenty"))
    before = numbers(page, "difference")
    a, b = page.locator("#pair-choice select").all()
    assert a.locator("option").count() == 20
    a.select_option(label="system-02")
    b.select_option(label="system-03")
    assert "system-03" in page.locator('#queries thead [data-column="value-b"]').text_content()
    after = numbers(page, "difference")
    assert after != before
    values = zip(numbers(page, "value-a"), numbers(page, "value-b"), after, strict=True)
    assert all(abs(y - x - d) < 2e-4 for x, y, d in values)


def test_the_same_run_on_both_sides_swaps_them(opened, report):
    page = opened.ready(report("twenty"))
    a, b = page.locator("#pair-choice select").all()
    before = a.input_value(), b.input_value()
    a.select_option(before[1])
    assert (a.input_value(), b.input_value()) == before[::-1]


def test_two_runs_leave_nothing_to_choose(opened, report):
    page = opened.ready(report("two"))
    assert page.locator("#pair-choice").is_hidden()
