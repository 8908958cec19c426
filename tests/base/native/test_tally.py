"""Counts of odd ranks and scores; random runs are compared in answers.py."""

import pytest

from base.native.answers import (
    READINGS,
    assert_same_in_every_reading,
    feed_pieces,
    make_native_options,
    tally,
)
from gainful.base import _native
from reference.align import Options

QRELS = b"q 0 a 1\np 0 a 1\no 0 a 1\n"


def count_oddities(run, **options):
    answer = assert_same_in_every_reading(QRELS, run, Options(**options))
    return {name: count for name, count in answer["tally"].items() if count not in (0, (0, None))}


def test_a_run_in_order_has_nothing_odd():
    assert count_oddities(
        b"q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 2 t\np Q0 a 0 1 t\np Q0 b 9 0 t\n"
    ) == {
        "rows": 5,
        "neighbors": 3,
        "telling": 2,
    }


@pytest.mark.parametrize(
    ("ranks", "odd"),
    [
        ((b"1", b"2", b"3"), {}),
        ((b"2", b"1", b"3"), {"contradicted": (1, 2)}),
        ((b"3", b"2", b"1"), {"contradicted": (2, 2)}),
        ((b"1", b"1", b"1"), {}),
        ((b"+1", b"002", b"0000000003"), {}),
        ((b"-3", b"-2", b"-1"), {}),
        ((b"9", b"10", b"11"), {}),
        ((b"99999999", b"100000000", b"100000001"), {}),
        ((b"100000001", b"100000000", b"99999999"), {"contradicted": (2, 2)}),
        ((b"1", b"x", b"0"), {"odd_ranks": 1, "neighbors": 0}),
        ((b"1.5", b"2", b"1"), {"odd_ranks": 1, "neighbors": 1, "contradicted": (1, 3)}),
        ((b"1:", b"2:", b"3:"), {"odd_ranks": 3, "neighbors": 0}),
    ],
)
def test_ranks_are_compared_with_scores(ranks, odd):
    lines = [
        b"q Q0 %c %s %d t\n" % (item, rank, 9 - n)
        for n, (item, rank) in enumerate(zip(b"abc", ranks, strict=True))
    ]
    usual = {"rows": 3, "neighbors": 2, "telling": 1, **odd}
    expected = {name: count for name, count in usual.items() if count}
    assert count_oddities(b"".join(lines)) == expected
    # Tabs, and spaces of any width, where the fields are found more slowly.
    assert count_oddities(b"".join(lines).replace(b" ", b"  ")) == expected
    assert count_oddities(b"".join(lines).replace(b" ", b"\t")) == expected


def test_scores_that_rise_are_told_from_those_that_are_equal():
    run = b"q Q0 a 1 1 t\nq Q0 b 2 1 t\nq Q0 c 3 2 t\np Q0 a 1 1 t\np Q0 b 2 1 t\no Q0 a 1 1 t\n"
    assert count_oddities(run) == {
        "rows": 6,
        "neighbors": 3,
        "contradicted": (1, 3),
        "telling": 1,
        "equal": (1, 1),
        "ascending": (1, 0),
        "rises": 1,
    }


def test_infinite_scores_are_counted_by_line():
    run = b"q Q0 b 1 2 t\np Q0 a 1 inf t\np Q0 b 2 1 t\np Q0 c 3 -inf t\n"
    assert count_oddities(run)["infinite"] == (2, 2)


def test_judged_items_beside_one_that_single_precision_ties_are_counted():
    run = b"q Q0 b 1 1.00000002 t\nq Q0 a 2 1.00000001 t\np Q0 a 1 2 t\np Q0 b 2 1 t\n"
    assert count_oddities(run)["close"] == (1, 0)
    assert "close" not in count_oddities(run, float32=True)
    assert count_oddities(run, order="rank") == {}


def test_rows_from_python_without_ranks_contradict_nothing():
    index = feed_pieces(_native.Index(), [QRELS])
    index.finish(_native.Duplicates.error)
    aligner = _native.Aligner(index, make_native_options(Options()), READINGS[0])
    aligner.add({"q": {"a": 1.0, "b": 2.0}})
    counts = tally(aligner.finish().tally)
    assert (counts["ascending"], counts["contradicted"]) == ((1, 0), (0, None))
