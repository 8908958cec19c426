"""One query, opened: moves, addresses, odd ids, ties and long rankings."""

import json
import math
from urllib.parse import quote

import pytest

import gainful
from end_to_end.report.test_query_view import explain_query, read_floats, read_title, read_total
from gainful.report.html.embedded_data import pack, unpack

pytestmark = pytest.mark.browser


def test_moves_are_told_from_a_to_b(open_page, report):
    page = open_page.ready(report("two"), fragment="q=q09")
    ranks = [
        page.eval_on_selector_all(
            f"#query .panel-{side} tr[data-item]", "all => all.map(a => a.dataset.item)"
        )
        for side in "ab"
    ]
    for side, items, opposite_items in (("a", *ranks), ("b", *reversed(ranks))):
        for rank, item in enumerate(items):
            row = page.locator(f'#query .panel-{side} tr[data-item="{item}"]')
            text = row.locator(".move .unseen").text_content()
            if item not in opposite_items:
                assert text == ("lost" if side == "a" else "new")
                continue
            up = (
                rank - opposite_items.index(item)
                if side == "a"
                else opposite_items.index(item) - rank
            )
            assert text == ("same" if not up else f"{'up' if up > 0 else 'down'} {abs(up)}")


def test_an_item_lights_up_on_both_sides(open_page, report):
    page = open_page.ready(report("two"), fragment="q=q09")
    page.locator("#query .panel-a tr[data-item]").nth(1).hover()
    lit = page.eval_on_selector_all("#query .rankings .lit", "all => all.map(a => a.dataset.item)")
    assert lit == ["lantern-004", "lantern-004"]
    page.locator("#query .panel-b tr[data-item]").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.rank") == "2"
    assert page.locator("#query .panel-b .lit").get_attribute("data-rank") == "2"


def test_the_parts_of_a_bar_are_shares_of_the_best_sum(open_page, report):
    page = open_page.ready(report("two"), fragment="q=q09")
    widths = page.eval_on_selector_all(
        "#query .bar", "all => all.map(a => [a.clientWidth, "
        "[...a.querySelectorAll('.segment')].reduce((s, p) => s + p.offsetWidth, 0)])"
    )  # fmt: skip
    shares = [parts / total for total, parts in widths]
    expected = [explain_query("q09", run).value for run in ("keyword.run", "hybrid.run")]
    assert shares == pytest.approx([*expected, 1.0], abs=0.01)


def test_back_leads_where_the_reader_came_from(open_page, report):
    page = open_page.ready(report("two"))
    page.locator("#queries tbody a", has_text="q07").click()
    page.locator('#query [data-step="next"]').click()
    assert read_title(page) == "Query q11"
    page.go_back()
    page.wait_for_function("document.querySelector('#query h2').textContent === 'Query q07'")
    page.go_back()
    page.locator("#query").wait_for(state="hidden")


def test_escape_closes_and_gives_the_focus_back(open_page, report):
    page = open_page.ready(report("two"))
    link = page.locator("#queries tbody a", has_text="q03")
    link.focus()
    page.keyboard.press("Enter")
    page.locator("#query").wait_for()
    assert page.evaluate("document.activeElement.id") == "query-title"
    page.keyboard.press("Escape")
    assert page.locator("#query").is_hidden()
    assert "#" not in page.url
    assert page.evaluate("document.activeElement.textContent") == "q03"


def test_a_query_that_is_not_there_is_said(open_page, report):
    for fragment, name in [("nothing", "nothing"), ("%E0%A4%A", "%E0%A4%A"), ("%", "%")]:
        page = open_page.ready(report("two"), fragment=f"q={fragment}")
        assert page.locator("#query p").text_content() == (
            f"This report has no query called {name}. The table above lists those it has."
        )
        page.keyboard.press("Escape")
        assert page.locator("#query").is_hidden()


def test_other_addresses_open_nothing(open_page, report):
    for fragment in ("", "queries", "q=", "=", "q", "n="):
        page = open_page.ready(report("two"), fragment=fragment)
        assert page.locator("#query").is_hidden()


def test_unusual_ids_have_addresses(open_page, tmp_path):
    ids = ["a b", "50%", "ü/ö?x=1#y", "q&amp;", "سؤال", "'\"<b>", "%2F", "+"]
    path = tmp_path / "ids.html"
    runs = {name: {q: ["d2", "d1"] for q in ids} for name in ("one", "two")}
    gainful.write_report({q: {"d1": 1} for q in ids}, runs, path)
    for query in ids:
        page = open_page.ready(path, fragment=f"q={quote(query, safe='')}")
        assert read_title(page) == f"Query {query}"
        page.keyboard.press("Escape")
        link = page.locator("#queries tbody a").nth(ids.index(query))
        link.click()
        assert read_title(page) == f"Query {link.text_content()}"


def test_one_run_shows_one_ranking(open_page, report):
    page = open_page.ready(report("one"), fragment="q=q09")
    assert page.locator("#query .ranking:not(.whatif)").count() == 1
    assert page.locator("#query .move").count() == 0
    explanation = explain_query("q09", "semantic.run")
    assert read_total(page, "dcg-a") == explanation.total
    assert read_total(page, "ndcg-a") == explanation.value


def test_a_run_that_returned_nothing_says_so(open_page, report):
    page = open_page.ready(report("one"), fragment="q=q06")
    assert page.locator("#query .empty").text_content() == (
        "This run returned nothing for this query."
    )
    assert read_total(page, "dcg-a") == 0.0


