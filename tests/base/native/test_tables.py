"""Qrels and runs as Arrow tables, whatever their layout, against the reference."""

import uuid
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.native.both import aligner, described, native_options, parts, reference_answer
from base.native.samples import SIZES, every_option
from base.native.tabled import (
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
    pushed,
    renamed,
    rows,
    structures,
    table_answer,
    text_as,
    uuids,
    with_numbers,
)
from gainful.base import _native
from reference.align import Options

THREADS = [_native.Reading(threads=n) for n in (1, 2, 3, 4)]
DOUBLES = bytes_as(pa.float64())
WHOLES = bytes_as(pa.int64())
TEXT = text_as(pa.string())
OPTIONS = every_option()


def assert_same(
    found: Rows,
    options: Options,
    ids: Maker = TEXT,
    numbers: Maker = DOUBLES,
    ranks: Maker = WHOLES,
    seed: int = 0,
):
    """The answer, once the native core has given it for tables cut in several ways."""
    random = Random(seed)
    expected = reference_answer(*found.text, options)
    qrels = columns_of(found.qrels, ids, numbers)
    run = columns_of(found.run, ids, numbers, ranks)
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


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(8))
def test_tables_give_the_answer_of_the_reference_under_every_rule(seed, size):
    random = Random(seed)
    for options in random.sample(OPTIONS, 12):
        twice = options.duplicates != "error" or random.random() < 0.3
        assert_same(rows(random.randrange(10**6), size, twice=twice), options, seed=seed)


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
    found = renamed(rows(seed, 60), integer_names(kind))
    # (Of the dictionary, a value that nothing uses is 99, which any type can hold.)
    for ids in (integers(kind), coded_as(pa.int16(), integers(kind))):
        for options in Random(seed).sample(OPTIONS, 4):
            assert_same(found, options, ids=ids, seed=seed)


@pytest.mark.parametrize("codes", [pa.int8(), pa.uint8()])
def test_codes_of_a_byte_name_ids(codes):
    found = renamed(rows(1, 30), lambda number: b"d%d" % number)
    assert_same(found, Options(), ids=coded_as(codes, TEXT))


@pytest.mark.parametrize("size", [1, 15, 16, 17, 40])
def test_bytes_of_one_size_are_ids(size):
    found = renamed(rows(2, 60), lambda number: (b"%0*d" % (size, number))[-size:])
    found = Rows(
        list({r[:2]: r for r in found.qrels}.values()), list({r[:2]: r for r in found.run}.values())
    )
    assert_same(found, Options(), ids=bytes_as(pa.binary(size)))


def test_universally_unique_ids_are_written_as_people_write_them():
    found = renamed(
        rows(3, 60), lambda n: str(uuid.UUID(int=n * 0x123456789ABCDEF0123456789)).encode()
    )
    assert_same(found, Options(ties="item_asc"), ids=uuids)
    plain = bytes_as(pa.binary(16))([b"0123456789abcdef"])
    named = described_queries({"query": plain, "item": plain, "number": DOUBLES([1])})
    assert named == ["0123456789abcdef"]


def described_queries(columns: dict[str, pa.Array]) -> list[str]:
    index = pushed(_native.Index(), lambda: batches(columns))
    index.finish(_native.Duplicates.error)
    return index.queries


WHOLE = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}


