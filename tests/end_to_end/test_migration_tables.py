"""Tables of docs/guides/from-*.md: the new text gives the same values as the old one."""

import doctest
import json
import re
import shlex
import sys

import numpy as np
import pytest

import gainful.evaluation.functions
from end_to_end.pages import ROOT, read_blocks
from gainful import cli
from gainful.adapters.trec_eval import run_trec_eval

DEMO = ROOT / "src" / "gainful" / "demo"
QRELS = str(DEMO / "qrels.txt")
ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|", re.MULTILINE)


def read_rows(page):
    """Return the old and the new text of every row of the page's tables."""
    return ROW.findall((ROOT / "docs" / "guides" / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("run", ["semantic.run", "hybrid.run"])
@pytest.mark.parametrize(("old_text", "new_text"), read_rows("from-trec-eval.md"))
def test_options_of_trec_eval_have_the_same_values_as_those_of_eval(
    old_text, new_text, run, monkeypatch, capsys
):
    files = [QRELS, str(DEMO / run)]
    result = run_trec_eval([*shlex.split(old_text), *files])
    assert result.code == 0
    expected = [float(line.split("\t")[2]) for line in result.stdout.splitlines()]
    monkeypatch.setattr(sys, "argv", ["gainful", "eval", *shlex.split(new_text), *files])
    assert cli.run() == 0
    actual = [float(line.split("\t")[1]) for line in capsys.readouterr().out.splitlines()]
    assert actual == pytest.approx(expected, abs=5.001e-5)
    assert any(expected)


def test_calls_of_scikit_learn_have_the_same_values_as_those_of_gainful():
    names = _define_scikit_learn_names() | _define_page_names("from-scikit-learn.md")
    rows = read_rows("from-scikit-learn.md")
    assert len(rows) > 10
    for old_text, new_text in rows:
        expected = np.asarray(eval(old_text, names))  # what the page says, as readers would type it
        assert np.asarray(eval(new_text, names)) == pytest.approx(expected, rel=1e-12), old_text
        assert expected.any(), old_text


def _define_scikit_learn_names():
    import sklearn.metrics

    rng = np.random.default_rng(3)
    y = rng.integers(0, 4, (6, 9))
    return vars(sklearn.metrics) | {"y": y, "s": rng.random((6, 9)), "w": rng.random(6), "b": y > 1}


def _define_page_names(page):
    """Return the functions of gainful, and those that the page defines first."""
    page_blocks = read_blocks(ROOT / "docs" / "guides" / page)
    block = next(block.text for block in page_blocks if ">>> def " in block.text)
    names = vars(gainful.evaluation.functions) | {}
    exec("".join(part.source for part in doctest.DocTestParser().get_examples(block)), names)
    return names


def test_names_of_ranx_have_the_values_that_it_returned():
    values = json.loads((ROOT / "tests" / "oracles" / "ranx.json").read_text())["values"]
    names = {
        old_name: new_name
        for old_name, new_name in read_rows("from-ranx.md")
        if old_name in values["hybrid"]
    }
    assert set(values["hybrid"]) - set(names) == {"bpref", "rbp.80", "ndcg@10-l2"}
    for run, expected in values.items():
        scores = gainful.evaluate(QRELS, DEMO / f"{run}.run", list(names.values()))
        for old_name, new_name in names.items():
            assert scores[new_name] == pytest.approx(expected[old_name], rel=1e-14), old_name


@pytest.mark.parametrize(
    ("old_name", "new_name", "lowest"), [("bpref", "Bpref", 0), ("ndcg@10-l2", "nDCG@10", 2)]
)
def test_names_of_ranx_that_take_labels_have_the_values_that_it_returned(
    old_name, new_name, lowest
):
    labels = {str(label): label if label >= lowest else 0 for label in range(-1, 4)}
    qrels = gainful.read_qrels(QRELS, labels=labels)
    values = json.loads((ROOT / "tests" / "oracles" / "ranx.json").read_text())["values"]
    for run, expected in values.items():
        actual = gainful.evaluate(qrels, DEMO / f"{run}.run", new_name)[new_name]
        assert actual == pytest.approx(expected[old_name], rel=1e-14)
