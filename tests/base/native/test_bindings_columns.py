"""Columns of Python objects and of arrays, against the reference."""

import subprocess
import sys
from decimal import Decimal
from random import Random

import numpy as np
import pytest

from base.native.answers import make_native_options, reference_answer
from base.native.arrow_tables import (
    INTEGERS,
    column_answer,
    integer_names,
    push_columns,
    rename_ids,
    rows,
)
from base.native.samples import every_option
from gainful.base import _native
from reference.align import Options

THREADS = [_native.Reading(threads=n) for n in (1, 2, 3, 4)]
OPTIONS = every_option()
MANY = 100_000


def as_text(ids):
    return [id.decode() for id in ids]


def as_objects(ids):
    return np.array(as_text(ids), dtype=object)


def mix_types(ids):
    """Some as text, some as bytes, some as integers, some as those of NumPy."""
    made = []
    for number, id in enumerate(ids):
        kinds = [id.decode(), id, np.str_(id.decode())]
        if id.isdigit() and str(int(id)) == id.decode():
            kinds += [int(id), np.int64(id)]
        made.append(kinds[number % len(kinds)])
    return made


def stride(ids):
    """Every second element of an array, from its end, that nobody may write to."""
    array = np.full(2 * len(ids), None, dtype=object)
    array[1::2] = as_text(ids)[::-1]
    array.flags.writeable = False
    return array[::-2]


COLUMNS = {"list": as_text, "objects": as_objects, "mixed": mix_types, "strided": stride}


def columns(part, ids):
    query, item, *numbers = (list(column) for column in zip(*part, strict=True))
    return [ids(query), ids(item), *(np.array(column) for column in numbers)]


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("seed", range(4))
def test_objects_are_read_as_ids(name, seed):
    random = Random(seed)
    for options in random.sample(OPTIONS, 6):
        sample = rows(seed, 65, twice=options.duplicates != "error")
        if name == "mixed":
            sample = rename_ids(
                sample, lambda number: b"%d" % number if number % 3 else b"d%d" % number
            )
        answer = column_answer(
            columns(sample.qrels, COLUMNS[name]),
            columns(sample.run, COLUMNS[name]),
            options,
            random.choice(THREADS),
        )
        assert answer == reference_answer(*sample.text, options)


@pytest.mark.parametrize("name", INTEGERS)
def test_arrays_of_integers_are_read_as_ids(name):
    sample = rename_ids(rows(1, 60), integer_names(INTEGERS[name]))
    for step in (1, 2, -1):

        def ids(column, step=step):
            array = np.repeat(np.array([int(id) for id in column], dtype=name), abs(step))
            array.flags.writeable = False
            return array[::step] if step > 0 else array[::-1].copy()[::-1]

        for options in Random(1).sample(OPTIONS, 3):
            answer = column_answer(
                columns(sample.qrels, ids), columns(sample.run, ids), options, THREADS[0]
            )
            assert answer == reference_answer(*sample.text, options)


@pytest.mark.parametrize("name", [*INTEGERS, "float32", "float64"])
def test_arrays_of_numbers_are_read_from_every_type(name):
    number = np.array([3, 1, 2, 0], dtype=name)
    for numbers in (number, np.repeat(number, 2)[::2], number.tolist(), number.astype(object)):
        index = push_columns(_native.Index(), ["q"] * 4, ["a", "b", "c", "d"], numbers)
        index.finish(_native.Duplicates.error)
        assert index.judgments(0) == [("a", 3.0), ("b", 1.0), ("c", 2.0), ("d", 0.0)]


def test_numbers_come_from_objects_too():
    objects = [1, 2.5, True, "-3e0", np.float32(0.5), Decimal("0.1"), np.int8(-1), "good", 7]
    labels = {"good": 4, 7: 70}
    items = [str(n) for n in range(len(objects))]
    for numbers in (objects, np.array(objects, dtype=object)):
        index = push_columns(_native.Index(), ["q"] * len(items), items, numbers, labels=labels)
        index.finish(_native.Duplicates.error)
        result = [label for _, label in index.judgments(0)]
        assert result == [1.0, 2.5, 1.0, -3.0, 0.5, 0.1, -1.0, 4.0, 70.0]


def test_surrogates_stand_for_bytes_that_are_no_text():
    ids = ["\udcff", b"\xff", "é", "日本", ""]
    index = push_columns(_native.Index(), ids, ids, np.arange(5.0))
    index.finish(_native.Duplicates.max)
    assert index.queries == ["\udcff", "é", "日本", ""]
    assert index.judgments(0) == [("\udcff", 1.0)]
    assert index.n_duplicates == 1


def test_the_first_id_of_a_column_may_be_empty():
    index = push_columns(_native.Index(), [""], [""], np.ones(1))
    index.finish(_native.Duplicates.error)
    assert (index.queries, index.judgments(0)) == ([""], [("", 1.0)])


def error_of(receiver, *arguments):
    with pytest.raises(_native.BadInput) as caught:
        push_columns(receiver, *arguments)
    return caught.value.args


def new_aligner(reading=None, options=None):
    index = _native.Index()
    index.add({"q": {"d": 1}})
    index.finish(_native.Duplicates.error)
    return _native.Aligner(index, make_native_options(options or Options()), reading)


