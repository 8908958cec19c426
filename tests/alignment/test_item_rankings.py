"""What is known of items: read, refused, and missed."""

import subprocess
import sys

import numpy as np
import pytest

import gainful
from gainful import ItemData, ItemRankings, MeasureError, Rules, SourceError, evaluate, read_items
from gainful.alignment.item_rankings import align_items
from gainful.alignment.join import READING
from gainful.measures import REGISTRY

QRELS, RUN = {"u": {"a": 1}, "v": {"b": 2}}, {"u": ["b", "a", "x"], "v": ["c", "b"]}


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "items.txt"
        path.write_text(text)
        return str(path)

    return written


def test_a_file_of_ids_is_a_catalogue(file):
    data = read_items(file("a\nb\n"))
    assert data.catalogue == {"a", "b"}
    assert data.popularity is data.features is None


def test_a_file_holds_popularity_and_features(file):
    data = read_items(file("# item popularity features\na 3 1 0.5\nb\t0  -1 2e1\n"), n_users=3)
    assert data.popularity == {"a": 3, "b": 0}
    assert {item: vector.tolist() for item, vector in data.features.items()} == {
        "a": [1, 0.5],
        "b": [-1, 20],
    }
    assert (data.n_users, data.n_comments) == (3, 1)
    notices = evaluate(QRELS, RUN, "Coverage", items=data).notices
    assert any(notice.code == "comment-lines" and "items.txt" in str(notice) for notice in notices)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "PATH: there are no items in it."),
        (
            "a 1\nb\n",
            "PATH, line 2: expected 2 fields, found 1: 'b'. "
            "A line of items is: item [popularity] [feature...].",
        ),
        ("a 1\n\na 2\n", "PATH, line 3: item 'a' is listed twice (first on line 1)."),
        ("a 1\nb x\n", "PATH, line 2: popularity must be a finite number, got 'x'."),
        ("a 1 nan\n", "PATH, line 1: a feature must be a finite number, got 'nan'."),
        ("a 1\nb -1\n", "PATH: the popularity of 'b' must be 0, or from 1 to 1e+15, got -1.0."),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_a_sentence(file, text, sentence):
    path = file(text)
    with pytest.raises(SourceError) as error:
        read_items(path)
    assert str(error.value) == sentence.replace("PATH", path)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"catalogue": []}, "items: the catalogue must hold the ids of items, got []."),
        ({"catalogue": "abc"}, "items: the catalogue must hold the ids of items, got 'abc'."),
        (
            {"catalogue": [1.5]},
            "items: an id must be a string, an integer, bytes or a UUID, got 1.5.",
        ),
        ({"popularity": [1]}, "items: popularity must be a dict of items, got [1]."),
        (
            {"popularity": {"a": 0.5}},
            "items: the popularity of 'a' must be 0, or from 1 to 1e+15, got 0.5.",
        ),
        (
            {"popularity": {"a": "1"}},
            "items: the popularity of 'a' must be 0, or from 1 to 1e+15, got '1'.",
        ),
        (
            {"popularity": {"1": 1, 1: 2}},
            "items: popularity must name every item once, got an id as text and as a number.",
        ),
        ({"n_users": 0}, "items: n_users must be an integer >= 1, got 0."),
        (
            {"popularity": {"a": 4}, "n_users": 3},
            "items: the popularity of 'a' must be at most n_users=3, got 4.",
        ),
        ({"features": {}}, "items: features must be a dict of items, got {}."),
        (
            {"features": {"a": [1, 2], "b": [1]}},
            "items: the features of 'b' must be 2 finite numbers, got [1].",
        ),
        ({"features": {"a": []}}, "items: the features of 'a' must be finite numbers, got []."),
        ({"features": {"a": "x"}}, "items: the features of 'a' must be finite numbers, got 'x'."),
        (
            {"features": {"a": [float("inf")]}},
            "items: the features of 'a' must be 1 finite number, got [inf].",
        ),
    ],
)
def test_data_that_are_wrong_are_refused_with_a_sentence(data, sentence):
    with pytest.raises(SourceError) as error:
        ItemData(**data)
    assert str(error.value) == sentence


