"""Errors of the native reader: the first error is a sentence, and no thread outlives it."""

import gzip
import os
import threading

import pytest

import gainful
from gainful.base import _native
from gainful.errors import SourceError
from gainful.sources.native_errors import explain_bad_input


@pytest.fixture
def cut_short(tmp_path):
    """A compressed run with a bad line near its top, and cut short near its end."""
    lines = [f"q{i // 100} Q0 d{i} 1 {i} t" for i in range(200_000)]
    lines[10] = "too short"
    packed = gzip.compress("\n".join(lines).encode(), compresslevel=1)
    path = tmp_path / "run.gz"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    return path


def test_the_first_thing_that_is_wrong_is_reported_every_time(cut_short):
    messages = set()
    for _ in range(10):
        with pytest.raises(SourceError) as error:
            gainful.evaluate({"q1": {"d1": 1}}, cut_short, "nDCG", threads=3)
        messages.add(str(error.value))
    (sentence,) = messages
    assert "line 11: expected 6 fields, found 2" in sentence


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")
def test_no_thread_outlives_an_error(cut_short):
    before = len(os.listdir("/proc/self/task"))
    with pytest.raises(SourceError) as error:
        gainful.evaluate({"q1": {"d1": 1}}, cut_short, "nDCG", threads=4)
    assert error.tb is not None  # which holds on to everything
    assert len(os.listdir("/proc/self/task")) <= before
    assert threading.active_count() >= 1


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("many-rows", "has more rows of one query than can be numbered, 4,294,967,294."),
        ("many-ids", "has more ids than can be numbered, 4,294,967,294."),
    ],
)
def test_more_than_32_bits_can_number_is_a_sentence(reason, message):
    error = _native.BadInput(reason, 0, 0, b"", b"", b"", 0.0, 0.0)
    assert str(explain_bad_input(error, "huge.txt", unit="line")) == f"huge.txt: {message}"
