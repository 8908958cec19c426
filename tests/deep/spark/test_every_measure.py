"""Every measure has the same bits on Spark, however the rows are spread."""

import pytest

from gainful import JudgedRankings
from gainful.measures import REGISTRY
from measures.every_measure import complete_measure
from spark.local_and_spark import assert_same
from spark.random_tables import random_qrels, random_run

pytestmark = pytest.mark.spark

QRELS, RUN = random_qrels(), random_run()


def select_measures(*kinds):
    """All measures that read some kinds of rankings, with the settings that they need."""
    return [complete_measure(name) for name, measure in REGISTRY.items() if measure.reads in kinds]


@pytest.mark.parametrize("partitions", [3, 16])
def test_every_measure_of_judged_items_has_the_same_bits(spark, partitions):
    measures = select_measures(JudgedRankings)
    result = assert_same(spark, QRELS, RUN, measures, partitions=partitions)
    assert len(result["values"]) == len(measures)
