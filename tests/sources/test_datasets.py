"""Datasets of ir_datasets that are missing, empty or cannot be downloaded."""

import sys
from types import SimpleNamespace

import pytest

import gainful
from gainful import SourceError, evaluate, read_qrels, read_run


class Dataset:
    """A data set of ir_datasets that has nothing, or breaks."""

    def __init__(self, error=None):
        self.error = error

    def has_qrels(self):
        return self.error is not None

    has_scoreddocs = has_qrels

    def qrels_iter(self):
        raise self.error


@pytest.mark.parametrize(
    ("read", "kind"),
    [(read_qrels, "qrels"), (read_run, "scored documents, which would be a run")],
)
def test_a_data_set_without_them_says_so(read, kind, monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=lambda _: Dataset()))
    with pytest.raises(SourceError) as error:
        evaluate("irds:x", {}) if read is read_qrels else evaluate({"q": {"a": 1}}, read("irds:x"))
    assert str(error.value) == f"irds:x: the data set has no {kind}."


@pytest.mark.parametrize(
    "error",
    [
        OSError("no route to host.\nmore"),
        OSError(113, "no route to host"),
        RuntimeError("no route to host", ["more"]),
    ],
)
def test_a_data_set_that_cannot_be_downloaded_says_so(error, monkeypatch):
    package = SimpleNamespace(load=lambda _: Dataset(error))
    monkeypatch.setitem(sys.modules, "ir_datasets", package)
    with pytest.raises(SourceError) as caught:
        read_qrels("irds:x/y")
    assert str(caught.value) == (
        "irds:x/y: the data set cannot be read: no route to host. "
        "It is downloaded when it is first used, which needs a network."
    )


def test_data_sets_need_a_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(SourceError) as error:
        gainful.read_qrels("irds:msmarco-passage/trec-dl-2019/judged")
    assert str(error.value) == (
        "irds:msmarco-passage/trec-dl-2019/judged: ir_datasets is not installed. "
        "Install it with: pip install ir_datasets"
    )
