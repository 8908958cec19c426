"""The data embedded in a page: exact values, and never more bytes than the budget."""

import csv
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import Rules
from gainful.report.html.embedded_data import (
    EmbeddedData,
    format_script_number,
    make_copies,
    make_embedded_data,
    make_gains_table,
    pack,
    unpack,
)
from gainful.report.html.page_data import gather_experiment
from report.html.experiments import SMALL_QRELS, SMALL_RUNS, compute_value
from report.html.rankings import qrels, runs

N = 60
QRELS = {f"q{i}": {f"d{j}": (i + j) % 4 for j in range(0, 90, 2)} for i in range(N)}
OLD = {query: [f"d{(7 * j + i) % 100}" for j in range(80)] for i, query in enumerate(QRELS)}
NEW = {query: [f"d{(3 * j + i) % 100}" for j in range(80)] for i, query in enumerate(QRELS)}
RUNS = {"old": OLD, "new": NEW}


@pytest.fixture(scope="module")
def experiment():
    query_data = {q: {"text": f"what is {q}", "kind": i % 3} for i, q in enumerate(QRELS)}
    items = {f"d{i}": {"title": f"Item number {i}", "url": f"u/{i}"} for i in range(100)}
    return gather_experiment(QRELS, RUNS, ["nDCG@10", "P@5"], queries=query_data, items=items)


@pytest.fixture(scope="module")
def data(experiment):
    return unpack(make_embedded_data(experiment).text)


def add_up_in_page(page, detail, run, terms):
    """The arithmetic of the page, from nothing but what it holds."""
    if "totals" in detail:
        return detail["totals"][run]
    last = min(terms.cutoff or math.inf, detail["n"][run])
    total = 0.0
    for place, item in enumerate(detail["rankings"][run]):
        label = detail["labels"][item]
        gain = 0.0 if label is None else page.get(format_script_number(float(label)))
        if "gains" in detail:
            gain = detail["gains"][item] or 0.0
        if "weights" in detail:
            total += gain * detail["weights"][run][place]
        elif place < last:
            total += gain / terms.divisors[place]
    return total


