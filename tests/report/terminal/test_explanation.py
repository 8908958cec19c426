"""An explanation in a terminal: exact text, and never wider than the screen."""

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gainful import ItemData, explain
from gainful.report.terminal.explanation import render_explanation
from gainful.report.terminal.layout import Screen

QRELS = {"q": {"a": 3, "b": 2, "c": 1, "n": 0, "z": 2}}
RUN = {"q": ["n", "b", "u", "a", "c"]}  # u is unjudged, z is not retrieved


def render_lines(why, width, **screen):
    return render_explanation(why, Screen(width, **screen)).splitlines()


def test_bars_stand_beside_products_and_go_on_to_those_of_the_ideal():
    assert (
        render_explanation(explain(QRELS, RUN, "q", "nDCG@3"), Screen(100))
        == """\
run, query q: nDCG@3 is 0.2398: 1 of 4 relevant items are among the first 3; the largest loss is a
  (label 3), at rank 4 where the ideal has it at 1.

rank  item  label  gain  discount  gain x discount             running   ideal  |  ideal item  label
   1  n         0     0    1.0000  0.0000 ░░░░░░░░░░░░░░░░░░░   0.0000  3.0000  |  a               3
   2  b         2     2    0.6309  1.2619 ████████              1.2619  4.2619  |  b               2
   3  u         -     0    0.5000  0.0000 ░░░░░░                1.2619  5.2619  |  z               2
sum 1.2619, at best 5.2619 ████████████▊░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░

missed item  label          found  ideal rank  cost
a                3         rank 4           1  0.5701 ████████████████████████
z                2  not retrieved           3  0.1900 ████████
c                1         rank 5           4  0.0000

█ is what an item adds, ░ what the ideal has more on that rank; label - is not judged.
best swap: moving a from rank 4 to rank 1, in exchange for n, gains +0.5701.
rules: ties=item-desc order=score missing=zero duplicates=error unjudged=nonrelevant empty=zero
  precision=float64
note: run 'run': 20.0% of the items in the first 10 ranks have no judgment; they count as not
  relevant. [unjudged-items]
"""
    )


def test_a_narrow_screen_drops_columns_and_says_which():
    assert render_lines(explain(QRELS, RUN, "q", "nDCG@3"), 40, blocks=False)[:22] == [
        "run, query q: nDCG@3 is 0.2398: 1 of 4",
        "  relevant items are among the first 3;",
        "  the largest loss is a (label 3), at",
        "  rank 4 where the ideal has it at 1.",
        "",
        "rank  item  label  gain x discount",
        "   1  n         0  0.0000 ..............",
        "   2  b         2  1.2619 ######",
        "   3  u         -  0.0000 .....",
        "sum 1.2619, at best 5.2619 ###..........",
        "",
        "missed item  label  cost",
        "a                3  0.5701 #############",
        "z                2  0.1900 ####",
        "c                1  0.0000",
        "",
        "# is what an item adds, . what the ideal",
        "  has more on that rank; label - is not",
        "  judged.",
        "fitted to 40 columns: without gain,",
        "  discount, running, ideal, ideal item,",
        "  ideal label, found, ideal rank; -f",
    ]


def test_long_titles_are_shortened_by_the_cells_they_take_and_this_is_said():
    titles = {"a": "Dunehold wide tent pegs " * 4, "b": "日本語の" * 9}
    why = explain(QRELS, RUN, "q", "nDCG@3", items=ItemData(titles=titles))
    lines = render_lines(why, 80)
    assert lines[3:7] == [
        "rank  item  title              label  discount  gain x discount  running   ideal",
        "   1  n                            0    1.0000  0.0000 ░░░░░░░░   0.0000  3.0000",
        "   2  b     日本語の日本語の…      2    0.6309  1.2619 ███▍       1.2619  4.2619",
        "   3  u                            -    0.5000  0.0000 ░░░        1.2619  5.2619",
    ]
    assert lines[9:11] == [
        "missed item  title             label          found  ideal rank  cost",
        "a            Dunehold wide t…      3         rank 4           1  0.5701 ████████",
    ]
    assert lines[16:18] == [
        "fitted to 80 columns: without gain, ideal item, ideal title, ideal label,",
        "  shortened where … stands; -f json has everything.",
    ]


