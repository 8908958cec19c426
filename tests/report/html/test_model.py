"""What an experiment knows of its runs, its files and the installed versions."""

import hashlib
import platform
from importlib import metadata

import gainful
from gainful import Collection, read_qrels
from gainful.report.html.model import (
    collect_versions,
    describe_files,
    order_runs_for_charts,
    select_few_runs,
)
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.sections.significance import build_curves_section
from report.html.experiments import SMALL_QRELS, SMALL_RUNS


def test_charts_draw_the_two_runs_that_are_compared_first_in_the_colors_of_a_and_b():
    runs = {"old": SMALL_RUNS["old"], "other": {"q0": ["c"]}, "new": SMALL_RUNS["new"]}
    experiment = gather_experiment(SMALL_QRELS, runs, "nDCG@3", baseline="old")
    assert experiment.candidate == "new"
    assert (
        order_runs_for_charts(experiment) == select_few_runs(experiment) == ("old", "new", "other")
    )
    assert select_few_runs(experiment, 2) == ("old", "new")
    rows = build_curves_section(experiment).charts[0].drawing["data"]["values"]
    assert [*dict.fromkeys(row["run"] for row in rows)] == ["old", "new", "other"]


QRELS_BYTES, RUN_BYTES = b"q1 0 a 1\n", b"q1 Q0 a 1 2.0 x\n"


def test_files_are_named_as_they_were_given_and_told_by_their_bytes(tmp_path):
    qrels, run, items = tmp_path / "qrels.txt", tmp_path / "bm25.run", tmp_path / "items.csv"
    qrels.write_bytes(QRELS_BYTES)
    run.write_bytes(RUN_BYTES)
    items.write_text("item,title\na,An apple\n")
    experiment = gather_experiment(
        qrels, {"mine": str(run)}, items=items, queries={"q1": {"kind": "x"}}
    )
    assert experiment.setup.files == (
        ("qrels", str(qrels), hashlib.sha256(QRELS_BYTES).hexdigest()),
        ("run", str(run), hashlib.sha256(RUN_BYTES).hexdigest()),
        ("items", str(items), hashlib.sha256(b"item,title\na,An apple\n").hexdigest()),
        ("queries", "queries", None),
    )


def test_objects_pipes_and_standard_input_have_no_bytes_to_tell_them_by(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_bytes(QRELS_BYTES)
    assert describe_files(Collection(read_qrels(path))) == (("qrels", str(path), None),)
    assert describe_files(Collection({}, queries="/dev/null")) == (
        ("qrels", "qrels", None),
        ("queries", "/dev/null", None),
    )
    assert gather_experiment({"q1": {"a": 1}}, {"mine": {"q1": ["a"]}}).setup.files == (
        ("qrels", "qrels", None),
        ("run", "mine", None),
    )


def test_versions_are_those_that_are_installed():
    versions = collect_versions()
    assert versions["gainful"] == gainful.__version__
    assert versions["python"] == platform.python_version()
    assert versions["numpy"] == metadata.version("numpy")


def test_a_package_that_is_not_installed_is_left_out(monkeypatch):
    monkeypatch.setattr("gainful.report.html.model._PACKAGES", ("numpy", "no-such-package"))
    assert list(collect_versions()) == ["gainful", "python", "numpy"]