@pytest.mark.parametrize(
    "bad", [None, True, 1.0, float("nan"), (1,), "\ud800", np.float64(1), object]
)
def test_what_is_no_id_is_reported_with_its_row(bad):
    expected, within = (("id", 2, 0, repr(bad).encode(), q, b"", 0.0, 0.0) for q in (b"", b"r"))
    for kind in (list, lambda ids: np.array([*ids, None], dtype=object)[:-1]):
        good, wrong = kind(["q", "r"]), kind(["q", bad])
        for receiver in (_native.Index, new_aligner):
            assert error_of(receiver(), wrong, good, np.ones(2)) == expected
            assert error_of(receiver(), good, wrong, np.ones(2)) == within
            assert error_of(receiver(), wrong, wrong, np.ones(2)) == expected


def test_an_array_that_was_never_filled_holds_nothing():
    empty = np.empty(2, dtype=object)
    assert error_of(_native.Index(), empty, ["a", "b"], np.ones(2))[:4] == ("id", 1, 0, b"None")


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (None, b"null"),
        ("x", b"x"),
        ("", b""),
        (float("nan"), b"nan"),
        ([1], b"[1]"),
        (b"1", b"b'1'"),
        ("\ud800", b"\\ud800"),
        (1j, b"1j"),
        (10**400, b"1" + b"0" * 199),
    ],
)
def test_what_is_no_number_is_reported_with_its_row(bad, text):
    wrong = (2, 0, text, b"q", b"b", 0.0, 0.0)
    numbers = [1, bad, None]
    assert error_of(_native.Index(), ["q"] * 3, ["a", "b", "c"], numbers) == ("label", *wrong)
    assert error_of(new_aligner(), ["q"] * 3, ["a", "b", "c"], numbers) == ("score", *wrong)


@pytest.mark.parametrize("reading", THREADS)
@pytest.mark.parametrize("apart", [False, True])
def test_the_first_of_many_bad_rows_is_reported(reading, apart):
    random = Random(1)
    for _ in range(6):
        query = [str(n % 300 if apart else n // 300) for n in range(MANY)]
        item = [str(n // 300 if apart else n % 300) for n in range(MANY)]
        number = np.ones(MANY)
        bad = sorted(random.sample(range(MANY), 20))
        for row in bad:
            kind = random.choice(("query", "item", "number"))
            if kind == "number":
                number[row] = np.nan
            else:
                {"query": query, "item": item}[kind][row] = None
        for receiver in (_native.Index(reading), new_aligner(reading)):
            assert error_of(receiver, query, item, number)[1] == bad[0] + 1


class Emptying:
    """An id that empties a list when it is asked for."""

    def __init__(self, column):
        self.column = column

    def __index__(self):
        self.column.clear()
        return 7


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_list_that_changes_while_it_is_read_is_refused(place):
    query = ["q", "q", "q"]
    query[place] = Emptying(query)
    items = [str(n) for n in range(3)]
    index = _native.Index()
    if place == 2:
        index.push_columns(query, items, np.ones(3))
    else:
        with pytest.raises(RuntimeError, match="columns keep their size"):
            index.push_columns(query, items, np.ones(3))
    numbers = [1.0, 2.0, 3.0]
    numbers[place] = Clearing(numbers)
    run = new_aligner()
    if place == 2:
        run.push_columns(["q"] * 3, items, numbers)
    else:
        with pytest.raises(RuntimeError, match="columns keep their size"):
            run.push_columns(["q"] * 3, items, numbers)


class Clearing:
    """A number that empties a list when it is asked for."""

    def __init__(self, column):
        self.column = column

    def __float__(self):
        self.column.clear()
        return 7.0


def test_columns_have_one_length():
    for arrays in ((["q"], [], [1]), (["q"], ["d"], []), (["q"], ["d"], np.ones(2))):
        with pytest.raises(RuntimeError, match="columns have the same length"):
            _native.Index().push_columns(*arrays)


@pytest.mark.parametrize(
    "bad", [np.zeros((1, 1)), np.array([True]), np.array(["q"]), np.zeros(1), "q"]
)
def test_other_arrays_hold_no_ids(bad):
    with pytest.raises((RuntimeError, TypeError, ValueError, BufferError)):
        _native.Index().push_columns(bad, ["d"], np.ones(1))


class Interrupting:
    def __init__(self, error):
        self.error = error

    def __index__(self):
        raise self.error


def test_what_an_id_raises_is_put_into_words_unless_it_ends_the_program():
    items = [str(n) for n in range(MANY)]
    for reading in THREADS:
        for error, expected in (
            (ValueError, _native.BadInput),
            (KeyboardInterrupt, KeyboardInterrupt),
        ):
            items[-1] = Interrupting(error())
            numbers = np.ones(MANY)  # gone as soon as the error is: nothing may read it then
            with pytest.raises(expected):
                new_aligner(reading).push_columns(["q"] * MANY, items, numbers)
            with pytest.raises(expected):
                _native.Index(reading).push_columns(["q"] * MANY, items, numbers)


def test_the_user_can_stop_it():
    code = """if True:
        import signal, threading, time, os
        import numpy as np
        from gainful.base import _native
        index = _native.Index(_native.Reading(threads=2))
        n = 1_000_000
        ids, numbers = [str(i) for i in range(n)], np.ones(n)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            while True:
                index.push_columns(ids, ids, numbers)
        except KeyboardInterrupt:
            print("stopped")
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("stopped\n", 0)


def test_text_that_stands_again_after_another_kind_of_id_is_itself():
    index = _native.Index()
    index.push_columns(["q", 5, "q"], ["a", "a", "a"], np.array([1.0, 2.0, 3.0]))
    index.finish(_native.Duplicates.max)
    assert index.queries == ["q", "5"]
    assert index.judgments(0) == [("a", 3.0)]
