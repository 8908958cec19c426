"""Rankings of items without ids: the native core against the reference."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference.align
from base.native.answers import make_native_options, parts, rankings
from base.native.samples import SIZES
from example_counts import max_examples
from gainful.base import _native
from reference.align import Options

TIES = ("input", "input_reversed", "average", "best", "worst", "middle")

small = st.sampled_from([-1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 1e39, 2e39, 0.1, 0.1 + 1e-9])


def native_arrays(labels, scores, offsets, options, reach=0):
    """Rankings and pools, from the native core."""
    answer = _native.align_arrays(
        np.array(labels, dtype=np.float64),
        None if scores is None else np.array(scores, dtype=np.float64),
        np.array(offsets, dtype=np.int64),
        make_native_options(options),
        reach,
    )
    pools = parts(answer.pool_offsets, answer.pool_label.tolist())
    return [
        {**ranking, "pool": pool}
        for ranking, pool in zip(rankings(answer.aligned), pools, strict=True)
    ]


def reference_arrays(labels, scores, offsets, options):
    """Rankings and pools, from the reference."""
    return [
        {
            "in_run": True,
            "n_retrieved": ranking.n_retrieved,
            "hits": [tuple(hit) for hit in ranking.hits],
            "pool": sorted((place.label for place in ranking.places), reverse=True),
        }
        for ranking in reference.align.align_arrays(labels, scores, offsets, options)
    ]


def assert_same_arrays(labels, scores, offsets, options):
    expected = reference_arrays(labels, scores, offsets, options)
    assert native_arrays(labels, scores, offsets, options) == expected
    return expected


def test_labels_alone_keep_their_order():
    (ranking,) = assert_same_arrays([3.0, 0.0, -1.0, 2.0], None, [0, 4], Options(order="file"))
    assert ranking["hits"] == [(1, 3.0, 1, 1), (2, 0.0, 2, 1), (3, -1.0, 3, 1), (4, 2.0, 4, 1)]
    assert ranking["pool"] == [3.0, 2.0, 0.0, -1.0]


def test_scores_order_the_labels():
    (ranking,) = assert_same_arrays([1.0, 2.0, 3.0], [0.1, 0.3, 0.2], [0, 3], Options(ties="input"))
    assert [label for _, label, *_ in ranking["hits"]] == [2.0, 3.0, 1.0]


@pytest.mark.parametrize(
    ("ties", "labels"),
    [
        ("input", [1.0, 3.0, 2.0, 0.0]),
        ("input_reversed", [2.0, 3.0, 1.0, 0.0]),
        ("middle", [1.0, 3.0, 2.0, 0.0]),
        ("best", [3.0, 2.0, 1.0, 0.0]),
        ("worst", [1.0, 2.0, 3.0, 0.0]),
        ("average", [3.0, 2.0, 1.0, 0.0]),
    ],
)
def test_tied_scores_are_ordered_by_the_rule(ties, labels):
    given_labels, scores = [1.0, 3.0, 0.0, 2.0], [1.0, 1.0, 0.0, 1.0]
    (ranking,) = assert_same_arrays(given_labels, scores, [0, 4], Options(ties=ties))
    assert [label for _, label, *_ in ranking["hits"]] == labels
    assert [tuple(hit[2:]) for hit in ranking["hits"]] == [(1, 3)] * 3 + [(4, 1)]


def test_empty_rankings_stand_among_others():
    result = assert_same_arrays([1.0, 2.0], [1.0, 2.0], [0, 0, 1, 1, 2, 2], Options(ties="best"))
    assert [ranking["n_retrieved"] for ranking in result] == [0, 1, 0, 1, 0]


@pytest.mark.parametrize("offsets", [[0], [0, 0], [0, 0, 0]])
def test_there_may_be_no_items(offsets):
    assert len(assert_same_arrays([], [], offsets, Options(ties="average"))) == len(offsets) - 1


def test_depth_cuts_the_ranking_but_not_the_pool():
    (ranking,) = assert_same_arrays([1.0, 2.0, 3.0], None, [0, 3], Options(order="file", depth=2))
    assert (ranking["n_retrieved"], len(ranking["hits"]), ranking["pool"]) == (
        2,
        2,
        [3.0, 2.0, 1.0],
    )


def test_depth_within_an_averaged_tie_keeps_all_of_the_tie():
    (ranking,) = assert_same_arrays(
        [1.0, 2.0, 3.0], [1.0] * 3, [0, 3], Options(ties="average", depth=1)
    )
    assert (ranking["n_retrieved"], len(ranking["hits"])) == (1, 3)


def test_negative_zero_is_zero_as_label_and_as_score():
    (ranking,) = native_arrays([-0.0, -0.0], [0.0, -0.0], [0, 2], Options(ties="input"))
    numbers = [label for _, label, *_ in ranking["hits"]] + ranking["pool"]
    assert {math.copysign(1.0, value) for value in numbers} == {1.0}
    assert {size for *_, size in ranking["hits"]} == {2}


@pytest.mark.parametrize("float32", [False, True])
@pytest.mark.parametrize("ties", TIES)
def test_random_arrays_give_what_the_reference_gives(ties, float32):
    for seed in range(24):
        random = Random(seed)
        sizes = [random.choice(SIZES) for _ in range(random.choice((1, 2, 6)))]
        offsets = [sum(sizes[:n]) for n in range(len(sizes) + 1)]
        labels = [random.choice((-1.0, 0.0, 1.0, 2.5)) for _ in range(offsets[-1])]
        scores = [round(random.gauss(0, 1), random.choice((1, 9))) for _ in labels]
        depth = random.choice((0, 1, 10, 64))
        chosen = Options(ties=ties, float32=float32, depth=depth)
        assert_same_arrays(labels, scores, offsets, chosen)
        assert_same_arrays(labels, None, offsets, Options(order="file", ties=ties, depth=depth))


@max_examples(200)
@given(
    st.lists(st.lists(st.tuples(small, small), max_size=8), max_size=4),
    st.sampled_from(TIES),
    st.booleans(),
    st.sampled_from([0, 1, 3]),
)
def test_small_arrays_give_what_the_reference_gives(lists, ties, float32, depth):
    flat = [pair for pairs in lists for pair in pairs]
    offsets = [sum(map(len, lists[:n])) for n in range(len(lists) + 1)]
    labels, scores = ([pair[side] for pair in flat] for side in (0, 1))
    chosen = Options(ties=ties, float32=float32, depth=depth)
    assert_same_arrays(labels, scores, offsets, chosen)


@pytest.mark.parametrize("float32", [False, True])
@pytest.mark.parametrize("ties", TIES)
def test_what_stands_above_the_reach_is_the_same_as_without_one(ties, float32):
    for seed, size in enumerate((0, 1, 2, 7, 40, 41, 90, 300)):
        random = Random(f"{seed} {ties}")
        labels = [random.choice((-1.0, -0.0, 0.0, 1.0, 2.5, 3.0)) for _ in range(size + 5)]
        few = [random.choice((0.0, -0.0, 0.1, 0.1 + 1e-9, 1.0, -math.inf)) for _ in labels]
        many = [random.gauss(0, 1) for _ in labels]
        offsets, depth = [0, 2, size + 2, size + 5], random.choice((0, 3, 50))
        for scores in (few, many, sorted(many), [1.0] * len(labels), None):
            order = "score" if scores else "file"
            chosen = Options(order=order, ties=ties, float32=float32, depth=depth)
            full = reference_arrays(labels, scores, offsets, chosen)
            for reach in {1, 2, 3, 5, 9, 10, 11, 22, 50, 75, size - 1, size, size + 1} - {0, -1}:
                cut_rankings = native_arrays(labels, scores, offsets, chosen, reach)
                for ranking, full_ranking in zip(cut_rankings, full, strict=True):
                    assert_same_above(reach, ranking, full_ranking, ties)


def assert_same_above(reach, ranking, full, ties):
    """Whether a ranking that was cut is the upper part of the full one, at least to the reach."""
    first = 2 if ties == "average" else 0  # a tie that begins above is whole
    needed = [hit for hit in full["hits"] if hit[first] <= reach]
    assert len(ranking["hits"]) >= len(needed)
    assert ranking["hits"] == full["hits"][: len(ranking["hits"])]
    assert len(ranking["pool"]) >= min(reach, len(full["pool"]))
    assert ranking["pool"] == full["pool"][: len(ranking["pool"])]
    assert ranking["n_retrieved"] == full["n_retrieved"]


def test_a_short_reach_leaves_out_what_nobody_looks_at():
    (ranking,) = native_arrays([1.0] * 1000, list(range(1000)), [0, 1000], Options(), reach=10)
    assert (len(ranking["hits"]), len(ranking["pool"]), ranking["n_retrieved"]) == (10, 10, 1000)


def test_input_arrays_are_left_alone():
    labels, scores = np.array([-0.0, 2.0, 1.0]), np.array([1.0, 2.0, 3.0])
    labels.flags.writeable = scores.flags.writeable = False
    result = _native.align_arrays(labels, scores, np.array([0, 3]), make_native_options(Options()))
    assert result.aligned.hit_label.tolist() == [1.0, 2.0, 0.0]
    assert labels.tolist() == [-0.0, 2.0, 1.0]
