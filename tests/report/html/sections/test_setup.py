"""The setup section: rules, the glossary, and what other tools report."""

import re

import pytest

from gainful.alignment.rules import Rules
from gainful.cli.demo import COLLECTION
from gainful.evaluation.reconcile import list_shown_groups
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections import setup
from gainful.report.html.write import make_page
from report.html.experiments import SMALL_QRELS, SMALL_RUNS


def test_every_rule_is_put_into_words():
    rules = Rules(ties="item-desc", depth=7)
    rows = setup.make_rules_table(rules).groups[0].rows
    assert [row[0].text for row in rows] == [
        name for name, value in rules.to_dict().items() if value is not None
    ]
    assert [cell.text for cell in rows[0]] == [
        "ties",
        "item-desc",
        "what orders items of equal score: item ids in descending byte order, as trec_eval does",
    ]


def test_the_glossary_has_every_measure_and_those_that_ndcg_is_made_of():
    glossary = setup.build_glossary_section(
        gather_experiment(SMALL_QRELS, SMALL_RUNS, "P@2,nDCG@3")
    ).values
    assert [entry["name"] for entry in glossary["entries"]] == ["P", "nDCG", "CG", "DCG", "IDCG"]
    for entry in glossary["entries"]:
        assert any(paragraph["kind"] == "formula" for paragraph in entry["paragraphs"])


QRELS, RUN = COLLECTION / "qrels.txt", COLLECTION / "hybrid.run"


@pytest.fixture(scope="module")
def experiment():
    return gather_experiment(QRELS, [RUN], "nDCG@10", reconcile=True)


def reconcile_html(experiment):
    text = make_page(experiment)
    return re.search(r'<section id="reconcile".*?</section>', text, re.DOTALL)[0]


def test_other_tools_are_left_out_unless_requested():
    assert 'id="reconcile"' not in make_page(gather_experiment(SMALL_QRELS, SMALL_RUNS))


def cell_texts(table):
    return [[cell.text for cell in row] for row in table.groups[0].rows]


def select_computed(groups):
    return [group for group in groups if not group.refusal]


def test_every_group_is_a_row_and_the_report_itself_is_in_one(experiment):
    table = setup.build_reconcile_section(experiment).values["all"]
    assert table.n_rows == len(list_shown_groups(experiment.reconciliation))
    [report_row] = [row for row in table.groups[0].rows if row[3].text == "the reference"]
    assert report_row[0].text.startswith("this report, gainful, ")
    assert report_row[1].text == f"{experiment.scores[0]['nDCG@10']:.6f}"


def test_the_first_table_has_eight_rows_of_all_in_their_order(experiment):
    values = setup.build_reconcile_section(experiment).values
    few, every = cell_texts(values["table"]), cell_texts(values["all"])
    assert len(few) == 8
    assert few == [row for row in every if row in few]


def test_the_first_table_has_the_reference_the_highest_and_the_lowest(experiment):
    groups = list_shown_groups(experiment.reconciliation)
    main = setup.select_main_groups(groups)
    assert sum(group.has_reference for group in main) == 1
    assert (select_computed(main)[0], select_computed(main)[-1]) == (
        select_computed(groups)[0],
        select_computed(groups)[-1],
    )


def test_no_group_that_is_folded_is_larger_than_those_that_are_not(experiment):
    groups = list_shown_groups(experiment.reconciliation)
    main = setup.select_main_groups(groups)
    ends = {
        select_computed(groups)[0],
        select_computed(groups)[-1],
        *(g for g in groups if g.has_reference),
    }
    smallest = min(len(group.members) for group in main if group not in ends)
    assert all(len(group.members) <= smallest for group in groups if group not in main)


def test_nothing_is_folded_where_a_screen_holds_all():
    html = reconcile_html(gather_experiment({"q": {"a": 1}}, {"run": {"q": ["a"]}}, reconcile=True))
    assert "nDCG@10 by every tool&#39;s definition" in html
    assert "<details" not in html


def test_the_row_of_the_report_is_marked_as_yours_in_both_tables(experiment):
    tables = [setup.build_reconcile_section(experiment).values[name] for name in ("table", "all")]
    marked = [[row for row in t.groups[0].rows if row[0].mark == "yours"] for t in tables]
    assert [[row[3].text for row in rows] for rows in marked] == [["the reference"]] * 2
    assert reconcile_html(experiment).count('<span class="tag">yours</span>') == 2


def test_a_sentence_says_first_how_far_the_tools_lie_apart(experiment):
    values = [
        group.value for group in select_computed(list_shown_groups(experiment.reconciliation))
    ]
    assert (
        f"<p><bdi>nDCG@10 of hybrid is {min(values):.4f} to {max(values):.4f}, depending on whose "
        "definition; yours (this report) is 0.6947.</bdi> Each row says which choices make the "
        "difference, and by how much.</p>"
    ) in reconcile_html(experiment)


def test_the_section_is_tables_without_script_and_small(experiment):
    html = reconcile_html(experiment)
    assert "<script" not in html
    assert html.count("<tr") == len(list_shown_groups(experiment.reconciliation)) + 1 + 8 + 1
    n_shown = sum(len(group.members) for group in list_shown_groups(experiment.reconciliation))
    assert f"<summary>All {n_shown} definitions</summary>" in html
    assert "exponential gain (\N{MINUS SIGN}" in html
    assert len(html.encode()) < 22_000


def test_that_there_is_no_table_is_said(experiment):
    html = reconcile_html(gather_experiment(QRELS, [RUN], "P@5", reconcile=True))
    assert "There is no table: no other tool is known to report P." in html
    assert "<table" not in html
