"""A gate as text, Markdown, JSON, JUnit XML and annotations; ids may hold anything."""

import json
import xml.etree.ElementTree as ElementTree

from hypothesis import given
from hypothesis import strategies as st

from gainful import gate, read_run
from gainful.cli.demo import COLLECTION
from gainful.gate.ci import format_annotations
from gate.valued import MEASURE, gated

HOSTILE = "::error::\x1b[31m<b>&\"'\r\n\u2028\x00%,|`"
WORDS = st.text(min_size=1, max_size=8).filter(lambda text: text.strip() == text and text)


def hostile(query=HOSTILE, **held):
    qrels = {query: {"old": 1, "new": 0.5}, "q2": {"old": 1, "new": 1}}
    runs = ({query: [item], "q2": [item]} for item in ("old", "new"))
    before, now = (read_run(run, name=name) for run, name in zip(runs, (query, "now"), strict=True))
    return gate(qrels, before, now, MEASURE, **held)


def test_the_text_of_a_gate():
    result = gated([0.5, 0.5, 0.75], [0.5, 0.25, 0.75], min=0.25, pinned=["q0", "q1"])
    assert repr(result).splitlines()[:14] == [
        "FAIL: run 'candidate' against 'baseline': 4 checks on 3 queries, 2 failed, 2 passed.",
        "",
        "CG@1: baseline 0.5833, candidate 0.5000, difference -0.0833",
        "  FAIL    point        CG@1 drops by 0.0833, from 0.5833 to 0.5000; no more than 0.01 is "
        "allowed.",
        "  (pass)  regression   chance may explain that CG@1 drops by 0.0833, from 0.5833 to "
        "0.5000: p = 0.21, not below 0.05.",
        "  (FAIL)  noninferior  that CG@1 drops by 0.01 or more is not ruled out: with 95 % "
        "confidence the difference is above -0.3267.",
        "  pass    min          CG@1 is 0.5000, at least 0.25.",
        "  FAIL    pinned       1 of 2 pinned queries are within limits.",
        "  FAIL    pinned       query 'q1' drops by 0.2500, from 0.5000 to 0.2500; a pinned query "
        "may not drop.",
        "  3 queries cannot see drops under 0.3316.",
        "  judged: 100.0 % of the first items of the baseline, now 100.0 %.",
        "",
        "The largest drops:",
        "difference  baseline  candidate  query",
    ]


def test_the_markdown_of_a_gate():
    result = gated([0.5, 0.75], [0.5, 0.25])
    lines = result.to_markdown().splitlines()
    assert lines[:5] == [
        "### gainful gate: FAIL: run 'candidate' against 'baseline': 1 check on 2 queries, 1 "
        "failed.",
        "",
        "**CG@1: baseline 0.6250, candidate 0.3750, difference -0.2500**",
        "",
        "- **FAIL** point: CG@1 drops by 0.2500, from 0.6250 to 0.3750; no more than 0.01 is "
        "allowed.",
    ]
    assert "| difference | baseline | candidate | query |" in lines
    assert "| -0.5000 | 0.7500 | 0.2500 | q1 |" in lines


def test_many_pinned_queries_that_drop_are_not_all_listed():
    n = 50
    result = gated([0.5] * n, [0.25] * n, pinned=[f"q{i}" for i in range(n)])
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
    for line in repr(hostile(query_max_drop=0.1)).splitlines():
        assert not line.strip().startswith("::")


def test_the_json_of_a_gate_holds_all_numbers():
    result = gated([0.5, 0.75], [0.5, 0.25], min=0.25, query_max_drop=1)
    plain = json.loads(result.to_json())
    assert (plain["verdict"], plain["passed"], plain["n_queries"]) == ("fail", False, 2)
    assert [c["name"] for c in plain["checks"]] == [
        "point",
        "regression",
        "noninferior",
        "min",
        "query-max-drop",
    ]
    assert plain["checks"][0] == {
        "name": "point",
        "measure": "CG@1",
        "outcome": "fail",
        "decides": True,
        "sentence": "CG@1 drops by 0.2500, from 0.6250 to 0.3750; no more than 0.01 is allowed.",
        "numbers": {"difference": -0.25, "max_drop": 0.01},
        "query": None,
    }
    assert plain["worst"]["CG@1"] == [
        {"query": "q1", "candidate": 0.25, "baseline": 0.75, "difference": -0.5}
    ]
    assert plain["measures"][0]["thresholds"]["mode"] == "point"
    assert plain["measures"][0]["detectable"] > 0
    assert json.loads(gated([0.5], [0.5]).to_json())["measures"][0]["lower"] is None


