"""Queries that Spark ranks have the bits of one machine under every rule that windows follow."""

import pytest

from gainful import Rules
from spark.local_and_spark import assert_same
from spark.test_large_queries import MEASURES, QRELS, RUN
from spark.test_large_queries import small_limit as small_limit

pytestmark = pytest.mark.spark
RULES = [
    Rules(ties="item-asc", depth=4),
    Rules(ties="input-reversed", empty="skip", missing="skip"),
    Rules(ties="rank-column"),
    Rules(ties="best"),
    Rules(ties="worst"),
    Rules(order="rank"),
    Rules(order="file", unjudged="undefined"),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_ranks_of_windows_give_the_bits_of_one_machine(spark, rules):
    assert_same(spark, QRELS, RUN, MEASURES, rules=rules)
