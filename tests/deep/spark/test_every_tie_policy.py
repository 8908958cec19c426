"""Ties of every policy have the same bits on Spark, however the rows are spread."""

import pytest

from gainful import Rules
from gainful.alignment.rules import list_rule_arguments
from spark.local_and_spark import PARTITIONS, assert_same
from spark.random_tables import random_qrels, random_run

pytestmark = pytest.mark.spark

QRELS, RUN = random_qrels(1), random_run(1)
MEASURES = ["nDCG@3,10", "nDCG(gain=exp2)", "DCG@5", "AP", "RR", "P@1,4", "R@7"]


POLICIES = list(list_rule_arguments()["ties"].meanings)


@pytest.mark.parametrize("ties", POLICIES)
def test_every_policy_has_the_same_bits(spark, ties):
    partitions = PARTITIONS[POLICIES.index(ties) % len(PARTITIONS)]
    options = {"partitions": partitions, "rules": Rules(ties=ties)}
    result = assert_same(spark, QRELS, RUN, MEASURES, **options)
    assert len(result["queries"]) == 40


@pytest.mark.parametrize("ties", ["item-asc", "average", "input"])
def test_policies_have_the_same_bits_in_single_precision(spark, ties):
    rules = Rules(ties=ties, precision="float32")
    assert_same(spark, QRELS, RUN, MEASURES, rules=rules)
