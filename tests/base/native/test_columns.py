"""Columns of Arrow tables: ids and numbers of every type and layout, against the reference."""

import uuid
from fractions import Fraction
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.native.answers import make_native_options, reference_answer
from base.native.arrow_tables import (
    INTEGERS,
    TEXTS,
    Maker,
    Rows,
    batches,
    bytes_as,
    coded_as,
    columns_of,
    integer_names,
    integers,
    push_tables,
    rename_ids,
    rows,
    table_answer,
    text_as,
    uuids,
    with_numbers,
)
from base.native.samples import every_option
from gainful.base import _native
from reference.align import Options

THREADS = [_native.Reading(threads=n) for n in (1, 2, 3, 4)]
DOUBLES = bytes_as(pa.float64())
WHOLES = bytes_as(pa.int64())
TEXT = text_as(pa.string())
OPTIONS = every_option()


def assert_same(
    sample: Rows,
    options: Options,
    ids: Maker = TEXT,
    numbers: Maker = DOUBLES,
    ranks: Maker = WHOLES,
    seed: int = 0,
):
    """The answer, once the native core has given it for tables cut in several ways."""
    random = Random(seed)
    expected = reference_answer(*sample.text, options)
    qrels = columns_of(sample.qrels, ids, numbers)
    run = columns_of(sample.run, ids, numbers, ranks)
    sizes = [random.choice((0, 1, 2, 3, 10)) for _ in range(random.choice((0, 5, 30)))]
    for padded in (False, True):
        answer = table_answer(
            lambda padded=padded: batches(qrels, sizes, padded=padded),
            lambda padded=padded: batches(run, sizes[::-1], padded=padded),
            options,
            random.choice(THREADS),
        )
        assert answer == expected
    return expected


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("seed", range(4))
def test_ids_are_the_same_in_every_layout_of_text(name, seed):
    for options in Random(seed).sample(OPTIONS, 4):
        assert_same(rows(seed, 65), options, ids=TEXTS[name], seed=seed)
    assert_same(rows(seed, 300), Options(), ids=TEXTS[name], seed=seed)


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("seed", range(3))
def test_integers_are_ids_as_they_print(name, seed):
    kind = INTEGERS[name]
    sample = rename_ids(rows(seed, 60), integer_names(kind))
    # (Of the dictionary, a value that nothing uses is 99, which any type can hold.)
    for ids in (integers(kind), coded_as(pa.int16(), integers(kind))):
        for options in Random(seed).sample(OPTIONS, 4):
            assert_same(sample, options, ids=ids, seed=seed)


@pytest.mark.parametrize("codes", [pa.int8(), pa.uint8()])
def test_codes_of_a_byte_name_ids(codes):
    sample = rename_ids(rows(1, 30), lambda number: b"d%d" % number)
    assert_same(sample, Options(), ids=coded_as(codes, TEXT))


@pytest.mark.parametrize("size", [1, 15, 16, 17, 40])
def test_bytes_of_one_size_are_ids(size):
    sample = rename_ids(rows(2, 60), lambda number: (b"%0*d" % (size, number))[-size:])
    sample = Rows(
        list({r[:2]: r for r in sample.qrels}.values()),
        list({r[:2]: r for r in sample.run}.values()),
    )
    assert_same(sample, Options(), ids=bytes_as(pa.binary(size)))


def test_universally_unique_ids_are_written_as_people_write_them():
    sample = rename_ids(
        rows(3, 60), lambda n: str(uuid.UUID(int=n * 0x123456789ABCDEF0123456789)).encode()
    )
    assert_same(sample, Options(ties="item_asc"), ids=uuids)
    plain = bytes_as(pa.binary(16))([b"0123456789abcdef"])
    queries = described_queries({"query": plain, "item": plain, "number": DOUBLES([1])})
    assert queries == ["0123456789abcdef"]


def described_queries(columns: dict[str, pa.Array]) -> list[str]:
    index = push_tables(_native.Index(), lambda: batches(columns))
    index.finish(_native.Duplicates.error)
    return index.queries


WHOLE = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}


@pytest.mark.parametrize(
    "kind", [*INTEGERS.values(), pa.float16(), pa.float32(), pa.float64()], ids=str
)
@pytest.mark.parametrize("coded", [False, True])
def test_numbers_are_read_from_every_type(kind, coded):
    to = kind.to_pandas_dtype()

    def fit_number(number: float) -> float:
        if str(kind) in WHOLE:
            number = max(0, np.nan_to_num(number, posinf=9, neginf=0)) % 100
        with np.errstate(over="ignore"):
            return float(to(number))

    def made(numbers):
        array = pa.array(np.array(numbers, dtype=to), kind)
        return array.dictionary_encode() if coded else array

    for seed in range(4):
        sample = with_numbers(rows(seed, 64), fit_number)
        assert_same(sample, Random(seed).choice(OPTIONS), numbers=made, seed=seed)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
@pytest.mark.parametrize("coded", [False, True])
def test_numbers_in_text_are_read_as_those_of_files(kind, coded):
    def made(numbers):
        texts = text_as(kind)([b"%r" % number for number in numbers])
        return texts.dictionary_encode() if coded and kind != pa.string_view() else texts

    for seed in range(3):
        assert_same(rows(seed, 64), Options(ties="rank_column"), numbers=made, ranks=made)


