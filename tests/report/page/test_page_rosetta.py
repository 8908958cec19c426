"""What the page says of other tools."""

import re

import pytest

from gainful.cli.demo import COLLECTION
from gainful.experiment.gathering import experiment
from gainful.report.page.assembly import page
from gainful.report.page.sections import rosetta
from gainful.translation.grouping import shown_groups

QRELS, RUN = COLLECTION / "qrels.txt", COLLECTION / "hybrid.run"


@pytest.fixture(scope="module")
def found():
    return experiment(QRELS, [RUN], "nDCG@10")


def html_of(experiment):
    text = page(experiment)
    return re.search(r'<section id="rosetta".*?</section>', text, re.DOTALL)[0]


def test_every_group_is_a_row_and_the_report_itself_is_in_one(found):
    table = rosetta.section(found).values["table"]
    assert table.n_rows == len(shown_groups(found.rosetta))
    [own] = [row for row in table.groups[0].rows if row[3].text == "the reference"]
    assert own[0].text.startswith("this report, gainful, ")
    assert own[1].text == f"{found.scores[0]['nDCG@10']:.6f}"


def test_the_section_is_a_table_without_script_and_small(found):
    html = html_of(found)
    assert "<script" not in html
    assert html.count("<tr") == len(shown_groups(found.rosetta)) + 1
    assert "exponential gain (\N{MINUS SIGN}" in html
    assert len(html.encode()) < 20_000


def test_that_there_is_no_table_is_said(found):
    html = html_of(experiment(QRELS, [RUN], "P@5"))
    assert "There is no table: no other tool is known to report P." in html
    assert "<table" not in html
