"""Every class with _repr_html_ shows names as text, parsed by the rules of HTML."""

import ast
from pathlib import Path

import html5lib
import pytest

import gainful

SOURCE = Path(gainful.__file__).parent
EVIL = (
    "<script>alert(1)</script>",
    "</td></table><img src=x onerror=alert(1)>",
    '"\' onmouseover=alert(1) x="',
    "javascript:alert(1)",
    "&lt;i&gt;",
    "\u202eright to left",
    "null\x00byte",
    "lone\udcff",
)
ELEMENTS = {
    *("html", "head", "body", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"),
    *(
        "p",
        "b",
        "strong",
        "span",
        "div",
        "ul",
        "li",
        "details",
        "summary",
        "bdi",
        "code",
        "em",
        "pre",
    ),
}
ATTRIBUTES = {"style", "dir", "scope", "colspan", "title", "role", "aria-hidden", "open"}


def hostile_data():
    qrels = {query: {item: n % 3 for n, item in enumerate(EVIL)} for query in EVIL}
    runs = {EVIL[0]: dict.fromkeys(EVIL, EVIL[::-1]), EVIL[1]: dict.fromkeys(EVIL, EVIL)}
    query_data = {query: {EVIL[2]: EVIL[n % 2]} for n, query in enumerate(EVIL)}
    return qrels, runs, query_data


OTHER = {query: [EVIL[-i]] for i, query in enumerate(EVIL)}


def hostile_results():
    """One of everything that shows itself, by its class."""
    qrels, runs, query_data = hostile_data()
    run = gainful.read_run(runs[EVIL[0]], name=EVIL[0])
    scores = gainful.evaluate(qrels, run, ["nDCG@10", "P@5"], queries=query_data)
    return {
        "Scores": scores,
        "Slices": scores.by(EVIL[2]),
        "Comparison": gainful.compare(qrels, runs, "nDCG@10"),
        "Explanation": gainful.explain(qrels, run, EVIL[1], "nDCG@5"),
        "Findings": gainful.check({**qrels, EVIL[0] * 2: {"a": 1}}, run),
        "Gate": gainful.gate(qrels, runs[EVIL[1]], run, ["nDCG@5", "P@5"]),
        "Correlation": gainful.correlate(qrels, runs, ["nDCG@5", "P@5"]),
        "Power": gainful.power(qrels, [run, gainful.read_run(OTHER, name=EVIL[1])], "nDCG@5"),
        "Reconciliation": gainful.reconcile(qrels, run, dialects=["trec_eval", "elasticsearch"]),
    }


RESULTS = hostile_results()


def classes_with_html():
    """The classes that show themselves, found in the source."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and (
                any(getattr(base, "id", "") == "Result" for base in node.bases)
                or any(getattr(s, "name", "") == "_repr_html_" for s in node.body)
            ):
                yield node.name


def test_every_class_with_html_is_tested_here():
    assert {*classes_with_html()} == {*RESULTS, "Result"}


@pytest.mark.parametrize("name", RESULTS)
def test_names_are_text_and_nothing_else(name):
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    text = RESULTS[name]._repr_html_()
    text.encode()  # what cannot be sent to a browser is no text
    read = parser.parse(text)
    for element in read.iter():
        assert element.tag in ELEMENTS, element.tag
        assert set(element.attrib) <= ATTRIBUTES, element.attrib
        assert "url(" not in element.get("style", "")
    assert "alert(1)" in "".join(read.itertext())
