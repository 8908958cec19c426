"""The verdict in words: what a reader is told first."""

from dataclasses import replace

import pytest

import gainful
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections.verdict import build_verdict_section, make_verdict
from gainful.report.html.write import make_page


def values(*runs, measures="nDCG@10", **how):
    """An experiment on queries of one relevant item each, whose ranks the runs give."""
    queries = [f"q{i}" for i in range(len(runs[0][1]))]
    qrels = {query: {"good": 1, "bad": 0} for query in queries}
    ranked = {
        name: {
            query: [*(f"bad{i}" for i in range(rank - 1)), "good"]
            for query, rank in zip(queries, ranks, strict=True)
        }
        for name, ranks in runs
    }
    return gather_experiment(qrels, ranked, measures, **how)


def test_a_better_run_is_said_to_be_better_with_counts_means_and_chance():
    old, new = [3, 3, 3, 7, 3, 3, 3, 1], [1, 1, 1, 3, 1, 2, 1, 2]
    said = make_verdict(values(("old", old), ("new", new), measures="RR"))
    assert said.kind == "better"
    assert said.headline == "new is better than old."
    assert said.detail == (
        "7 of 8 queries got better, 1 worse. On average RR rises from 0.39 to 0.79 (+0.40, 95% "
        "interval +0.04 to +0.75); chance alone hardly explains it (p = 0.033)."
    )
    assert said.technical == (
        "new beats old on RR: +0.3988 [0.0436, 0.7541], p = 0.0327 (paired t, 8 queries).",
    )


def test_what_chance_may_explain_is_not_called_a_difference():
    said = make_verdict(values(("old", [1, 2, 3, 1]), ("new", [2, 1, 3, 1]), measures="RR"))
    assert said.kind == "cannot tell"
    assert said.headline == "new and old cannot be told apart."
    assert "chance alone may explain it" in said.detail


def test_a_baseline_is_called_one_and_the_other_runs_are_counted():
    ranks = [3, 3, 3, 7, 3, 3, 3, 1]
    better, same = [1, 1, 1, 3, 1, 2, 1, 2], ranks
    found = values(("old", ranks), ("new", better), ("twin", same), measures="RR", baseline="old")
    said = make_verdict(found)
    assert said.headline == "new and the baseline old cannot be told apart."
    assert said.detail.startswith("7 of 8 queries got better, 1 worse.")
    assert said.detail.endswith(
        " Of 2 runs beside the baseline: 1 cannot be told apart from it, 1 identical to it. "
        "Of them new has the highest mean."
    )


def test_runs_that_are_identical_are_said_to_be():
    said = make_verdict(values(("old", [1, 2]), ("new", [1, 2]), measures="RR"))
    assert said.headline == "new and old score the same on every query."
    assert said.detail == "The mean RR of both is 0.7500."


def test_of_several_runs_the_best_is_named_and_whom_it_beats():
    low, high = [5, 4, 5, 6, 5, 4, 5, 6, 5, 4], [1, 1, 2, 1, 1, 1, 2, 1, 1, 1]
    said = make_verdict(values(("a", low), ("b", high), ("c", low), measures="RR"))
    assert said.kind == "better"
    assert said.headline == "b is better than all 2 others."
    assert "It is better than a (" in said.detail


def test_one_run_says_its_mean_and_what_it_is_made_of():
    said = make_verdict(values(("only", [1, 1, 2, 4]), measures="RR@3"))
    assert said.kind == "alone"
    assert said.headline == "only scores 0.62 by RR@3."
    assert "1 of 4 queries (25%) score 0, 2 of 4 queries (50%) reach 1" in said.detail
    assert "The lowest: q3 (0.00), q2 (0.50) and q0 (1.00)." in said.detail


def test_one_query_shows_nothing():
    said = make_verdict(values(("old", [2]), ("new", [1]), measures="RR"))
    assert said.detail == (
        "1 of 1 query got better, 0 worse. On average RR rises from 0.50 to 1.00 (+0.50); one "
        "query shows nothing."
    )


@pytest.mark.parametrize("name", ["\u202eevil", "a\nb", "\x07bell"])
def test_a_name_cannot_turn_a_sentence_around(name):
    said = make_verdict(values((name, [1, 2]), ("new", [2, 1]), measures="RR"))
    assert name not in said.headline
    assert said.headline.isprintable()


def test_a_name_of_another_direction_is_isolated():
    said = make_verdict(
        values(("\u05e9\u05dc\u05d5\u05dd", [1, 2]), ("new", [2, 1]), measures="RR")
    )
    assert "\u2068\u05e9\u05dc\u05d5\u05dd\u2069" in said.headline