def labels_of(numbers: pa.Array, labels=None) -> list[float]:
    """What the core reads as labels, in the order of the rows."""
    n = len(numbers)
    columns = {"query": pa.array(["q"] * n), "item": pa.array(range(n)), "number": numbers}
    index = push_tables(
        _native.Index(), lambda: batches(columns, (n // 2,), padded=True), labels=labels
    )
    index.finish(_native.Duplicates.error)
    return [label for _, label in index.judgments(0)]


@pytest.mark.parametrize("name", INTEGERS)
def test_the_least_and_the_greatest_integers_are_rounded_to_the_nearest_double(name):
    info = np.iinfo(name)
    whole = [info.min, info.min + 1, info.max - 1, info.max, 0]
    assert labels_of(pa.array(whole, INTEGERS[name])) == [float(number) for number in whole]


def test_every_half_precision_number_is_read():
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    finite = halves[np.isfinite(halves)]
    assert labels_of(pa.array(finite)) == [float(number) + 0.0 for number in finite]


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_booleans_are_one_and_zero(values):
    assert labels_of(pa.array(values)) == [float(value) for value in values]


DECIMALS = [(pa.decimal32, 9), (pa.decimal64, 18), (pa.decimal128, 38), (pa.decimal256, 76)]


@given(
    st.sampled_from(DECIMALS),
    st.integers(-20, 60),
    st.data(),
)
def test_decimals_are_rounded_to_the_nearest_double(kind, scale, data):
    make, most = kind
    digits = st.integers(-(10**most) + 1, 10**most - 1)
    whole = data.draw(st.lists(digits, min_size=1, max_size=5))
    scale = min(scale, most)
    expected = [float(Fraction(number) * Fraction(10) ** -scale) for number in whole]
    assert labels_of(decimals(whole, make(most, scale))) == expected


def decimals(whole: list[int], kind: pa.DataType) -> pa.Array:
    size = kind.bit_width // 8
    memory = b"".join(number.to_bytes(size, "little", signed=True) for number in whole)
    return pa.Array.from_buffers(kind, len(whole), [None, pa.py_buffer(memory)])


@pytest.mark.parametrize(("make", "most"), DECIMALS)
def test_decimals_at_the_ends_of_what_their_memory_holds(make, most):
    half = 2 ** (make(most, 0).bit_width - 1)
    ends = [half - 1, -half, 1 - half, 0, 1, -1]
    assert labels_of(decimals(ends, make(most, 0))) == [float(number) for number in ends]


@pytest.mark.parametrize("coded", [False, True])
def test_words_stand_for_labels(coded):
    words = pa.array(["good", "bad", "2", "good", "fair"])
    words = words.dictionary_encode() if coded else words
    assert labels_of(words, {"good": 2, "bad": 0, "fair": 0.5}) == [2.0, 0.0, 2.0, 2.0, 0.5]
    whole = pa.array([1, 2, 3, 1], pa.int8())
    assert labels_of(whole, {1: 10, "2": 20}) == [10.0, 20.0, 3.0, 10.0]


def indexed(query: str = "q", item: str = "d") -> _native.Index:
    index = _native.Index()
    index.add({query: {item: 1}})
    index.finish(_native.Duplicates.error)
    return index


@pytest.mark.parametrize("name", [*TEXTS, "fixed_size_binary[0]"])
def test_empty_text_is_an_id(name):
    ids = TEXTS.get(name, bytes_as(pa.binary(0)))
    index = push_tables(
        _native.Index(),
        lambda: batches({"query": ids([b""]), "item": ids([b""]), "number": DOUBLES([1])}),
    )
    index.finish(_native.Duplicates.error)
    assert (index.queries, index.judgments(0)) == ([""], [("", 1.0)])


def error_of(receiver, table) -> tuple:
    with pytest.raises(_native.BadInput) as caught:
        push_tables(receiver, table)
    return caught.value.args


def new_aligner(options: Options, query: str = "q", reading=None) -> _native.Aligner:
    return _native.Aligner(indexed(query), make_native_options(options), reading)


@pytest.mark.parametrize(
    ("column", "form"),
    [
        (pa.array([1.0]), b"g"),
        (pa.array([True]), b"b"),
        (pa.array([[1]]), b"+l"),
        (pa.array([None]), b"n"),
        (pa.array([1], pa.timestamp("us")), b"tsu:"),
        (pa.array([1.5]).dictionary_encode(), b"g"),
    ],
)
def test_columns_that_hold_no_ids_are_refused(column, form):
    text, number = pa.array(["q"]), pa.array([1])
    for name in ("query", "item"):
        columns = {"query": text, "item": text, "number": number} | {name: column}
        expected = ("id-type", 0, 0, form, name.encode(), b"", 0.0, 0.0)
        assert error_of(_native.Index(), lambda columns=columns: batches(columns)) == expected
        assert (
            error_of(new_aligner(Options()), lambda columns=columns: batches(columns)) == expected
        )


@pytest.mark.parametrize(
    ("column", "form"),
    [(pa.array([[1]]), b"+l"), (pa.array([1], pa.date32()), b"tdD"), (pa.array([b"1"]), b"z"),
     (pa.array([b"1"]).dictionary_encode(), b"z"), (pa.array([None]), b"n")],
)  # fmt: skip
def test_columns_that_hold_no_numbers_are_refused(column, form):
    text = pa.array(["q"])
    columns = {"query": text, "item": text, "number": column}
    expected = ("number-type", 0, 0, form, b"number", b"", 0.0, 0.0)
    assert error_of(_native.Index(), lambda: batches(columns)) == expected
    assert error_of(new_aligner(Options()), lambda: batches(columns)) == expected
    assert push_tables(new_aligner(Options(order="file")), lambda: batches(columns)).n_rows == 1
