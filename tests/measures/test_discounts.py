"""What the gain at each rank is divided by."""

from math import log, log2

import pytest

from gainful import dcg


@pytest.mark.parametrize(
    ("discount", "divisors"),
    [
        ("log2", [log2(2), log2(3), log2(4)]),
        ("ln", [log(2), log(3), log(4)]),
        ("log(3)", [log(2) / log(3), log(3) / log(3), log(4) / log(3)]),
        ("jk(2)", [1, log2(2), log2(3)]),
        ("jk(3)", [1, 1, log(3) / log(3)]),
        ("reciprocal", [1, 2, 3]),
        ("none", [1, 1, 1]),
    ],
)
def test_each_discount_divides_by_its_function_of_the_rank(discount, divisors):
    assert dcg([5, 7, 11], discount=discount) == pytest.approx(
        5 / divisors[0] + 7 / divisors[1] + 11 / divisors[2], rel=1e-15
    )
