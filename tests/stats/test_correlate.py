"""correlate(): which measures and which runs agree."""

import json

import numpy as np
import polars
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import ComparisonError, Rules, correlate, evaluate, parse_measure
from gainful.stats.rank_correlation import compute_overlaps, rbo
from stats.list_pairs import batch_lists

P1, P10, N10 = parse_measure("P@1"), parse_measure("P@10"), parse_measure("nDCG@10")
QRELS = {"q1": {"d1": 2, "d2": 1, "d3": 0}, "q2": {"d4": 1, "d5": 1}, "q3": {"d6": 3}}
RUNS = {
    "bm25": {"q1": ["d2", "d1", "d9"], "q2": ["d4", "d5"], "q3": ["d7", "d6"]},
    "dense": {"q1": ["d1", "d9", "d8"], "q2": ["d8", "d4"], "q3": ["d6"]},
    "hybrid": {"q1": ["d1", "d2"], "q2": ["d5", "d4"], "q3": ["d6", "d7"]},
}


def test_rankings_of_runs_are_compared_query_by_query():
    correlation = correlate(QRELS, RUNS, "P@1", p=0.8)
    for pair in correlation.runs:
        lists = [(RUNS[pair.first][q], RUNS[pair.second][q]) for q in QRELS]
        close = {"abs": 1e-12}
        assert pair.rbo == pytest.approx(np.mean([rbo(*two, p=0.8) for two in lists]), **close)
        overlaps = compute_overlaps(batch_lists(lists), 0.8)
        bounds = overlaps.lowest.mean(), overlaps.highest.mean()
        assert pair.bounds == pytest.approx(bounds, **close)
        shares = [len({*a} & {*b}) / len({*a} | {*b}) for a, b in lists]
        assert pair.shared == pytest.approx(np.mean(shares), **close)
        assert pair.n_queries == 3


def test_only_the_top_of_rankings_is_compared():
    correlation = correlate(QRELS, RUNS, "P@1", top=1)
    assert [pair.shared for pair in correlation.runs] == [0.0, 0.0, 2 / 3]
    assert correlation.runs[2].rbo == pytest.approx(2 / 3)


def test_tau_of_runs_is_that_of_the_items_they_share():
    pair = correlate(QRELS, [RUNS["bm25"], RUNS["hybrid"]], "P@1").runs[0]
    assert (pair.tau, pair.n_tau) == (-1.0, 3)


def test_a_query_that_one_run_lacks_has_nothing_in_common_and_one_that_both_lack_is_left_out():
    some = {"q1": ["d1"]}
    correlation = correlate(QRELS, {"a": some, "b": {"q1": ["d1"], "q2": ["d4"]}}, "P@1")
    assert (correlation.runs[0].rbo, correlation.runs[0].n_queries, correlation.n_queries) == (
        0.5,
        2,
        3,
    )


def test_queries_without_judgments_are_left_out_and_said():
    runs = [dict(run, stranger=["d1"]) for run in RUNS.values()]
    correlation = correlate(QRELS, runs, "P@1")
    assert [pair.n_queries for pair in correlation.runs] == [3, 3, 3]
    assert {"unjudged-queries"} <= {notice.code for notice in correlation.notices}


def test_rankings_are_compared_for_the_queries_that_the_rules_keep():
    qrels = {**QRELS, "q3": {"d6": 0}}
    complete, skipped = (
        correlate(qrels, RUNS, "P@1", rules=Rules(empty=e)) for e in ("zero", "skip")
    )
    assert [correlation.runs[0].n_queries for correlation in (complete, skipped)] == [3, 2]


def test_ties_that_are_averaged_are_not_broken_by_label():
    tied = {"q1": {"d1": 1.0, "d2": 1.0, "d9": 1.0}}
    plain = {"q1": ["d9", "d2", "d1"]}
    correlation = correlate({"q1": {"d1": 1}}, [tied, plain], "P@1", rules=Rules(ties="average"))
    assert correlation.runs[0].rbo == 1.0


def test_means_are_those_of_evaluate():
    correlation = correlate(QRELS, RUNS, ["P@1", "nDCG@10"])
    assert list(correlation.means) == list(RUNS)
    for name, run in RUNS.items():
        assert correlation.means[name] == evaluate(QRELS, run, ["P@1", "nDCG@10"]).mean()


@given(st.permutations(list(RUNS)), st.integers(1, 2))
def test_names_and_order_of_runs_change_no_number(order, threads):
    plain = {
        frozenset((pair.first, pair.second)): (pair.rbo, pair.bounds, pair.shared, pair.tau)
        for pair in correlate(QRELS, RUNS, "P@1").runs
    }
    renamed = correlate(QRELS, {f"my {n}": RUNS[n] for n in order}, "P@1", threads=threads)
    for pair in renamed.runs:
        key = frozenset((pair.first.removeprefix("my "), pair.second.removeprefix("my ")))
        assert (pair.rbo, pair.bounds, pair.shared, pair.tau) == plain[key]


def test_runs_of_the_same_name_do_not_overwrite_each_other():
    correlation = correlate(QRELS, list(RUNS.values()), "P@1")
    assert list(correlation.means) == ["run-1", "run-2", "run-3"]


