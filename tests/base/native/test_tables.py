"""Qrels and runs as Arrow tables: batches, threads and bad rows, against the reference."""

from decimal import Decimal
from itertools import pairwise
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from base.native.answers import (
    aligner,
    describe_answer,
    make_native_options,
    parts,
    reference_answer,
)
from base.native.arrow_tables import (
    TEXTS,
    Maker,
    Rows,
    batches,
    bytes_as,
    coded_as,
    columns_of,
    integers,
    push_tables,
    rows,
    structures,
    table_answer,
    text_as,
)
from base.native.samples import SIZES, every_option
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


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(8))
def test_tables_give_the_answer_of_the_reference_under_every_rule(seed, size):
    random = Random(seed)
    for options in random.sample(OPTIONS, 12):
        twice = options.duplicates != "error" or random.random() < 0.3
        assert_same(rows(random.randrange(10**6), size, twice=twice), options, seed=seed)


def described_queries(columns: dict[str, pa.Array]) -> list[str]:
    index = push_tables(_native.Index(), lambda: batches(columns))
    index.finish(_native.Duplicates.error)
    return index.queries


@pytest.mark.parametrize("skipped", [0, 1, 7, 8, 9])
@pytest.mark.parametrize("name", ["string", "string_view", "int64 codes", "binary"])
def test_the_offset_of_a_whole_table_counts(name, skipped):
    sample = rows(4, 65)
    expected = reference_answer(*sample.text, Options())
    qrels = columns_of(sample.qrels, TEXTS[name], DOUBLES)
    run = columns_of(sample.run, TEXTS[name], DOUBLES, WHOLES)
    answer = table_answer(
        lambda: structures(qrels, skipped), lambda: structures(run, skipped), Options()
    )
    assert answer == expected


def test_several_tables_are_one_after_the_other():
    sample = rows(5, 300)
    run = columns_of(sample.run, TEXT, DOUBLES, WHOLES)
    cuts = [0, 1, 1, 100, 250, len(sample.run)]
    tables = [
        lambda begin=begin, end=end: batches({n: c[begin:end] for n, c in run.items()})
        for begin, end in pairwise(cuts)
    ]
    index = push_tables(_native.Index(), lambda: batches(columns_of(sample.qrels, TEXT, DOUBLES)))
    index.finish(_native.Duplicates.error)
    for options in (Options(), Options(order="file"), Options(order="rank", ties="input")):
        answer = describe_answer(
            index,
            lambda query_number, options=options: push_tables(
                aligner(index, options, THREADS[2], query_number), *tables
            ),
        )
        assert answer == reference_answer(*sample.text, options)


def test_an_empty_table_holds_nothing():
    none = columns_of([], TEXT, DOUBLES)
    assert described_queries(none) == []
    index = push_tables(_native.Index())
    index.finish(_native.Duplicates.error)
    assert index.n_queries == 0
    index = indexed()
    empty = aligner(index, Options(), THREADS[1], None)
    assert push_tables(
        empty, lambda: batches(columns_of([], TEXT, DOUBLES, WHOLES))
    ).finish().in_run.tolist() == [0]


def indexed(query: str = "q", item: str = "d") -> _native.Index:
    index = _native.Index()
    index.add({query: {item: 1}})
    index.finish(_native.Duplicates.error)
    return index


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
        push_tables(receiver, table)
    return caught.value.args


def new_aligner(options: Options, query: str = "q", reading=None) -> _native.Aligner:
    return _native.Aligner(indexed(query), make_native_options(options), reading)


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


@pytest.mark.parametrize(("numbers", "text"), NO_NUMBERS)
def test_what_is_no_number_is_reported_with_its_row(numbers, text):
    table = lambda: batches(  # noqa: E731
        {"query": pa.array(["q", "q"]), "item": pa.array([1, 2]), "number": numbers},
        (1, 0),
        padded=True,
    )
    wrong = (2, 0, text, b"q", b"2", 0.0, 0.0)
    assert error_of(_native.Index(), table) == ("label", *wrong)
    for query in ("q", "other"):
        assert error_of(new_aligner(Options(), query), table) == ("score", *wrong)
    push_tables(new_aligner(Options(order="file")), table)