def test_uneven_judging_is_warned_of():
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(3)}
    runs = {"old": {q: ["a", "b"] for q in qrels}, "new": {q: ["a", "x"] for q in qrels}}
    found = build_verdict_section(gather_experiment(qrels, runs, "nDCG@2"))
    assert found.values["warnings"] == [
        "50.0% of what new ranks is judged, but 100.0% of what old ranks: items without a judgment "
        "count as not relevant, so new may be better than it looks."
    ]
    assert found.values["judged"] == [
        {"run": "old", "share": "100.0%", "low": False},
        {"run": "new", "share": "50.0%", "low": True},
    ]


def test_the_gate_is_shown_with_its_checks():
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 0}}
    runs = {
        "old": {"q1": ["d1"], "q2": ["d1"]},
        "new": {"q1": ["d1"], "q2": ["d2", "d1"]},
    }
    gate = gainful.gate(qrels, *runs.values(), "RR")
    shown = build_verdict_section(gather_experiment(qrels, runs, "RR", gate=gate)).values["gate"]
    assert shown["outcome"] == "failed"
    assert shown["sentence"] == gate.sentence
    assert shown["table"].n_rows == len(gate.checks)
    assert shown["together"] == (
        "The gate holds candidate to thresholds, and it misses some of them; the verdict below is "
        "about chance alone."
    )
    assert shown["table"].note == (
        "What the gate says of chance is one-sided, about a drop alone; the p-value of the verdict "
        "is two-sided."
    )


def gated(new, old, **thresholds):
    """What the page shows of a gate for ranks of the one relevant item, by RR."""
    found = values(("old", old), ("new", new), measures="RR")
    qrels = {query: {"good": 1, "bad": 0} for query in found.queries}
    runs = [
        {q: [*(f"bad{i}" for i in range(r - 1)), "good"] for q, r in zip(qrels, ranks, strict=True)}
        for ranks in (old, new)
    ]
    gate = gainful.gate(qrels, *runs, "RR", **thresholds)
    return build_verdict_section(replace(found, gate=gate)).values


def test_a_gate_that_says_what_the_verdict_says_stands_without_a_word_about_it():
    shown = gated([1] * 8, [2, 3] * 4)
    assert (shown["verdict"].kind, shown["gate"]["outcome"]) == ("better", "passed")
    assert shown["gate"]["together"] is None


def test_a_gate_that_is_open_beside_a_verdict_says_how_both_can_be_right():
    shown = gated([2, 3] * 4, [1] * 8, min_judged=0.99, max_drop=0.9)
    assert (shown["verdict"].kind, shown["gate"]["outcome"]) == ("worse", "open")
    assert shown["gate"]["together"] == (
        "The gate holds candidate to thresholds, and it may or may not meet them, as items that "
        "nobody judged leave it open; the verdict below is about chance alone."
    )


def test_a_gate_stands_before_the_headline():
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 0}}
    runs = {"old": {"q1": ["d1"], "q2": ["d1"]}, "new": {"q1": ["d1"], "q2": ["d2", "d1"]}}
    gate = gainful.gate(qrels, *runs.values(), "RR")
    text = make_page(gather_experiment(qrels, runs, "RR", gate=gate))
    assert 0 < text.index("<strong>Gate:</strong>") < text.index('<h2 id="verdict-title">')


def unjudged(n_queries, n_runs=2, labels=None):
    """An experiment: the first run has its unjudged item above the good one, the others not."""
    qrels = {f"q{i}": {"good": 1, "bad": 0, **(labels or {})} for i in range(n_queries)}
    new = {query: ["good", "bad"] for query in list(qrels)[1:]} | {"q0": ["bad", "good"]}
    runs = {"old": {query: ["x", "bad", "good"] for query in qrels}}
    runs |= {f"new{i}" if i else "new": new for i in range(n_runs - 1)}
    return gather_experiment(qrels, runs, "nDCG@10", seed=1)


def test_a_verdict_that_judging_could_turn_over_says_so():
    shown = build_verdict_section(unjudged(9)).values
    assert shown["verdict"].kind == "better"
    assert shown["warnings"][0].startswith(
        "Judging could turn the order over and put old above new: the difference is +0.4590 and "
        "lies in [-"
    )


def test_a_verdict_that_judging_leaves_as_it_is_has_no_such_warning():
    shown = build_verdict_section(unjudged(9, labels={"x": 0})).values
    assert shown["verdict"].kind == "better"
    assert shown["warnings"] == []


def test_of_several_runs_the_nearest_that_the_best_one_beats_is_warned_of():
    shown = build_verdict_section(unjudged(9, n_runs=4)).values
    assert shown["verdict"].kind == "better"
    assert shown["warnings"][0].startswith("Judging could turn the order over and put old above ")
