"""Errors keep their code and query when pickled, and print the code beside the sentence."""

import copy
import pickle
import traceback

import pytest

import gainful
from gainful.errors import (
    AlignError,
    GainfulError,
    MeasureError,
    PackageError,
    PreferenceError,
    SliceError,
    SourceError,
)

KINDS = [GainfulError, MeasureError, SourceError, AlignError, PackageError, SliceError]


def same(error, other):
    assert type(error) is type(other)
    assert (str(error), error.args, error.code, error.query) == (
        str(other),
        other.args,
        other.code,
        other.query,
    )
    assert error.__notes__ == other.__notes__


@pytest.mark.parametrize("kind", [*KINDS, gainful.ComparisonError], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_is_pickled_with_its_code_and_query(kind, protocol):
    error = kind("run: no.", code="bad-id", query="q7")
    same(pickle.loads(pickle.dumps(error, protocol)), error)
    same(copy.copy(error), error)
    same(copy.deepcopy(error), error)


def test_what_else_an_error_holds_is_pickled_too():
    error = PreferenceError("no.", code="judged-twice", query="q1", item="d1", places=(0, 2))
    again = pickle.loads(pickle.dumps(error))
    same(again, error)
    assert (again.item, again.places) == ("d1", (0, 2))
    with pytest.raises(SourceError) as caught:
        gainful.read_qrels({"q1": {"d1": float("nan")}})
    again = pickle.loads(pickle.dumps(caught.value))
    same(again, caught.value)
    assert again.bad_input == caught.value.bad_input


def test_an_error_of_code_of_ones_own_needs_no_code():
    error = pickle.loads(pickle.dumps(SourceError("run: no.")))
    assert (error.line, error.code) == ("error: run: no.", "")
    assert not hasattr(error, "__notes__")


def test_a_traceback_ends_in_the_code_and_the_sentence_is_without_it():
    with pytest.raises(MeasureError) as caught:
        gainful.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "ndgc")
    error = caught.value
    assert (str(error), error.code) == (
        "unknown measure 'ndgc'. Did you mean nDCG?",
        "unknown-measure",
    )
    assert error.line == "error: unknown measure 'ndgc'. Did you mean nDCG? [unknown-measure]"
    last = traceback.format_exception_only(error)[-1]
    assert last == "[unknown-measure]: gainful help unknown-measure\n"


def test_a_dialect_that_refuses_keeps_code_and_query():
    qrels, run = {"q1": {"d1": 1}, "q2": {"d1": 0}}, {"q1": ["d1"], "q2": ["d1"]}
    with pytest.raises(AlignError) as caught:
        gainful.evaluate(qrels, run, "nDCG@10", dialect="torchmetrics-error")
    assert (caught.value.code, caught.value.query) == ("refused-empty", "q2")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("q1 0 d1", "malformed-line"),
        ("q1 Q0 d1 1 2.5 bm25", "looks-swapped"),
        ("q1 0 d1 good", "bad-label"),
        ("q1 0 d1 1\nq1 0 d1 0", "judged-twice"),
        ("q\0 0 d1", "not-text"),
    ],
)
def test_what_the_native_core_finds_has_a_code_by_its_reason(text, code, tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text(text + "\n")
    with pytest.raises(SourceError) as caught:
        gainful.read_qrels(path)
    assert caught.value.code == code
