"""The Scores of one run or several as text: Markdown and LaTeX."""

import pytest

import gainful
from gainful import ItemData, Rules, evaluate
from report.views.test_scores import QRELS, RUN, of_queries


@pytest.fixture
def scores():
    measures = ["nDCG@2", "Coverage@1", "CG"]
    items = ItemData(catalog=["a", "b", "c", "d"])
    return evaluate(QRELS, RUN, measures, items=items, rules=Rules(empty="nan"))


def test_markdown_shows_every_query_and_then_the_means_on_request(scores):
    rules = f"\n- rules: {scores.rules} (3 queries)\n"
    wide, _, notes = scores.to_markdown(shape="wide").partition(rules)
    assert wide == (
        "| query | nDCG@2 | Coverage@1 | CG |\n|:--|--:|--:|--:|\n"
        "| q1 | 0.8597 | - | 3.0000 |\n| q2 | 1.0000 | - | 1.0000 |\n| q3 | nan | - | 0.0000 |\n"
        "| all | 0.9299 | 0.7500 | 1.3333 |\n"
    )
    tidy, _, same = scores.to_markdown(shape="tidy").partition(rules)
    assert tidy.splitlines()[-4:] == [
        "| run | q3 | CG | 0.0000 |",
        "| run | all | nDCG@2 | 0.9299 |",
        "| run | all | Coverage@1 | 0.7500 |",
        "| run | all | CG | 1.3333 |",
    ]
    assert notes == same == scores.to_markdown().partition(rules)[2]
    assert "[empty-queries]" in notes


def test_latex_shows_means_rules_and_notices():
    run = gainful.read_run(RUN, name="50%_of #1 & {é}")
    scores = evaluate(QRELS, run, ["nDCG@2", "Utility"])
    assert scores.to_latex() == (
        "% \\usepackage{booktabs}\n"
        "\\begin{tabular}{lr}\n"
        "\\toprule\n"
        "measure & 50\\%\\_of \\#1 \\& \\{é\\} \\\\\n"
        "\\midrule\n"
        "nDCG@2 & 0.6199 \\\\\n"
        "Utility & 0.6667 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n\n"
        "% rules: ties=item-desc order=score missing=zero duplicates=error "
        "unjudged=nonrelevant empty=zero precision=float64 (3 queries)\n"
        "% note: nothing is relevant for 1 of 3 judged queries ('q3'); normalized measures score "
        "them 0. [empty-queries]\n"
    )


def test_latex_shows_every_query_on_request():
    scores = of_queries(["[1]", "*2"], [[0.5, -1.0], [0.25, 0.0]])
    table = scores.to_latex(shape="wide").splitlines()
    assert table[1] == "\\begin{tabular}{lrr}"
    assert table[5:8] == [
        "{[}1] & 0.5000 & $-$1.0000 \\\\",
        "{*}2 & 0.2500 & 0.0000 \\\\",
        "all & 0.3750 & $-$0.5000 \\\\",
    ]
    table = scores.to_latex(shape="tidy").splitlines()
    assert table[1] == "\\begin{tabular}{lllr}"
    assert table[5] == "run & {[}1] & nDCG@10 & 0.5000 \\\\"
