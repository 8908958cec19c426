"""Ids of every type become text, or are refused."""

import subprocess
import sys
import uuid

import numpy as np
import pytest

from gainful import Columns, SourceError, evaluate, read_qrels
from sources.test_entries import ONE


@pytest.mark.parametrize("make", [uuid.UUID, str, str.encode])
def test_a_uuid_is_its_canonical_text(make):
    item = make(str(ONE))
    scores = evaluate({item: {item: 1, "other": 0}}, {str(ONE): ["other", ONE]}, "nDCG")
    assert scores.queries == (str(ONE),)
    assert scores["nDCG"] == 0.6309297535714575


def test_the_module_of_uuids_is_not_loaded_for_others():
    code = "import sys, gainful; gainful.read_qrels({'q': {'d': 1}}); print('uuid' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


@pytest.mark.parametrize("identifier", [1, "1", b"1", np.int8(1), np.uint64(1), np.str_("1")])
@pytest.mark.parametrize("other", [1, "1", b"1", np.int64(1), np.bytes_(b"1")])
def test_a_number_and_its_text_are_the_same_id(identifier, other):
    assert evaluate({identifier: {other: 1}}, {other: [identifier]}, "nDCG")["nDCG"] == 1.0


def test_integers_beyond_the_doubles_stay_apart():
    many = [2**53, 2**53 + 1, 2**64, 2**64 + 1, -1, 10**30]
    assert read_qrels({many[0]: dict.fromkeys(many, 1)}).labels(str(2**53)).keys() == {
        str(number) for number in many
    }


@pytest.mark.parametrize("wrong", [True, 1.0, None, ("a", "b"), np.float32(1), np.True_, 1j])
def test_what_is_no_id_is_refused(wrong):
    sentence = f"an id must be a string, an integer, bytes or a UUID, got {wrong!r}."
    shapes = [
        ({wrong: {"d": 1}}, "qrels"),
        (Columns(query=[wrong], item=["d"], label=[1]), "qrels, row 1"),
        ({"q": {wrong: 1}}, "qrels: query 'q'"),
        ([("q", wrong, 1)], "qrels: query 'q'"),
        ({"q": [["d", 1], [wrong, 1]]}, "qrels: query 'q'"),
    ]
    for shape, place in shapes:
        with pytest.raises(SourceError) as error:
            read_qrels(shape)
        assert str(error.value) == f"{place}: {sentence}"
