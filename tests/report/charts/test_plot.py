"""plot(): scores, comparisons and explanations as Altair charts."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import ComparisonError, MeasureError, OutputError, PackageError
from gainful.measures import REGISTRY
from gainful.report import charts

QRELS = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
OLD = {"q1": ["d9", "d2", "d1"], "q2": ["d9", "d1"], "q3": ["d1"]}
NEW = {"q1": ["d1", "d9", "d2"], "q2": ["d1"], "q3": ["d9", "d1"]}
RUNS = {"old": OLD, "new": NEW}


def rows(chart):
    return chart.to_dict()["data"]["values"]


def test_scores_are_a_histogram():
    drawn = rows(gainful.evaluate(QRELS, OLD, "P@1").plot())
    assert [(row["low"], row["count"]) for row in drawn if row["count"]] == [(0.0, 2), (0.95, 1)]
    assert sum(row["share"] for row in drawn) == pytest.approx(1)
    assert {row["run"] for row in drawn} == {"run"}


def test_scores_are_shares_up_to_each_value():
    drawn = rows(gainful.evaluate(QRELS, OLD, ["nDCG@10", "P@1"]).plot("P@1", kind="ecdf"))
    assert [(row["value"], row["share"]) for row in drawn] == [(0.0, 2 / 3), (1.0, 1.0)]


def test_scores_without_a_value_are_left_out():
    empty = gainful.evaluate({"q": {"a": 0}}, {"q": ["a"]}, rules=gainful.Rules(empty="nan"))
    assert {row["count"] for row in rows(empty.plot())} == {0}
    assert rows(empty.plot(kind="ecdf")) == []


def test_values_beyond_one_have_bars_of_their_own():
    drawn = rows(gainful.evaluate(QRELS, OLD, "DCG@10").plot())
    assert drawn[0]["low"] <= 0.63
    assert drawn[-1]["high"] >= 1.63
    assert sum(row["count"] for row in drawn) == 3


def test_a_kind_that_is_not_there_is_refused():
    scores, why = gainful.evaluate(QRELS, OLD), gainful.explain(QRELS, OLD, "q1")
    with pytest.raises(OutputError) as error:
        scores.plot(kind="pie")
    assert str(error.value) == "plot: kind must be one of histogram, ecdf, got 'pie'."
    with pytest.raises(OutputError) as error:
        why.plot(kind="pie")
    assert str(error.value) == "plot: kind must be one of contributions, gains, got 'pie'."
    with pytest.raises(OutputError) as error:
        gainful.compare(QRELS, RUNS).plot(of="runs")
    assert str(error.value) == "plot: of must be one of queries, pairs, got 'runs'."


def test_a_measure_of_the_whole_run_has_no_values_to_plot():
    (whole, *_) = [m for m in REGISTRY.values() if m.whole]
    qrels, run = {"q1": {"d1": 1}}, {"q1": ["d1"]}
    scores = gainful.evaluate(qrels, run, [f"{whole.name}@1", "P@1"])
    with pytest.raises(MeasureError) as error:
        scores.plot()
    assert str(error.value) == (
        f"plot: {scores.measures[0]} has no values of queries, it is one number for the whole run."
    )


def test_a_comparison_is_the_differences_of_its_pair():
    chart = gainful.compare(QRELS, RUNS, "P@1").plot()
    assert [(row["query"], row["difference"]) for row in rows(chart)] == [
        ("q3", -1.0),
        ("q1", 1.0),
        ("q2", 1.0),
    ]
    params = {param["name"]: param.get("value") for param in chart.to_dict()["params"]}
    assert (params["name_a"], params["name_b"]) == ("old", "new")


def test_a_comparison_is_the_differences_of_the_pair_that_is_asked_for():
    of = gainful.compare(QRELS, RUNS | {"same": OLD}, ["P@1", "nDCG@10"])
    assert {row["difference"] for row in rows(of.plot("same", "old"))} == {0.0}
    asked = of.plot("new", "old", "nDCG@10").to_dict()
    assert asked["description"] == "Difference of nDCG@10 for every query, new less old."


def test_a_comparison_of_several_pairs_must_say_which():
    of = gainful.compare(QRELS, RUNS | {"same": OLD}, "P@1")
    with pytest.raises(ComparisonError) as error:
        of.plot()
    assert str(error.value) == (
        "plot: must name one of 'new - old', 'same - old', 'same - new', got no system. "
        "Pass of='pairs' to plot them all."
    )


def test_the_pairs_of_a_comparison_have_their_intervals_and_verdicts():
    of = gainful.compare(QRELS, RUNS | {"same": OLD}, ["P@1", "nDCG@10"])
    drawn = rows(of.plot(of="pairs", measure="nDCG@10"))
    pairs = [pair for pair in of.pairs if str(pair.measure) == "nDCG@10"]
    assert [row["verdict"] for row in drawn] == [pair.verdict for pair in pairs]
    assert [row["pair"] for row in drawn] == ["new - old", "same - old", "same - new"]
    assert drawn[0]["low"] == pairs[0].t_interval.low
    assert drawn[1]["difference"] == 0.0


def test_an_explanation_is_what_every_rank_adds_beside_the_ideal():
    why = gainful.explain(QRELS, OLD, "q1")
    drawn = rows(why.plot())
    ours = [row for row in drawn if row["run"] == "run"]
    assert sum(row["product"] for row in ours) == pytest.approx(why.total)
    ideal = [row for row in drawn if row["run"] == "ideal"]
    assert sum(row["product"] for row in ideal) == pytest.approx(why.best)
    assert sum(row["share"] for row in ours) == pytest.approx(1)


def test_a_run_that_is_called_ideal_is_not_taken_for_the_best_ranking():
    run = gainful.read_run(OLD, name="ideal")
    assert {row["run"] for row in rows(gainful.explain(QRELS, run, "q1").plot())} == {
        "ideal",
        "ideal ranking",
    }


def test_the_gains_of_an_explanation_go_down_to_its_last_rank():
    why = gainful.explain(QRELS, OLD, "q1")
    drawn = rows(why.plot(kind="gains"))
    last = {(row["panel"], row["series"]): (row["rank"], row["value"]) for row in drawn}
    assert last == {
        ("CG", "run"): (3, 3.0),
        ("DCG", "run"): (3, pytest.approx(why.total)),
        ("CG", "ideal"): (3, 3.0),
        ("DCG", "ideal"): (3, pytest.approx(why.best)),
    }


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 12))
def test_no_run_gains_more_than_the_ideal_up_to_any_rank(labels, cutoff):
    items = [f"d{i}" for i in range(len(labels))]
    qrels = {"q": dict(zip(items, labels, strict=True))}
    drawn = rows(gainful.explain(qrels, {"q": items}, "q", f"nDCG@{cutoff}").plot(kind="gains"))
    value = {(row["panel"], row["series"], row["rank"]): row["value"] for row in drawn}
    for (panel, series, rank), reached in value.items():
        if series == "run" and any(labels):
            assert reached <= value[panel, "ideal", rank] + 1e-9


def test_an_explanation_of_nothing_is_an_empty_chart():
    why = gainful.explain({"q": {"a": 0}}, {"q": []}, "q")
    assert rows(why.plot()) == rows(why.plot(kind="gains")) == []


def test_without_altair_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    results = {
        "Scores": gainful.evaluate(QRELS, OLD),
        "Comparison": gainful.compare(QRELS, RUNS),
        "Explanation": gainful.explain(QRELS, OLD, "q1"),
    }
    for name, result in results.items():
        with pytest.raises(PackageError) as error:
            result.plot()
        assert str(error.value) == (
            f"{name}.plot: altair is not installed. Install it with: pip install 'gainful[report]'"
        )


def test_charts_without_altair_name_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(PackageError) as error:
        charts.draw_gains([])
    assert str(error.value) == (
        "charts: altair is not installed. Install it with: pip install 'gainful[report]'"
    )