def test_another_pair_changes_the_query_that_is_open(open_page, report):
    page = open_page.ready(report("three"), fragment="q=q09")
    page.locator("#pair-choice select").nth(1).select_option(label="semantic")
    assert read_total(page, "dcg-b") == explain_query("q09", "semantic.run").total
    assert read_title(page) == "Query q09"


def test_averaged_ties_add_up(open_page, tmp_path):
    path = tmp_path / "ties.html"
    qrels = {"q1": {"d1": 3, "d2": 1, "d4": 2}}
    scores = {"d1": 1.0, "d2": 1.0, "d3": 1.0, "d4": 0.5, "d5": 0.5}
    rules = gainful.Rules(ties="average")
    runs = {"a": {"q1": scores}, "b": {"q1": dict(reversed(scores.items()))}}
    gainful.write_report(qrels, runs, path, "nDCG@4", rules=rules)
    explanation = gainful.explain(qrels, runs["a"], "q1", "nDCG@4", rules=rules)
    page = open_page.ready(path, fragment="q=q1")
    products = read_floats(page, "#query .panel-a tbody [data-product]", "product")
    assert math.isclose(math.fsum(products), explanation.total, rel_tol=1e-12)
    assert math.isclose(read_total(page, "dcg-a"), explanation.total, rel_tol=1e-12)
    assert math.isclose(read_total(page, "ndcg-a"), explanation.value, rel_tol=1e-12)
    notes = page.locator("#query .note").all_text_contents()
    assert "Ties are averaged: items of one score share the discounts of their ranks." in notes


def test_a_sum_that_is_no_share_is_shown_as_it_is(open_page, tmp_path):
    path = tmp_path / "dcg.html"
    qrels = {"q1": {"d1": 3, "d2": 1, "d4": 2}}
    run = {"q1": ["d2", "d3", "d1", "d4"]}
    gainful.write_report(qrels, {"one": run}, path, "DCG(gain=exp2)@3")
    page = open_page.ready(path, fragment="q=q1")
    assert (
        read_total(page, "dcg-a")
        == gainful.evaluate(qrels, run, "DCG(gain=exp2)@3")["DCG(gain=exp2)@3"]
    )
    assert page.locator('#query [data-total="ndcg-a"]').count() == 0


def test_a_ranking_that_goes_on_below_what_is_held_keeps_its_sum(open_page, tmp_path):
    path = tmp_path / "deep.html"
    items = [f"d{number}" for number in range(400)]
    qrels = {"q1": {"d0": 1, "d7": 2, "d399": 3}}
    gainful.write_report(qrels, {"one": {"q1": items}}, path, "nDCG")
    page = open_page.ready(path, fragment="q=q1")
    explanation = gainful.explain(qrels, {"q1": items}, "q1", "nDCG")
    assert read_total(page, "dcg-a") == explanation.total
    assert read_total(page, "ndcg-a") == explanation.value
    assert "not in the file" in page.locator("#query tfoot .rest").text_content()


def test_ranks_that_are_not_in_the_file_and_add_nothing_change_no_bit_of_the_sum(
    open_page, tmp_path
):
    path = tmp_path / "deep.html"
    items = [f"d{number}" for number in range(400)]
    qrels = {"q1": {"d2": 1, "d7": 2, "other": 3}}
    gainful.write_report(qrels, {"one": {"q1": items}}, path, "nDCG")
    page = open_page.ready(path, fragment="q=q1")
    explanation = gainful.explain(qrels, {"q1": items}, "q1", "nDCG")
    assert read_total(page, "dcg-a") == explanation.total
    assert read_total(page, "ndcg-a") == explanation.value


def test_rankings_that_are_not_in_the_file_are_found_by_a_command(open_page, report):
    text = report("two").read_text(encoding="utf-8")
    start = text.index('id="bulk">') + len('id="bulk">')
    end = text.index("</script>", start)
    data = unpack(json.loads(text[start:end]))
    data["details"] = [None] * len(data["queries"])
    page = open_page.ready(f"{text[:start]}{json.dumps(pack(data))}{text[end:]}", fragment="q=q09")
    assert page.locator("#query .note").text_content() == (
        "This query's rankings are not in the file; see them with: gainful explain QRELS RUN q09"
    )
    assert page.locator("#query .measures tbody tr").count() == 3


def test_a_measure_without_terms_is_explained_by_another(open_page, tmp_path):
    path = tmp_path / "ap.html"
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0}}
    run = {"q1": ["d2", "d1"], "q2": ["d1"]}
    gainful.write_report(qrels, {"one": run}, path, "AP")
    page = open_page.ready(path, fragment="q=q1")
    explanation = gainful.explain(qrels, run, "q1", "nDCG@10")
    assert read_total(page, "dcg-a") == explanation.total
    assert read_total(page, "ndcg-a") == explanation.value
    page = open_page.ready(path, fragment="q=q2")
    assert page.locator('#query .rankings [data-total="ndcg-a"]').text_content() == "-"


def test_a_ranking_that_gains_nothing_below_what_is_held_has_its_exact_sum(open_page, tmp_path):
    qrels = {"q1": {"good": 3, "fine": 1, "lost": 2}}
    runs = {"run": {"q1": ["other", "good", "fine", *(f"d{i}" for i in range(300))]}}
    gainful.write_report(qrels, runs, tmp_path / "r.html", "nDCG")
    page = open_page.ready(tmp_path / "r.html", fragment="q=q1")
    total = float(page.locator('#query [data-total="ndcg-a"]').get_attribute("data-value"))
    assert total == gainful.evaluate(qrels, runs["run"], "nDCG")["nDCG"]
