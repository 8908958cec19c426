"""Lines of text as columns: white space, comments, blank lines, and where the rows end."""

import csv
import gc
import io

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.base import _native

TEXT = b"# c\nq1 0  d1\t2\n\n q2 0 d2 1 extra\r\nq3 0\n"


def split(text, n_fields=2, **options):
    return _native.Rows(text, {f"f{i}": i for i in range(n_fields)}, n_fields, **options)


def test_rows_end_above_the_first_line_that_lacks_fields():
    rows = split(TEXT, 4, more=True, comments=_native.Comments.plain)
    assert rows.columns == [["q1", "q2"], ["0", "0"], ["d1", "d2"], ["2", "1"]]
    assert rows.lines.tolist() == [2, 4]
    assert len(rows) == 2
    assert rows.bad == ("fields", 5, 1, b"q3 0", b"", b"", 4, 2)
    odd = rows.odd
    assert (odd.comments, odd.blanks, odd.long_lines, odd.first_long) == (1, 1, 1, 4)


def test_more_fields_are_refused_unless_they_are_allowed():
    assert split(b"a b c\n").bad == ("fields", 1, 1, b"a b c", b"", b"", 2, 3)
    assert split(b"a b c\n", more=True).columns == [["a"], ["b"]]


def test_blank_lines_may_lack_fields():
    assert split(b"a b\n \nc d", skip_blank=False).bad[:2] == ("fields", 2)
    assert split(b"a b\n \nc d").columns == [["a", "c"], ["b", "d"]]


@pytest.mark.parametrize(
    ("comments", "lines"),
    [("none", [1, 2, 3, 4]), ("plain", [3, 4]), ("indented", [4]), ("isolated", [2, 3, 4])],
)
def test_lines_that_begin_with_a_sign_are_comments_or_data(comments, lines):
    rows = split(b"# a\n# b\n #c d\ne f\n", comments=getattr(_native.Comments, comments))
    assert rows.lines.tolist() == lines


def test_the_rows_are_a_table_that_outlives_them():
    rows = split(b"a 1\nb 2\n")
    frame, table = pl.DataFrame(rows), pa.table(rows)
    del rows
    gc.collect()
    assert frame.to_dict(as_series=False) == {"f0": ["a", "b"], "f1": ["1", "2"]}
    assert table.to_pydict() == frame.to_dict(as_series=False)
    assert pl.DataFrame(split(b"")).shape == (0, 2)


def test_bytes_that_are_no_text_come_back_as_they_were():
    assert split(b"\xff\x00 b\n").columns[0][0].encode("utf-8", "surrogateescape") == b"\xff\x00"


def test_fields_may_be_separated_and_enclosed_in_quotes():
    text = b'a, "x, ""y""\nz" ;\n\n"b"c,d\ne,"f\ng'
    rows = split(text, separator=",", quotes=True)
    assert rows.columns == [["a", "bc"], ['x, "y"\nz ;', "d"]]
    assert rows.lines.tolist() == [1, 4]
    assert rows.unclosed == len(b'e,"f\ng')
    assert split(b'"a\tb"\n', separator="\t").columns == [['"a'], ['b"']]


def test_columns_are_fields_by_number_and_may_have_to_be_filled():
    rows = _native.Rows(b"a;b;c\n;y;z\n", {"x": 2, "y": 0}, 3, separator=";", filled=[0, 1])
    assert rows.columns == [["c"], ["a"]]
    assert rows.bad == ("empty", 2, 1, b"", b"", b"", 1, 0)


def test_a_record_with_too_few_fields_is_not_a_row():
    assert split(b"a,b\nc\n", separator=",").bad == ("fields", 2, 1, b"c", b"", b"", 2, 1)


CELLS = st.text('ab"\n,; \té', max_size=5).map(lambda text: text.strip(" \t"))


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=6), st.sampled_from(",;\t"))
def test_quoted_rows_are_those_that_csv_wrote(rows, separator):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
        rows
    )
    split_rows = split(text.getvalue().encode(), separator=separator, quotes=True)
    assert list(zip(*split_rows.columns, strict=True)) == [tuple(row) for row in rows]
    assert (split_rows.bad, split_rows.unclosed) == (None, 0)


@given(st.lists(st.lists(st.text("ab#é", min_size=1, max_size=3), max_size=3), max_size=6))
def test_rows_at_white_space_are_those_of_bytes_split(rows):
    text = "\n".join("\t ".join(row) for row in rows).encode()
    expected = [line.split() for line in text.split(b"\n") if line.split()]
    short = next((i for i, fields in enumerate(expected) if len(fields) != 2), len(expected))
    columns = split(text).columns
    assert [list(row) for row in zip(*columns, strict=True)] == [
        [field.decode() for field in fields] for fields in expected[:short]
    ]
