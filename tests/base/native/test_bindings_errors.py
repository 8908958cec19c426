"""Errors in dicts and lists: the reason and the place."""

import subprocess
import sys

import numpy as np
import pytest

from base.native.answers import make_native_options
from gainful.base import _native
from reference.align import Options


def error_of(add, *arguments):
    """What is wrong with what is added."""
    with pytest.raises(_native.BadInput) as caught:
        add(*arguments)
    return caught.value.args


def new_aligner(options=None):
    index = _native.Index()
    index.add({"q": {"d": 1}})
    index.finish(_native.Duplicates.error)
    return _native.Aligner(index, make_native_options(options or Options()))


@pytest.mark.parametrize("bad", [True, 1.0, None, (1,), np.bool_(True), "\ud800", np.float64(1)])
def test_what_is_no_id_is_reported(bad):
    text = repr(bad).encode()
    query, item = (("id", 0, 0, text, within, b"", 0.0, 0.0) for within in (b"", b"q"))
    assert error_of(_native.Index().add, {bad: {"d": 1}}) == query
    assert error_of(_native.Index().add, {"q": {bad: 1}}) == item
    assert error_of(new_aligner().add, {bad: {"d": 1}}) == query
    assert error_of(new_aligner().add, {"q": {bad: 1}}) == item
    assert error_of(new_aligner().add_list, bad, ["d"]) == query
    assert error_of(new_aligner().add_list, "q", ["d", bad]) == item


@pytest.mark.parametrize("bad", ["1", None, [1], 1j, b"1", 10**400, "x" * 300, "é" * 150])
def test_what_is_no_number_is_reported_with_its_query_and_item(bad):
    text = repr(bad).encode()[:200]
    label = ("label", 0, 0, text, b"q", b"d", 0.0, 0.0)
    assert error_of(_native.Index().add, {"p": {"d": 1}, "q": {"c": 1, "d": bad}}) == label
    score = ("score", 0, 0, text, b"q", b"d", 0.0, 0.0)
    assert error_of(new_aligner().add, {"q": {"c": 1, "d": bad}}) == score


@pytest.mark.parametrize("bad", ["inf", "-inf", "nan"])
def test_label_that_is_not_finite_is_reported(bad):
    expected = ("label", 0, 0, bad.encode(), b"q", b"d", 0.0, 0.0)
    assert error_of(_native.Index().add, {"q": {"d": float(bad)}}) == expected


@pytest.mark.parametrize("nan", [float("nan"), -float("nan"), np.float32("nan")])
def test_nan_score_is_reported_whatever_its_sign(nan):
    expected = ("nan-score", 0, 0, b"", b"q", b"\xff", 0.0, 0.0)
    assert error_of(new_aligner().add, {"q": {b"\xff": nan}}) == expected


@pytest.mark.parametrize("bad", [1, None, "d", [("d", 1)], {"d"}])
def test_query_without_a_dict_is_reported(bad):
    expected = ("entries", 0, 0, repr(bad).encode(), b"q", b"", 0.0, 0.0)
    assert error_of(_native.Index().add, {"q": bad}) == expected
    assert error_of(new_aligner().add, {"q": bad}) == expected


@pytest.mark.parametrize("bad", [1, None, "d", {"d": 1}, {"d"}, np.array(["d"])])
def test_query_without_a_list_is_reported(bad):
    expected = ("list", 0, 0, repr(bad).encode(), b"q", b"", 0.0, 0.0)
    assert error_of(new_aligner().add_list, "q", bad) == expected


@pytest.mark.parametrize("bad", [None, [], "q", 1, [("q", {"d": 1})]])
def test_what_is_no_dict_at_all_is_a_type_error(bad):
    with pytest.raises(TypeError):
        _native.Index().add(bad)
    with pytest.raises(TypeError):
        new_aligner().add(bad)


def test_nan_label_is_shown_without_its_sign():
    assert error_of(_native.Index().add, {"q": {"d": -float("nan")}})[3] == b"nan"


def test_duplicates_in_a_dict_are_reported_with_the_number_of_the_entry():
    index = _native.Index()
    index.add({"p": {"1": 5}, "q": {"1": 1, 1: 2, b"1": 3}})
    error = error_of(index.finish, _native.Duplicates.error)
    assert error == ("judged-twice", 3, 0, b"", b"q", b"1", 1.0, 2.0)


@pytest.mark.parametrize(("run", "second"), [({"d": 2.0, b"d": 1.0}, 4), (["d", "e", "d"], 5)])
def test_duplicates_in_a_run_are_reported_with_the_number_of_the_entry(run, second):
    aligner = new_aligner()
    if isinstance(run, dict):
        aligner.add({"p": {"a": 1, "b": 1}, "q": run})
    else:
        aligner.add_list("p", ["a", "b"])
        aligner.add_list("q", run)
    expected = ("retrieved-twice", second, 0, b"", b"q", b"d", 3.0, float(second))
    assert error_of(aligner.finish) == expected


def test_integer_too_long_to_print_is_reported():
    assert error_of(_native.Index().add, {"q": {"d": 10**5000}})[0] == "label"
    assert error_of(_native.Index().add, {"q": {10**5000: 1}})[0] == "id"


def test_value_that_prints_no_valid_text_is_reported_all_the_same():
    # In a process of its own: it must not take the others with it.
    script = (
        "from gainful.base import _native\n"
        "class Odd:\n"
        "    def __repr__(self): return '\\ud800'\n"
        "try: _native.Index().add({'q': {'d': Odd()}})\n"
        "except _native.BadInput as error: assert error.args[0] == 'label'\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_value_of_a_type_whose_name_is_no_text_is_reported():
    class Odd:
        def __repr__(self):
            raise ValueError

    Odd.__qualname__ = "\udcff"
    assert error_of(_native.Index().add, {"q": {"d": Odd()}})[0] == "label"


def test_an_interrupt_while_a_value_is_converted_is_no_bad_input():
    class Stubborn:
        def __float__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _native.Index().add({"q": {"d": Stubborn()}})


def test_a_value_may_change_the_dict_that_is_read():
    class Odd:
        def __float__(self):
            entries.clear()
            entries.update({f"other-{i}": 1.0 for i in range(50)})
            return 1.0

    entries = {f"item-{i}": Odd() for i in range(5)}
    index = _native.Index()
    index.add({"q": entries})
    index.finish(_native.Duplicates.first)
    assert index.judgments(0)[0] == ("item-0", 1.0)


def test_the_doors_refuse_what_would_not_be_safe():
    options = make_native_options(Options())
    with pytest.raises(RuntimeError):
        _native.Aligner(_native.Index(), options)
    index = _native.Index()
    index.finish(_native.Duplicates.error)
    for change in (
        lambda: index.add({"q": {"d": 1}}),
        lambda: index.feed(b"q 0 d 1\n"),
        lambda: index.finish(_native.Duplicates.error),
        lambda: index.push_columns(["q"], ["d"], np.ones(1)),
        lambda: _native.Index().push_columns(["q"], ["d"], np.ones(2)),
        lambda: _native.align_arrays(np.ones(2), np.ones(1), np.array([0, 2]), options),
        lambda: _native.align_arrays(np.ones(2), None, np.array([0, 5]), options),
        lambda: _native.align_arrays(np.ones(2), None, np.array([0, 2, 1, 2]), options),
        lambda: _native.align_arrays(np.ones(2), None, np.array([], dtype=np.int64), options),
    ):
        with pytest.raises(RuntimeError):
            change()
