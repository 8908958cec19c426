"""Formulas as MathML: what TeX becomes, and that no docstring can break a page."""

import re
import xml.etree.ElementTree as ET

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.errors import OutputError
from gainful.measures import REGISTRY
from gainful.report.formulas import FORMULA, format_plain_formulas
from gainful.report.mathml import (
    SIGNS,
    SIZES,
    Html,
    convert_to_mathml,
    format_formula,
    parse_tex,
    split_formulas,
)

# The elements of MathML that take a fixed number of others.
N_CHILDREN = {
    **dict.fromkeys(("mfrac", "msub", "msup", "munder", "mover"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
    **dict.fromkeys(("mi", "mn", "mo", "mtext", "mspace"), 0),
}
ELEMENTS = {*N_CHILDREN, "math", "mrow", "mstyle", "msqrt"}
ATTRIBUTES = {
    *("alttext", "display", "displaystyle", "form", "linethickness", "lspace", "mathvariant"),
    *("maxsize", "minsize", "movablelimits", "rspace", "stretchy", "symmetric", "width"),
}


def tree(markup):
    """The elements of a formula, once it is sure that each has as many children as it takes."""
    root = ET.fromstring(markup)
    for element in root.iter():
        assert element.tag in ELEMENTS
        assert set(element.attrib) <= ATTRIBUTES
        assert len(element) == N_CHILDREN.get(element.tag, len(element))
        assert not (len(element) and (element.text or "").strip())
        assert not (element.tail or "").strip()
    return root


@pytest.mark.parametrize(
    ("tex", "markup"),
    [
        ("k", "<mi>k</mi>"),
        ("0.00001", "<mn>0.00001</mn>"),
        (r"\alpha", "<mi>\u03b1</mi>"),
        (r"\mathrm{AP}", "<mi>AP</mi>"),
        (r"\mathrm{P}", '<mi mathvariant="normal">P</mi>'),
        (r"\mathit{rel}", "<mrow><mi>r</mi><mi>e</mi><mi>l</mi></mrow>"),
        (r"\text{ if }", "<mtext>\u00a0if\u00a0</mtext>"),
        ("l_i", "<msub><mi>l</mi><mi>i</mi></msub>"),
        (r"\beta^2", "<msup><mi>β</mi><mn>2</mn></msup>"),
        ("G^*_i", '<msubsup><mi>G</mi><mi>i</mi><mo lspace="0" rspace="0">\u2217</mo></msubsup>'),
        (
            "f'_g",
            '<msub><mrow><mi>f</mi><mo lspace="0" rspace="0">\u2032</mo></mrow><mi>g</mi></msub>',
        ),
        ("n - 1", "<mi>n</mi><mo>\u2212</mo><mn>1</mn>"),
        ("-n", '<mo form="prefix">\u2212</mo><mi>n</mi>'),
        (r"\frac{1}{R}", "<mfrac><mn>1</mn><mi>R</mi></mfrac>"),
        (
            r"\tfrac{i}{10}",
            '<mstyle displaystyle="false"><mfrac><mi>i</mi><mn>10</mn></mfrac></mstyle>',
        ),
        (r"\sqrt 2", "<msqrt><mn>2</mn></msqrt>"),
        (r"\sqrt{2 n}", "<msqrt><mrow><mn>2</mn><mi>n</mi></mrow></msqrt>"),
        (
            r"\binom{s}{m}",
            '<mrow><mo>(</mo><mfrac linethickness="0"><mi>s</mi><mi>m</mi></mfrac>'
            "<mo>)</mo></mrow>",
        ),
        (
            r"\sum_{i=1}^k i",
            '<munderover><mo lspace="0">∑</mo><mrow><mi>i</mi><mo lspace="0" rspace="0">=</mo>'
            "<mn>1</mn></mrow><mi>k</mi></munderover><mi>i</mi>",
        ),
        (r"\prod_q", '<munder><mo lspace="0">∏</mo><mi>q</mi></munder>'),
        (
            r"\max_j j",
            '<munder><mo movablelimits="true" lspace="0" rspace="0">max</mo><mi>j</mi></munder>'
            '<mo>&#8289;</mo><mspace width="0.1667em"/><mi>j</mi>',
        ),
        (
            r"\log_2(i)",
            "<msub><mi>log</mi><mn>2</mn></msub><mo>&#8289;</mo>"
            '<mo form="prefix" stretchy="false">(</mo><mi>i</mi>'
            '<mo form="postfix" stretchy="false">)</mo>',
        ),
        (
            "(n)^2",
            '<msup><mrow><mo form="prefix" stretchy="false">(</mo><mi>n</mi>'
            '<mo form="postfix" stretchy="false">)</mo></mrow><mn>2</mn></msup>',
        ),
        (
            "|C|",
            '<mo form="prefix" stretchy="false">|</mo><mi>C</mi>'
            '<mo form="postfix" stretchy="false">|</mo>',
        ),
        (
            r"\left( n \right]",
            '<mrow><mo form="prefix" stretchy="true">(</mo><mi>n</mi>'
            '<mo form="postfix" stretchy="true">]</mo></mrow>',
        ),
        (r"\left. n \right)", '<mrow><mi>n</mi><mo form="postfix" stretchy="true">)</mo></mrow>'),
        (
            r"\Bigl(",
            '<mo form="prefix" minsize="1.8em" maxsize="1.8em" stretchy="true" '
            'symmetric="true">(</mo>',
        ),
        ("k@n", '<mi>k</mi><mo lspace="0" rspace="0">@</mo><mi>n</mi>'),
        ("i < k", "<mi>i</mi><mo>&lt;</mo><mi>k</mi>"),
        (r"a \qquad b", '<mi>a</mi><mspace width="2em"/><mi>b</mi>'),
        (
            "R_{1..i}",
            '<msub><mi>R</mi><mrow><mn>1</mn><mo lspace="0" rspace="0">..</mo><mi>i</mi></mrow>'
            "</msub>",
        ),
        ("{}", "<mrow></mrow>"),
    ],
)
def test_tex_becomes_elements(tex, markup):
    assert parse_tex(tex) == markup
    tree(convert_to_mathml(tex))


def test_a_bar_in_a_fraction_does_not_close_one_outside_of_it():
    bars = [bar.get("form") for bar in tree(convert_to_mathml(r"\frac{|a|}{b} |c|")).iter("mo")]
    assert bars == ["prefix", "postfix", "prefix", "postfix"]


def test_a_formula_says_in_words_what_it_shows():
    assert convert_to_mathml(r"\frac{h_k}{k}", display=True) == (
        '<math display="block" alttext="h_k / k">'
        "<mfrac><msub><mi>h</mi><mi>k</mi></msub><mi>k</mi></mfrac></math>"
    )


def test_text_is_told_from_formulas():
    assert split_formulas("rank $i$ of $k$.") == [
        "rank ",
        format_formula("i"),
        " of ",
        format_formula("k"),
        ".",
    ]
    assert split_formulas("$$n$$") == [format_formula("n", display=True)]
    assert split_formulas("costs 5 $") == ["costs 5 $"]
    assert split_formulas("") == []


@pytest.mark.parametrize("name", REGISTRY)
def test_every_formula_of_a_measure_is_mathematics(name):
    for match in FORMULA.finditer(REGISTRY[name].documentation):
        root = tree(convert_to_mathml(match[1] or match[2]))
        assert root.get("alttext") == " ".join(format_plain_formulas(match[0]).split())


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (r"\hbox n", r"'\hbox' is not known"),
        ("a # b", "'#' is not known"),
        (r"\frac{1}", "it ends too early"),
        ("{n", "it ends too early"),
        ("n}", "'}' is not known"),
        ("a_1_2", "'_' stands twice"),
        (r"\mathrm P", "a text in braces is expected, not 'P'"),
        (r"\text{a", "a text in braces is expected, not 'a'"),
        (r"\text{\alpha}", r"a text in braces is expected, not '\alpha'"),
        (r"\left n", "'n' is not a delimiter"),
        ("{" * 51 + "}" * 51, "it is nested too deeply"),
        (r"\sqrt" * 9999 + "2", "it is nested too deeply"),
    ],
)
def test_tex_that_is_not_known_is_refused_and_shown_as_plain_text(tex, reason):
    with pytest.raises(OutputError) as error:
        convert_to_mathml(tex)
    assert str(error.value) == f"formula '{tex}': {reason}."
    assert format_formula(tex).text.startswith("<code>")


