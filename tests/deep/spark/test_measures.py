"""Every measure has the same bits on Spark, however the rows are spread."""

import pytest

from gainful import JudgedRankings
from gainful.measures import REGISTRY
from measures.every_measure import complete
from spark.drawn import drawn_qrels, drawn_run
from spark.sameness import assert_same

pytestmark = pytest.mark.spark

QRELS, RUN = drawn_qrels(), drawn_run()


def measures_of(*kinds):
    """All measures that read some kinds of rankings, with the settings that they need."""
    return [complete(name) for name, one in REGISTRY.items() if one.reads in kinds]


@pytest.mark.parametrize("partitions", [3, 16])
def test_measures_of_judged_items(spark, partitions):
    measures = measures_of(JudgedRankings)
    found = assert_same(spark, QRELS, RUN, measures, partitions=partitions)
    assert len(found["values"]) == len(measures)
