"""Text, bars and colors in terminal cells: they fit, and show what the values are."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gainful.report.tables import make_printable
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
    colors=st.sampled_from([None, "standard", "256", "truecolor"]),
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
def test_bars_grow_with_their_values_and_never_beyond_the_scale(number, other, scale, width):
    for blocks in (True, False):
        low, high = (
            draw_bar(abs(value), scale, width, blocks=blocks)
            for value in sorted([number, other], key=abs)
        )
        assert count_cells(low) <= count_cells(high)
        assert len(high) <= width
        assert bool(high) == (scale > 0 and width > 0 and max(abs(number), abs(other)) > 0)
        assert len(draw_bar(number, scale, width, blocks=blocks)) <= width
        assert len(draw_track(number, scale, width, blocks=blocks)) <= width


def count_cells(bar):
    return sum(8 if sign in "█#" else "▏▎▍▌▋▊▉".index(sign) + 1 for sign in bar)


def test_a_value_that_is_no_number_has_no_bar():
    assert draw_bar(float("nan"), 1.0, 8, blocks=True) == ""
    assert draw_bar(1.0, float("nan"), 8, blocks=True) == ""


@given(st.text(), st.sampled_from(["", *STYLES]), screens)
def test_nothing_reaches_the_screen_that_it_would_obey(text, style, screen):
    output = render_lines([[Span(text, style)]], screen._replace(colors=None))
    assert output.endswith("\n")
    assert output[:-1].isprintable()
    assert cell_len(output[:-1]) <= screen.width


def test_colors_are_those_that_the_screen_has():
    line = [Span("a", "better"), Span("b", "muted"), Span("c")]
    assert render_lines([line], Screen(colors=None)) == "abc\n"
    assert render_lines([line], Screen(colors="standard")) == "\x1b[36ma\x1b[0m\x1b[2mb\x1b[0mc\n"
    many = "\x1b[38;5;32ma\x1b[0m\x1b[38;5;245mb\x1b[0mc\n"
    assert render_lines([line], Screen(colors="256")) == many
    assert render_lines([line], Screen(colors="truecolor")) == many