@pytest.mark.parametrize(
    "kind", [*INTEGERS.values(), pa.float16(), pa.float32(), pa.float64()], ids=str
)
@pytest.mark.parametrize("coded", [False, True])
def test_numbers_are_read_from_every_type(kind, coded):
    to = kind.to_pandas_dtype()

    def held(number: float) -> float:
        if str(kind) in WHOLE:
            number = max(0, np.nan_to_num(number, posinf=9, neginf=0)) % 100
        with np.errstate(over="ignore"):
            return float(to(number))

    def made(numbers):
        array = pa.array(np.array(numbers, dtype=to), kind)
        return array.dictionary_encode() if coded else array

    for seed in range(4):
        found = with_numbers(rows(seed, 64), held)
        assert_same(found, Random(seed).choice(OPTIONS), numbers=made, seed=seed)


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
    index = pushed(_native.Index(), lambda: batches(columns, (n // 2,), padded=True), labels=labels)
    index.finish(_native.Duplicates.error)
    return [label for _, label in index.judgments(0)]


@pytest.mark.parametrize("name", INTEGERS)
def test_the_least_and_the_greatest_integers_are_rounded_to_the_nearest_double(name):
    info = np.iinfo(name)
    whole = [info.min, info.min + 1, info.max - 1, info.max, 0]
    assert labels_of(pa.array(whole, INTEGERS[name])) == [float(one) for one in whole]


def test_every_half_precision_number_is_read():
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    finite = halves[np.isfinite(halves)]
    assert labels_of(pa.array(finite)) == [float(one) + 0.0 for one in finite]


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_booleans_are_one_and_zero(values):
    assert labels_of(pa.array(values)) == [float(one) for one in values]


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
    expected = [float(Fraction(one) * Fraction(10) ** -scale) for one in whole]
    assert labels_of(decimals(whole, make(most, scale))) == expected


def decimals(whole: list[int], kind: pa.DataType) -> pa.Array:
    size = kind.bit_width // 8
    memory = b"".join(one.to_bytes(size, "little", signed=True) for one in whole)
    return pa.Array.from_buffers(kind, len(whole), [None, pa.py_buffer(memory)])


@pytest.mark.parametrize(("make", "most"), DECIMALS)
def test_decimals_at_the_ends_of_what_their_memory_holds(make, most):
    half = 2 ** (make(most, 0).bit_width - 1)
    ends = [half - 1, -half, 1 - half, 0, 1, -1]
    assert labels_of(decimals(ends, make(most, 0))) == [float(one) for one in ends]


@pytest.mark.parametrize("coded", [False, True])
def test_words_stand_for_labels(coded):
    words = pa.array(["good", "bad", "2", "good", "fair"])
    words = words.dictionary_encode() if coded else words
    assert labels_of(words, {"good": 2, "bad": 0, "fair": 0.5}) == [2.0, 0.0, 2.0, 2.0, 0.5]
    whole = pa.array([1, 2, 3, 1], pa.int8())
    assert labels_of(whole, {1: 10, "2": 20}) == [10.0, 20.0, 3.0, 10.0]


@pytest.mark.parametrize("skipped", [0, 1, 7, 8, 9])
@pytest.mark.parametrize("name", ["string", "string_view", "int64 codes", "binary"])
def test_the_offset_of_a_whole_table_counts(name, skipped):
    found = rows(4, 65)
    expected = reference_answer(*found.text, Options())
    qrels = columns_of(found.qrels, TEXTS[name], DOUBLES)
    run = columns_of(found.run, TEXTS[name], DOUBLES, WHOLES)
    answer = table_answer(
        lambda: structures(qrels, skipped), lambda: structures(run, skipped), Options()
    )
    assert answer == expected


def test_several_tables_are_one_after_the_other():
    found = rows(5, 300)
    run = columns_of(found.run, TEXT, DOUBLES, WHOLES)
    cuts = [0, 1, 1, 100, 250, len(found.run)]
    tables = [
        lambda begin=begin, end=end: batches({n: c[begin:end] for n, c in run.items()})
        for begin, end in pairwise(cuts)
    ]
    index = pushed(_native.Index(), lambda: batches(columns_of(found.qrels, TEXT, DOUBLES)))
    index.finish(_native.Duplicates.error)
    for options in (Options(), Options(order="file"), Options(order="rank", ties="input")):
        answer = described(
            index,
            lambda kept, options=options: pushed(
                aligner(index, options, THREADS[2], kept), *tables
            ),
        )
        assert answer == reference_answer(*found.text, options)


def test_an_empty_table_holds_nothing():
    none = columns_of([], TEXT, DOUBLES)
    assert described_queries(none) == []
    index = pushed(_native.Index())
    index.finish(_native.Duplicates.error)
    assert index.n_queries == 0
    index = indexed()
    empty = aligner(index, Options(), THREADS[1], None)
    assert pushed(
        empty, lambda: batches(columns_of([], TEXT, DOUBLES, WHOLES))
    ).finish().in_run.tolist() == [0]


def indexed(query: str = "q", item: str = "d") -> _native.Index:
    index = _native.Index()
    index.add({query: {item: 1}})
    index.finish(_native.Duplicates.error)
    return index


@pytest.mark.parametrize("name", [*TEXTS, "fixed_size_binary[0]"])
def test_empty_text_is_an_id(name):
    ids = TEXTS.get(name, bytes_as(pa.binary(0)))
    index = pushed(
        _native.Index(),
        lambda: batches({"query": ids([b""]), "item": ids([b""]), "number": DOUBLES([1])}),
    )
    index.finish(_native.Duplicates.error)
    assert (index.queries, index.judgments(0)) == ([""], [("", 1.0)])


NULLABLE = {
    **TEXTS,
    "int32": integers(pa.int32()),
    "codes of integers": coded_as(pa.int8(), integers(pa.int64())),
}


@pytest.mark.parametrize("name", NULLABLE)
@pytest.mark.parametrize("threads", THREADS[:3])
def test_ids_that_are_null_are_reported(name, threads):
    ids = NULLABLE[name]
    some, none = [b"5"] * 3, [b"5", b"5", None]
    number = WHOLES([1, 2, 3])
    tables = [
        {"query": ids(none), "item": ids([b"1", b"2", b"3"]), "number": number},
        {"query": ids(some), "item": ids([b"1", b"2", None]), "number": number},
    ]
    expected = [
        ("null", 3, 0, b"query", b"", b"", 0.0, 0.0),
        ("null", 3, 0, b"item", b"5", b"", 0.0, 0.0),
    ]
    for columns, error in zip(tables, expected, strict=True):
        for padded in (False, True):
            table = lambda columns=columns, padded=padded: batches(columns, (1,), padded=padded)  # noqa: E731
            assert error_of(_native.Index(threads), table) == error
            for query in ("5", "other"):
                assert error_of(new_aligner(Options(), query, threads), table) == error


def error_of(receiver, table) -> tuple:
    with pytest.raises(_native.BadInput) as caught:
        pushed(receiver, table)
    return caught.value.args


def new_aligner(options: Options, query: str = "q", reading=None) -> _native.Aligner:
    return _native.Aligner(indexed(query), native_options(options), reading)


NO_NUMBERS = [
    (pa.array([1.0, None]), b"null"),
    (pa.array([1, None], pa.int8()), b"null"),
    (pa.array([1.0, float("nan")]), b"nan"),
    (pa.array(["1", "x"]), b"x"),
    (pa.array(["1", ""]), b""),
    (pa.array(["1", None]), b"null"),
    (pa.array(["1", " 1"]), b" 1"),
    (pa.array(["1", "0x1"]), b"0x1"),
    (pa.array(["1", "x"]).dictionary_encode(), b"x"),
    (pa.array([1.0, None]).dictionary_encode(), b"null"),
    (pa.array([True, None]), b"null"),
    (pa.array([Decimal(1), None]), b"null"),
    (pa.array(np.array([1, np.nan], np.float16)), b"nan"),
]


@pytest.mark.parametrize(("numbers", "shown"), NO_NUMBERS)
def test_what_is_no_number_is_reported_with_its_row(numbers, shown):
    table = lambda: batches(  # noqa: E731
        {"query": pa.array(["q", "q"]), "item": pa.array([1, 2]), "number": numbers},
        (1, 0),
        padded=True,
    )
    wrong = (2, 0, shown, b"q", b"2", 0.0, 0.0)
    assert error_of(_native.Index(), table) == ("label", *wrong)
    for query in ("q", "other"):
        assert error_of(new_aligner(Options(), query), table) == ("score", *wrong)
    pushed(new_aligner(Options(order="file")), table)


def test_labels_are_finite_and_scores_need_not_be():
    columns = {
        "query": pa.array(["q"]),
        "item": pa.array(["d"]),
        "number": pa.array([float("-inf")]),
    }
    wrong = ("label", 1, 0, b"-inf", b"q", b"d", 0.0, 0.0)
    assert error_of(_native.Index(), lambda: batches(columns)) == wrong
    assert pushed(new_aligner(Options()), lambda: batches(columns)).n_rows == 1


@pytest.mark.parametrize(
    ("rank", "shown"),
    [
        (pa.array([1.5]), b"1.5"),
        (pa.array([None], pa.int8()), b"null"),
        (pa.array([2**60]), b"1152921504606846976"),
        (pa.array([float("inf")]), b"inf"),
        (pa.array(["first"]), b"first"),
    ],
)
def test_ranks_that_are_no_integers_are_reported(rank, shown):
    columns = {
        "query": pa.array(["q"]),
        "item": pa.array(["d"]),
        "number": pa.array([1]),
        "rank": rank,
    }
    for options in (Options(order="rank"), Options(ties="rank_column")):
        found = error_of(new_aligner(options), lambda: batches(columns))
        assert found == ("rank", 1, 0, shown, b"q", b"d", 0.0, 0.0)
    assert pushed(new_aligner(Options()), lambda: batches(columns)).n_rows == 1


def test_without_scores_ranks_decide_and_without_either_the_order_of_the_rows():
    ids = {"query": pa.array(["q", "q", "q"]), "item": pa.array(["a", "d", "c"])}
    ranked = ids | {"rank": pa.array([3, 1, 2])}

    def order(columns, options):
        kept = _native.Aligner(indexed(), native_options(options), kept=0)
        pushed(kept, lambda: batches(columns)).finish()
        return [item for item, *_ in kept.ranking()]

    assert order(ranked, Options()) == ["d", "c", "a"]
    assert order(ranked, Options(order="rank")) == ["d", "c", "a"]
    assert order(ranked, Options(order="file")) == ["a", "d", "c"]
    assert order(ids, Options(order="file")) == ["a", "d", "c"]
    for options in (Options(), Options(order="rank"), Options(order="file", ties="rank_column")):
        assert error_of(new_aligner(options), lambda: batches(ids))[0] == "no-scores"
    assert error_of(_native.Index(), lambda: batches(ids))[0] == "no-scores"


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
    text, one = pa.array(["q"]), pa.array([1])
    for name in ("query", "item"):
        columns = {"query": text, "item": text, "number": one} | {name: column}
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
    assert pushed(new_aligner(Options(order="file")), lambda: batches(columns)).n_rows == 1


# More rows than a part of the work has.
MANY = 150_000


def many(n_queries: int, *, apart: bool = False) -> dict[str, np.ndarray]:
    """Rows with scores that fall within a query; the items of each are 0, 1, 2 and so on."""
    query = np.arange(MANY) % n_queries if apart else np.arange(MANY) * n_queries // MANY
    item = np.arange(MANY) // n_queries if apart else np.arange(MANY) - query * (MANY // n_queries)
    return {"query": query, "item": item, "number": -item.astype(np.float64), "rank": item}


def many_batches(columns: dict[str, np.ndarray], size: int) -> pa.RecordBatchReader:
    table = pa.table(columns)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=size))


@pytest.mark.parametrize(
    ("size", "n_queries"), [(MANY, 30), (40_000, 1), (1_000, 3), (1_000, 1_500), (7, 30)]
)
@pytest.mark.parametrize("apart", [False, True])
def test_threads_share_many_rows_and_give_one_answer(n_queries, apart, size):
    columns = many(n_queries, apart=apart)
    depth = MANY // n_queries
    judged = {"query": np.arange(n_queries), "item": np.arange(n_queries) % depth}
    judged["number"] = np.ones(n_queries)
    for reading in THREADS[1:3]:
        index = pushed(_native.Index(reading), lambda: many_batches(judged, size))
        index.finish(_native.Duplicates.error)
        assert index.queries == [str(q) for q in range(n_queries)]
        run = aligner(index, Options(), reading, None)
        aligned = pushed(run, lambda: many_batches(columns, size)).finish()
        assert run.n_rows == MANY
        assert aligned.n_retrieved.tolist() == [depth] * n_queries
        assert aligned.hit_rank.tolist() == (judged["item"] + 1).tolist()
        first = parts(aligned.head_offsets, aligned.head_item.tolist())
        assert [[aligned.items[i] for i in own] for own in first] == [
            ["0", "1", "2", "3", "4"]
        ] * n_queries
        everything = pushed(_native.Index(reading), lambda: many_batches(columns, size))
        everything.finish(_native.Duplicates.error)
        assert len(everything.pool_labels) == MANY
        assert everything.pool_labels[:2].tolist() == [0.0, -1.0]


@pytest.mark.parametrize("reading", THREADS)
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("size", [MANY, 1_000])
def test_the_first_of_many_bad_rows_is_reported(reading, apart, size):
    random = Random(1)
    for _ in range(5):
        bad = sorted(random.sample(range(MANY), 40))
        columns = many(300, apart=apart)
        query = [str(q) for q in columns["query"].tolist()]
        item = [str(i) for i in columns["item"].tolist()]
        number = columns["number"].copy()
        for row in bad:
            kind = random.choice(("query", "item", "number"))
            if kind == "number":
                number[row] = np.nan
            else:
                {"query": query, "item": item}[kind][row] = None
        made = {"query": pa.array(query), "item": pa.array(item), "number": pa.array(number)}
        for receiver in (_native.Index(reading), new_aligner(Options(), "0", reading)):
            assert error_of(receiver, lambda made=made: many_batches(made, size))[1] == bad[0] + 1


@pytest.mark.parametrize("reading", THREADS)
@pytest.mark.parametrize("apart", [False, True])
def test_the_first_repeat_is_named_by_its_rows(reading, apart):
    columns = many(300, apart=apart)
    where = {
        pair: row for row, pair in enumerate(zip(columns["query"], columns["item"], strict=True))
    }
    query, first, second = 7, where[7, 3], where[7, 200]
    columns["item"][second] = 3
    columns["item"][where[250, 400]] = 5
    index = _native.Index(reading)
    index.add({str(q): {"0": 1} for q in range(300)})
    index.finish(_native.Duplicates.error)
    full = pushed(aligner(index, Options(), reading, None), lambda: many_batches(columns, 999))
    with pytest.raises(_native.BadInput) as caught:
        full.finish()
    expected = ("retrieved-twice", second + 1, 0, b"", b"7", b"3", first + 1.0, second + 1.0)
    assert caught.value.args == expected
    twice = pushed(_native.Index(reading), lambda: many_batches(columns, 999))
    with pytest.raises(_native.BadInput) as caught:
        twice.finish(_native.Duplicates.error)
    assert caught.value.args == (
        "judged-twice",
        second + 1,
        0,
        b"",
        b"%d" % query,
        b"3",
        -3.0,
        -200.0,
    )


def test_a_query_of_many_small_batches_takes_no_longer_for_each():
    n = 100_000
    query, item = pa.array([7] * n), pa.array(range(n))
    whole = pa.record_batch({"query": query, "item": item, "rank": item})
    cut = [whole.slice(i, 5) for i in range(0, n, 5)]
    table = lambda: pa.RecordBatchReader.from_batches(whole.schema, cut)  # noqa: E731
    full = pushed(new_aligner(Options(), "7", THREADS[1]), table)
    assert full.finish().n_retrieved.tolist() == [n]


def test_a_stream_is_read_once():
    stream = batches(columns_of([(b"q", b"d", 1.0)], TEXT, DOUBLES)).__arrow_c_stream__()
    assert _native.columns_of(stream) == [("query", "u"), ("item", "u"), ("number", "g")]
    index = _native.Index()
    index.push_table(stream, 0, 1, 2)
    gone = ("table", 0, 0, b"its rows were read before, and are gone", b"", b"", 0.0, 0.0)
    for use in (lambda: index.push_table(stream, 0, 1, 2), lambda: _native.columns_of(stream)):
        with pytest.raises(_native.BadInput) as caught:
            use()
        assert caught.value.args == gone
    with pytest.raises(ValueError, match="PyCapsule"):
        _native.columns_of("no capsule")


def test_a_single_column_is_no_table():
    with pytest.raises(_native.BadInput) as caught:
        _native.columns_of(pa.chunked_array([["a"]]).__arrow_c_stream__())
    assert caught.value.args[:4] == ("table", 0, 0, b"it is a single column, not a table")


def test_columns_that_are_not_there_are_refused():
    for numbers in ((0, 5, 2), (5, 0, 2), (0, 1, 5)):
        stream = batches(columns_of([(b"q", b"d", 1.0)], TEXT, DOUBLES)).__arrow_c_stream__()
        with pytest.raises(RuntimeError, match="there is a column"):
            _native.Index().push_table(stream, *numbers)


def failing(rows_before: int, error: BaseException) -> pa.RecordBatchReader:
    schema = pa.schema({"query": pa.string(), "item": pa.int64(), "number": pa.float64()})

    def made():
        for begin in range(0, rows_before, 5_000):
            item = np.arange(begin, min(begin + 5_000, rows_before))
            number = np.where(item == 50_000, np.nan, 1.0)
            yield pa.record_batch([["q"] * len(item), item, number], schema=schema)
        raise error

    return pa.RecordBatchReader.from_batches(schema, made())


@pytest.mark.parametrize("rows_before", [0, 1, 40_000])
def test_a_library_that_fails_is_quoted(rows_before):
    for receiver in (_native.Index(THREADS[1]), new_aligner(Options(), "q", THREADS[1])):
        found = error_of(receiver, lambda: failing(rows_before, OSError("the disk is gone")))
        assert found[:2] == ("table", 0)
        assert b"the disk is gone" in found[3]


def test_a_bad_row_comes_before_the_failure_after_it():
    for reading in THREADS:
        found = error_of(new_aligner(Options(), "q", reading), lambda: failing(50_010, OSError()))
        assert found == ("score", 50_001, 0, b"nan", b"q", b"50000", 0.0, 0.0)


def test_a_receiver_that_is_dropped_half_way_ends_its_threads():
    columns = many(300)
    for _ in range(10):
        for receiver in (_native.Index(THREADS[2]), new_aligner(Options(), "3", THREADS[2])):
            receiver.push_table(many_batches(columns, 5_000).__arrow_c_stream__(), 0, 1, 2)
            del receiver


def test_tables_and_text_and_rows_are_not_mixed():
    table = lambda: batches(columns_of([(b"q", b"d", 1.0)], TEXT, DOUBLES))  # noqa: E731
    index = _native.Index()
    index.add({"q": {"d": 1}})
    with pytest.raises(RuntimeError, match="it was given rows"):
        pushed(index, table)
    index = pushed(_native.Index(), table)
    with pytest.raises(RuntimeError, match="it has read text or tables"):
        index.add({"q": {"d": 1}})
    index.push_table(table().__arrow_c_stream__(), 0, 1, 2)
    with pytest.raises(RuntimeError, match="at the end"):
        index.finish(_native.Duplicates.error)
