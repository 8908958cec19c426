"""A gate as text and Markdown; ids may hold anything."""

import json
import xml.etree.ElementTree as ElementTree

from hypothesis import given
from hypothesis import strategies as st

from gainful import gate, read_run
from gainful.gate.ci import format_annotations
from gate.runs_with_values import MEASURE, gate_values

HOSTILE = "::error::\x1b[31m<b>&\"'\r\n\u2028\x00%,|`"
WORDS = st.text(min_size=1, max_size=8).filter(lambda text: text.strip() == text and text)


def gate_hostile_ids(query=HOSTILE, **options):
    qrels = {query: {"old": 1, "new": 0.5}, "q2": {"old": 1, "new": 1}}
    runs = ({query: [item], "q2": [item]} for item in ("old", "new"))
    before, now = (read_run(run, name=name) for run, name in zip(runs, (query, "now"), strict=True))
    return gate(qrels, before, now, MEASURE, **options)


def test_the_text_of_a_gate_lists_its_checks():
    result = gate_values([0.5, 0.5, 0.75], [0.5, 0.25, 0.75], min=0.25, pinned=["q0", "q1"])
    assert repr(result).splitlines()[:14] == [
        "FAIL: run 'candidate' against 'baseline': 4 checks on 3 queries, 2 failed, 2 passed.",
        "",
        "CG@1: baseline 0.5833, candidate 0.5000, difference -0.0833",
        "FAIL    point        CG@1 drops by 0.0833, from 0.5833 to 0.5000; no more than 0.01 is "
        "allowed.",
        "(pass)  regression   chance may explain that CG@1 drops by 0.0833, from 0.5833 to "
        "0.5000: p = 0.21, not below 0.05.",
        "(FAIL)  noninferior  that CG@1 drops by 0.01 or more is not ruled out: with 95% "
        "confidence the difference is above -0.3267.",
        "pass    min          CG@1 is 0.5000, at least 0.25.",
        "FAIL    pinned       1 of 2 pinned queries are within limits.",
        "FAIL    pinned       query 'q1' drops by 0.2500, from 0.5000 to 0.2500; a pinned query "
        "may not drop.",
        "",
        "The largest drops:",
        "difference  baseline  candidate  query",
        "   -0.2500    0.5000     0.2500  q1",
        "",
    ]
    assert repr(result).splitlines()[14:16] == [
        "3 queries cannot see drops under 0.3316.",
        "judged: 100.0% of the first items of the baseline, now 100.0%.",
    ]


def test_the_markdown_of_a_gate_lists_its_checks():
    result = gate_values([0.5, 0.75], [0.5, 0.25])
    lines = result.to_markdown().splitlines()
    assert lines[:7] == [
        "FAIL: run 'candidate' against 'baseline': 1 check on 2 queries, 1 failed.",
        "",
        "**CG@1: baseline 0.6250, candidate 0.3750, difference -0.2500**",
        "",
        "| outcome | check | finding |",
        "|:--|:--|:--|",
        "| FAIL | point | CG@1 drops by 0.2500, from 0.6250 to 0.3750; no more than 0.01 is "
        "allowed. |",
    ]
    assert "| difference | baseline | candidate | query |" in lines
    assert "| -0.5000 | 0.7500 | 0.2500 | q1 |" in lines


def test_many_pinned_queries_that_drop_are_not_all_listed():
    n = 50
    result = gate_values([0.5] * n, [0.25] * n, pinned=[f"q{i}" for i in range(n)])
    text = repr(result)
    assert text.count("a pinned query may not drop") == 20
    assert (
        "0 of 50 pinned queries are within limits. 30 more that are not are left out here." in text
    )
    assert len(ElementTree.fromstring(result.to_junit()).findall(".//testcase")) == 51
    lines = format_annotations(result)
    assert len(lines) == 10
    assert lines[-1] == "::error title=gainful gate::42 more checks fail; see the summary."


def test_no_line_of_the_text_begins_with_an_id():
    for line in repr(gate_hostile_ids(query_max_drop=0.1)).splitlines():
        assert not line.strip().startswith("::")


def test_a_pipe_in_an_id_does_not_end_its_cell():
    row = next(
        line for line in gate_hostile_ids("a|b\\").to_markdown().splitlines() if "-0.5000 |" in line
    )
    assert row == "| -0.5000 | 1.0000 | 0.5000 | a\\|b\\\\ |"


@given(WORDS)
def test_any_id_makes_valid_xml_json_markdown_and_annotations(query):
    result = gate_hostile_ids(query, pinned=[query])
    ElementTree.fromstring(result.to_junit().encode())
    assert json.loads(result.to_json())["verdict"] == "fail"
    for line in format_annotations(result):
        assert "\n" not in line
        assert "\r" not in line
        assert line.startswith("::error title=gainful gate%3A CG@1 p")
    assert len(result.to_markdown().splitlines()) < 40


def test_markup_in_ids_stays_text():
    result = gate_hostile_ids(pinned=[HOSTILE])
    root = ElementTree.fromstring(result.to_junit())
    assert root.findall(".//testcase")[1].get("name").startswith("pinned ::error::[31m<b>&\"'")
    markdown = result.to_markdown()
    assert "<b>" not in markdown.replace("\\<b>", "")
    assert "\x1b" not in repr(result)