def test_plain_text_in_place_of_a_formula_is_escaped():
    assert format_formula(r'\hbox{<b>"}').text == "<code>hbox{&lt;b&gt;&quot;}</code>"


def test_templates_show_formulas_as_they_are_and_escape_all_else():
    template = jinja2.Environment(autoescape=True).from_string(
        "{% for p in found %}{{ p }}{% endfor %}"
    )
    assert template.render(found=split_formulas("<b> $k$")) == (
        '&lt;b&gt; <math alttext="k"><mi>k</mi></math>'
    )


COMMANDS = ("frac", "sqrt", "binom", "left", "right", "text", "mathrm", "mathit", "operatorname")
PARTS = [*SIGNS, *SIZES, *(f"\\{name}" for name in COMMANDS)]
TEX = st.lists(
    st.one_of(
        st.sampled_from([*PARTS, "{", "}", "_", "^", "$", " ", "1", "x", "_{i=1}^k", "{n}", "&"]),
        st.text(max_size=3),
    )
).map("".join)


@given(TEX, st.booleans())
def test_no_formula_breaks_the_page(tex, display):
    markup = format_formula(tex, display=display).text
    root = ET.fromstring(markup)
    if root.tag == "math":
        tree(markup)
    else:
        assert (root.tag, len(root)) == ("code", 0)


@given(st.text() | TEX)
def test_no_text_is_lost_and_none_is_markup(text):
    pieces = split_formulas(text)
    words = "".join(piece for piece in pieces if isinstance(piece, str))
    assert words == FORMULA.sub("", text)
    for piece in pieces:
        if isinstance(piece, Html):
            assert ET.fromstring(piece.text).tag in ("math", "code")


@given(st.text(st.sampled_from("<>&\"'a \x00\x1b\ud800\ufffe"), min_size=1))
def test_words_in_a_formula_are_escaped(words):
    markup = convert_to_mathml(rf"\text{{{words}}}")
    root = tree(markup)
    assert [element.tag for element in root.iter()] == ["math", "mtext"]
    expected = re.sub(r"[^<>&\"'a]", "", words)
    assert re.sub(r"[^<>&\"'a]", "", root[0].text) == expected
