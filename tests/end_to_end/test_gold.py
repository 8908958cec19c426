"""Whole outputs on the bundled collection; ``make gold`` rewrites them, the diff is reviewed."""

import os
from pathlib import Path

import pytest

import gainful
from gainful.cli.demo import COLLECTION, RUNS
from gainful.report import FORMATS, render, view_runs

GOLD = Path(__file__).parents[1] / "gold"
MEASURES = [
    "nDCG@5,10",
    "nDCG(gain=exp2)@10",
    "nDCG(gain=signed_exp2)@10",
    "DCG@10",
    "nCG",
    "CG",
    "IDCG",
]


# Some that are not expected to change, so that a new dialect is no new output.
RECONCILE = [
    "trec_eval@10",
    "trec_eval@9",
    "burges",
    "wikipedia",
    "jarvelin-kekalainen",
    "lightgbm",
]


def evaluate_runs():
    judgments = gainful.read_qrels(COLLECTION / "qrels.txt")
    return [gainful.evaluate(judgments, COLLECTION / run, MEASURES) for run in RUNS]


def explain_query(run, query, **rules):
    return gainful.explain(
        COLLECTION / "qrels.txt", COLLECTION / f"{run}.run", query, rules=gainful.Rules(**rules)
    )


OUTPUT = {
    **{
        f"eval.{name}": lambda name=name: render(view_runs(evaluate_runs(), per_query=True), name)
        for name in [*FORMATS, "tidy"]
    },
    "eval-means.latex": lambda: render(view_runs(evaluate_runs()), "latex"),
    "eval-means.tidy": lambda: render(view_runs(evaluate_runs()), "tidy"),
    "explain-hybrid-q09.json": lambda: explain_query("hybrid", "q09").to_json() + "\n",
    "explain-keyword-q09-averaged.txt": lambda: (
        repr(explain_query("keyword", "q09", ties="average")) + "\n"
    ),
    "explain-semantic-q06.md": lambda: explain_query("semantic", "q06").to_markdown(),
    "reconcile-hybrid.md": lambda: gainful.reconcile(
        COLLECTION / "qrels.txt", COLLECTION / "hybrid.run", dialects=RECONCILE
    ).to_markdown(),
    "scores-semantic.tex": lambda: evaluate_runs()[1].to_latex(),
    "scores-semantic.html": lambda: evaluate_runs()[1]._repr_html_() + "\n",
}


@pytest.mark.parametrize("name", OUTPUT)
def test_output_is_as_reviewed(name):
    path, text = GOLD / name, OUTPUT[name]()
    if os.environ.get("GAINFUL_GOLD") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
