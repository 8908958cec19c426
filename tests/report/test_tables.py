"""Names and texts as tables print them: one line, without control characters."""

from hypothesis import given
from hypothesis import strategies as st

from gainful.report.tables import escape_controls


@given(st.text())
def test_harmless_text_keeps_its_lines_and_has_no_orders(text):
    clean = escape_controls(text)
    assert all(part.isprintable() or part.isspace() or ord(part) > 0x9F for part in clean)
    assert not {"\x1b", "\r", "\x07", "\x9b", "\u202e"} & set(clean)
    assert clean.count("\n") == text.count("\n")
    assert escape_controls(clean) == clean
