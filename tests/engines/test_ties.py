"""Ties of every policy have the same bits on Spark, however the rows are spread."""

import pytest

from engines.drawn import drawn_qrels, drawn_run
from engines.sameness import PARTITIONS, assert_same
from gainful import Rules
from gainful.engines.spark import STRATEGIES
from gainful.rules import rule_arguments

pytestmark = pytest.mark.spark

QRELS, RUN = drawn_qrels(1), drawn_run(1)
MEASURES = ["nDCG@3,10", "nDCG(gain=exp2)", "DCG@5", "AP", "RR", "P@1,4", "R@7"]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("partitions", PARTITIONS)
@pytest.mark.parametrize("ties", rule_arguments()["ties"].meanings)
def test_ties(spark, ties, partitions, strategy):
    how = {"partitions": partitions, "strategy": strategy, "rules": Rules(ties=ties)}
    found = assert_same(spark, QRELS, RUN, MEASURES, **how)
    assert len(found["queries"]) == 40


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("ties", ["item-asc", "average", "input"])
def test_ties_in_single_precision(spark, ties, strategy):
    rules = Rules(ties=ties, precision="float32")
    assert_same(spark, QRELS, RUN, MEASURES, strategy=strategy, rules=rules)
