"""Text and JSON escaped for HTML, and rows picked at even distances."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gainful.report.html.escaping import escape_json, sanitize_text
from gainful.report.tables import pick_evenly_spaced


@given(st.text())
def test_what_is_shown_can_be_written_as_html(text):
    safe = sanitize_text(text)
    safe.encode()
    assert not any(ord(c) < 32 and c not in "\t\n\r" for c in safe)


@given(st.recursive(st.text() | st.none(), st.lists))
def test_escaped_json_is_the_same_json_and_ends_no_script(value):
    import json

    text = escape_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert "<" not in text
    text.encode()


@given(st.integers(1, 10_000), st.integers(2, 200))
def test_evenly_spaced_places_ascend_from_end_to_end(n, most):
    places = list(pick_evenly_spaced(n, most))
    assert (places[0], places[-1], len(places)) == (0, n - 1, min(n, most))
    assert all(place < other for place, other in pairwise(places))