def test_an_item_that_does_harm_is_hatched():
    why = explain({"q": {"a": 1, "b": -1}}, {"q": ["a", "b"]}, "q", "nDCG(gain=signed_exp2)")
    assert render_lines(why, 70)[4:10] == [
        "rank  item  label  gain  discount  gain x discount     running   ideal",
        "   1  a         1     1    1.0000   1.0000 ██████████   1.0000  1.0000",
        "   2  b        -1    -1    0.6309  -0.6309 ▒▒▒▒▒▒       0.3691  1.0000",
        "sum 0.3691, at best 1.0000 ███████████████▉░░░░░░░░░░░░░░░░░░░░░░░░░░░",
        "",
        "█ is what an item adds, ▒ what it takes away, ░ what the ideal has",
    ]


def test_without_an_ideal_nothing_stands_beside_the_ranking():
    why = explain({"q": {"a": 1}}, {"q": ["a"]}, "q", "nDCG(ideal=ones)@3")
    assert render_lines(why, 70)[3:7] == [
        "rank  item  label  gain  discount  gain x discount             running",
        "   1  a         1     1    1.0000  1.0000 ███████████████████   1.0000",
        "sum 1.0000, at best 2.1309 ████████████████████▏░░░░░░░░░░░░░░░░░░░░░░",
        "",
    ]
    assert render_lines(why, 70)[7] == "█ is what an item adds."


def test_where_nothing_is_ranked_and_nothing_relevant_there_is_no_table():
    nothing = explain({"q": {"a": 0}}, {"q": [], "p": ["x"]}, "q")
    assert render_lines(nothing, 120) == [
        "run, query q: nDCG@10 is 0.0000: nothing is relevant for this query, so there is nothing "
        "to gain.",
        "",
        f"rules: {nothing.rules}",
    ]


def test_labels_are_the_brighter_the_more_an_item_gains():
    output = render_explanation(explain(QRELS, RUN, "q"), Screen(100, "256"))
    assert "\x1b[1;38;5;33m    3\x1b[0m" in output
    assert "\x1b[38;5;32m    2\x1b[0m" in output
    assert "\x1b[38;5;67m    1\x1b[0m" in output
    assert "\x1b[38;5;245m    0\x1b[0m" in output
    assert "\x1b[38;5;166m    -\x1b[0m" in output


ids = st.text(min_size=1, max_size=20)
questions = st.tuples(
    st.dictionaries(ids, st.integers(-2, 4), min_size=1, max_size=8),
    st.lists(ids, max_size=8, unique=True),
    st.dictionaries(ids, st.text(max_size=60), max_size=4),
    ids,
)


@given(questions, st.integers(1, 140), st.sampled_from([None, "standard", "256"]), st.booleans())
def test_no_line_is_wider_than_the_screen_and_nothing_in_it_is_obeyed(
    question, width, colors, blocks
):
    judged, ranked, titles, query = question
    ranked = [*ranked, *list(judged)[:2]]
    run = {query: list(dict.fromkeys(ranked)), "another": ["x"]}
    items = ItemData(titles=titles) if titles else None
    why = explain({query: judged, "another": {"x": 1}}, run, query, items=items)
    plain = render_explanation(why, Screen(width, None, blocks))
    assert all(cell_len(line) <= width for line in plain.split("\n"))
    assert plain.replace("\n", "").isprintable()
    assert blocks or "█" not in plain or "█" in repr(why)
    assert strip_colors(render_explanation(why, Screen(width, colors, blocks))) == plain


def strip_colors(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
