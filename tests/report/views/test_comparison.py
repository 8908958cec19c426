"""The letters that stand for runs in tables of a comparison."""

from hypothesis import given
from hypothesis import strategies as st

from gainful.report.views.comparison import make_letters


@given(st.integers(1, 2000))
def test_no_two_runs_have_the_same_letters(n):
    assert len(set(make_letters(n))) == n


def test_letters_after_z_go_on_as_columns_of_spreadsheets_do():
    names = make_letters(26 + 26 * 26 + 1)
    assert [names[i] for i in (0, 25, 26, 51, 52, 701, 702)] == [
        *("a", "z", "aa", "az", "ba", "zz", "aaa")
    ]
