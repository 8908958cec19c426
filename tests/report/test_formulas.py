"""Formulas as MathML: every measure's formula is one, and no docstring can break a page."""

import re
import xml.etree.ElementTree as ET

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.measures import REGISTRY
from gainful.report.formulas import (
    FORMULA,
    convert_to_mathml,
    format_plain_formulas,
    split_formulas,
)


def test_a_formula_says_in_words_what_it_shows():
    math = ET.fromstring(convert_to_mathml(r"\frac{h_k}{k}", display=True))
    assert math.attrib == {"display": "block", "alttext": "h_k / k"}
    assert ["".join(part.itertext()) for part in math.find(".//mfrac")] == ["hk", "k"]


def test_text_is_told_from_formulas():
    assert split_formulas("rank $i$ of $k$.") == [
        "rank ",
        convert_to_mathml("i"),
        " of ",
        convert_to_mathml("k"),
        ".",
    ]
    assert split_formulas("$$n$$") == [convert_to_mathml("n", display=True)]
    assert split_formulas("costs 5 $") == ["costs 5 $"]
    assert split_formulas("") == []


@pytest.mark.parametrize("name", REGISTRY)
def test_every_formula_of_a_measure_is_mathematics(name):
    for match in FORMULA.finditer(REGISTRY[name].documentation):
        math = ET.fromstring(convert_to_mathml(match[1] or match[2]))
        assert math.tag == "math"
        assert math.get("alttext") == " ".join(format_plain_formulas(match[0]).split())
        assert not any("\\" in text for text in math.itertext())


@pytest.mark.parametrize("tex", ["a_1_2", r"\left n"])
def test_tex_that_cannot_be_parsed_is_shown_as_plain_text(tex):
    assert convert_to_mathml(tex).startswith("<code>")


def test_templates_show_formulas_as_they_are_and_escape_all_else():
    template = jinja2.Environment(autoescape=True).from_string(
        "{% for piece in pieces %}{{ piece }}{% endfor %}"
    )
    assert template.render(pieces=split_formulas("<b> $k$")) == (
        "&lt;b&gt; " + convert_to_mathml("k")
    )


COMMANDS = ("frac", "sqrt", "binom", "left", "right", "text", "mathrm", "alpha", "sum", "Bigl")
TEX = st.lists(
    st.one_of(
        st.sampled_from([f"\\{name}" for name in COMMANDS]),
        st.sampled_from(["{", "}", "_", "^", "$", " ", "1", "x", "_{i=1}^k", "{n}", "&", "<b>"]),
        st.text(max_size=3),
    )
).map("".join)


@given(TEX, st.booleans())
def test_no_formula_breaks_the_page(tex, display):
    assert ET.fromstring(convert_to_mathml(tex, display=display)).tag in ("math", "code")


@given(st.text(st.sampled_from("<>&\"'a \x00\x1b\ud800\ufffe"), min_size=1))
def test_words_in_a_formula_are_never_markup(words):
    math = ET.fromstring(convert_to_mathml(rf"\text{{{words}}}"))
    assert {element.tag for element in math.iter()} <= {"math", "mrow", "mtext"}
    assert re.findall(r"[<>&\"'a]", "".join(math.itertext())) == re.findall(r"[<>&\"'a]", words)


def test_no_text_beside_formulas_is_lost():
    pieces = split_formulas("a $b$ c $$d$$ e")
    assert [piece for piece in pieces if not hasattr(piece, "__html__")] == ["a ", " c ", " e"]
