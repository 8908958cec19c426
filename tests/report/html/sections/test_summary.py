"""The summary section: means, shares of judged items, and slices of the queries."""

import pytest

from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections import summary
from report.html.experiments import SMALL_QRELS, SMALL_RUNS


@pytest.mark.parametrize("runs", [{"old": SMALL_RUNS["old"]}, SMALL_RUNS])
def test_it_is_said_that_shares_of_judged_items_leave_out_queries_without_results(runs):
    values = summary.build_summary_section(gather_experiment(SMALL_QRELS, runs, "nDCG@3")).values
    assert dict(values["legend"])["judged"] == (
        "how much of what is ranked, down to the cutoff, has a judgment; queries without results "
        "are left out, while gainful eval counts them as 0"
    )


@pytest.mark.parametrize(
    ("ranks", "measure", "best"),
    [
        ({"a": [1, 1], "b": [2, 2], "c": [1, 1]}, "RR", ["a", "c"]),
        ({"a": [1, 1], "b": [1, 1]}, "RR", []),
        ({"a": [1, 1], "b": [2, 2]}, "RBPResidual", []),
    ],
)
def test_the_best_means_are_marked_as_in_other_tables(ranks, measure, best):
    table = summary.make_summary_table(experiment_of_slices(ranks, "xy", measure))
    rows = [row for group in table.groups for row in group.rows]
    assert [row[0].text for row in rows if row[1].mark == "best"] == best


HOW = "Each mark is the mean of a run on the queries of one kind, the line its 95% interval: "


HOW += "the fewer the queries, the longer it is."


def experiment_of_slices(ranks, kinds, measure="RR", **more):
    """An experiment of runs whose only relevant item is at these ranks."""
    n = len(kinds)
    qrels = {f"q{i}": {"good": 1} for i in range(n)}
    runs = {
        run: {
            f"q{i}": [*(f"d{k}" for k in range(rank - 1)), "good"]
            for i, rank in enumerate(run_ranks)
        }
        for run, run_ranks in ranks.items()
    }
    query_data = {f"q{i}": {"kind": kind, **more.get(f"q{i}", {})} for i, kind in enumerate(kinds)}
    return gather_experiment(qrels, runs, measure, queries=query_data)


def slice_caption(*arguments, **more):
    caption = (
        summary.build_slices_section(experiment_of_slices(*arguments, **more)).charts[0].caption
    )
    assert caption.startswith(HOW)
    return caption[len(HOW) :].strip()


def test_slices_on_which_the_candidate_is_lower_are_named():
    ranks = {"old": [2, 2, 2, 1, 1, 2], "new": [1, 1, 1, 2, 1, 3]}
    assert slice_caption(ranks, ["toys", "toys", "toys", "shoes", "shoes", "hats"]) == (
        "The mean of new is lower than that of old on shoes (\N{MINUS SIGN}0.25, 2 queries) and "
        "hats (\N{MINUS SIGN}0.17, 1 query). Slices were not tested one by one for significance, "
        "and chance may explain that: one query shows nothing and the interval of the difference "
        "holds 0."
    )


def test_where_the_interval_is_below_0_chance_is_not_said_to_explain_it():
    ranks = {"old": [4, 4, 4, 4, 1, 1, 2, 1], "new": [1, 1, 1, 1, 2, 2, 4, 1]}
    kinds = ["toys"] * 4 + ["shoes"] * 2 + ["hats"] * 2
    assert slice_caption(ranks, kinds) == (
        "The mean of new is lower than that of old on shoes (\N{MINUS SIGN}0.50, 2 queries) and "
        "hats (\N{MINUS SIGN}0.12, 2 queries). Slices were not tested one by one for "
        "significance, and chance may explain 1 of these 2: the interval of the difference holds 0."
    )
    assert slice_caption(ranks, ["toys"] * 4 + ["shoes"] * 2 + ["toys"] * 2).endswith(
        "Slices were not tested one by one for significance."
    )


def test_that_there_is_no_such_slice_is_said():
    ranks = {"old": [2, 2, 1], "new": [1, 1, 1]}
    assert slice_caption(ranks, ["a", "a", "b"]) == (
        "On no slice is the mean of new lower than that of old."
    )


def test_of_many_slices_those_that_lose_most_are_named():
    ranks = {"old": [1] * 7 + [99] * 9, "new": [2, 3, 4, 5, 6, 7, 8] + [1] * 9}
    caption = slice_caption(ranks, [*"abcdefg", *"h" * 9])
    assert "on g (\N{MINUS SIGN}0.88, 1 query), f (" in caption
    assert "1 query) and 2 more. Slices were" in caption


def test_where_less_is_better_slices_on_which_it_is_higher_are_named():
    ranks = {"old": [1, 1, 5, 5], "new": [2, 2, 1, 1]}
    caption = slice_caption(ranks, ["a", "a", "b", "b"], "Unjudged@10")
    assert caption.startswith("The mean of new is higher than that of old on a (+0.10, 2 queries).")


def test_of_one_run_nothing_is_said():
    assert slice_caption({"old": [1, 2]}, ["a", "b"]) == ""
    table = (
        summary.build_slices_section(experiment_of_slices({"old": [1, 2]}, ["a", "b"]))
        .charts[0]
        .table
    )
    assert [column.title for column in table.columns][-1] == "95% interval"
    assert table.note == ""


def test_the_numbers_have_the_difference_beside_the_candidate():
    ranks = {"old": [2, 2, 1], "new": [1, 1, 2], "other": [9, 9, 9]}
    table = (
        summary.build_slices_section(experiment_of_slices(ranks, ["a", "a", "b"])).charts[0].table
    )
    titles = [column.title for column in table.columns]
    assert titles[-3:] == ["difference", "95% interval of it", "won/tied/lost"]
    rows = [[cell.text for cell in row] for row in table.groups[0].rows]
    assert [(row[0], row[1], *row[-3:]) for row in rows] == [
        ("a", "old", "", "", ""),
        ("a", "new", "+0.5000", "[0.5000, 0.5000]", "2/0/0"),
        ("a", "other", "", "", ""),
        ("b", "old", "", "", ""),
        ("b", "new", "-0.5000", "-", "0/0/1"),
        ("b", "other", "", "", ""),
    ]
    assert table.note == "Differences are new less old, query by query."


def test_all_charts_of_slices_share_an_axis():
    words = {f"q{i}": {"lang": "en" if i % 2 else "de"} for i in range(6)}
    experiment = experiment_of_slices(
        {"old": [1, 2, 3, 4, 5, 6], "new": [2] * 6}, [*"aabbcc"], **words
    )
    charts = [chart.drawing for chart in summary.build_slices_section(experiment).charts]
    ends = [chart["layer"][0]["encoding"]["x"]["scale"]["domain"] for chart in charts]
    assert len(ends) == 2
    assert ends[0] == ends[1]
    parts = [part for slicing in experiment.slicings for part in slicing.parts]
    assert ends[0][0] <= min(part.mean for part in parts)
    assert ends[0][1] >= max(part.mean for part in parts)
