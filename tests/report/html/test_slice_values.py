"""Slices of a report: which columns make slices, and how they are named."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import SourceError, evaluate
from gainful.base.numbers import Interval
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.slice_values import group_by_quartiles, group_by_words
from gainful.stats.paired_tests import paired_t

QRELS = {f"q{i}": {"a": 1, "b": 2} for i in range(40)}
RUN = {query: ["a", "b", "c"][i % 3 :] for i, query in enumerate(QRELS)}
RUNS = {"old": RUN, "new": {query: ["b", "a"] for query in QRELS}}


def experiment_and_slices(column, by=()):
    query_data = {query: {"column": column(i)} for i, query in enumerate(QRELS)}
    experiment = gather_experiment(QRELS, RUNS, queries=query_data, by=by)
    return experiment, experiment.slicings


def slice_names(slicing):
    return list(dict.fromkeys(part.value for part in slicing.parts))


def test_few_values_are_slices_each_run_on_every_one():
    experiment, (slicing,) = experiment_and_slices(lambda i: "shoes" if i % 4 else "hats")
    assert slicing.column == "column"
    assert [(p.run, p.value, p.n_queries) for p in slicing.parts] == [
        ("old", "hats", 10),
        ("new", "hats", 10),
        ("old", "shoes", 30),
        ("new", "shoes", 30),
    ]
    assert slicing.values[:3] == ("hats", "shoes", "shoes")
    for part in slicing.parts:
        values = [
            value
            for value, kind in zip(
                experiment.scores[experiment.runs.index(part.run)].column("nDCG@10"),
                slicing.values,
                strict=True,
            )
            if kind == part.value
        ]
        assert part.mean == pytest.approx(math.fsum(values) / len(values), rel=1e-15)
        assert part.interval == pytest.approx(paired_t(values).interval, rel=1e-12)


def test_every_slice_has_the_difference_of_the_candidate_and_the_baseline():
    experiment, (slicing,) = experiment_and_slices(lambda i: "shoes" if i % 4 else "hats")
    old, new = (scores.column("nDCG@10") for scores in experiment.scores)
    assert [difference.value for difference in slicing.differences] == ["hats", "shoes"]
    for difference in slicing.differences:
        places = [i for i, kind in enumerate(slicing.values) if kind == difference.value]
        gained = new[places] - old[places]
        assert difference.n_queries == len(places)
        assert difference.mean == pytest.approx(gained.mean(), rel=1e-12)
        assert difference.interval == pytest.approx(paired_t(gained).interval, rel=1e-12)
        expected = (gained > 1e-9).sum(), (abs(gained) <= 1e-9).sum(), (gained < -1e-9).sum()
        assert (difference.wins, difference.ties, difference.losses) == expected


@max_examples(30)
@given(st.lists(st.sampled_from(["a", "b", "(no column)", None]), min_size=40, max_size=40))
def test_the_differences_of_slices_add_up_to_that_of_all_queries(kinds):
    experiment, slicings = experiment_and_slices(lambda i: kinds[i], by="column")
    pair, (slicing,) = experiment.comparison.pair("new", "old"), slicings
    differences = slicing.differences
    assert sum(difference.n_queries for difference in differences) == pair.n_queries
    assert sum(difference.wins for difference in differences) == pair.wins
    assert sum(difference.losses for difference in differences) == pair.losses
    total = math.fsum(difference.mean * difference.n_queries for difference in differences)
    assert total == pytest.approx(pair.difference * pair.n_queries, abs=1e-12)


def test_one_run_has_no_differences():
    query_data = {query: {"kind": i % 3} for i, query in enumerate(QRELS)}
    (slicing,) = gather_experiment(QRELS, {"old": RUN}, queries=query_data).slicings
    assert slicing.differences == ()


def test_means_are_those_of_slices():
    query_data = {query: {"kind": i % 3} for i, query in enumerate(QRELS)}
    (slicing,) = gather_experiment(QRELS, {"old": RUN}, queries=query_data).slicings
    slices = evaluate(QRELS, RUN, "nDCG@10", queries=query_data).by("kind")
    assert {part.value: part.mean for part in slicing.parts} == {
        value: part["nDCG@10"] for value, part in slices.items()
    }


def test_queries_without_a_value_are_a_slice_of_their_own():
    _, (slicing,) = experiment_and_slices(lambda i: None if i < 2 else "yes")
    assert slice_names(slicing) == ["yes", "(no column)"]
    assert slicing.values[1:3] == (None, "yes")


def test_a_slice_of_one_query_has_a_mean_and_no_interval():
    _, (slicing,) = experiment_and_slices(lambda i: "one" if i == 5 else "others")
    part = slicing.parts[0]
    assert (part.value, part.n_queries) == ("one", 1)
    assert all(map(math.isnan, part.interval))
    assert isinstance(part.interval, Interval)


def test_many_numbers_are_ranges():
    _, (slicing,) = experiment_and_slices(lambda i: i)
    assert slice_names(slicing) == ["0-9", "10-19", "20-29", "30-39"]
    assert {part.n_queries for part in slicing.parts} == {10}


def test_many_numbers_some_of_which_are_not_there():
    _, (slicing,) = experiment_and_slices(lambda i: i if i < 20 else None)
    assert slice_names(slicing) == ["0-4", "5-9", "10-14", "15-19", "(no column)"]


def test_texts_are_sliced_by_their_words():
    query_data = {q: {"text": "a b c d e f"[: 2 * (i % 7)]} for i, q in enumerate(QRELS)}
    (slicing,) = gather_experiment(QRELS, RUNS, queries=query_data).slicings
    assert slicing.column == "words in text"
    assert slice_names(slicing) == [
        "1-2 words",
        "3-4 words",
        "5 or more words",
        "(no words in text)",
    ]


def test_columns_that_make_no_slices_are_said():
    experiment, slicings = experiment_and_slices(lambda i: f"value {i}")
    assert slicings == ()
    assert str(experiment.notices[-1]) == (
        "queries: 'column' makes no slices: one value for all queries, or more than 12 that are "
        "no numbers."
    )
    assert experiment_and_slices(lambda i: "same")[1] == ()


def test_a_column_that_is_asked_for_makes_slices_whatever_it_holds():
    experiment, (slicing,) = experiment_and_slices(
        lambda i: "ab"[i % 2] if i < 20 else f"value {i}", by="column"
    )
    assert len(slice_names(slicing)) == 12
    assert slice_names(slicing)[0] == "(other values)"
    assert str(experiment.notices[-1]) == (
        "'column' has 22 values; the 11 that most queries have are slices, and all others are one."
    )
    assert slice_names(experiment_and_slices(lambda i: "same", by=["column"])[1][0]) == ["same"]


def test_columns_that_are_asked_for_are_the_only_ones():
    query_data = {query: {"one": i % 2, "two": i % 3} for i, query in enumerate(QRELS)}
    experiment = gather_experiment(QRELS, RUNS, queries=query_data, by=["two", "two"])
    assert [slicing.column for slicing in experiment.slicings] == ["two"]


def test_a_column_that_is_not_there_is_an_error_before_anything_is_read():
    with pytest.raises(SourceError) as error:
        gather_experiment("no-such.qrels", ["no-such.run"], queries={"q1": {"kind": 1}}, by="lang")
    assert str(error.value) == "queries: has no column 'lang'; there are 'kind'."
    with pytest.raises(SourceError) as error:
        gather_experiment("no-such.qrels", ["no-such.run"], by="lang")
    assert str(error.value) == (
        "by: 'lang' names a column of queries, got no queries. Pass queries=... too."
    )


@given(st.lists(st.sampled_from([-3.5, -1, 0, 1, 2.25, 4, 5, 6, 1e9]), min_size=1, max_size=40))
def test_ranges_hold_every_number_and_equal_numbers_together(numbers):
    ranges = group_by_quartiles({str(i): float(number) for i, number in enumerate(numbers)})
    assert sorted(ranges, key=int) == [str(i) for i in range(len(numbers))]
    range_of = {number: ranges[str(i)] for i, number in enumerate(numbers)}
    assert all(range_of[number] == ranges[str(i)] for i, number in enumerate(numbers))
    in_order = [range_of[number] for number in sorted(numbers)]
    assert list(dict.fromkeys(in_order)) == list(dict.fromkeys(ranges.values()))
    assert len(set(ranges.values())) <= 4


def test_ranges_below_zero_are_written_with_a_word():
    ranges = group_by_quartiles({str(i): float(i) for i in range(-8, 8)})
    assert list(dict.fromkeys(ranges.values())) == ["-8 to -5", "-4 to -1", "0-3", "4-7"]


def test_words_are_counted_whatever_stands_between_them():
    assert group_by_words({"a": " one\ttwo\nthree ", "b": ""}) == {"a": "3-4 words", "b": None}
