"""The table of queries: sorted, filtered, searched and paged by script."""

import pytest

pytestmark = pytest.mark.browser

ROWS = "#queries tbody tr"
MINUS = "\N{MINUS SIGN}"


def read_column(page, key):
    return page.locator(f'{ROWS} [data-column="{key}"]').all_text_contents()


def read_numbers(page, key):
    texts = read_column(page, key)
    return [None if text == "-" else float(text.replace(MINUS, "-").rstrip("%")) for text in texts]


def sort_rows(page, key):
    page.locator(f'#queries thead [data-column="{key}"]').click()


def show_kind(page, kind):
    page.locator('#queries [data-filter="kind"]').select_option(kind)


def test_the_largest_loss_comes_first(open_page, report):
    page = open_page.ready(report("two"))
    differences = read_numbers(page, "difference")
    assert differences == sorted(differences)
    assert len(differences) == 12
    assert read_column(page, "query")[:2] == ["q10", "q06"]


def test_a_header_sorts_and_says_so(open_page, report):
    page = open_page.ready(report("two"))
    for key in ("value-a", "value-b", "difference", "judged-b"):
        sort_rows(page, "query")
        sort_rows(page, key)
        numbers = read_numbers(page, key)
        assert numbers == sorted(numbers)
        header = page.locator(f'#queries th:has([data-column="{key}"])').first
        assert header.get_attribute("aria-sort") == "ascending"
        sort_rows(page, key)
        assert read_numbers(page, key) == sorted(numbers, reverse=True)
        assert header.get_attribute("aria-sort") == "descending"
        assert page.locator("#queries [aria-sort]").count() == 1


FILTERS = {
    "regressed": lambda difference, value: difference < 0,
    "improved": lambda difference, value: difference > 0,
    "unchanged": lambda difference, value: difference == 0,
    "zero": lambda difference, value: value == 0,
    "all": lambda difference, value: True,
}


def test_a_filter_leaves_the_queries_of_its_kind(open_page, report):
    page = open_page.ready(report("two"))
    columns = (
        read_column(page, "query"),
        read_numbers(page, "difference"),
        read_numbers(page, "value-b"),
    )
    rows = list(zip(*columns, strict=True))
    for kind, holds in FILTERS.items():
        expected = [query for query, difference, value in rows if holds(difference, value)]
        show_kind(page, kind)
        assert read_column(page, "query") == expected
        n = len(expected)
        count = page.locator("#queries .count").text_content()
        assert count == ("12 queries" if n == 12 else f"{n} of 12 queries")


def test_search_finds_ids_texts_and_items_in_any_case(open_page, report):
    page = open_page.ready(report("two"))
    search = page.locator("#queries input[type=search]")
    for words, queries in [
        ("Q07", ["q07"]),
        ("HEADLAMP", ["q07"]),
        ("lantern-004", ["q09"]),
        ("no such thing", []),
    ]:
        search.fill(words)
        assert [q for q in read_column(page, "query") if q in queries] == queries
        assert len(read_column(page, "query")) < 12
    search.fill("")
    assert len(read_column(page, "query")) == 12


def test_slices_are_filters_too(open_page, report):
    page = open_page.ready(report("two"))
    page.locator('#queries [data-filter="category"]').select_option("footwear")
    assert set(read_column(page, "query")) == {"q01", "q02", "q03"}


def test_another_pair_changes_the_table(open_page, report):
    page = open_page.ready(report("twenty"))
    first_differences = read_numbers(page, "difference")
    a, b = page.locator("#pair-choice select").all()
    assert a.locator("option").count() == 20
    a.select_option(label="system-02")
    b.select_option(label="system-03")
    assert "system-03" in page.locator('#queries thead [data-column="value-b"]').text_content()
    differences = read_numbers(page, "difference")
    assert differences != first_differences
    values = zip(
        read_numbers(page, "value-a"), read_numbers(page, "value-b"), differences, strict=True
    )
    assert all(abs(y - x - d) < 2e-4 for x, y, d in values)