def make_partial_data(experiment):
    """What fits if it may take half of what rankings take at least."""
    nothing = make_embedded_data(experiment, budget=0)
    shallow = make_embedded_data(experiment, budget=10**9)
    while shallow.n_detailed == N:
        last, shallow = shallow, make_embedded_data(experiment, budget=len(shallow.text) * 9 // 10)
    return make_embedded_data(experiment, budget=(len(nothing.text) + len(last.text)) // 2)


def test_it_holds_values_and_all_that_is_known_of_queries(experiment, data):
    assert list(data) == [
        *("queries", "texts", "values", "judged", "slices"),
        *("titles", "urls", "depth", "details"),
    ]
    assert data["queries"] == list(QRELS)
    assert data["texts"][1] == "what is q1"
    assert data["values"] == [
        [[round(v, 6) for v in scores.column(m).tolist()] for scores in experiment.scores]
        for m in experiment.measures
    ]
    assert data["judged"] == [
        [round(v, 4) for v in scores.judged[experiment.measures[0]].tolist()]
        for scores in experiment.scores
    ]
    assert data["slices"]["kind"][:4] == ["0", "1", "2", "0"]
    assert data["slices"]["words in text"][0] == "3-4 words"


def test_it_holds_rankings_labels_and_the_best_ranking(experiment, data):
    assert data["depth"] == 50
    for query, detail in zip(data["queries"], data["details"], strict=True):
        whole = experiment.details.by_query[query]
        for ranking, expected in zip(detail["rankings"], whole.rankings, strict=True):
            assert [detail["items"][i] for i in ranking] == [whole.items[i] for i in expected[:50]]
        assert detail["labels"] == [QRELS[query].get(item) for item in detail["items"]]
        assert [detail["items"][i] for i in detail["ideal"]] == [
            whole.items[i] for i in whole.ideal[:50]
        ]
        assert detail["best"] == whole.best[0] == whole.best[1]
        assert detail["n"] == [80, 80]
        assert set(detail) == {"items", "labels", "rankings", "n", "ideal", "best"}
        assert data["titles"].keys() >= set(detail["items"])
    assert data["titles"]["d7"] == "Item number 7"
    assert data["urls"]["d7"] == "u/7"


@max_examples(40)
@given(
    qrels,
    runs,
    st.sampled_from(
        ["nDCG@3", "nDCG", "DCG@2", "nDCG(gain=exp2)@4", "nDCG(ideal=list)@3", "nDCG(ideal=ones)@2"]
    ),
    st.sampled_from(["item-desc", "average", "best"]),
    st.sampled_from(["zero", "one", "nan"]),
)
def test_a_page_adds_up_what_the_library_does_to_the_last_bit(judged, runs, measure, ties, empty):
    # Something has a value for all runs, else there is no report.
    judged = {**judged, "sure": {"d0": 1}}
    named_runs = {f"run{i}": {**run, "sure": {"d0": 1.0}} for i, run in enumerate(runs)}
    rules = Rules(ties=ties, empty=empty)
    experiment = gather_experiment(judged, named_runs, measure, rules=rules)
    terms, table = experiment.details.terms, make_gains_table(experiment.details.terms)
    data = unpack(make_embedded_data(experiment).text)
    for place, detail in enumerate(data["details"]):
        for run in range(len(experiment.runs)):
            total = add_up_in_page(table, detail, run, terms)
            best = detail["best"][run] if isinstance(detail["best"], list) else detail["best"]
            expected = float(experiment.details.values[run, place])
            value = compute_value(terms, total, best, expected)
            assert value == expected or (math.isnan(value) and math.isnan(expected))
            page_value = data["values"][0][run][place]
            assert page_value == (None if math.isnan(expected) else round(expected, 6))


def test_no_value_is_null():
    judged = {"q1": {"a": 1}, "q2": {"a": 0}}
    run = {"q1": ["a"]}
    data = unpack(
        make_embedded_data(gather_experiment(judged, {"x": run}, rules=Rules(empty="nan"))).text
    )
    assert data["values"] == [[[1, None]]]
    assert data["judged"] == [[1, None]]
    assert data["texts"] is None
    assert data["slices"] == {}


def test_a_ranking_that_counts_below_what_is_shown_brings_its_sum():
    judged = {"q": {"a": 1, "z": 3}, "p": {"a": 1}}
    run = {"q": ["a", *(f"x{i}" for i in range(60)), "z"], "p": ["a"]}
    experiment = gather_experiment(judged, {"x": run}, "nDCG")
    first, second = unpack(make_embedded_data(experiment).text)["details"]
    assert first["totals"] == [1 + 3 / math.log2(63)]
    assert "totals" not in second


def test_best_rankings_of_their_own_are_one_for_each_run():
    judged = {"q": {"a": 1, "b": 2}}
    experiment = gather_experiment(
        judged, {"x": {"q": ["a"]}, "y": {"q": ["b"]}}, "nDCG(ideal=list)"
    )
    (detail,) = unpack(make_embedded_data(experiment).text)["details"]
    assert detail["best"] == [1, 2]
    assert detail["ideal"] == []


def test_weights_are_held_where_ties_are_averaged():
    run = {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}
    experiment = gather_experiment({"q": {"a": 3}}, {"x": run}, rules=Rules(ties="average"))
    (detail,) = unpack(make_embedded_data(experiment).text)["details"]
    weight = (1 + 1 / math.log2(3)) / 2
    assert detail["weights"] == [[weight, weight, 0.5]]


def test_many_labels_bring_the_gains_of_items_along():
    judged = {"q": {f"d{i}": i / 100 for i in range(100)}}
    experiment = gather_experiment(judged, {"x": {"q": ["d99", "u", "d7"]}}, "nDCG(gain=exp2)@5")
    assert make_gains_table(experiment.details.terms) == {}
    (detail,) = unpack(make_embedded_data(experiment).text)["details"]
    assert detail["labels"][:3] == [0.99, None, 0.07]
    assert detail["gains"][:3] == [
        experiment.details.terms.gains[0.99],
        None,
        experiment.details.terms.gains[0.07],
    ]


def test_the_table_of_gains_names_labels_as_scripts_do():
    judged = {"q": {"a": 1e-5, "b": 2, "c": 1e16, "d": 0.5, "e": -1}}
    experiment = gather_experiment(judged, {"x": {"q": ["a"]}})
    assert make_gains_table(experiment.details.terms) == {
        "-1": 0.0,
        "0": 0.0,
        "0.00001": 1e-5,
        "0.5": 0.5,
        "2": 2.0,
        "10000000000000000": 1e16,
    }


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_as_scripts_write_them_are_the_same_numbers(number):
    text = format_script_number(number)
    assert float(text) == number
    assert ("e" in text) == (number != 0 and not 1e-6 <= abs(number) < 1e21)


def test_what_does_not_fit_at_one_depth_is_tried_at_the_next(experiment):
    whole = make_embedded_data(experiment, budget=10**9)
    assert (whole.depth, whole.n_detailed) == (50, N)
    for depth in (20, 10):
        whole = make_embedded_data(experiment, budget=len(whole.text) - 1)
        assert (whole.depth, whole.n_detailed) == (depth, N)
    assert unpack(whole.text)["depth"] == 10
    assert all(len(r) == 10 for d in unpack(whole.text)["details"] for r in d["rankings"])


@max_examples(25)
@given(st.integers(0, 30_000))
def test_it_never_takes_more_than_it_may(experiment, budget):
    smallest = len(make_embedded_data(experiment, budget=0).text)
    data = make_embedded_data(experiment, budget=budget)
    assert isinstance(data, EmbeddedData)
    assert len(data.text) <= max(budget, smallest)
    details = unpack(data.text)["details"]
    assert sum(detail is not None for detail in details) == data.n_detailed


def test_the_queries_that_differ_most_are_kept(experiment):
    data = make_partial_data(experiment)
    assert 0 < data.n_detailed < N
    old, new = (scores.column("nDCG@10") for scores in experiment.scores)
    lost = abs(new - old)
    has_details = [detail is not None for detail in unpack(data.text)["details"]]
    assert min(lost[has_details]) >= max(lost[[not k for k in has_details]])


def test_of_one_run_the_lowest_values_are_kept():
    experiment = gather_experiment(QRELS, {"old": OLD})
    data = make_partial_data(experiment)
    assert 0 < data.n_detailed < N
    values = experiment.scores[0].column("nDCG@10")
    has_details = [detail is not None for detail in unpack(data.text)["details"]]
    assert max(values[has_details]) <= min(values[[not k for k in has_details]])


def test_ids_and_texts_of_any_content_are_packed():
    hostile = "q\udcff</script>\u2028"
    judged = {hostile: {"a\udc80": 1}}
    experiment = gather_experiment(
        judged,
        {"x": {hostile: ["a\udc80", "\u202egnp.exe"]}},
        items={"a\udc80": {"title": "t\udcff\x00", "url": "u\udcff"}},
        queries={hostile: {"text": "w\udcff " * 300, "kind": "k\udcff"}},
        by=["kind"],
    )
    data = unpack(make_embedded_data(experiment).text)
    assert data["queries"] == ["q\\udcff</script>\u2028"]
    assert data["details"][0]["items"] == ["a\\udc80", "\u202egnp.exe"]
    assert data["titles"] == {"a\\udc80": "t\\udcff\x00"}
    assert data["urls"] == {"a\\udc80": "u\\udcff"}
    assert data["texts"][0].endswith("…")
    assert data["slices"] == {"kind": ["k\\udcff"]}


def test_a_cutoff_is_never_cut():
    judged = {"q": {f"d{i}": 1 for i in range(90)}}
    run = {"q": [f"d{i}" for i in range(90)]}
    data = make_embedded_data(gather_experiment(judged, {"x": run}, "nDCG@70"))
    assert data.depth == 70
    (detail,) = unpack(data.text)["details"]
    assert len(detail["rankings"][0]) == 70
    assert "totals" not in detail


def test_the_same_experiment_gives_the_same_text(experiment):
    assert make_embedded_data(experiment) == make_embedded_data(experiment)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("abc"), inner),
        max_leaves=10,
    )
)
def test_what_is_packed_comes_back(value):
    assert unpack(pack(value)) == value