def test_junit_has_a_test_case_for_every_check_that_decides():
    result = gated([0.5, 0.75], [0.5, 0.25], min=0.25, pinned=["q0", "q1"])
    root = ElementTree.fromstring(result.to_junit())
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.attrib == {
        "name": "gainful gate",
        "tests": "4",
        "failures": "2",
        "errors": "0",
        "skipped": "0",
    }
    cases = suite.findall("testcase")
    assert [(c.get("classname"), c.get("name"), len(c)) for c in cases] == [
        ("gainful.gate.CG@1", "point", 1),
        ("gainful.gate.CG@1", "min", 0),
        ("gainful.gate.CG@1", "pinned q0", 0),
        ("gainful.gate.CG@1", "pinned q1", 1),
    ]
    assert cases[0][0].get("message") == (
        "CG@1 drops by 0.2500, from 0.6250 to 0.3750; no more than 0.01 is allowed."
    )
    assert suite.find("system-out").text == repr(result)


def test_what_is_not_told_is_a_failure_of_that_type_and_a_warning():
    qrels = {"q1": {"a": 1, "b": 0}}
    result = gate(qrels, {"q1": ["a", "b"]}, {"q1": ["x", "a"]}, "nDCG@2")
    failure = ElementTree.fromstring(result.to_junit()).find(".//failure")
    assert failure.get("type") == "cannot tell"
    assert failure.get("message").startswith("cannot tell: nDCG@2 drops by 0.3691")
    (line,) = format_annotations(result)
    assert line.startswith("::warning title=gainful gate%3A nDCG@2 point::nDCG@2 drops by")


def test_a_pipe_in_an_id_does_not_end_its_cell():
    row = next(line for line in hostile("a|b\\").to_markdown().splitlines() if "-0.5000 |" in line)
    assert row == "| -0.5000 | 1.0000 | 0.5000 | a\\|b\\\\ |"


@given(WORDS)
def test_any_id_makes_valid_xml_json_markdown_and_annotations(query):
    result = hostile(query, pinned=[query])
    ElementTree.fromstring(result.to_junit().encode())
    assert json.loads(result.to_json())["verdict"] == "fail"
    for line in format_annotations(result):
        assert "\n" not in line
        assert "\r" not in line
        assert line.startswith("::error title=gainful gate%3A CG@1 p")
    assert len(result.to_markdown().splitlines()) < 40


def test_markup_in_ids_stays_text():
    result = hostile(pinned=[HOSTILE])
    root = ElementTree.fromstring(result.to_junit())
    assert root.findall(".//testcase")[1].get("name").startswith("pinned ::error::[31m<b>&\"'")
    markdown = result.to_markdown()
    assert "<b>" not in markdown.replace("\\<b\\>", "")
    assert "\x1b" not in repr(result)


def test_a_gate_that_passes_leaves_a_notice():
    assert format_annotations(gated([0.5], [0.5])) == [
        "::notice title=gainful gate::pass: run 'candidate' against 'baseline': 1 check on 1 "
        "query, 1 passed."
    ]


def test_bytes_that_are_no_text_are_written_too(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_bytes(b"q\xff 0 old 1\nq\xff 0 new 0\n")
    for item in ("old", "new"):
        (tmp_path / f"{item}.run").write_bytes(b"q\xff Q0 %s 1 1 t\n" % item.encode())
    result = gate(path, tmp_path / "old.run", tmp_path / "new.run", "P@1", query_max_drop=0)
    ElementTree.fromstring(result.to_junit().encode())


def test_the_demo_collection_passes_and_fails():
    qrels, keyword, hybrid = (COLLECTION / n for n in ("qrels.txt", "keyword.run", "hybrid.run"))
    assert gate(qrels, keyword, hybrid).passed
    assert not gate(qrels, hybrid, keyword).passed
