"""check(): objects and files, and how its result shows itself."""

import json

import gainful
from gainful.cli.demo import COLLECTION, RUNS


def test_the_bundled_collection_has_nothing_wrong():
    result = gainful.check(COLLECTION / "qrels.txt", *(COLLECTION / run for run in RUNS))
    assert result.counts() == {"error": 0, "warning": 2, "info": 5}
    assert not result.has_errors


def test_objects_are_checked_as_files_are():
    qrels = {"q1": {"d1": 1, "d2": 0}}
    result = gainful.check(qrels, {"q1": {"d1": float("nan"), "d2": 1.0}}, {"q1": ["d1", "d2"]})
    assert [str(finding) for finding in result.findings] == [
        "run 'run 1': query 'q1' item 'd1': score must be a number that can be ordered, got NaN.",
        "the runs are cut at different depths ('run 1' 1, 'run 2' 2 items at most); measures "
        "without a cutoff favor the deeper. Pass --depth to cut them alike.",
    ]
    assert gainful.check(gainful.read_qrels(qrels), {"q1": ["d1"]}).findings == ()
    labels = gainful.Columns(query=["q1"], item=["d1"], label=[float("nan")])
    assert gainful.check(labels).findings[0].code == "not-numbers"


def test_findings_show_themselves():
    result = gainful.check({"q": {"a": 1, "b": 0}}, {"q": {"a": 1, "b": 1}})
    assert repr(result).splitlines()[-1] == (
        "1 warning, 1 note in 1 query, 2 judgments, 1 run of 2 items"
    )
    assert ">severity</th>" in result._repr_html_()
    assert json.loads(result.to_json()) == result.to_dict()
