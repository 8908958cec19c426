"""Pieces of the page, one by one."""

import csv
import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.alignment.rules import Rules
from gainful.report.html.embedded_data import make_copies
from gainful.report.html.model import order_runs_for_charts, select_few_runs
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.parts import (
    choose_digits,
    clean_svg,
    isolate_name,
    phrase_p_value,
    use_minus_signs,
)
from gainful.report.html.sections.coverage import classify_ranks
from gainful.report.html.sections.queries import build_examples_section as examples
from gainful.report.html.sections.setup import build_glossary_section as glossary
from gainful.report.html.sections.setup import make_rules_table
from gainful.report.html.sections.significance import build_curves_section as curves
from gainful.report.html.sections.significance import select_difference_rows
from gainful.report.html.sections.summary import build_summary_section as summary
from gainful.report.html.write import make_page
from gainful.report.outputs import escape_json, sanitize_text

QRELS = {f"q{i}": {"a": 3, "b": 1, "c": 0} for i in range(4)}
RUNS = {
    "old": {"q0": ["a"], "q1": ["c", "a"], "q2": ["b", "x"], "q3": ["c"]},
    "new": {"q0": ["b"], "q1": ["a"], "q2": ["b", "x"], "q3": ["a", "b"]},
}


@given(st.text())
def test_what_is_shown_can_be_written_as_html(text):
    safe = sanitize_text(text)
    safe.encode()
    assert not any(ord(c) < 32 and c not in "\t\n\r" for c in safe)


@given(st.recursive(st.text() | st.none(), st.lists))
def test_escaped_json_is_the_same_json_and_ends_no_script(held):
    import json

    text = escape_json(json.dumps(held, ensure_ascii=False))
    assert json.loads(text) == held
    assert "<" not in text
    text.encode()


@given(st.text())
def test_a_name_in_a_sentence_stays_on_its_line(name):
    assert "\n" not in isolate_name(name)
    assert isolate_name(name).count("\u2068") == isolate_name(name).count("\u2069") <= 1


@given(st.floats(0, 1), st.sampled_from([0.01, 0.05]))
def test_a_chance_is_told_on_the_side_of_alpha_on_which_it_is(p, alpha):
    text = phrase_p_value(p, alpha)
    if text.startswith("p = "):
        assert (float(text[4:]) < alpha) == (p < alpha)
    else:
        assert p < alpha


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_difference_has_two_to_eight_decimals(difference):
    assert 2 <= choose_digits(difference) <= 8


def test_minus_signs_are_true_only_before_numbers():
    assert use_minus_signs("a-1 - b -0.5 [-0.25, 1e-05] 1-2") == (
        "a-1 - b \u22120.5 [\u22120.25, 1e-05] 1-2"
    )


def test_ids_of_a_picture_are_its_own():
    svg = '<svg><clipPath id="clip1"/><path clip-path="url(#clip1)" d="M10.98765,-0.00001"/></svg>'
    assert clean_svg(svg, "ecdf") == (
        '<svg><clipPath id="ecdf-1"/><path clip-path="url(#ecdf-1)" d="M10.99,-0"/></svg>'
    )


