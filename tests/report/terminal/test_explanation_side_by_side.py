"""Two rankings of a query side by side in a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gainful import ItemData, explain, read_run
from gainful.report.terminal.explanation import render_side_by_side
from gainful.report.terminal.layout import Screen

JUDGED = {"q": {"a": 3, "b": 2, "c": 1, "n": 0}}


def explain_ranking(ranking, name, **options):
    return explain(JUDGED, read_run({"q": ranking}, name=name), "q", "nDCG@3", **options)


@pytest.fixture
def old():
    return explain_ranking(["n", "b", "u", "a"], "old")


@pytest.fixture
def new():
    return explain_ranking(["a", "n", "c"], "new")


def test_the_other_ranking_stands_on_the_left(new, old):
    assert render_side_by_side(new, old, Screen(100)).splitlines()[:10] == [
        "query q: nDCG@3 is 0.7350 by new, 0.2650 by old; the difference is +0.4700.",
        "",
        "rank  old  move  label  adds                       |  new  move    label  adds",
        "   1  n              0  0.0000                     |  a    new         3  3.0000 "
        "██████████████████",
        "   2  b    lost      2  1.2619 ███████▋            |  n    down 1      0  0.0000",
        "   3  u    lost      -  0.0000                     |  c    new         1  0.5000 ███",
        "old  sum 1.2619, at best 4.7619 ████████████▊░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░",
        "new  sum 3.5000, at best 4.7619 ███████████████████████████████████▎░░░░░░░░░░░░",
        "",
        "0 up, 1 down, 0 same, 2 new, 2 lost.",
    ]


def test_what_moves_mean_is_said_below(new, old):
    assert render_side_by_side(new, old, Screen(200)).splitlines()[10:12] == [
        "items add gain x discount, and move from left to right; those that are new or lost are "
        "not among the ranks that count on the other side.",
        f"rules: {new.rules}",
    ]


def test_a_narrow_screen_drops_the_same_columns_on_both_sides(new, old):
    lines = render_side_by_side(new, old, Screen(40, None, blocks=False)).splitlines()
    assert lines[3:9] == [
        "rank  old  move  |  new  move",
        "   1  n          |  a    new",
        "   2  b    lost  |  n    down 1",
        "   3  u    lost  |  c    new",
        "old  sum 1.2619, at best 4.7619 ##......",
        "new  sum 3.5000, at best 4.7619 ######..",
    ]
    text = " ".join(" ".join(lines).split())
    assert (
        "fitted to 40 columns: without label of old, adds of old, label of new, adds of new; "
        "-f json has everything."
    ) in text


def test_a_move_has_the_color_of_what_it_gains_or_costs(new, old):
    output = render_side_by_side(new, old, Screen(100, "256"))
    assert "\x1b[38;5;32mnew   \x1b[0m" in output
    assert "\x1b[38;5;245mdown 1\x1b[0m" in output  # an item that gains nothing anywhere
    assert "\x1b[38;5;166mlost\x1b[0m" in output


def test_rankings_of_nothing_have_no_table():
    nothing = explain({"q": {"a": 0}}, {"q": [], "p": ["x"]}, "q")
    lines = render_side_by_side(nothing, nothing, Screen(200)).splitlines()
    assert lines[:3] == [
        "query q: nDCG@10 is 0.0000 by run, 0.0000 by run; the difference is 0.0000.",
        "",
        "0 up, 0 down, 0 same, 0 new, 0 lost.",
    ]


rankings = st.lists(
    st.text(min_size=1, max_size=12) | st.sampled_from("abcn"), max_size=6, unique=True
)


@given(rankings, rankings, st.text(min_size=1), st.integers(1, 150), st.booleans())
def test_no_line_of_two_rankings_is_wider_than_the_screen_and_nothing_in_it_is_obeyed(
    ranked, before, name, width, blocks
):
    titles = ItemData(titles={"a": "日本語の" * 9})
    run, against = (explain_ranking([*r, "zz"], name, items=titles) for r in (ranked, before))
    text = render_side_by_side(run, against, Screen(width, None, blocks))
    assert all(cell_len(line) <= width for line in text.split("\n"))
    assert text.replace("\n", "").isprintable()
