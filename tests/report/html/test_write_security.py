"""The security of a page: its policy, and the elements and attributes it may have."""

import base64
import hashlib
import json
import re

import pytest

from gainful.report.html.embedded_data import unpack
from gainful.report.html.write import make_page
from report.html.experiments import hostile_experiment, parse_page, small_experiment

POLICY = {
    "default-src": "'none'",
    "img-src": "data:",
    "style-src": "'unsafe-inline'",
    "base-uri": "'none'",
    "form-action": "'none'",
}
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "script", "header", "footer", "main"),
    *(
        "nav",
        "article",
        "section",
        "figure",
        "figcaption",
        "div",
        "p",
        "span",
        "a",
        "h1",
        "h2",
        "h3",
        "h4",
    ),
    *("ol", "ul", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tfoot", "tr"),
    *("th", "td", "button", "label", "input", "select", "option", "details", "summary", "bdi"),
    *("strong", "em", "code", "pre", "kbd", "small", "abbr", "time", "br", "hr", "noscript", "b"),
    *("sub", "sup", "i", "mark", "datalist", "output", "colgroup", "col", "textarea", "fieldset"),
    *("legend", "svg", "g", "path", "rect", "circle", "line", "text", "tspan", "defs", "clipPath"),
    *("linearGradient", "stop", "math", "mrow", "mi", "mn", "mo", "mtext", "msub", "msup"),
    *("msubsup", "mfrac", "munder", "munderover", "mover", "mtable", "mtr", "mtd", "mspace"),
    *("mstyle", "msqrt", "mpadded", "semantics"),
}
# Attributes through which a page could load, send, run or move something.
NEVER = {
    *("src", "srcset", "srcdoc", "action", "formaction", "ping", "poster", "data", "background"),
    *("manifest", "cite", "longdesc", "profile", "codebase", "archive", "target", "download"),
}
SHOWN = r"(?i)(javascript|vbscript|data|file|https?|ftp|blob)\s*:"


@pytest.fixture(scope="module", params=["hostile", "several"])
def html(request):
    return make_page(hostile_experiment() if request.param == "hostile" else small_experiment(4))


@pytest.fixture(scope="module")
def page(html):
    return parse_page(html)


def element_name(element):
    """The name of an element, without the namespace that the parser puts before it."""
    return str(element.tag).rpartition("}")[2]


def elements(read):
    return [element for element in read.iter() if isinstance(element.tag, str)]


def directives(read):
    (policy,) = (
        element.get("content") for element in read.iter("meta") if element.get("http-equiv")
    )
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


def digest(script):
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def test_the_policy_allows_two_scripts_by_their_hashes_and_no_code_made_of_text(page):
    policy = directives(page)
    scripts = {element.get("id"): element.text for element in page.iter("script")}
    vega = unpack(json.loads(scripts["vega-packed"]))
    assert policy.pop("script-src") == f"{digest(scripts[None])} {digest(vega)}"
    assert policy == POLICY


def test_the_policy_comes_before_everything_that_it_is_for(html):
    head = html.partition("Content-Security-Policy")[0]
    assert (
        re.sub(r"\s", "", head)
        == '<!doctypehtml><htmllang="en"><head><metacharset="utf-8"><metahttp-equiv="'
    )


def test_every_element_is_one_of_those_that_only_show(page):
    assert {element_name(element) for element in elements(page)} <= ELEMENTS


def test_no_attribute_loads_sends_or_runs(page):
    for element in elements(page):
        for name, value in element.attrib.items():
            plain = str(name).rpartition("}")[2].lower()
            assert plain not in NEVER, (element.tag, name)
            assert not plain.startswith("on"), (element.tag, name)
            assert plain != "href" or value.startswith("#"), value
            assert plain != "style" or not re.search(r"url\(|expression|@import", value), value
            assert "url(" not in value or re.fullmatch(r"url\(#[\w-]+\)", value), value


def test_what_is_no_data_for_the_reader_holds_no_address(page):
    for element in elements(page):
        for name in ("content", "class", "id", "type", "role", "for"):
            value = element.get(name) or ""
            assert element.get("http-equiv") or not re.match(SHOWN, value), (name, value)


def test_scripts_of_data_cannot_end_themselves(html):
    scripts = re.findall(r'(?s)<script type="application/json" id="[\w-]+">(.*?)</script>', html)
    assert len(scripts) == 3
    for script in scripts:
        json.loads(script)
        assert "<" not in script


def test_no_control_that_hides_or_turns_text_stands_outside_of_what_isolates_it(page):
    turning = re.compile("[\u202a-\u202e\u2066-\u2069]")
    inside = {
        id(part)
        for element in elements(page)
        if element_name(element) in ("bdi", "script", "svg", "option", "title")
        for part in element.iter()
    }
    for element in elements(page):
        if id(element) not in inside and element.get("dir") != "auto":
            assert not turning.search(element.text or ""), (element.tag, element.text)


def test_there_is_no_character_that_html_forbids(html):
    assert not re.search(
        "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]", html
    )


def test_the_page_says_whose_vega_is_where_it_holds_it(html):
    before, _, _ = html.partition('<script type="application/json" id="vega-packed">')
    notices = before.rpartition("<!--")[2]
    assert "University of Washington Interactive Data Lab" in notices
    assert "Mike Bostock" in notices
    assert notices.endswith("-->\n")
    assert notices.count("--") == 1  # no text in it ends the comment