def test_what_holds_no_items_is_refused():
    with pytest.raises(SourceError) as error:
        evaluate(QRELS, RUN, "Coverage", items={"a": 1})
    assert str(error.value) == (
        "items: must hold a dict for every id, or a list for every column, got 1 for 'a'."
    )


def test_ids_may_be_numbers_or_bytes():
    data = ItemData(catalogue=[1, b"2", np.int64(3), "4"])
    assert data.catalogue == {"1", "2", "3", "4"}
    assert evaluate({1: {1: 1}}, {1: [1, 2]}, "Coverage", items=data)["Coverage"] == 0.5


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"catalogue": ["a", "b"]}, "are not in the catalogue ('c', 'x'); they are left out."),
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
    said = [str(notice) for notice in notices if notice.code == "unknown-items"]
    assert said == [f"run 'run': 2 of the 4 items that it recommends {sentence}"]


MEASURES = {
    "catalogue": "Coverage",
    "popularity": "Novelty(share=interactions)",
    "features": "ILD",
}


def test_only_as_many_items_are_looked_at_as_measures_need():
    data = ItemData(catalogue=["b", "c"])
    shallow, deep = (evaluate(QRELS, RUN, [m, "nDCG"], items=data) for m in ("Coverage@1", "Gini"))
    assert "unknown-items" not in [notice.code for notice in shallow.notices]
    assert "unknown-items" in [notice.code for notice in deep.notices]


def test_judged_measures_come_with_those_of_items_in_one_reading(file, tmp_path):
    run = tmp_path / "run"
    run.write_text("u Q0 b 1 2 t\nu Q0 a 2 1 t\nv Q0 b 1 1 t\n")
    read = []
    scores = evaluate(
        QRELS,
        run,
        ["nDCG", "Coverage"],
        items=file("a\nb\nc\nd\n"),
        progress=lambda _, done, size: read.append(done == size),
    )
    alone = evaluate(QRELS, run, "nDCG")
    assert scores["nDCG"] == alone["nDCG"]
    assert scores["Coverage"] == 0.5
    assert read.count(True) == 1


def test_rankings_hold_the_labels_of_their_first_items():
    judged, run = gainful.read_qrels(QRELS), gainful.read_run(RUN)
    ranked = align_items(judged, run, Rules(), READING, data=ItemData(), depth=2)[0]
    assert isinstance(ranked, ItemRankings)
    assert [ranked.items.ids[i] for i in ranked.item] == ["b", "a", "c", "b"]
    assert np.array_equal(ranked.item_label, [np.nan, 1, np.nan, 2], equal_nan=True)
    assert ranked.select(np.array([1])).item.tolist() == ranked.item[2:].tolist()
    assert ranked.select(np.array([1])).item_label[1] == 2


def test_a_measure_of_the_whole_run_must_return_one_number():
    try:

        @gainful.measure(whole=True)
        def PerQuery(ranked: ItemRankings):
            """Wrong."""
            return ranked.n_retrieved

        with pytest.raises(MeasureError) as error:
            evaluate(QRELS, RUN, PerQuery)
        assert str(error.value) == "PerQuery: must return one number, got 2."
    finally:
        REGISTRY.pop("PerQuery", None)


def test_command_line_reads_items(file, tmp_path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("u 0 a 1\nv 0 b 1\n")
    run.write_text("u Q0 a 1 2 t\nu Q0 b 2 1 t\nv Q0 b 1 1 t\n")
    items = file("a 8 1 0\nb 1 0 1\nc 2 1 1\nd 0 0 0\n")
    measures = [f"-m{name}@2" for name in ("Coverage", "Gini", "Novelty", "ILD", "Serendipity")]
    command = [sys.executable, "-m", "gainful", "eval", str(qrels), str(run), *measures]
    done = subprocess.run(
        [*command, "--items", items, "--users", "8"], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "Coverage@2\t0.5\n"
        f"Gini@2\t{(1 * 1 + 3 * 2) / 9!r}\n"
        "Novelty@2\t2.25\n"  # (0 + 3) / 2 and 3
        "ILD@2\t0.5\n"
        "Serendipity@2\t0.25\n"  # b for v
    )
    done = subprocess.run([*command, "--users", "8"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--users says how many --items counts, got no --items." in done.stderr
