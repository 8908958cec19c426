"""The verdict section: the headline, its details, its warnings and the gate."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from example_counts import max_examples
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections import verdict
from gainful.report.html.sections.verdict import build_verdict_section, make_verdict
from gainful.report.html.write import make_page
from gainful.report.views.comparison import compare_with_reference, select_first_pairs
from report.html.experiments import random_experiment


def experiment_of_ranks(*runs, measures="nDCG@10", **options):
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
    return gather_experiment(qrels, ranked, measures, **options)


def test_a_better_run_is_said_to_be_better_with_counts_means_and_chance():
    old, new = [3, 3, 3, 7, 3, 3, 3, 1], [1, 1, 1, 3, 1, 2, 1, 2]
    statement = make_verdict(experiment_of_ranks(("old", old), ("new", new), measures="RR"))
    assert statement.kind == "better"
    assert statement.headline == "new is better than old."
    assert statement.detail == (
        "7 of 8 queries got better, 1 worse. On average RR rises from 0.39 to 0.79 (+0.40, 95% "
        "interval +0.04 to +0.75); chance alone hardly explains it (p = 0.033)."
    )
    assert statement.technical == (
        "new beats old on RR: +0.3988 [0.0436, 0.7541], p = 0.0327 (paired t, 8 queries).",
    )


def test_what_chance_may_explain_is_not_called_a_difference():
    statement = make_verdict(
        experiment_of_ranks(("old", [1, 2, 3, 1]), ("new", [2, 1, 3, 1]), measures="RR")
    )
    assert statement.kind == "cannot tell"
    assert statement.headline == "new and old cannot be told apart."
    assert "chance alone may explain it" in statement.detail


def test_a_baseline_is_called_one_and_the_other_runs_are_counted():
    ranks = [3, 3, 3, 7, 3, 3, 3, 1]
    better, same = [1, 1, 1, 3, 1, 2, 1, 2], ranks
    experiment = experiment_of_ranks(
        ("old", ranks), ("new", better), ("twin", same), measures="RR", baseline="old"
    )
    statement = make_verdict(experiment)
    assert statement.headline == "new and the baseline old cannot be told apart."
    assert statement.detail.startswith("7 of 8 queries got better, 1 worse.")
    assert statement.detail.endswith(
        " Of 2 runs beside the baseline: 1 cannot be told apart from it, 1 identical to it. "
        "Of them new has the highest mean."
    )


def test_runs_that_are_identical_are_said_to_be():
    statement = make_verdict(experiment_of_ranks(("old", [1, 2]), ("new", [1, 2]), measures="RR"))
    assert statement.headline == "new and old score the same on every query."
    assert statement.detail == "The mean RR of both is 0.7500."


def test_of_several_runs_the_best_is_named_and_whom_it_beats():
    low, high = [5, 4, 5, 6, 5, 4, 5, 6, 5, 4], [1, 1, 2, 1, 1, 1, 2, 1, 1, 1]
    statement = make_verdict(
        experiment_of_ranks(("a", low), ("b", high), ("c", low), measures="RR")
    )
    assert statement.kind == "better"
    assert statement.headline == "b is better than all 2 others."
    assert "It is better than a (" in statement.detail


def test_one_run_says_its_mean_and_what_it_is_made_of():
    statement = make_verdict(experiment_of_ranks(("only", [1, 1, 2, 4]), measures="RR@3"))
    assert statement.kind == "alone"
    assert statement.headline == "only scores 0.62 by RR@3."
    assert "1 of 4 queries (25%) score 0, 2 of 4 queries (50%) reach 1" in statement.detail
    assert "The lowest: q3 (0.00), q2 (0.50) and q0 (1.00)." in statement.detail


def test_one_query_shows_nothing():
    statement = make_verdict(experiment_of_ranks(("old", [2]), ("new", [1]), measures="RR"))
    assert statement.detail == (
        "1 of 1 query got better, 0 worse. On average RR rises from 0.50 to 1.00 (+0.50); one "
        "query shows nothing."
    )


@pytest.mark.parametrize("name", ["\u202eevil", "a\nb", "\x07bell"])
def test_a_name_cannot_turn_a_sentence_around(name):
    statement = make_verdict(experiment_of_ranks((name, [1, 2]), ("new", [2, 1]), measures="RR"))
    assert name not in statement.headline
    assert statement.headline.isprintable()


def test_a_name_of_another_direction_is_isolated():
    statement = make_verdict(
        experiment_of_ranks(("\u05e9\u05dc\u05d5\u05dd", [1, 2]), ("new", [2, 1]), measures="RR")
    )
    assert "\u2068\u05e9\u05dc\u05d5\u05dd\u2069" in statement.headline


def test_uneven_judging_is_warned_of():
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(3)}
    runs = {"old": {q: ["a", "b"] for q in qrels}, "new": {q: ["a", "x"] for q in qrels}}
    section = build_verdict_section(gather_experiment(qrels, runs, "nDCG@2"))
    assert section.values["warnings"] == [
        "50.0% of what new ranks is judged, but 100.0% of what old ranks: items without a judgment "
        "count as not relevant, so new may be better than it looks."
    ]
    assert section.values["judged"] == [
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
    values = build_verdict_section(gather_experiment(qrels, runs, "RR", gate=gate)).values["gate"]
    assert values["outcome"] == "failed"
    assert values["sentence"] == gate.sentence
    assert values["table"].n_rows == len(gate.checks)
    assert values["together"] == (
        "The gate holds candidate to thresholds, and it misses some of them; the verdict below is "
        "about chance alone."
    )
    assert values["table"].note == (
        "What the gate says of chance is one-sided, about a drop alone; the p-value of the verdict "
        "is two-sided."
    )


def gate_values(new, old, **thresholds):
    """What the page shows of a gate for ranks of the one relevant item, by RR."""
    experiment = experiment_of_ranks(("old", old), ("new", new), measures="RR")
    qrels = {query: {"good": 1, "bad": 0} for query in experiment.queries}
    runs = [
        {q: [*(f"bad{i}" for i in range(r - 1)), "good"] for q, r in zip(qrels, ranks, strict=True)}
        for ranks in (old, new)
    ]
    gate = gainful.gate(qrels, *runs, "RR", **thresholds)
    return build_verdict_section(replace(experiment, gate=gate)).values


def test_a_gate_that_says_what_the_verdict_says_stands_without_a_word_about_it():
    values = gate_values([1] * 8, [2, 3] * 4)
    assert (values["verdict"].kind, values["gate"]["outcome"]) == ("better", "passed")
    assert values["gate"]["together"] is None


def test_a_gate_that_is_open_beside_a_verdict_says_how_both_can_be_right():
    values = gate_values([2, 3] * 4, [1] * 8, min_judged=0.99, max_drop=0.9)
    assert (values["verdict"].kind, values["gate"]["outcome"]) == ("worse", "open")
    assert values["gate"]["together"] == (
        "The gate holds candidate to thresholds, and it may or may not meet them, as items that "
        "nobody judged leave it open; the verdict below is about chance alone."
    )


def test_a_gate_stands_before_the_headline():
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 0}}
    runs = {"old": {"q1": ["d1"], "q2": ["d1"]}, "new": {"q1": ["d1"], "q2": ["d2", "d1"]}}
    gate = gainful.gate(qrels, *runs.values(), "RR")
    text = make_page(gather_experiment(qrels, runs, "RR", gate=gate))
    assert 0 < text.index("<strong>Gate:</strong>") < text.index('<h2 id="verdict-title">')


def partly_judged_experiment(n_queries, n_runs=2, labels=None):
    """An experiment: the first run has its unjudged item above the good one, the others not."""
    qrels = {f"q{i}": {"good": 1, "bad": 0, **(labels or {})} for i in range(n_queries)}
    new = {query: ["good", "bad"] for query in list(qrels)[1:]} | {"q0": ["bad", "good"]}
    runs = {"old": {query: ["x", "bad", "good"] for query in qrels}}
    runs |= {f"new{i}" if i else "new": new for i in range(n_runs - 1)}
    return gather_experiment(qrels, runs, "nDCG@10", seed=1)


def test_a_verdict_that_judging_could_turn_over_says_so():
    values = build_verdict_section(partly_judged_experiment(9)).values
    assert values["verdict"].kind == "better"
    assert values["warnings"][0].startswith(
        "Judging could turn the order over and put old above new: the difference is +0.4590 and "
        "lies in [-"
    )


def test_a_verdict_that_judging_leaves_as_it_is_has_no_such_warning():
    values = build_verdict_section(partly_judged_experiment(9, labels={"x": 0})).values
    assert values["verdict"].kind == "better"
    assert values["warnings"] == []


def test_of_several_runs_the_nearest_that_the_best_one_beats_is_warned_of():
    values = build_verdict_section(partly_judged_experiment(9, n_runs=4)).values
    assert values["verdict"].kind == "better"
    assert values["warnings"][0].startswith("Judging could turn the order over and put old above ")


HEADLINES = {
    "better": "is better than",
    "worse": "is worse than",
    "cannot tell": "cannot be told apart",
    "practically equal": "practically equal",
    "identical": "score the same on every query",
}


def experiment_of_runs(runs, measure="RR", **options):
    """An experiment of runs, each the rank of the one relevant item of every query."""
    n_queries = len(next(iter(runs.values())))
    queries = [f"q{i}" for i in range(n_queries)]
    ranked = {
        run: {
            q: [*(f"bad{i}" for i in range(rank - 1)), "good"]
            for q, rank in zip(queries, ranks, strict=True)
        }
        for run, ranks in runs.items()
    }
    qrels = {query: {"good": 1, "bad0": 0, "bad1": 0} for query in queries}
    return gather_experiment(qrels, ranked, measure, **options)


def test_runs_that_are_all_the_same_are_not_said_to_differ_by_chance():
    statement = make_verdict(experiment_of_runs({run: [1, 2, 3] for run in "abc"}))
    assert statement.kind == "identical"
    assert statement.headline == "All 3 runs score the same on every query."
    assert statement.detail.endswith("It scores the same as b and c.")


def test_a_mean_that_two_runs_share_is_said_to_be_shared():
    statement = make_verdict(experiment_of_runs({"a": [1, 2, 4], "b": [2, 1, 4], "c": [4, 4, 4]}))
    assert statement.headline == (
        "a and b share the highest RR of 3 runs, but chance alone may explain it."
    )
    assert "It cannot be told apart from b (+0.00, p = 1.00)" in statement.detail


def test_a_mean_that_stays_is_not_said_to_fall():
    statement = make_verdict(experiment_of_runs({"a": [1, 2, 4], "b": [2, 1, 4]}))
    assert "On average RR stays at 0.58 (+0.00, 95% interval" in statement.detail


def test_a_difference_that_is_tiny_is_shown_with_its_digits():
    statement = make_verdict(experiment_of_runs({"a": [999] * 9, "b": [998] * 9}))
    assert "rises from 0.0010010 to 0.0010020 (+0.0000010" in statement.detail


def test_the_best_of_those_beside_a_baseline_is_not_said_to_be_the_best_of_all():
    runs = {"base": [1, 1, 1], "a": [1, 2, 4], "b": [9, 9, 9], "c": [2, 1, 4]}
    statement = make_verdict(
        experiment_of_runs({name: runs[name] for name in ("base", "a", "b")}, baseline="base")
    )
    assert "Of them a has the highest mean." in statement.detail
    statement = make_verdict(experiment_of_runs(runs, baseline="base"))
    assert "Of them a and c have the highest mean; this is about a." in statement.detail


def test_where_less_is_better_the_run_with_the_lowest_mean_is_set_beside_the_baseline():
    runs = {"base": [1, 1, 1], "a": [4, 5, 6], "b": [9, 9, 9]}
    statement = make_verdict(experiment_of_runs(runs, "Unjudged@10", baseline="base"))
    assert "Of them a has the lowest mean." in statement.detail


@max_examples(60)
@given(st.data())
def test_words_and_comparison_agree(data):
    n = data.draw(st.integers(1, 9))
    ranks = st.lists(st.integers(1, 4), min_size=n, max_size=n)
    names = "abcd"[: data.draw(st.integers(2, 4))]
    shift = data.draw(st.sampled_from([0, 0, 3, 30]))
    runs = {run: [r + shift * i for r in data.draw(ranks)] for i, run in enumerate(names)}
    baseline = data.draw(st.sampled_from([None, "a"]))
    experiment = experiment_of_runs(runs, baseline=baseline)
    statement, comparison = make_verdict(experiment), experiment.comparison
    assert "-0.00 " not in statement.detail
    assert "-0.00," not in statement.detail
    if len(names) == 2 or baseline:
        pair = comparison.pair(experiment.candidate, experiment.baseline)
        assert statement.kind == pair.verdict
        assert HEADLINES[pair.verdict] in statement.headline
        assert all(w not in statement.headline for k, w in HEADLINES.items() if k != pair.verdict)
        if pair.verdict != "identical":
            n_queries = "1 query" if n == 1 else f"{n} queries"
            assert f"{pair.wins} of {n_queries} got better, {pair.losses} worse" in statement.detail
    else:
        means = {s.name: s.mean for s in comparison.systems}
        best = max(means.values())
        others = compare_with_reference(
            select_first_pairs(comparison), max(means, key=means.__getitem__)
        )
        kinds = [other.verdict for other in others.values()]
        assert statement.kind == (
            "better"
            if "worse" in kinds
            else "identical"
            if set(kinds) == {"identical"}
            else "cannot tell"
        )
        level = [run for run, mean in means.items() if abs(mean - best) <= comparison.tie]
        if statement.kind == "cannot tell":
            assert statement.headline.startswith(f"{' and '.join(level)} ") or len(level) > 2


@pytest.mark.parametrize("n_runs", [1, 2, 3])
def test_one_query_decides_nothing_whatever_the_number_of_runs(n_runs):
    statement = make_verdict(
        experiment_of_runs({run: [rank] for rank, run in enumerate("abc"[:n_runs], 1)})
    )
    assert statement.kind in ("alone", "cannot tell")


def test_where_higher_is_not_better_the_page_says_so():
    warnings = verdict.build_verdict_section(random_experiment([0, 1], "Unjudged@10")).values[
        "warnings"
    ]
    assert warnings[0] == (
        "A higher Unjudged@10 is not a better one: where this page calls a run or a query better "
        "or worse, its value is higher or lower."
    )


def test_queries_without_a_value_are_not_among_the_lowest():
    qrels = {"q1": {"a": 1}, "q2": {"a": 0}}
    runs = {"run": {"q1": ["a"], "q2": ["a"]}}
    statement = verdict.make_verdict(
        gather_experiment(qrels, runs, rules=gainful.Rules(empty="nan"))
    )
    assert statement.detail == (
        "That is the mean over 1 query. 0 of 1 queries (0%) score 0, 1 of 1 queries (100%) reach "
        "1, the best there is. The lowest: q1 (1.00)."
    )
