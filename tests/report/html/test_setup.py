"""Setup: what was read, and by which versions the numbers were made."""

import hashlib
import platform
from importlib import metadata

import gainful
from gainful import read_qrels
from gainful.report.html.model import collect_versions, describe_files
from gainful.report.html.page_data import gather_experiment

QRELS, RUN = b"q1 0 a 1\n", b"q1 Q0 a 1 2.0 x\n"


def test_files_are_named_as_they_were_given_and_told_by_their_bytes(tmp_path):
    qrels, run, items = tmp_path / "qrels.txt", tmp_path / "bm25.run", tmp_path / "items.csv"
    qrels.write_bytes(QRELS)
    run.write_bytes(RUN)
    items.write_text("item,title\na,An apple\n")
    found = gather_experiment(qrels, {"mine": str(run)}, items=items, queries={"q1": {"kind": "x"}})
    assert found.setup.files == (
        ("qrels", str(qrels), hashlib.sha256(QRELS).hexdigest()),
        ("run", str(run), hashlib.sha256(RUN).hexdigest()),
        ("items", str(items), hashlib.sha256(b"item,title\na,An apple\n").hexdigest()),
        ("queries", "queries", None),
    )


def test_objects_pipes_and_standard_input_have_no_bytes_to_tell_them_by(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_bytes(QRELS)
    assert describe_files(read_qrels(path), [], None, None) == (("qrels", str(path), None),)
    assert describe_files("-", [], None, "/dev/null") == (
        ("qrels", "-", None),
        ("queries", "/dev/null", None),
    )
    assert gather_experiment({"q1": {"a": 1}}, {"mine": {"q1": ["a"]}}).setup.files == (
        ("qrels", "qrels", None),
        ("run", "mine", None),
    )


def test_versions_are_those_that_are_installed():
    found = collect_versions()
    assert found["gainful"] == gainful.__version__
    assert found["python"] == platform.python_version()
    assert found["numpy"] == metadata.version("numpy")


def test_a_package_that_is_not_installed_is_left_out(monkeypatch):
    monkeypatch.setattr("gainful.report.html.model._PACKAGES", ("numpy", "no-such-package"))
    assert list(collect_versions()) == ["gainful", "python", "numpy"]
