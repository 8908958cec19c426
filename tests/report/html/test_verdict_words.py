"""The verdict in words says what the comparison found, whatever that is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections.verdict import make_verdict
from gainful.report.views.comparison import compare_with_reference, select_first_pairs
from tries import tried

HEADLINES = {
    "better": "is better than",
    "worse": "is worse than",
    "cannot tell": "cannot be told apart",
    "practically equal": "practically equal",
    "identical": "score the same on every query",
}


def found(runs, measure="RR", **how):
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
    return gather_experiment(qrels, ranked, measure, **how)


def test_runs_that_are_all_the_same_are_not_said_to_differ_by_chance():
    said = make_verdict(found({run: [1, 2, 3] for run in "abc"}))
    assert said.kind == "identical"
    assert said.headline == "All 3 runs score the same on every query."
    assert said.detail.endswith("It scores the same as b and c.")


def test_a_mean_that_two_runs_share_is_said_to_be_shared():
    said = make_verdict(found({"a": [1, 2, 4], "b": [2, 1, 4], "c": [4, 4, 4]}))
    assert said.headline == (
        "a and b share the highest RR of 3 runs, but chance alone may explain it."
    )
    assert "It cannot be told apart from b (+0.00, p = 1.00)" in said.detail


def test_a_mean_that_stays_is_not_said_to_fall():
    said = make_verdict(found({"a": [1, 2, 4], "b": [2, 1, 4]}))
    assert "On average RR stays at 0.58 (+0.00, 95% interval" in said.detail


def test_a_difference_that_is_tiny_is_shown_with_its_digits():
    said = make_verdict(found({"a": [999] * 9, "b": [998] * 9}))
    assert "rises from 0.0010010 to 0.0010020 (+0.0000010" in said.detail


def test_the_best_of_those_beside_a_baseline_is_not_said_to_be_the_best_of_all():
    runs = {"base": [1, 1, 1], "a": [1, 2, 4], "b": [9, 9, 9], "c": [2, 1, 4]}
    said = make_verdict(found({name: runs[name] for name in ("base", "a", "b")}, baseline="base"))
    assert "Of them a has the highest mean." in said.detail
    said = make_verdict(found(runs, baseline="base"))
    assert "Of them a and c have the highest mean; this is about a." in said.detail


def test_where_less_is_better_the_run_with_the_lowest_mean_is_set_beside_the_baseline():
    runs = {"base": [1, 1, 1], "a": [4, 5, 6], "b": [9, 9, 9]}
    said = make_verdict(found(runs, "Unjudged@10", baseline="base"))
    assert "Of them a has the lowest mean." in said.detail


@tried(60)
@given(st.data())
def test_words_and_comparison_agree(data):
    n = data.draw(st.integers(1, 9))
    ranks = st.lists(st.integers(1, 4), min_size=n, max_size=n)
    names = "abcd"[: data.draw(st.integers(2, 4))]
    shift = data.draw(st.sampled_from([0, 0, 3, 30]))
    runs = {run: [r + shift * i for r in data.draw(ranks)] for i, run in enumerate(names)}
    baseline = data.draw(st.sampled_from([None, "a"]))
    one = found(runs, baseline=baseline)
    said, comparison = make_verdict(one), one.comparison
    assert "-0.00 " not in said.detail
    assert "-0.00," not in said.detail
    if len(names) == 2 or baseline:
        pair = comparison.pair(one.candidate, one.baseline)
        assert said.kind == pair.verdict
        assert HEADLINES[pair.verdict] in said.headline
        assert all(w not in said.headline for k, w in HEADLINES.items() if k != pair.verdict)
        if pair.verdict != "identical":
            n_queries = "1 query" if n == 1 else f"{n} queries"
            assert f"{pair.wins} of {n_queries} got better, {pair.losses} worse" in said.detail
    else:
        means = {s.name: s.mean for s in comparison.systems}
        best = max(means.values())
        others = compare_with_reference(
            select_first_pairs(comparison), max(means, key=means.__getitem__)
        )
        kinds = [other.verdict for other in others.values()]
        assert said.kind == (
            "better"
            if "worse" in kinds
            else "identical"
            if set(kinds) == {"identical"}
            else "cannot tell"
        )
        level = [run for run, mean in means.items() if abs(mean - best) <= comparison.tie]
        if said.kind == "cannot tell":
            assert said.headline.startswith(f"{' and '.join(level)} ") or len(level) > 2


@pytest.mark.parametrize("n_runs", [1, 2, 3])
def test_one_query_shows_nothing(n_runs):
    said = make_verdict(found({run: [rank] for rank, run in enumerate("abc"[:n_runs], 1)}))
    assert said.kind in ("alone", "cannot tell")
