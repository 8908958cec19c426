"""A gate as JUnit XML and as GitHub annotations."""

import xml.etree.ElementTree as ElementTree

from gainful import gate
from gainful.gate.ci import format_annotations
from gate.runs_with_values import gate_values


def test_junit_has_a_test_case_for_every_check_that_decides():
    result = gate_values([0.5, 0.75], [0.5, 0.25], min=0.25, pinned=["q0", "q1"])
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


def test_a_gate_that_passes_leaves_a_notice():
    assert format_annotations(gate_values([0.5], [0.5])) == [
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