def test_few_systems_are_warned_of():
    notice = next(n for n in correlate(QRELS, RUNS).notices if n.code == "few-systems")
    assert str(notice) == (
        "3 systems are few: two orders of them that have nothing to do with each other agree "
        "1 time in 6, with tau 1."
    )
    five = correlate(QRELS, [*RUNS.values(), *list(RUNS.values())[:2]])
    assert "few-systems" not in {notice.code for notice in five.notices}


def test_one_measure_leaves_runs_to_be_compared():
    correlation = correlate(QRELS, RUNS, "nDCG@10")
    assert (correlation.measures, len(correlation.runs)) == ((), 3)
    assert "few-systems" not in {notice.code for notice in correlation.notices}


def test_measures_of_subtopics_agree_or_do_not():
    subtopics = {"q1": {"s1": {"d1": 1}, "s2": {"d2": 1}}, "q2": {"s1": {"d4": 1}}}
    correlation = correlate(
        subtopics, {name: RUNS[name] for name in ("bm25", "dense")}, "ERR_IA@5,10"
    )
    assert len(correlation.measures) == 1
    assert correlation.runs[0].n_queries == 2


def test_the_tidy_table_has_a_row_for_every_statistic():
    correlation = correlate(QRELS, RUNS, ["P@1", "nDCG@10"])
    frame = correlation.to_polars()
    assert frame.columns == ["between", "first", "second", "statistic", "value", "low", "high"]
    assert frame.height == 4 + 3 * 3
    assert frame["value"].to_list()[0] == correlation.measures[0].tau
    assert frame.filter(polars.col("statistic") == "tau_ap")["low"].to_list() == [None]
    header, *lines = correlation.to_csv().splitlines()
    assert header == ",".join(frame.columns)
    assert lines[1].startswith("measures,P@1,nDCG@10,tau_ap,")
    assert lines[1].endswith(",,")
    assert all(len(line.split("\t")) == 7 for line in correlation.to_tsv().splitlines())


def test_json_holds_everything_and_no_nan():
    correlation = correlate(QRELS, [RUNS["bm25"], RUNS["bm25"]], ["P@1", "nDCG@10"])
    data = json.loads(correlation.to_json())
    assert data["measures"][0]["tau"] is None
    assert data["measures"][0]["interval"] == [None, None]
    assert data["runs"][0]["rbo"] == 1.0
    assert data["runs"][0]["sentence"] == correlation.sentences[1]
    assert (data["seed"], data["p"], data["top"], data["level"]) == (0, 0.9, 100, 0.95)
    assert data["notices"][0]["code"] == "few-systems"
    swaps = correlate(QRELS, RUNS, ["P@1", "nDCG@10"]).to_dict()["measures"][0]["swaps"]
    assert swaps == [list(s) for s in correlate(QRELS, RUNS, ["P@1", "nDCG@10"]).measures[0].swaps]


def test_markdown_and_repr_end_with_the_sentences_and_notices():
    correlation = correlate(QRELS, RUNS, ["P@1", "nDCG@10"])
    assert all(f"{sentence}\n" in correlation.to_markdown() for sentence in correlation.sentences)
    assert "[few-systems]" in correlation.to_markdown()
    assert (
        repr(correlation).splitlines()[0]
        == "<Correlation of 1 pair of measures and 3 pairs of runs>"
    )
    text = " ".join(repr(correlation).split())
    assert all(sentence in text for sentence in correlation.sentences)
    assert gainful.Correlation is type(correlation)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"p": 1.0}, "correlate: p must be a number > 0 and < 1, got 1.0."),
        ({"top": 0}, "correlate: top must be an integer >= 1, got 0."),
        ({"level": 95}, "correlate: level must be a number > 0 and < 1, got 95."),
        ({"resamples": 0}, "correlate: resamples must be an integer >= 1, got 0."),
        ({"seed": -1}, "correlate: seed must be an integer >= 0, got -1."),
        (
            {"measures": ["P@1", "Coverage@10"]},
            "correlate: Coverage@10 has no values of queries. Choose another measure.",
        ),
        ({"runs": [RUNS["bm25"]]}, "correlate: must be given two runs or more, got 1."),
        (
            {"runs": [RUNS["bm25"], {"q1": ["d1"]}], "rules": Rules(missing="skip")},
            "correlate: every run must have the same queries, got none of 'q2' for run 'run-2'. "
            "Pass missing=zero.",
        ),
    ],
)
def test_what_cannot_be_compared_is_an_error(wrong, sentence):
    with pytest.raises(ComparisonError) as error:
        correlate(QRELS, **{"runs": RUNS, "measures": "P@1", **wrong})
    assert str(error.value) == sentence


def test_a_stream_is_asked_for_values_and_for_its_first_items():
    table = pyarrow.table({"query": ["q1"], "item": ["d1"], "score": [1.0]})
    result = correlate(
        QRELS, {"table": table, "stream": table.to_reader()}, "P@1", rules=Rules(ties="average")
    )
    assert result.runs[0].shared == 1.0
