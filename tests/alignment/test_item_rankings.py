"""Run, judgments and item data, joined: rankings of items, and items that the data lack."""

import numpy as np
import pytest

import gainful
from gainful import ItemData, ItemRankings, Rules, evaluate
from gainful.alignment.item_rankings import align_items
from gainful.alignment.join import join

QRELS, RUN = {"u": {"a": 1}, "v": {"b": 2}}, {"u": ["b", "a", "x"], "v": ["c", "b"]}


@pytest.fixture
def write_items(tmp_path):
    def write(text):
        path = tmp_path / "items.txt"
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"catalog": ["a", "b"]}, "are not in the catalog ('c', 'x'); they are left out."),
        (
            {"popularity": {"a": 1, "b": 1}},
            "have no popularity ('c', 'x'); they count as the least popular.",
        ),
        (
            {"features": {"a": [1], "b": [2]}},
            "have no features ('c', 'x'); their distances are left out.",
        ),
    ],
)
def test_items_that_the_data_lack_are_counted_and_said(data, sentence):
    measure = next(m for n, m in MEASURES.items() if n in data)
    run = {"u": ["b", "c", "x"], "v": ["a", "b"]}
    notices = evaluate(QRELS, run, measure, items=ItemData(**data)).notices
    messages = [str(notice) for notice in notices if notice.code == "unknown-items"]
    assert messages == [f"run 'run': 2 of the 4 items that it recommends {sentence}"]


MEASURES = {
    "catalog": "Coverage",
    "popularity": "Novelty(share=interactions)",
    "features": "ILD",
}


def test_only_as_many_items_are_looked_at_as_measures_need():
    data = ItemData(catalog=["b", "c"])
    shallow, deep = (evaluate(QRELS, RUN, [m, "nDCG"], items=data) for m in ("Coverage@1", "Gini"))
    assert "unknown-items" not in [notice.code for notice in shallow.notices]
    assert "unknown-items" in [notice.code for notice in deep.notices]


def test_judged_measures_come_with_those_of_items_in_one_reading(write_items, tmp_path):
    run = tmp_path / "run"
    run.write_text("u Q0 b 1 2 t\nu Q0 a 2 1 t\nv Q0 b 1 1 t\n")
    completions = []
    scores = evaluate(
        QRELS,
        run,
        ["nDCG", "Coverage"],
        items=write_items("a\nb\nc\nd\n"),
        progress=lambda _, n_bytes, size: completions.append(n_bytes == size),
    )
    expected = evaluate(QRELS, run, "nDCG")
    assert scores["nDCG"] == expected["nDCG"]
    assert scores["Coverage"] == 0.5
    assert completions.count(True) == 1


def test_rankings_hold_the_labels_of_their_first_items():
    judgments, run = gainful.read_qrels(QRELS), gainful.read_run(RUN)
    ranked = align_items(join(judgments, run, Rules(), keep_top=2), ItemData(), 2)[0]
    assert isinstance(ranked, ItemRankings)
    assert [ranked.items.ids[i] for i in ranked.item] == ["b", "a", "c", "b"]
    assert np.array_equal(ranked.item_label, [np.nan, 1, np.nan, 2], equal_nan=True)
    assert ranked.select(np.array([1])).item.tolist() == ranked.item[2:].tolist()
    assert ranked.select(np.array([1])).item_label[1] == 2
