"""What the page says of other tools."""

import re

import pytest

from gainful.cli.demo import COLLECTION
from gainful.evaluation.reconcile import list_shown_groups
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections import setup as reconcile
from gainful.report.html.write import make_page

QRELS, RUN = COLLECTION / "qrels.txt", COLLECTION / "hybrid.run"


@pytest.fixture(scope="module")
def found():
    return gather_experiment(QRELS, [RUN], "nDCG@10")


def html_of(experiment):
    text = make_page(experiment)
    return re.search(r'<section id="reconcile".*?</section>', text, re.DOTALL)[0]


def rows_of(table):
    return [[cell.text for cell in row] for row in table.groups[0].rows]


def valued(groups):
    return [group for group in groups if not group.refusal]


def test_every_group_is_a_row_and_the_report_itself_is_in_one(found):
    table = reconcile.reconcile_section(found).values["all"]
    assert table.n_rows == len(list_shown_groups(found.reconciliation))
    [own] = [row for row in table.groups[0].rows if row[3].text == "the reference"]
    assert own[0].text.startswith("this report, gainful, ")
    assert own[1].text == f"{found.scores[0]['nDCG@10']:.6f}"


def test_the_first_table_has_eight_rows_of_all_in_their_order(found):
    values = reconcile.reconcile_section(found).values
    few, every = rows_of(values["table"]), rows_of(values["all"])
    assert len(few) == 8
    assert few == [row for row in every if row in few]


def test_the_first_table_has_the_reference_the_highest_and_the_lowest(found):
    groups = list_shown_groups(found.reconciliation)
    main = reconcile.select_main_groups(groups)
    assert sum(group.has_reference for group in main) == 1
    assert (valued(main)[0], valued(main)[-1]) == (valued(groups)[0], valued(groups)[-1])


def test_no_group_that_is_folded_is_larger_than_those_that_are_not(found):
    groups = list_shown_groups(found.reconciliation)
    main = reconcile.select_main_groups(groups)
    ends = {valued(groups)[0], valued(groups)[-1], *(g for g in groups if g.has_reference)}
    smallest = min(len(group.members) for group in main if group not in ends)
    assert all(len(group.members) <= smallest for group in groups if group not in main)


def test_nothing_is_folded_where_a_screen_holds_all():
    html = html_of(gather_experiment({"q": {"a": 1}}, {"run": {"q": ["a"]}}, "nDCG@10"))
    assert "nDCG@10 by every tool&#39;s definition" in html
    assert "<details" not in html


def test_the_row_of_the_report_is_marked_as_yours_in_both_tables(found):
    tables = [reconcile.reconcile_section(found).values[name] for name in ("table", "all")]
    marked = [[row for row in t.groups[0].rows if row[0].mark == "yours"] for t in tables]
    assert [[row[3].text for row in rows] for rows in marked] == [["the reference"]] * 2
    assert html_of(found).count('<span class="tag">yours</span>') == 2


def test_a_sentence_says_first_how_far_the_tools_lie_apart(found):
    values = [group.value for group in valued(list_shown_groups(found.reconciliation))]
    assert (
        f"<p><bdi>nDCG@10 of hybrid is {min(values):.4f} to {max(values):.4f}, depending on whose "
        "definition; yours (this report) is 0.6947.</bdi> Each row says which choices make the "
        "difference, and by how much.</p>"
    ) in html_of(found)


def test_the_section_is_tables_without_script_and_small(found):
    html = html_of(found)
    assert "<script" not in html
    assert html.count("<tr") == len(list_shown_groups(found.reconciliation)) + 1 + 8 + 1
    n_shown = sum(len(group.members) for group in list_shown_groups(found.reconciliation))
    assert f"<summary>All {n_shown} definitions</summary>" in html
    assert "exponential gain (\N{MINUS SIGN}" in html
    assert len(html.encode()) < 22_000


def test_that_there_is_no_table_is_said(found):
    html = html_of(gather_experiment(QRELS, [RUN], "P@5"))
    assert "There is no table: no other tool is known to report P." in html
    assert "<table" not in html
