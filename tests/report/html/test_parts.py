"""Names, numbers, p-values and drawings as the sections of a page show them."""

from hypothesis import given
from hypothesis import strategies as st

from gainful.report.html.parts import (
    choose_digits,
    clean_svg,
    isolate_name,
    phrase_p_value,
    use_minus_signs,
)


@given(st.text())
def test_a_name_in_a_sentence_stays_on_its_line(name):
    assert "\n" not in isolate_name(name)
    assert isolate_name(name).count("\u2068") == isolate_name(name).count("\u2069") <= 1


@given(st.floats(0, 1), st.sampled_from([0.01, 0.05]))
def test_a_chance_is_told_on_the_side_of_alpha_on_which_it_is(p, alpha):
    text = phrase_p_value(p, alpha)
    if text.startswith("p = "):
        assert (float(text[4:]) < alpha) == (p < alpha)
    else:
        assert p < alpha


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_difference_has_two_to_eight_decimals(difference):
    assert 2 <= choose_digits(difference) <= 8


def test_minus_signs_are_true_only_before_numbers():
    assert use_minus_signs("a-1 - b -0.5 [-0.25, 1e-05] 1-2") == (
        "a-1 - b \u22120.5 [\u22120.25, 1e-05] 1-2"
    )


def test_ids_of_a_picture_are_its_own():
    svg = '<svg><clipPath id="clip1"/><path clip-path="url(#clip1)" d="M10.98765,-0.00001"/></svg>'
    assert clean_svg(svg, "ecdf") == (
        '<svg><clipPath id="ecdf-1"/><path clip-path="url(#ecdf-1)" d="M10.99,-0"/></svg>'
    )


def test_a_name_that_looks_like_a_part_of_a_picture_is_shown_as_it_is():
    text = '<svg><g id="x7"/><text clip-path="url(#x7)">id="x7" d="0.12345"</text></svg>'
    assert clean_svg(text, "a") == (
        '<svg><g id="a-1"/><text clip-path="url(#a-1)">id="x7" d="0.12345"</text></svg>'
    )
