"""Names and texts as tables print them: one line, without control characters."""

from hypothesis import given
from hypothesis import strategies as st

from gainful.report.tables import Column, Table, escape_controls, to_tsv


@given(st.text())
def test_harmless_text_keeps_its_lines_and_has_no_orders(text):
    clean = escape_controls(text)
    assert all(part.isprintable() or part.isspace() or ord(part) > 0x9F for part in clean)
    assert not {"\x1b", "\r", "\x07", "\x9b", "\u202e"} & set(clean)
    assert clean.count("\n") == text.count("\n")
    assert escape_controls(clean) == clean


@given(st.text())
def test_no_field_of_tsv_is_empty(text):
    lines = to_tsv(Table([Column("query"), Column("value", float)], [[text, 0.5]])).split("\n")
    fields = lines[1].split("\t")
    assert fields == [" ".join(text.split()) or "-", "0.5"]
