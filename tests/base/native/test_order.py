"""Scores to ranks: the native sorts against the reference, in cases that are easy to get wrong."""

import math
from random import Random

import numpy as np
import pytest

from base.native.answers import assert_same
from base.native.test_arrays import assert_same_arrays
from reference.align import Options

# Around where a comparison sort gives way to a radix sort, and around its digits.
SIZES = (2, 3, 47, 48, 49, 63, 64, 65, 255, 256, 257, 1000)
STEP = math.ulp(1.0)

KINDS = {
    "any": lambda random, n: [random.gauss(0, 1) for _ in range(n)],
    "last bits": lambda random, n: [1 + random.randrange(2 * n) * STEP for _ in range(n)],
    "last bits, negative": lambda random, n: [
        -1 - random.randrange(2 * n) * STEP for _ in range(n)
    ],
    "last bits around zero": lambda random, n: [
        random.randint(-n, n) * math.ulp(0.0) for _ in range(n)
    ],
    "last bits beside one that is far away": lambda random, n: [
        -1e300,
        *(1 + random.randrange(2 * n) * STEP for _ in range(n - 1)),
    ],
    "32 bits": lambda random, n: [1 + random.getrandbits(32) * STEP for _ in range(n)],
    "33 bits": lambda random, n: [1 + random.getrandbits(33) * STEP for _ in range(n)],
    "24 bits": lambda random, n: [1 + random.getrandbits(24) * STEP for _ in range(n)],
    "negative": lambda random, n: [-random.expovariate(1) for _ in range(n)],
    "every magnitude": lambda random, n: [
        random.choice((-1, 1)) * 10.0 ** random.randint(-320, 308) for _ in range(n)
    ],
    "infinite": lambda random, n: [
        random.choice((math.inf, -math.inf, 0.0, -0.0, random.random())) for _ in range(n)
    ],
    "few": lambda random, n: [random.choice((0.25, 0.5, 0.75)) for _ in range(n)],
    "two, far apart": lambda random, n: [random.choice((-1e300, 1e300)) for _ in range(n)],
    "equal": lambda random, n: [0.5] * n,
    "ascending": lambda random, n: [float(i) for i in range(n)],
    "descending": lambda random, n: [float(-i) for i in range(n)],
    "descending but one": lambda random, n: [float(-i) for i in range(n - 1)] + [1.0],
    "integers": lambda random, n: [float(random.randrange(10 * n)) for _ in range(n)],
}


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_ranked_as_the_reference_ranks_them(kind):
    for seed, size in enumerate(SIZES):
        random = Random(f"{kind} {seed}")
        scores = KINDS[kind](random, size)
        items = random.sample(range(10 * size), size)
        run = "".join(f"q Q0 {i} 1 {s!r} t\n" for i, s in zip(items, scores, strict=True))
        judged = random.sample(items, max(1, size // 10))
        qrels = "".join(f"q 0 {item} {random.randrange(3)}\n" for item in judged)
        for ties in ("input", random.choice(("item_desc", "item_asc", "average", "worst"))):
            assert_same(qrels.encode(), run.encode(), Options(ties=ties, float32=seed % 3 == 0))


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_are_ranked_as_the_reference_ranks_them(kind):
    for seed, size in enumerate(SIZES):
        random = Random(f"{kind} {seed}")
        scores = KINDS[kind](random, size)
        labels = [random.choice((0.0, 1.0, 2.5, -1.0)) for _ in scores]
        for ties in ("input", random.choice(("average", "best", "worst"))):
            assert_same_arrays(labels, scores, [0, size], Options(ties=ties))


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_any_kind_give_a_pool_that_descends(kind):
    for seed, size in enumerate(SIZES):
        labels = [label for label in KINDS[kind](Random(seed), size) if math.isfinite(label)]
        qrels = "".join(f"q 0 {n} {label!r}\n" for n, label in enumerate(labels))
        pool = assert_same(qrels.encode(), b"", Options())["pool"]
        assert all(np.all(np.diff(query_labels) <= 0) for query_labels in pool.values())
        assert_same_arrays(labels, None, [0, len(labels)], Options(order="file"))


def test_equal_scores_keep_the_order_of_the_file_in_large_rankings():
    run = "".join(f"q Q0 {n} 1 {n % 5} t\n" for n in range(3000))
    places = assert_same(b"q 0 7 1", run.encode(), Options(ties="input"))["rankings"][b"q"][
        "places"
    ]
    ranked = [int(item) for item, *_ in places]
    assert ranked == sorted(range(3000), key=lambda n: -(n % 5))
