"""The moves of items between two rankings of a query, in every output."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import explain, read_run
from gainful.report import render, view_moves
from gainful.report.views.explanation import find_moves

JUDGED = {"q": {"a": 3, "b": 2, "c": 1, "n": 0}}


def explain_ranking(ranking, name, **options):
    return explain(JUDGED, read_run({"q": ranking}, name=name), "q", "nDCG@3", **options)


@pytest.fixture
def old():
    return explain_ranking(["n", "b", "u", "a"], "old")


@pytest.fixture
def new():
    return explain_ranking(["a", "n", "c"], "new")


def test_items_move_up_and_down_are_found_and_lost(new, old):
    assert [(moved.item, moved.move) for moved in find_moves(new, old)] == [
        ("a", "new"),  # the other has it below the cutoff
        ("n", "down 1"),
        ("c", "new"),
        ("b", "lost"),
        ("u", "lost"),
    ]
    assert [moved.move for moved in find_moves(old, old)] == ["same"] * 3
    assert ("n", "up 1") in [(moved.item, moved.move) for moved in find_moves(old, new)]


def test_products_add_up_to_both_sums(new, old):
    assert sum(moved.product for moved in find_moves(new, old)) == new.total
    assert sum(moved.before for moved in find_moves(new, old)) == old.total


def test_what_differs_is_said_first(new, old):
    view = view_moves(new, old)
    assert [*view.headline, view.closing[0]] == [
        "query q: nDCG@3 is 0.7350 by new, 0.2650 by old; the difference is +0.4700.",
        "0 up, 1 down, 0 same, 2 new, 2 lost.",
    ]


def test_programs_get_every_digit(new, old):
    assert render(view_moves(new, old), "tsv").splitlines() == [
        "item\tlabel\trank\trank_before\tproduct\tbefore\tmove",
        "a\t3.0\t1\tnan\t3.0\t0.0\tnew",
        "n\t0.0\t2\t1\t0.0\t0.0\tdown 1",
        "c\t1.0\t3\tnan\t0.5\t0.0\tnew",
        f"b\t2.0\tnan\t2\t0.0\t{old.total!r}\tlost",
        "u\tnan\tnan\t3\t0.0\t0.0\tlost",
    ]
    data = json.loads(render(view_moves(new, old), "json"))
    assert data["difference"] == new.value - old.value
    assert data["moves"][1] == {
        **{"item": "n", "label": 0.0, "rank": 2, "rank_before": 1},
        **{"product": 0.0, "before": 0.0, "move": "down 1"},
    }
    assert (data["run"], data["against"]) == (new.to_dict(), old.to_dict())


def test_markdown_has_a_line_for_every_item(new, old):
    assert render(view_moves(new, old), "markdown").splitlines()[:5] == [
        "query q: nDCG@3 is 0.7350 by new, 0.2650 by old; the difference is +0.4700.",
        "",
        "| item | label | old | new | move | added before | adds |",
        "|:--|--:|--:|--:|:--|--:|--:|",
        "| a | 3 |  | 1 | new | 0.0000 | 3.0000 |",
    ]


rankings = st.lists(
    st.text(min_size=1, max_size=12) | st.sampled_from("abcn"), max_size=6, unique=True
)


@given(rankings, rankings)
def test_every_item_that_counts_is_told_of_once(ranked, before):
    run, against = (explain_ranking([*r, "zz"], "run") for r in (ranked, before))
    moves = find_moves(run, against)
    assert len({moved.item for moved in moves}) == len(moves)
    assert sum(moved.rank is not None for moved in moves) == len(run.positions)
    assert sum(moved.rank_before is not None for moved in moves) == len(against.positions)
    turned = {moved.item: moved.move for moved in find_moves(against, run)}
    opposite = {"up": "down", "down": "up", "same": "same", "new": "lost", "lost": "new"}
    for moved in moves:
        kind, *steps = moved.move.split()
        assert turned[moved.item] == " ".join([opposite[kind], *steps])
