"""check() reports whatever evaluate() refuses, and no exception escapes it."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

import gainful
from base.native.samples import collection, corrupted

RULES = st.builds(
    gainful.Rules,
    order=st.sampled_from(["score", "rank", "file"]),
    duplicates=st.sampled_from(["error", "max"]),
    missing=st.sampled_from(["zero", "skip", "error"]),
    empty=st.sampled_from(["zero", "skip", "error"]),
)
FIELDS = st.sampled_from([b"q", b"p", b"0", b"Q0", b"a", b"b", b"1", b"2", b"nan", b"x", b"\0"])
LINES = st.lists(FIELDS, max_size=8).map(b" ".join)
ENDS = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b"\n\n"])
TEXT = st.one_of(
    st.binary(max_size=200),
    st.lists(st.tuples(LINES, ENDS).map(b"".join), max_size=8).map(b"".join),
)


def reports_refusal(qrels, run, rules):
    """Return whether check() finds an error in two files if evaluate() refuses them."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("qrels.txt", "a.run")]
        for path, data in zip(paths, (qrels, run), strict=True):
            path.write_bytes(data)
        result = gainful.check(*paths, rules=rules)
        try:
            gainful.evaluate(*paths, "nDCG@10", rules=rules)
        except gainful.GainfulError:
            return result.has_errors
    return True


@given(qrels=TEXT, run=TEXT, rules=RULES)
def test_whatever_eval_refuses_check_reports_as_an_error(qrels, run, rules):
    assert reports_refusal(qrels, run, rules)


@given(seed=st.integers(0, 2**32), n_faults=st.integers(0, 3), rules=RULES)
def test_so_it_is_for_files_that_are_nearly_right(seed, n_faults, rules):
    random = Random(seed)
    sample = collection(random, 20)
    qrels, run = sample.qrels, sample.run
    for _ in range(n_faults):
        qrels, run = corrupted(random, qrels), corrupted(random, run)
    assert reports_refusal(qrels, run, rules)


@given(seed=st.integers(0, 2**32))
def test_the_number_of_threads_changes_no_finding(seed):
    random = Random(seed)
    sample = collection(random, 50, judged_twice=True, retrieved_twice=True)
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("qrels.txt", "a.run")]
        for path, data in zip(paths, (sample.qrels, sample.run), strict=True):
            path.write_bytes(corrupted(random, data))
        on_one_thread, on_three = (gainful.check(*paths, threads=threads) for threads in (1, 3))
    assert on_one_thread.to_dict() == on_three.to_dict()
