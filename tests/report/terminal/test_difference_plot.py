"""The differences of queries as a chart in a terminal of any width."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gainful.base.numbers import Interval
from gainful.report.terminal.difference_plot import draw_axis, draw_chart, plot_differences
from gainful.report.terminal.layout import (
    Screen,
    render_lines,
)
from report.comparisons import comparison, make_many_run_comparison, pair, system

NAN = float("nan")


def comparison_of(differences, **overrides):
    """dense less bm25, whose values are 0; counts and mean are those of the differences."""
    defined_values = [value for value in differences if not math.isnan(value)]
    counts = {
        "wins": sum(value > 1e-9 for value in defined_values),
        "ties": sum(abs(value) <= 1e-9 for value in defined_values),
        "losses": sum(value < -1e-9 for value in defined_values),
        "difference": sum(defined_values) / len(defined_values) if defined_values else NAN,
    }
    return comparison(
        [system(), system("dense", mean=0.5123)],
        [pair(**{**counts, "t_interval": Interval(NAN, NAN), **overrides})],
        queries=tuple(f"q{i + 1}" for i in range(len(differences))),
        values=np.array([[[0.0] * len(differences), differences]]),
    )


def plot_lines(differences, width=60, blocks=True, **overrides):
    return plot_differences(
        comparison_of(differences, **overrides), Screen(width, None, blocks)
    ).splitlines()


TITLE = "How dense differs from bm25 by nDCG@10, query by query"


def test_queries_are_drawn_from_worst_to_best_around_a_zero_line():
    differences = [0.25, -0.4, 0.0, 0.1, -0.05, 0.3]
    assert plot_lines(differences, t_interval=Interval(-0.2, 0.25)) == [
        TITLE,
        "+0.3                 ▄▄▄ ███",
        "                     ███ ███",
        "                 ███ ███ ███",
        "   0 ────────────────────────",
        "     ███ ▀▀▀",
        "     ███",
        "     ███",
        "-0.4 ███",
        "6 queries: 2 worse, 1 the same, 3 better.",
        "worst: q2 -0.4000, q5 -0.0500.",
        "best: q6 +0.3000, q1 +0.2500, q4 +0.1000.",
        "mean difference: +0.0333, 95% interval [-0.2000, 0.2500]",
        "-0.2 ├━━━━━━━━━━━━━━━│━━●━━━━━━━━━━━━━━━━━┤──────────── +0.4",
        "                     0",
    ]


def test_it_is_drawn_in_ascii_as_well():
    assert plot_lines([0.25, -0.4, 0.0, 0.3], blocks=False, t_interval=Interval(-0.2, 0.25)) == [
        TITLE,
        "+0.3         ... ###",
        "             ### ###",
        "             ### ###",
        "   0 ----------------",
        "     ###",
        "     ###",
        "     ###",
        "-0.4 ###",
        "4 queries: 1 worse, 1 the same, 2 better.",
        "worst: q2 -0.4000.",
        "best: q4 +0.3000, q1 +0.2500.",
        "mean difference: +0.0375, 95% interval [-0.2000, 0.2500]",
        "-0.2 [===============|==o=================]............ +0.4",
        "                     0",
    ]


def test_one_query_has_no_interval():
    assert plot_lines([0.5], width=54) == [
        TITLE,
        "+0.5 ███",
        *["     ███"] * 4,
        "   0 ────",
        "1 query: 0 worse, 0 the same, 1 better.",
        "best: q1 +0.5000.",
        "mean difference: +0.5000",
        "-0.2 ───────────│──────────────────────────●───── +0.6",
        "                0",
    ]


def test_equal_runs_have_nothing_to_draw():
    assert plot_lines([0.0, 1e-12, 0.0], t_interval=Interval(0.0, 0.0)) == [
        TITLE,
        "3 queries: 0 worse, 3 the same, 0 better.",
        "mean difference: 0.0000, 95% interval [0.0000, 0.0000]",
    ]


def test_queries_without_a_value_are_counted():
    assert plot_lines([0.5, NAN, -0.5, NAN], width=80)[-4:] == [
        "2 queries: 1 worse, 0 the same, 1 better; 2 queries have no value.",
        "worst: q3 -0.5000.",
        "best: q1 +0.5000.",
        "mean difference: 0.0000",
    ]
    assert plot_lines([NAN], width=80)[1:] == [
        "0 queries: 0 worse, 0 the same, 0 better; 1 query has no value.",
        "mean difference: -",
    ]


def test_of_many_queries_those_are_drawn_that_fit():
    assert plot_lines(np.linspace(-1, 1, 5000).tolist(), width=30) == [
        "How dense differs from bm25 by",
        "  nDCG@10, query by query",
        "+1                        ▁▃▆█",
        "                       ▁▄▆████",
        "                    ▂▄▇███████",
        "                ▁▂▅▇██████████",
        " 0 ───────────────────────────",
        "   ███████████▀▔",
        "   ████████▀▔",
        "   ████▀▀▔",
        "-1 █▀▀▔",
        "5,000 queries: 2,500 worse, 0",
        "  the same, 2,500 better; 27",
        "  of them are drawn, evenly",
        "  spaced.",
        "worst: q1 -1.0000, q2 -0.9996,",
        "  q3 -0.9992.",
        "best: q5000 +1.0000, q4999",
        "  +0.9996, q4998 +0.9992.",
        "mean difference: 0.0000",
    ]


def test_a_measure_of_which_more_is_not_better_is_told_in_other_words():
    original = comparison_of([0.5, -0.5])
    odd = pair(measure="NumRet", wins=1, ties=0, losses=1, t_interval=Interval(NAN, NAN))
    systems = [system(measure="NumRet"), system("dense", "NumRet")]
    other = comparison(systems, [odd], queries=original.queries, values=original.values)
    assert plot_differences(other, Screen()).splitlines()[8:11] == [
        "2 queries: 1 lower, 0 the same, 1 higher.",
        "lowest: q2 -0.5000.",
        "highest: q1 +0.5000.",
    ]


def test_a_side_is_also_told_by_color():
    plot = plot_differences(comparison_of([0.5, -0.5]), Screen(60, "256"))
    assert "\x1b[38;5;32m    ███\x1b[0m" in plot
    assert "\x1b[38;5;166m███\x1b[0m" in plot


def test_three_pairs_are_plotted_and_the_rest_is_counted():
    lines = plot_differences(make_many_run_comparison(4), Screen()).splitlines()
    assert sum(line.endswith("query by query") for line in lines) == 3
    assert lines[-1] == "3 of 6 pairs are plotted. Pass --all-pairs to plot all."
    lines = plot_differences(make_many_run_comparison(4), Screen(), all_pairs=True).splitlines()
    assert sum(line.endswith("query by query") for line in lines) == 6
    assert "plotted" not in lines[-1]


query_differences = st.floats(-1e3, 1e3) | st.sampled_from([0.0, NAN, 1e-12, -1e-12, 1e300, -1e300])


@given(st.lists(query_differences, max_size=300), st.integers(1, 140), st.booleans())
def test_no_line_is_wider_than_the_screen(differences, width, blocks):
    for line in plot_lines(differences, width, blocks):
        assert cell_len(line) <= width
        assert blocks or line.isascii()


@given(st.text(min_size=1), st.text(min_size=1).map("n{}".format), st.integers(1, 100))
def test_nothing_in_an_id_is_obeyed(query, name, width):
    result = comparison(
        *([system("bm25"), system(name)], [pair(name)]),
        queries=(query, f"{query}2"),
        values=np.array([[[0, 0], [1, -1]]]),
    )
    text = plot_differences(result, Screen(width))
    assert text.replace("\n", "").isprintable()
    assert all(cell_len(line) <= width for line in text.split("\n"))


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.booleans())
def test_columns_are_as_high_as_values_are_large_and_on_their_side(values, blocks):
    values = sorted(values)
    chart = draw_chart(values, Screen(width=60, blocks=blocks))
    rows = [line[1].text for line in chart.lines]
    assert bool(rows) == any(values)
    width = len(rows[0]) // len(values) if rows else 0
    heights = [column_height(rows, place * width, blocks) for place in range(len(values)) if rows]
    assert heights == sorted(heights)
    for value, height in zip(values, heights, strict=False):
        assert (height > 0, height < 0) == (value > 0, value < 0)


def column_height(rows, place, blocks):
    zero = next(i for i, row in enumerate(rows) if set(row) <= set("─-"))
    up = [row[place] for row in rows[:zero]]
    down = [row[place] for row in rows[zero + 1 :]]
    signs = " ▁▂▃▄▅▆▇█" if blocks else " .#"
    hanging = " ▔▀█" if blocks else " '#"
    return sum(map(signs.index, up)) - sum(map(hanging.index, down))


screens = st.builds(
    Screen,
    width=st.integers(1, 130),
    colors=st.sampled_from([None, "standard", "256", "truecolor"]),
    blocks=st.booleans(),
)
numbers = st.floats(-1e6, 1e6) | st.just(float("nan"))


@given(numbers, numbers, numbers, screens)
def test_an_axis_fits_whatever_it_shows(value, low, high, screen):
    low, value, high = sorted([low, value, high])
    text = render_lines(
        draw_axis(value, low, high, screen._replace(colors=None), "better"), Screen(200)
    )
    assert all(cell_len(line) <= min(screen.width, 80) for line in text.splitlines())
    if text:
        assert text.count("●" if screen.blocks else "o") == 1


def test_an_axis_shows_the_interval_beside_0():
    def draw_lines(*numbers):
        return render_lines(draw_axis(*numbers, Screen(width=40), "better"), Screen()).splitlines()

    assert draw_lines(0.02, 0.004, 0.036) == [
        "-0.01 ─────│──├━━━━━━━●━━━━━━━━┤── +0.04",
        "           0",
    ]
    nan = float("nan")
    assert draw_lines(-0.5, nan, nan) == [
        "-0.6 ────●─────────────────│─────── +0.2",
        "                           0",
    ]
    assert draw_lines(0.0, 0.0, 0.0) == []
    assert draw_lines(nan, nan, nan) == []
