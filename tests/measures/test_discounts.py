"""Discounts: the divisor of the gain at each rank."""

from math import log, log2

import pytest

from gainful import dcg


@pytest.mark.parametrize(
    ("discount", "divisor"),
    [
        ("log2", lambda rank: log2(rank + 1)),
        ("ln", lambda rank: log(rank + 1)),
        ("log(3)", lambda rank: log(rank + 1) / log(3)),
        ("jk(2)", lambda rank: max(1, log2(rank))),
        ("jk(3)", lambda rank: max(1, log(rank) / log(3))),
        ("reciprocal", lambda rank: rank),
        ("none", lambda rank: 1),
    ],
)
def test_each_discount_divides_by_its_function_of_the_rank(discount, divisor):
    labels = [5, 7, 11, 13, 17, 19]
    terms = [label / divisor(rank) for rank, label in enumerate(labels, start=1)]
    assert dcg(labels, discount=discount) == pytest.approx(sum(terms), rel=1e-15)