def test_the_largest_loss_is_drawn_first():
    rows = select_difference_rows(gather_experiment(QRELS, RUNS, "nDCG@3"))
    assert [row["query"] for row in rows] == ["q0", "q2", "q1", "q3"]
    assert [row["place"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["difference"] == pytest.approx(rows[0]["b"] - rows[0]["a"], abs=1e-6)


def test_ranks_are_relevant_or_not_or_unjudged_or_nothing():
    found = classify_ranks(gather_experiment(QRELS, RUNS, "nDCG@3"), "old")
    assert found.tolist() == [[3, 0, 0], [2, 3, 0], [3, 1, 0], [2, 0, 0]]


def test_examples_come_from_both_ends_and_add_up():
    groups = dict(examples(gather_experiment(QRELS, RUNS, "nDCG@3")).values["groups"])
    assert [one["query"] for one in groups["Lost most"]] == ["q0"]
    assert [one["query"] for one in groups["Gained most"]] == ["q3", "q1"]
    (old, new) = groups["Gained most"][0]["tables"]
    assert new.note == "Sum 3.6309, of at most 3.6309: nDCG@3 1.0000."
    assert [cell.text for cell in new.groups[0].rows[1]] == [
        "2", "b", "1", "1", "0.6309", "0.6309", "3.6309",
    ]  # fmt: skip
    assert old.n_rows == 1


def test_every_rule_is_put_into_words():
    rows = make_rules_table(Rules(depth=7)).groups[0].rows
    assert [row[0].text for row in rows] == [
        name for name, value in Rules(depth=7).to_dict().items() if value is not None
    ]
    assert [cell.text for cell in rows[0]] == [
        "ties",
        "item-desc",
        "what orders items of equal score: item ids in descending byte order, as trec_eval does",
    ]


def test_the_glossary_has_every_measure_and_those_that_ndcg_is_made_of():
    found = glossary(gather_experiment(QRELS, RUNS, "P@2,nDCG@3")).values
    assert [one["name"] for one in found["entries"]] == ["P", "nDCG", "CG", "DCG", "IDCG"]
    for entry in found["entries"]:
        assert any(paragraph["kind"] == "formula" for paragraph in entry["paragraphs"])


def test_undefined_values_are_left_out_of_charts():
    qrels = {**QRELS, "q9": {"a": 0}}
    runs = {name: {**run, "q9": ["a"]} for name, run in RUNS.items()}
    found = gather_experiment(qrels, runs, "nDCG@3", rules=Rules(empty="nan"))
    assert np.isnan(found.scores[0].values).any()
    assert not any(math.isnan(row["difference"]) for row in select_difference_rows(found))


@pytest.mark.parametrize("runs", [{"old": RUNS["old"]}, RUNS])
def test_it_is_said_that_shares_of_judged_items_leave_out_queries_without_results(runs):
    shown = summary(gather_experiment(QRELS, runs, "nDCG@3")).values
    assert dict(shown["legend"])["judged"] == (
        "how much of what is ranked, down to the cutoff, has a judgment; queries without results "
        "are left out, while gainful eval counts them as 0"
    )


def test_examples_show_the_measure_they_are_ordered_by_and_the_one_they_explain():
    shown = examples(gather_experiment(QRELS, RUNS, "AP")).values
    assert (shown["measure"], shown["explained"]) == ("AP", "nDCG@10")
    one = dict(shown["groups"])["Gained most"][0]
    assert one["query"] == "q3"
    assert one["values"] == ([("old", "0.0000"), ("new", "1.0000")], "+1.0000")
    assert one["explained"] == ([("old", "0.0000"), ("new", "1.0000")], "+1.0000")
    one = dict(shown["groups"])["Gained most"][1]
    assert one["values"] == ([("old", "0.2500"), ("new", "0.5000")], "+0.2500")
    assert one["explained"] == ([("old", "0.5213"), ("new", "0.8262")], "+0.3049")


def test_examples_say_which_two_of_several_runs_they_are_about():
    runs = {**RUNS, "third": RUNS["old"]}
    text = make_page(gather_experiment(QRELS, runs, "nDCG@3"))
    assert (
        "The queries that change most by nDCG@3 from <bdi>old</bdi> to <bdi>new</bdi>; they stay "
        "those of these two runs, whichever are chosen above."
    ) in text
    assert "whichever are chosen" not in make_page(gather_experiment(QRELS, RUNS, "nDCG@3"))


def test_the_summary_is_copied_as_csv_with_means_and_differences_from_the_baseline():
    found = gather_experiment(QRELS, {**RUNS, "third": RUNS["old"]}, "nDCG@3,P@1", baseline="new")
    rows = list(csv.DictReader(io.StringIO(make_copies(found)["csv"])))
    assert [(row["measure"], row["system"], row["baseline"]) for row in rows] == [
        ("nDCG@3", "old", "new"),
        ("nDCG@3", "new", ""),
        ("nDCG@3", "third", "new"),
        ("P@1", "old", "new"),
        ("P@1", "new", ""),
        ("P@1", "third", "new"),
    ]
    for row, system in zip(rows, found.systems, strict=True):
        assert float(row["mean"]) == system.mean
        if system.name != "new":
            pair = found.comparison.pair(system.name, "new", system.measure)
            assert float(row["difference"]) == pair.difference
            assert float(row["p_adjusted"]) == pair.p_adjusted
            assert (int(row["wins"]), row["verdict"]) == (pair.wins, pair.verdict)


def test_the_summary_of_one_run_is_copied_as_its_scores():
    found = gather_experiment(QRELS, {"old": RUNS["old"]}, "nDCG@3")
    assert make_copies(found)["csv"] == found.scores[0].to_csv()


def test_charts_draw_the_two_runs_that_are_compared_first_in_the_colours_of_a_and_b():
    runs = {"old": RUNS["old"], "other": {"q0": ["c"]}, "new": RUNS["new"]}
    held = gather_experiment(QRELS, runs, "nDCG@3", baseline="old")
    assert held.candidate == "new"
    assert order_runs_for_charts(held) == select_few_runs(held) == ("old", "new", "other")
    assert select_few_runs(held, 2) == ("old", "new")
    rows = curves(held).charts[0].drawing.to_dict()["data"]["values"]
    assert [*dict.fromkeys(row["run"] for row in rows)] == ["old", "new", "other"]


@pytest.mark.parametrize(
    ("measure", "n_shown"), [("nDCG@1", 1), ("nDCG(ideal_depth=all)@1", 2), ("nDCG", 2)]
)
def test_the_best_ranking_of_an_example_goes_as_deep_as_it_counts(measure, n_shown):
    groups = dict(examples(gather_experiment(QRELS, RUNS, measure)).values["groups"])
    (best,) = groups["Gained most"][0]["missed"]
    assert best.n_rows == n_shown
