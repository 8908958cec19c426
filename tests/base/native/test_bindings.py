"""Dicts and lists give the same answers as the same rows in TREC text."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from base.native.answers import READINGS, aligner, describe_answer, native_answer
from base.native.samples import RULES, SIZES, ids
from gainful.base import _native
from reference.align import Options

QUERIES = 5
TIES = tuple(ties for ties in RULES["ties"] if ties != "rank_column")


def answer_of(qrels, run, options):
    """All that the native core says of two mappings, or what is wrong."""
    try:
        index = _native.Index()
        index.add(qrels)
        index.finish(getattr(_native.Duplicates, options.duplicates))
        return describe_answer(
            index, lambda query_number: fill_aligner(index, run, options, query_number)
        )
    except _native.BadInput as error:
        return error.args


def fill_aligner(index, run, options, query_number):
    """An aligner that was given a mapping, and knows the ranking of one query."""
    receiver = aligner(index, options, READINGS[1], query_number)
    if any(isinstance(entries, list | tuple) for entries in run.values()):
        for query, items in run.items():
            receiver.add_list(query, items)
    else:
        receiver.add(run)
    return receiver


def mapping(random, size, values):
    """{query: {item: number}} with about as many entries; ids are bytes."""
    queries, items = ids(random, QUERIES), ids(random, max(3, size))
    rows = [(random.choice(queries), random.choice(items)) for _ in range(size)]
    table = {}
    for query, item in rows:
        table.setdefault(query, {})[item] = random.choice(values)
    return table


def decode_ids(table):
    """The same mapping with ids of type str; bytes that are no UTF-8 are escaped."""
    return {
        query.decode("utf-8", "surrogateescape"): {
            item.decode("utf-8", "surrogateescape"): number for item, number in entries.items()
        }
        for query, entries in table.items()
    }


def without_scores(answer):
    """The answer but for the scores, which text holds unread unless they order the run."""
    for ranking in answer["rankings"].values():
        ranking["places"] = [(item, *rest) for item, _, *rest in ranking["places"]]
    return answer


def rows_of(table):
    return [
        (query, item, number)
        for query, entries in table.items()
        for item, number in entries.items()
    ]


@pytest.mark.parametrize("order", ["score", "file"])
@pytest.mark.parametrize("ties", TIES)
def test_dicts_give_what_the_same_rows_give_as_text(ties, order):
    for seed, size in enumerate(SIZES):
        random = Random(f"{ties} {seed}")
        qrels = mapping(random, size, [-1, 0, 1, 2, 0.5, -0.0])
        queries = dict(zip(ids(random, QUERIES), qrels, strict=False))
        run = mapping(random, size, [0.1, 0.1 + 1e-9, 1.5, 2, -3, float("inf")])
        run = {queries.get(query, query): entries for query, entries in run.items()}
        qrels_text = b"".join(b" %b 0 %b %a\n" % row for row in rows_of(qrels))
        run_text = b"".join(b" %b Q0 %b 0 %a t\n" % row for row in rows_of(run))
        chosen = Options(
            order=order,
            ties=ties,
            condense=random.choice((False, True)),
            float32=random.choice((False, True)),
            depth=random.choice((0, 3)),
        )
        expected = without_scores(native_answer([qrels_text], [run_text], chosen))
        assert without_scores(answer_of(qrels, run, chosen)) == expected
        assert without_scores(answer_of(decode_ids(qrels), decode_ids(run), chosen)) == expected


@pytest.mark.parametrize("order", RULES["order"])
@pytest.mark.parametrize("ties", RULES["ties"])
@pytest.mark.parametrize("duplicates", ["first", "last", "max"])
def test_lists_give_what_ranks_and_falling_scores_give_as_text(order, ties, duplicates):
    random = Random(f"{order} {ties}")
    items = ids(random, 30)
    qrels = {b"q": {item: random.choice((0, 1, 2)) for item in items[::2]}, b"r": {b"d": 1}}
    run = {b"q": [random.choice(items) for _ in range(65)], b"s": [b"d"], b"r": []}
    qrels_text = b"".join(b" %b 0 %b %a\n" % row for row in rows_of(qrels))
    rows = [(b"q", item, rank, -rank) for rank, item in enumerate(run[b"q"], start=1)]
    run_text = b"".join(b" %b Q0 %b %d %d t\n" % row for row in [*rows, (b"s", b"d", 1, -1)])
    chosen = Options(order=order, ties=ties, duplicates=duplicates)
    expected = native_answer([qrels_text], [run_text], chosen)
    answer = answer_of(qrels, run, chosen)
    assert answer["rankings"].pop(b"r")["in_run"]
    assert not expected["rankings"].pop(b"r")["in_run"]
    assert without_scores(answer) == without_scores(expected)


@pytest.mark.parametrize(
    ("id", "other"),
    [
        ("12", 12),
        ("12", b"12"),
        ("12", np.str_("12")),
        ("12", np.int64(12)),
        ("12", np.uint8(12)),
        ("12", np.bytes_(b"12")),
        ("-3", -3),
        (str(2**70), 2**70),
        ("é", "é".encode()),
        ("", b""),
        ("a b\nc", b"a b\nc"),
        ("\x00", b"\x00"),
        ("\udcff", b"\xff"),
        ("a\udced\udca0\udc80", b"a\xed\xa0\x80"),
    ],
)
def test_ids_of_different_types_are_the_same_id(id, other):
    answer = answer_of({id: {id: 3}}, {other: {other: 1.5}}, Options())
    (query,) = answer["judgments"]
    assert answer["judgments"][query] == [(query, 3.0)]
    assert answer["rankings"][query]["hits"] == [(1, 3.0, 1, 1)]
    assert answer_of({other: {other: 3}}, {id: [id]}, Options(order="file"))["strangers"] == []


@pytest.mark.parametrize("item", [b"\xff", b"a\x80z", b"\xed\xb3\xbf", b"\xc3\xa9\xc3"])
def test_bytes_that_are_no_utf8_come_back_as_they_were(item):
    index = _native.Index()
    index.add({item: {item: 1}})
    index.finish(_native.Duplicates.error)
    again = _native.Index()
    again.add({index.queries[0]: dict(index.judgments(0))})
    again.finish(_native.Duplicates.error)
    assert again.queries == index.queries == [item.decode("utf-8", "surrogateescape")]
    assert again.judgments(0) == index.judgments(0)


@pytest.mark.parametrize(
    "value",
    [2, 2.0, True + 1, np.float32(2), np.int8(2), np.float64(2), Fraction(2), np.array(2.0)],
)
def test_numbers_of_every_type_are_taken(value):
    answer = answer_of({"q": {"d": value}}, {"q": {"d": value}}, Options())
    assert answer["rankings"][b"q"]["places"] == [(b"d", 2.0, 2.0, 1, 1)]


def test_infinite_scores_are_taken():
    run = {"q": {"a": float("-inf"), "b": 0.0, "c": float("inf")}}
    places = answer_of({"q": {"d": 1}}, run, Options())["rankings"][b"q"]["places"]
    assert [item for item, *_ in places] == [b"c", b"b", b"a"]


def test_query_without_judgments_or_items_is_there():
    answer = answer_of({"a": {}, "b": {"d": 1}, "c": {"d": 1}}, {"b": {}, "a": {}}, Options())
    assert answer["pool"] == {b"a": [], b"b": [1.0], b"c": [1.0]}
    assert [ranking["in_run"] for ranking in answer["rankings"].values()] == [True, True, False]
    assert (answer["n_rows"], answer["first"]) == (0, (b"", b""))


def test_query_without_items_that_is_not_judged_is_a_stranger():
    assert answer_of({"a": {"d": 1}}, {"z": {}}, Options())["strangers"] == [b"z"]


def test_empty_dicts_hold_nothing():
    answer = answer_of({}, {}, Options())
    assert (answer["judgments"], answer["rankings"], answer["n_rows"]) == ({}, {}, 0)


@pytest.mark.parametrize(("rule", "label"), [("first", 1.0), ("last", 2.0), ("max", 3.0)])
def test_one_id_in_several_types_is_a_duplicate(rule, label):
    entries = {"1": 1, 1: 3, b"1": 2}
    answer = answer_of({"q": entries}, {"q": entries}, Options(duplicates=rule))
    assert answer["rankings"][b"q"]["places"] == [(b"1", label, label, 1, 1)]
    assert (answer["n_duplicates"], answer["n_duplicate_judgments"]) == (2, 2)


def test_one_query_in_several_types_is_one_query():
    answer = answer_of({"1": {"a": 1}, 1: {"b": 2}}, {1: {"b": 2}, b"1": {"a": 1}}, Options())
    assert answer["judgments"] == {b"1": [(b"a", 1.0), (b"b", 2.0)]}
    assert answer["rankings"][b"1"]["n_retrieved"] == 2
