"""The queries section: the example queries that change most."""

import pytest

from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections.query_table import build_examples_section
from gainful.report.html.write import make_page
from report.html.experiments import SMALL_QRELS, SMALL_RUNS


def test_examples_come_from_both_ends_and_add_up():
    groups = dict(
        build_examples_section(gather_experiment(SMALL_QRELS, SMALL_RUNS, "nDCG@3")).values[
            "groups"
        ]
    )
    assert [example["query"] for example in groups["Lost most"]] == ["q0"]
    assert [example["query"] for example in groups["Gained most"]] == ["q3", "q1"]
    (old, new) = groups["Gained most"][0]["tables"]
    assert new.note == "Sum 3.6309, of at most 3.6309: nDCG@3 1.0000."
    assert [cell.text for cell in new.groups[0].rows[1]] == [
        "2", "b", "1", "1", "0.6309", "0.6309", "3.6309",
    ]  # fmt: skip
    assert old.n_rows == 1


def test_examples_show_the_measure_they_are_ordered_by_and_the_one_they_explain():
    values = build_examples_section(gather_experiment(SMALL_QRELS, SMALL_RUNS, "AP")).values
    assert (values["measure"], values["explained"]) == ("AP", "nDCG@10")
    example = dict(values["groups"])["Gained most"][0]
    assert example["query"] == "q3"
    assert example["values"] == ([("old", "0.0000"), ("new", "1.0000")], "+1.0000")
    assert example["explained"] == ([("old", "0.0000"), ("new", "1.0000")], "+1.0000")
    example = dict(values["groups"])["Gained most"][1]
    assert example["values"] == ([("old", "0.2500"), ("new", "0.5000")], "+0.2500")
    assert example["explained"] == ([("old", "0.5213"), ("new", "0.8262")], "+0.3049")


def test_examples_say_which_two_of_several_runs_they_are_about():
    runs = {**SMALL_RUNS, "third": SMALL_RUNS["old"]}
    text = make_page(gather_experiment(SMALL_QRELS, runs, "nDCG@3"))
    assert (
        "The queries that change most by nDCG@3 from <bdi>old</bdi> to <bdi>new</bdi>; they stay "
        "those of these two runs, whichever are chosen above."
    ) in text
    assert "whichever are chosen" not in make_page(
        gather_experiment(SMALL_QRELS, SMALL_RUNS, "nDCG@3")
    )


@pytest.mark.parametrize(
    ("measure", "n_shown"), [("nDCG@1", 1), ("nDCG(ideal_depth=all)@1", 2), ("nDCG", 2)]
)
def test_the_best_ranking_of_an_example_goes_as_deep_as_it_counts(measure, n_shown):
    groups = dict(
        build_examples_section(gather_experiment(SMALL_QRELS, SMALL_RUNS, measure)).values["groups"]
    )
    (best,) = groups["Gained most"][0]["missed"]
    assert best.n_rows == n_shown
