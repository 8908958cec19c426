"""Ties of every policy have the same bits on Spark, however the rows are spread."""

import pytest

from gainful import Rules
from gainful.alignment.rules import rule_arguments
from spark.drawn import drawn_qrels, drawn_run
from spark.sameness import PARTITIONS, assert_same

pytestmark = pytest.mark.spark

QRELS, RUN = drawn_qrels(1), drawn_run(1)
MEASURES = ["nDCG@3,10", "nDCG(gain=exp2)", "DCG@5", "AP", "RR", "P@1,4", "R@7"]


POLICIES = list(rule_arguments()["ties"].meanings)


@pytest.mark.parametrize("ties", POLICIES)
def test_ties(spark, ties):
    partitions = PARTITIONS[POLICIES.index(ties) % len(PARTITIONS)]
    how = {"partitions": partitions, "rules": Rules(ties=ties)}
    found = assert_same(spark, QRELS, RUN, MEASURES, **how)
    assert len(found["queries"]) == 40


@pytest.mark.parametrize("ties", ["item-asc", "average", "input"])
def test_ties_in_single_precision(spark, ties):
    rules = Rules(ties=ties, precision="float32")
    assert_same(spark, QRELS, RUN, MEASURES, rules=rules)
