"""A view on a terminal: it fits, says what is left out, and nothing in it is obeyed."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from gainful.report.tables import Bar, Column, Table
from gainful.report.view import FORMATS, View, print_view, render

COLUMNS = [
    Column("item"),
    Column("value", float),
    Column("gain", float, optional=True),
    Column("", Bar),
    Column("title", str, optional=True),
]
HOSTILE = "a\x1b[2J|<b>*x*\u202e\nb"


def make_view(names):
    rows = [[name, 0.5, 1.0, Bar(0.5, 0.75), name] for name in names]
    tables = [Table(COLUMNS, rows, title=names[0], styles={(0, 1): "best", (0, 3): "worse"})]
    return View(
        headline=[f"The best is {names[0]}."],
        tables=lambda: tables,
        data=lambda: tables[0].without_bars(),
        legend=lambda: [("value", "what it is worth")],
        closing=names,
        settings=[f"rules: {names[0]}"],
    )


def print_on(view, width, **options):
    console = Console(file=io.StringIO(), width=width, **options)
    print_view(view, console)
    return console.file.getvalue()


@given(st.lists(st.text(max_size=30), min_size=1, max_size=4), st.integers(50, 140))
def test_no_line_of_a_table_is_wider_than_the_terminal_and_nothing_in_it_is_obeyed(names, width):
    shown = print_on(make_view(names), width)
    assert all(line.isprintable() for line in shown.split("\n"))
    short = [line for line in shown.split("\n") if line.isascii() and " " in line.strip()]
    assert max(map(len, short)) <= width


def test_optional_columns_are_left_out_from_the_last_and_named():
    view = make_view(["a title of twenty-eight cells"])
    assert "Left out" not in print_on(view, 120)
    assert "Left out for lack of room: title. -f json has everything." in print_on(view, 80)
    narrow = print_on(view, 46)
    assert "title, gain." in " ".join(narrow.split())
    assert "████████░░░░" in narrow


def test_the_names_of_columns_that_are_left_out_are_printable():
    columns = [Column("item"), Column("a\x1b[2J", float, optional=True)]
    view = View(tables=lambda: [Table(columns, [["d" * 40, 0.5]])])
    assert r"room: a\x1b[2J." in " ".join(print_on(view, 30).split())


def test_latex_has_the_title_above_each_table():
    columns = [Column("run"), Column("mean", float)]
    tables = [Table(columns, [["bm25", 0.5]], title) for title in ("AP", "100%\n of", "")]
    lines = render(View(tables=lambda: tables), "latex").split("\n")
    above = [lines[i - 1] for i, line in enumerate(lines) if line.startswith("\\begin")]
    assert above == ["% AP", r"% 100%\n of", ""]


def test_numbers_that_do_not_fit_go_below_with_the_names_of_their_rows():
    columns = [Column("run"), *(Column(f"measure {i}", float) for i in range(4))]
    view = View(tables=lambda: [Table(columns, [["bm25", 0.1, 0.2, 0.3, 0.4]])])
    lines = [line.split() for line in print_on(view, 30).splitlines() if line]
    assert [line[0] for line in lines] == ["run", "bm25", "run", "bm25"]
    assert [line[1:] for line in lines[1::2]] == [["0.1000", "0.2000"], ["0.3000", "0.4000"]]


def test_colors_are_those_that_the_terminal_has():
    shown = print_on(make_view(["a"]), 120, force_terminal=True, color_system="standard")
    assert "\x1b[33m████████░░░░" in shown
    assert "\x1b" not in print_on(make_view(["a"]), 120)


@pytest.mark.parametrize("name", FORMATS)
def test_text_is_harmless_in_every_format(name):
    text = render(make_view([HOSTILE]), name)
    if name not in ("csv",):  # which programs read, and must get back
        assert "\x1b" not in text or name == "tsv"
    if name == "html":
        assert "<b>" not in text
    if name == "markdown":
        assert r"a\\x1b[2J\|\<b>\*x\*\\u202e b" in text
    if name == "latex":
        assert all(
            line.startswith("%") for line in text.split("\\end{tabular}")[1].split("\n")[2:-1]
        )
    if name == "table":
        assert r"a\x1b[2J|<b>*x*\u202e\nb" in text
