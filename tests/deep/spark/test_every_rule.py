"""Every rule does the same on Spark, one at a time."""

import pytest

from gainful import Rules
from gainful.alignment.rules import list_rule_arguments
from gainful.dialects import DialectRules
from spark.local_and_spark import assert_same
from spark.random_tables import add_repeats, random_qrels, random_run

pytestmark = pytest.mark.spark

QRELS, RUN = random_qrels(2), random_run(2)
MEASURES = ["nDCG@3,10", "DCG@5", "nDCG(gain=exp2)", "P@4", "Judged@5"]

# Of rules that are numbers or patterns, some that leave a value and some that refuse the data.
OTHERS = {
    "depth": (1, 4, 1000),
    "collapse": (r"^.(.)",),
    "unjudged_label": (0.5, -1),
    "min_label": (1, 2.5),
    "max_label": (2, 3),
    "min_items": (1, 3),
    "decimals": (0, 3),
}
# Ties have tests of their own; of repeated items see below.
RULES = [
    (name, value)
    for name, argument in list_rule_arguments(DialectRules).items()
    if name not in ("ties", "duplicates")
    for value in (OTHERS.get(name, argument.meanings))
]


@pytest.mark.parametrize(("name", "value"), RULES)
def test_every_rule_has_the_same_bits(spark, name, value):
    assert_same(spark, QRELS, RUN, MEASURES, rules=DialectRules(**{name: value}))


@pytest.mark.parametrize("duplicates", list_rule_arguments(DialectRules)["duplicates"].meanings)
def test_every_rule_for_repeated_items_has_the_same_bits(spark, duplicates):
    rules = Rules(duplicates=duplicates, ties="input-reversed")
    options = {"partitions": 7, "rules": rules}
    assert_same(spark, QRELS, add_repeats(RUN), MEASURES, **options)
    assert_same(spark, add_repeats(QRELS).sort_by("query"), RUN, MEASURES, **options)
