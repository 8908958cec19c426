"""Text, bars and axes in cells: they fit, and say no more than the values do."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gainful.report.outputs import pick_evenly_spaced
from gainful.report.tables import escape_controls, make_printable
from gainful.report.terminal.difference_plot import draw_axis
from gainful.report.terminal.layout import (
    STYLES,
    Screen,
    Span,
    crop_text,
    draw_bar,
    draw_track,
    pad_text,
    render_lines,
    shorten_text,
    wrap_text,
)

texts = st.text(max_size=40).map(make_printable)
screens = st.builds(
    Screen,
    width=st.integers(1, 130),
    colours=st.sampled_from([None, "standard", "256", "truecolor"]),
    blocks=st.booleans(),
)


@given(texts, st.integers(0, 30))
def test_text_is_cropped_and_shortened_to_a_width_and_filled_to_it(text, width):
    assert text.startswith(crop_text(text, width))
    assert cell_len(crop_text(text, width)) <= width
    for ellipsis in ("…", "..."):
        short = shorten_text(text, width, ellipsis)
        assert cell_len(short) <= width
        assert short == text or cell_len(text) > width
        assert cell_len(pad_text(short, width)) == width


@given(texts, st.integers(2, 30))
def test_wrapping_fits_and_loses_nothing_but_white_space(text, width):
    lines = wrap_text(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_wide_character_is_not_cut_in_half():
    assert crop_text("a釘釘", 4) == "a釘"
    assert shorten_text("釘釘釘", 4, "…") == "釘…"


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.floats(), st.integers(0, 40))
def test_bars_grow_with_their_values_and_never_beyond_the_scale(one, other, scale, width):
    for blocks in (True, False):
        low, high = (
            draw_bar(abs(value), scale, width, blocks=blocks)
            for value in sorted([one, other], key=abs)
        )
        assert _ink(low) <= _ink(high)
        assert len(high) <= width
        assert bool(high) == (scale > 0 and width > 0 and max(abs(one), abs(other)) > 0)
        assert len(draw_bar(one, scale, width, blocks=blocks)) <= width
        assert len(draw_track(one, scale, width, blocks=blocks)) <= width


def _ink(drawn):
    return sum(8 if sign in "█#" else "▏▎▍▌▋▊▉".index(sign) + 1 for sign in drawn)


def test_a_value_that_is_no_number_has_no_bar():
    assert draw_bar(float("nan"), 1.0, 8, blocks=True) == ""
    assert draw_bar(1.0, float("nan"), 8, blocks=True) == ""


@given(st.text(), st.sampled_from(["", *STYLES]), screens)
def test_nothing_reaches_the_screen_that_it_would_obey(text, style, screen):
    shown = render_lines([[Span(text, style)]], screen._replace(colours=None))
    assert shown.endswith("\n")
    assert shown[:-1].isprintable()
    assert cell_len(shown[:-1]) <= screen.width


def test_colours_are_those_that_the_screen_has():
    line = [Span("a", "better"), Span("b", "muted"), Span("c")]
    assert render_lines([line], Screen(colours=None)) == "abc\n"
    assert render_lines([line], Screen(colours="standard")) == "\x1b[36ma\x1b[0m\x1b[2mb\x1b[0mc\n"
    many = "\x1b[38;5;32ma\x1b[0m\x1b[38;5;245mb\x1b[0mc\n"
    assert render_lines([line], Screen(colours="256")) == many
    assert render_lines([line], Screen(colours="truecolor")) == many


@given(st.text())
def test_harmless_text_keeps_its_lines_and_has_no_orders(text):
    clean = escape_controls(text)
    assert all(part.isprintable() or part.isspace() or ord(part) > 0x9F for part in clean)
    assert not {"\x1b", "\r", "\x07", "\x9b", "\u202e"} & set(clean)
    assert clean.count("\n") == text.count("\n")
    assert escape_controls(clean) == clean


@given(st.integers(1, 10_000), st.integers(2, 200))
def test_evenly_spaced_places_ascend_from_end_to_end(n, most):
    places = list(pick_evenly_spaced(n, most))
    assert (places[0], places[-1], len(places)) == (0, n - 1, min(n, most))
    assert all(one < other for one, other in pairwise(places))


numbers = st.floats(-1e6, 1e6) | st.just(float("nan"))


@given(numbers, numbers, numbers, screens)
def test_an_axis_fits_whatever_it_shows(value, low, high, screen):
    low, value, high = sorted([low, value, high])
    shown = render_lines(
        draw_axis(value, low, high, screen._replace(colours=None), "better"), Screen(200)
    )
    assert all(cell_len(line) <= min(screen.width, 80) for line in shown.splitlines())
    if shown:
        assert shown.count("●" if screen.blocks else "o") == 1


def test_an_axis_shows_the_interval_beside_0():
    def drawn(*numbers):
        return render_lines(draw_axis(*numbers, Screen(width=40), "better"), Screen()).splitlines()

    assert drawn(0.02, 0.004, 0.036) == [
        "-0.01 ─────│──├━━━━━━━●━━━━━━━━┤── +0.04",
        "           0",
    ]
    nan = float("nan")
    assert drawn(-0.5, nan, nan) == [
        "-0.6 ────●─────────────────│─────── +0.2",
        "                           0",
    ]
    assert drawn(0.0, 0.0, 0.0) == []
    assert drawn(nan, nan, nan) == []