def test_labels_are_finite_and_scores_need_not_be():
    columns = {
        "query": pa.array(["q"]),
        "item": pa.array(["d"]),
        "number": pa.array([float("-inf")]),
    }
    wrong = ("label", 1, 0, b"-inf", b"q", b"d", 0.0, 0.0)
    assert error_of(_native.Index(), lambda: batches(columns)) == wrong
    assert push_tables(new_aligner(Options()), lambda: batches(columns)).n_rows == 1


@pytest.mark.parametrize(
    ("rank", "text"),
    [
        (pa.array([1.5]), b"1.5"),
        (pa.array([None], pa.int8()), b"null"),
        (pa.array([2**60]), b"1152921504606846976"),
        (pa.array([float("inf")]), b"inf"),
        (pa.array(["first"]), b"first"),
    ],
)
def test_ranks_that_are_no_integers_are_reported(rank, text):
    columns = {
        "query": pa.array(["q"]),
        "item": pa.array(["d"]),
        "number": pa.array([1]),
        "rank": rank,
    }
    for options in (Options(order="rank"), Options(ties="rank_column")):
        error = error_of(new_aligner(options), lambda: batches(columns))
        assert error == ("rank", 1, 0, text, b"q", b"d", 0.0, 0.0)
    assert push_tables(new_aligner(Options()), lambda: batches(columns)).n_rows == 1


def test_without_scores_ranks_decide_and_without_either_the_order_of_the_rows():
    ids = {"query": pa.array(["q", "q", "q"]), "item": pa.array(["a", "d", "c"])}
    ranked = ids | {"rank": pa.array([3, 1, 2])}

    def order(columns, options):
        receiver = _native.Aligner(indexed(), make_native_options(options), kept=0)
        push_tables(receiver, lambda: batches(columns)).finish()
        return [item for item, *_ in receiver.ranking()]

    assert order(ranked, Options()) == ["d", "c", "a"]
    assert order(ranked, Options(order="rank")) == ["d", "c", "a"]
    assert order(ranked, Options(order="file")) == ["a", "d", "c"]
    assert order(ids, Options(order="file")) == ["a", "d", "c"]
    for options in (Options(), Options(order="rank"), Options(order="file", ties="rank_column")):
        assert error_of(new_aligner(options), lambda: batches(ids))[0] == "no-scores"
    assert error_of(_native.Index(), lambda: batches(ids))[0] == "no-scores"


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
        index = push_tables(_native.Index(reading), lambda: many_batches(judged, size))
        index.finish(_native.Duplicates.error)
        assert index.queries == [str(q) for q in range(n_queries)]
        run = aligner(index, Options(), reading, None)
        aligned = push_tables(run, lambda: many_batches(columns, size)).finish()
        assert run.n_rows == MANY
        assert aligned.n_retrieved.tolist() == [depth] * n_queries
        assert aligned.hit_rank.tolist() == (judged["item"] + 1).tolist()
        first = parts(aligned.head_offsets, aligned.head_item.tolist())
        assert [[aligned.items[i] for i in head] for head in first] == [
            ["0", "1", "2", "3", "4"]
        ] * n_queries
        everything = push_tables(_native.Index(reading), lambda: many_batches(columns, size))
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
    full = push_tables(aligner(index, Options(), reading, None), lambda: many_batches(columns, 999))
    with pytest.raises(_native.BadInput) as caught:
        full.finish()
    expected = ("retrieved-twice", second + 1, 0, b"", b"7", b"3", first + 1.0, second + 1.0)
    assert caught.value.args == expected
    twice = push_tables(_native.Index(reading), lambda: many_batches(columns, 999))
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
    full = push_tables(new_aligner(Options(), "7", THREADS[1]), table)
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
        error = error_of(receiver, lambda: failing(rows_before, OSError("the disk is gone")))
        assert error[:2] == ("table", 0)
        assert b"the disk is gone" in error[3]


def test_a_bad_row_comes_before_the_failure_after_it():
    for reading in THREADS:
        error = error_of(new_aligner(Options(), "q", reading), lambda: failing(50_010, OSError()))
        assert error == ("score", 50_001, 0, b"nan", b"q", b"50000", 0.0, 0.0)


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
        push_tables(index, table)
    index = push_tables(_native.Index(), table)
    with pytest.raises(RuntimeError, match="it has read text or tables"):
        index.add({"q": {"d": 1}})
    index.push_table(table().__arrow_c_stream__(), 0, 1, 2)
    with pytest.raises(RuntimeError, match="at the end"):
        index.finish(_native.Duplicates.error)
