"""Two rankings of one query side by side: moves, totals, and every output."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gainful import ItemData, explain, read_run
from gainful.report.terminal.explanation import render_side_by_side
from gainful.report.terminal.layout import Screen
from gainful.report.views.explanation import (
    find_moves,
    summarize_moves,
    write_moves_json,
    write_moves_markdown,
    write_moves_tsv,
)
from terminal import needs_unix, seen_on_a_terminal

QRELS = {"q": {"a": 3, "b": 2, "c": 1, "n": 0}}


def explained(ranking, name, **how):
    return explain(QRELS, read_run({"q": ranking}, name=name), "q", "nDCG@3", **how)


@pytest.fixture
def old():
    return explained(["n", "b", "u", "a"], "old")


@pytest.fixture
def new():
    return explained(["a", "n", "c"], "new")


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
    assert summarize_moves(new, old) == [
        "query q: nDCG@3 is 0.7350 by new, 0.2650 by old; the difference is +0.4700.",
        "0 up, 1 down, 0 same, 2 new, 2 lost.",
    ]


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
    said = " ".join(" ".join(lines).split())
    assert (
        "fitted to 40 columns: without label of old, adds of old, label of new, adds of new; "
        "-f json has everything."
    ) in said


def test_a_move_has_the_colour_of_what_it_gains_or_costs(new, old):
    drawn = render_side_by_side(new, old, Screen(100, "256"))
    assert "\x1b[38;5;32mnew   \x1b[0m" in drawn
    assert "\x1b[38;5;245mdown 1\x1b[0m" in drawn  # an item that gains nothing anywhere
    assert "\x1b[38;5;166mlost\x1b[0m" in drawn


def test_rankings_of_nothing_have_no_table():
    nothing = explain({"q": {"a": 0}}, {"q": [], "p": ["x"]}, "q")
    lines = render_side_by_side(nothing, nothing, Screen(200)).splitlines()
    assert lines[:3] == [
        "query q: nDCG@10 is 0.0000 by run, 0.0000 by run; the difference is 0.0000.",
        "",
        "0 up, 0 down, 0 same, 0 new, 0 lost.",
    ]


def test_programs_get_every_digit(new, old):
    assert write_moves_tsv(new, old).splitlines() == [
        "item\tlabel\trank\trank_before\tproduct\tbefore\tmove",
        "a\t3.0\t1\t\t3.0\t0.0\tnew",
        "n\t0.0\t2\t1\t0.0\t0.0\tdown 1",
        "c\t1.0\t3\t\t0.5\t0.0\tnew",
        f"b\t2.0\t\t2\t0.0\t{old.total!r}\tlost",
        "u\t\t\t3\t0.0\t0.0\tlost",
    ]
    held = json.loads(write_moves_json(new, old))
    assert held["difference"] == new.value - old.value
    assert held["moves"][1] == {
        **{"item": "n", "label": 0.0, "rank": 2, "rank_before": 1},
        **{"product": 0.0, "before": 0.0, "move": "down 1"},
    }
    assert (held["run"], held["against"]) == (new.to_dict(), old.to_dict())


def test_markdown_has_a_line_for_every_item(new, old):
    assert write_moves_markdown(new, old).splitlines()[:5] == [
        "query q: nDCG@3 is 0.7350 by new, 0.2650 by old; the difference is +0.4700.",
        "",
        "| item | label | new | old | move | gain x discount | before |",
        "|:--|--:|--:|--:|--:|--:|--:|",
        "| a | 3 | 1 |  | new | 3.0000 | 0.0000 |",
    ]


items = st.lists(
    st.text(min_size=1, max_size=12) | st.sampled_from("abcn"), max_size=6, unique=True
)


@given(items, items, st.text(min_size=1), st.integers(1, 150), st.booleans())
def test_no_line_is_wider_than_the_screen_and_nothing_in_it_is_obeyed(
    ranked, before, name, width, blocks
):
    titles = ItemData(titles={"a": "日本語の" * 9})
    run, against = (explained([*r, "zz"], name, items=titles) for r in (ranked, before))
    text = render_side_by_side(run, against, Screen(width, None, blocks))
    assert all(cell_len(line) <= width for line in text.split("\n"))
    assert text.replace("\n", "").isprintable()


@given(items, items)
def test_every_item_that_counts_is_told_of_once(ranked, before):
    run, against = (explained([*r, "zz"], "run") for r in (ranked, before))
    found = find_moves(run, against)
    assert len({moved.item for moved in found}) == len(found)
    assert sum(moved.rank is not None for moved in found) == len(run.positions)
    assert sum(moved.rank_before is not None for moved in found) == len(against.positions)
    turned = {moved.item: moved.move for moved in find_moves(against, run)}
    opposite = {"up": "down", "down": "up", "same": "same", "new": "lost", "lost": "new"}
    for moved in found:
        kind, *steps = moved.move.split()
        assert turned[moved.item] == " ".join([opposite[kind], *steps])


# The command


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels.txt").write_text("q 0 a 2\nq 0 b 1\n")
    (tmp_path / "new.run").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    (tmp_path / "old.run").write_text("q Q0 b 1 2 t\nq Q0 x\x1b[2J 2 1 t\n")
    return tmp_path


COMMAND = ["explain", "qrels.txt", "new.run", "q", "--against", "old.run"]


def printed(folder, *more, stdin=None):
    command = [sys.executable, "-m", "gainful", *COMMAND, *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input=stdin)
    return done.stdout, done.stderr, done.returncode


def both(folder):
    qrels = str(folder / "qrels.txt")
    return [explain(qrels, str(folder / name), "q") for name in ("new.run", "old.run")]


@pytest.mark.parametrize(
    ("output", "written"),
    [("tsv", write_moves_tsv), ("json", write_moves_json), ("markdown", write_moves_markdown)],
)
def test_the_command_prints_what_the_library_writes(folder, output, written):
    out, _, code = printed(folder, "-f", output)
    assert (out, code) == (written(*both(folder)), 0)


def test_in_a_pipe_the_rest_goes_to_standard_error(folder):
    out, err, _ = printed(folder)
    assert out == write_moves_tsv(*both(folder))
    assert err.startswith("query q: nDCG@10 is 1.0000 by new, 0.3801 by old; the difference is")


def test_a_file_gets_a_table_as_wide_as_it_takes(folder):
    out, err, code = printed(folder, "-f", "table")
    assert "rank  old       move  label  adds                             |  new  move" in out
    assert "fitted" not in out
    assert "\x1b" not in out
    assert (err, code) == ("", 0)


def test_qrels_may_come_from_standard_input_and_are_read_once(folder):
    qrels = (folder / "qrels.txt").read_text()
    command = [sys.executable, "-m", "gainful", "explain", "-", *COMMAND[2:]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input=qrels)
    assert (done.stdout, done.returncode) == (write_moves_tsv(*both(folder)), 0)
    command = [sys.executable, "-m", "gainful", *COMMAND[:-1], "-"]
    command[command.index("qrels.txt")] = "-"
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input=qrels)
    assert done.stderr.splitlines()[-1] == "Error: standard input (-) can be read only once."


@needs_unix
def test_a_terminal_gets_both_in_colour_and_no_orders(folder):
    how = {"TERM": "xterm-256color", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    seen = seen_on_a_terminal(f"gainful {' '.join(COMMAND)}", folder, **how)
    assert "\x1b[38;5;32mup 1" not in seen  # b moved down, and a is new
    assert "\x1b[38;5;32mnew" in seen
    assert "\x1b[38;5;166mdown 1" in seen
    assert "\x1b[2J" not in seen