def test_a_sum_that_no_rank_below_adds_to_is_that_of_the_ranks_that_are_held():
    qrels = {"q1": {"good": 3, "fine": 1, "lost": 2}}
    ranking = ["other", "good", "fine", *(f"d{i}" for i in range(300))]
    experiment = gather_experiment(qrels, {"run": {"q1": ranking}}, "nDCG")
    detail = unpack(make_embedded_data(experiment).text)["details"][0]
    assert detail["n"] == [303]
    assert len(detail["rankings"][0]) < 303
    assert "totals" not in detail


def test_the_summary_is_copied_as_csv_with_means_and_differences_from_the_baseline():
    experiment = gather_experiment(
        SMALL_QRELS, {**SMALL_RUNS, "third": SMALL_RUNS["old"]}, "nDCG@3,P@1", baseline="new"
    )
    rows = list(csv.DictReader(io.StringIO(make_copies(experiment)["csv"])))
    assert [(row["measure"], row["system"], row["baseline"]) for row in rows] == [
        ("nDCG@3", "old", "new"),
        ("nDCG@3", "new", ""),
        ("nDCG@3", "third", "new"),
        ("P@1", "old", "new"),
        ("P@1", "new", ""),
        ("P@1", "third", "new"),
    ]
    for row, system in zip(rows, experiment.systems, strict=True):
        assert float(row["mean"]) == system.mean
        if system.name != "new":
            pair = experiment.comparison.pair(system.name, "new", system.measure)
            assert float(row["difference"]) == pair.difference
            assert float(row["p_adjusted"]) == pair.p_adjusted
            assert (int(row["wins"]), row["verdict"]) == (pair.wins, pair.verdict)


def test_the_summary_of_one_run_is_copied_as_its_scores():
    experiment = gather_experiment(SMALL_QRELS, {"old": SMALL_RUNS["old"]}, "nDCG@3")
    assert make_copies(experiment)["csv"] == experiment.scores[0].to_csv()
