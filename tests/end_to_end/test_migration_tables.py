"""The tables of docs/guides/from-*.md: what is written now gives what was written before."""

import doctest
import json
import re
import shlex
import sys

import numpy as np
import pytest

import gainful.evaluation.functions
from end_to_end.pages import ROOT, blocks
from gainful import Rules, cli
from gainful.adapters.trec_eval import run_trec_eval

DEMO = ROOT / "src" / "gainful" / "demo"
QRELS = str(DEMO / "qrels.txt")
ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|", re.MULTILINE)


def rows(page):
    """What was written, and what is written now, of every row of the page's tables."""
    return ROW.findall((ROOT / "docs" / "guides" / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("run", ["semantic.run", "hybrid.run"])
@pytest.mark.parametrize(("before", "now"), rows("from-trec-eval.md"))
def test_options_of_trec_eval_have_the_same_values_as_those_of_eval(
    before, now, run, monkeypatch, capsys
):
    files = [QRELS, str(DEMO / run)]
    old = run_trec_eval([*shlex.split(before), *files])
    assert old.code == 0
    theirs = [float(line.split("\t")[2]) for line in old.stdout.splitlines()]
    monkeypatch.setattr(sys, "argv", ["gainful", "eval", *shlex.split(now), *files])
    assert cli.run() == 0
    ours = [float(line.split("\t")[1]) for line in capsys.readouterr().out.splitlines()]
    assert ours == pytest.approx(theirs, abs=5.001e-5)
    assert any(theirs)


def test_calls_of_scikit_learn_have_the_same_values_as_those_of_gainful():
    names = _names_of_scikit_learn() | _names_of_the_page("from-scikit-learn.md")
    found = rows("from-scikit-learn.md")
    assert len(found) > 10
    for before, now in found:
        theirs = np.asarray(eval(before, names))  # what the page says, as readers would type it
        assert np.asarray(eval(now, names)) == pytest.approx(theirs, rel=1e-12), before
        assert theirs.any(), before


def _names_of_scikit_learn():
    import sklearn.metrics

    rng = np.random.default_rng(3)
    y = rng.integers(0, 4, (6, 9))
    return vars(sklearn.metrics) | {"y": y, "s": rng.random((6, 9)), "w": rng.random(6), "b": y > 1}


def _names_of_the_page(page):
    """What the page's first definitions of functions define, beside the functions of gainful."""
    found = blocks(ROOT / "docs" / "guides" / page)
    block = next(block.text for block in found if ">>> def " in block.text)
    names = vars(gainful.evaluation.functions) | {}
    exec("".join(part.source for part in doctest.DocTestParser().get_examples(block)), names)
    return names


def test_names_of_ranx_have_the_values_that_it_returned():
    values = json.loads((ROOT / "tests" / "oracles" / "ranx.json").read_text())["values"]
    names = {before: now for before, now in rows("from-ranx.md") if before in values["hybrid"]}
    assert set(values["hybrid"]) - set(names) == {"bpref", "rbp.80", "ndcg@10-l2"}
    for run, theirs in values.items():
        ours = gainful.evaluate(QRELS, DEMO / f"{run}.run", list(names.values()))
        for before, now in names.items():
            assert ours[now] == pytest.approx(theirs[before], rel=1e-14), before


@pytest.mark.parametrize(
    ("before", "now", "rules"),
    [("bpref", "Bpref", Rules(min_label=0)), ("ndcg@10-l2", "nDCG@10", Rules(min_label=2))],
)
def test_names_of_ranx_that_take_a_rule_have_the_values_that_it_returned(before, now, rules):
    values = json.loads((ROOT / "tests" / "oracles" / "ranx.json").read_text())["values"]
    for run, theirs in values.items():
        ours = gainful.evaluate(QRELS, DEMO / f"{run}.run", now, rules=rules)[now]
        assert ours == pytest.approx(theirs[before], rel=1e-14)
